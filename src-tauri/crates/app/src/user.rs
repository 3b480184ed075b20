//! The person at this computer.

/// The name of this computer's user, as the system gives it.
#[must_use]
pub fn name() -> Option<String> {
    ["USER", "USERNAME"].into_iter().find_map(|name| std::env::var(name).ok()).filter(|name| !name.is_empty())
}
