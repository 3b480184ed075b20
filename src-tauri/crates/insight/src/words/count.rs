//! Numbers of things.

/// `1 session`, `143 sessions`.
pub fn counted(count: u64, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}
