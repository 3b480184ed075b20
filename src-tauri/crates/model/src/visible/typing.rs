//! What is typed as a confirmation: a form of a name that any keyboard can type.
//!
//! Owns the one rule for guard, command line and window. Whoever confirms types what they see; a letter no key has, or
//! that nobody can see, must not stand between them and an incident.

use deunicode::deunicode_char;

/// What has to be typed for a name: its letters and digits in ASCII, other signs of no key left out, blanks single.
/// A name with nothing of that kind asks for `confirm`.
pub fn phrase(name: &str) -> String {
    let mut typed = String::with_capacity(name.len());
    for letter in name.chars() {
        match letter {
            ' '..='~' => typed.push(letter),
            // What is left out parts words all the same.
            _ => typed.push_str(
                Some(letter)
                    .filter(|letter| letter.is_alphanumeric())
                    .and_then(deunicode_char)
                    .unwrap_or(" "),
            ),
        }
    }
    let words: Vec<&str> = typed.split_ascii_whitespace().collect();
    if words.is_empty() { "confirm".to_owned() } else { words.join(" ") }
}

/// Whether somebody typed what a name asks for. The name itself, pasted or typed on a keyboard that has its letters, is
/// as good.
pub fn is_typed(typed: &str, name: &str) -> bool {
    !typed.trim().is_empty() && phrase(typed) == phrase(name)
}
