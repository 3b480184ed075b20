//! Text made visible: what would steer a terminal, a spreadsheet, a picture or a reader's eye is shown as a sign.
//!
//! Owns which characters those are and how each is shown. Names, ids and messages come from whoever made a resource or
//! calls an API; shown as they are they could move a cursor, run a formula, turn letters round or hide some.
//! `ui/src/lib/text.ts` holds the same table for the window. Deliberately changes no data: only what is shown of it.

mod typing;

use std::borrow::Cow;

pub use typing::{is_typed, phrase};

/// Never shown as they are: control characters, line and paragraph separators, marks and embeddings of direction,
/// characters without ink. From Unicode's `Default_Ignorable_Code_Point`, `Bidi_Control` and `Cc`; U+FFFE and U+FFFF
/// besides, which XML forbids.
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

/// Joiners and the variation selectors of emoji: part of writing beside the letters below, hidden anywhere else.
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

/// Whether a character steers or has no ink, wherever it stands; joiners are such, for they show only in company.
pub fn is_unseen(letter: char) -> bool {
    // Nearly all text is plain ASCII.
    !(' '..='~').contains(&letter) && (is_in(letter, &UNSEEN) || is_in(letter, &JOINING))
}

/// Whether a character hides between these two.
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

/// The sign a character is shown as: a control picture where Unicode has one, its number otherwise.
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

/// A text for one line of anything: every character that would steer or hide is a sign. Shown again it stays the same.
pub fn visible(text: &str) -> Cow<'_, str> {
    shown(text, |_| false)
}

/// The same for a text of several lines: line feeds stay.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    shown(text, |letter| letter == '\n')
}

/// JSON text that does nothing to a terminal and hides nothing in an editor: the same values, with such characters
/// written as `\u` escapes. The text must be JSON: outside of strings it has none of them but line feeds.
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

/// Whether a spreadsheet may take a text for a formula: it begins like one, if need be after blanks, quotes or
/// characters nobody sees.
pub fn is_formula(text: &str) -> bool {
    let begins = text.trim_start_matches(|letter: char| {
        letter.is_whitespace() || is_unseen(letter) || "\"'“”‘’`".contains(letter)
    });
    begins.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) || text.starts_with(['\t', '\r', '\n'])
}

/// A name for a file made of what somebody else chose: no folder, nothing hidden, nothing a system refuses.
pub fn file_name(text: &str) -> String {
    let seen = visible(text);
    let kept: String = seen
        .chars()
        .map(|letter| if letter.is_control() || r#"/\:*?"<>|"#.contains(letter) { '-' } else { letter })
        .collect();
    // 255 bytes is the most any file system takes; some are left for what is written beside it.
    let mut end = kept.len().min(200);
    while !kept.is_char_boundary(end) {
        end -= 1;
    }
    let kept = kept[..end].trim_matches([' ', '.']);
    if kept.is_empty() { "file".to_owned() } else { kept.to_owned() }
}

#[cfg(test)]
mod tests;
