//! Makes text safe to show: characters that would control a terminal, a spreadsheet or a picture, or mislead the
//! reader, are shown as signs.
//!
//! Owns which characters those are and how each is shown. Names, ids and messages come from whoever created a
//! resource or calls an API. Shown unchanged, they could move a cursor, run a formula, or reverse or hide letters.
//! `ui/src/lib/text.ts` holds the same table for the window. Deliberately changes no data, only how it is shown.

mod typing;

use std::borrow::Cow;

pub use typing::{is_typed, phrase};

/// Characters never shown as they are: control characters, line and paragraph separators, marks and embeddings of
/// direction, and invisible characters. From Unicode's `Default_Ignorable_Code_Point`, `Bidi_Control` and `Cc`; also
/// U+FFFE and U+FFFF, which XML forbids.
const UNSEEN: [(char, char); 22] = [
    ('\u{0}', '\u{1f}'),
    ('\u{7f}', '\u{9f}'),
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200b}'),
    ('\u{200e}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{2800}', '\u{2800}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0d}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffb}'),
    ('\u{fffe}', '\u{ffff}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
];

/// Joiners and the variation selectors of emoji: part of the writing next to the letters below, shown as signs
/// elsewhere.
const JOINING: [(char, char); 2] = [('\u{200c}', '\u{200d}'), ('\u{fe0e}', '\u{fe0f}')];
/// Scripts that are written with joiners (Arabic, Syriac, the Indic ones, Myanmar, Khmer, Mongolian), and pictographs.
const JOINED: [(char, char); 12] = [
    ('\u{600}', '\u{7ff}'),
    ('\u{8a0}', '\u{dff}'),
    ('\u{f00}', '\u{109f}'),
    ('\u{1780}', '\u{18af}'),
    ('\u{203c}', '\u{203c}'),
    ('\u{2049}', '\u{2049}'),
    ('\u{2122}', '\u{2bff}'),
    ('\u{3030}', '\u{3030}'),
    ('\u{303d}', '\u{303d}'),
    ('\u{3297}', '\u{3299}'),
    ('\u{fb50}', '\u{fdff}'),
    ('\u{1f000}', '\u{1faff}'),
];

fn is_in(letter: char, ranges: &[(char, char)]) -> bool {
    ranges.iter().any(|(first, last)| (*first..=*last).contains(&letter))
}

/// Whether a character is a control or invisible, wherever it stands. Joiners count, because they are invisible
/// alone.
pub fn is_unseen(letter: char) -> bool {
    // Nearly all text is plain ASCII.
    !(' '..='~').contains(&letter) && (is_in(letter, &UNSEEN) || is_in(letter, &JOINING))
}

/// Whether a character is invisible between these two.
fn hides(before: Option<char>, letter: char, after: Option<char>) -> bool {
    if !is_in(letter, &JOINING) {
        return is_unseen(letter);
    }
    let joins = |beside: Option<char>| {
        beside.is_some_and(|beside| is_in(beside, &JOINED) || beside == '\u{fe0f}' && letter == '\u{200d}')
    };
    match letter {
        // A keycap such as 1️⃣ has its selector after a digit.
        '\u{fe0e}' | '\u{fe0f}' => {
            let is_key = before.is_some_and(|key| key.is_ascii_digit() || "#*".contains(key));
            !(joins(before) || is_key && after == Some('\u{20e3}'))
        }
        _ => !(joins(before) && joins(after)),
    }
}

/// Writes the sign for a character: a control picture if Unicode has one, else its number.
fn sign(letter: char, out: &mut String) {
    let number = u32::from(letter);
    match number {
        0..=0x1f => out.extend(char::from_u32(0x2400 + number)),
        0x7f => out.push('\u{2421}'),
        _ => out.push_str(&format!("⟨U+{number:04X}⟩")),
    }
}

fn shown(text: &str, keep: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.chars().all(|letter| keep(letter) || !is_unseen(letter)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut before = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if !keep(letter) && hides(before, letter, letters.peek().copied()) {
            sign(letter, &mut out);
        } else {
            out.push(letter);
        }
        before = Some(letter);
    }
    Cow::Owned(out)
}

/// Makes text safe for one line: every control or invisible character becomes a sign. Applying it twice changes
/// nothing.
pub fn visible(text: &str) -> Cow<'_, str> {
    shown(text, |_| false)
}

/// Makes text of several lines safe in the same way; line feeds stay.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    shown(text, |letter| letter == '\n')
}

/// Makes JSON safe to show in a terminal or editor: its values stay the same, but control and invisible characters
/// become `\u` escapes. The text must be JSON: outside strings, line feeds are the only such characters in it.
pub fn visible_json(json: &str) -> Cow<'_, str> {
    let escapes = |letter: char| letter != '\n' && is_unseen(letter);
    if !json.chars().any(escapes) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 16);
    for letter in json.chars() {
        if escapes(letter) {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(letter);
        }
    }
    Cow::Owned(out)
}

/// Whether a spreadsheet may take a text for a formula: it begins like one, possibly after blanks, quotes or
/// invisible characters.
pub fn is_formula(text: &str) -> bool {
    let begins = text.trim_start_matches(|letter: char| {
        letter.is_whitespace() || is_unseen(letter) || "\"'“”‘’`".contains(letter)
    });
    begins.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) || text.starts_with(['\t', '\r', '\n'])
}

/// Makes a file name from text chosen by someone else: no folder, nothing hidden, nothing an operating system
/// refuses.
pub fn file_name(text: &str) -> String {
    let seen = visible(text);
    let kept: String = seen
        .chars()
        .map(|letter| if letter.is_control() || r#"/\:*?"<>|"#.contains(letter) { '-' } else { letter })
        .collect();
    // 255 bytes is the most any file system allows; some are left for what is added to the name.
    let mut end = kept.len().min(200);
    while !kept.is_char_boundary(end) {
        end -= 1;
    }
    let kept = kept[..end].trim_matches([' ', '.']);
    if kept.is_empty() { "file".to_owned() } else { kept.to_owned() }
}

#[cfg(test)]
mod tests;
