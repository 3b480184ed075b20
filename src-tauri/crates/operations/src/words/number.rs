//! Numbers as people read them.

/// `1 920`: thousands separated by a non-breaking space.
pub(crate) fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{a0}');
        }
        text.push(digit);
    }
    text
}

/// `1 game session`, `143 game sessions`.
pub(crate) fn count(value: u64, one: &str, many: &str) -> String {
    format!("{} {}", number(value), if value == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(number(7), "7");
        assert_eq!(number(1920), "1\u{a0}920");
        assert_eq!(number(1_234_567), "1\u{a0}234\u{a0}567");
    }
}
