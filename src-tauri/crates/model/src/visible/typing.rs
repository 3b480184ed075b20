//! The text typed as a confirmation: a form of a name that any keyboard can type.
//!
//! Owns the one rule for guard, command line and window. People type what they see when they confirm. A letter that
//! no key has, or that is invisible, must not hold them up in an incident.

use deunicode::deunicode_char;

/// Returns the text to type for a name: letters and digits in ASCII, other characters without a key left out, single
/// blanks. A name that leaves nothing asks for `confirm`.
pub fn phrase(name: &str) -> String {
    let mut typed = String::with_capacity(name.len());
    for letter in name.chars() {
        match letter {
            ' '..='~' => typed.push(letter),
            // A character that is left out still separates words.
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

/// Whether the typed text confirms a name. The name itself, pasted or typed on a keyboard that has its letters, is
/// accepted too.
pub fn is_typed(typed: &str, name: &str) -> bool {
    !typed.trim().is_empty() && phrase(typed) == phrase(name)
}
