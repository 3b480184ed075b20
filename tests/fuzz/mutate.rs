//! Generates inputs: a sample of the format with a few edits, so that most get past the first check.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// The most edits to one sample.
const EDITS: usize = 8;

/// One edit of a byte string.
#[derive(Clone, Debug)]
enum Edit {
    /// Inserts a word of the format.
    Word(Index, &'static str),
    /// Inserts any character.
    Char(Index, char),
    /// Overwrites a byte.
    Byte(Index, u8),
    /// Removes a section.
    Cut(Index, usize),
    /// Repeats a section.
    Twice(Index, usize, usize),
    /// Removes everything after a position.
    End(Index),
}

/// Generates edited samples, and now and then pure garbage.
pub(crate) fn of(
    samples: &[Vec<u8>],
    words: &'static [&'static str],
) -> impl Strategy<Value = Vec<u8>> + use<> {
    let edited = (select(samples.to_vec()), vec(edit(words), 0..=EDITS))
        .prop_map(|(sample, edits)| edits.iter().fold(sample, apply));
    prop_oneof![
        12 => edited,
        1 => vec(any::<u8>(), 0..64),
        2 => vec(select(words), 0..24).prop_map(|words| words.concat().into_bytes()),
    ]
}

fn edit(words: &'static [&'static str]) -> impl Strategy<Value = Edit> {
    let at = any::<Index>;
    prop_oneof![
        4 => (at(), select(words)).prop_map(|(at, word)| Edit::Word(at, word)),
        2 => (at(), any::<char>()).prop_map(|(at, char)| Edit::Char(at, char)),
        2 => (at(), any::<u8>()).prop_map(|(at, byte)| Edit::Byte(at, byte)),
        2 => (at(), 1..24_usize).prop_map(|(at, length)| Edit::Cut(at, length)),
        1 => (at(), 1..24_usize, 1..40_usize).prop_map(|(at, length, times)| Edit::Twice(at, length, times)),
        1 => at().prop_map(Edit::End),
    ]
}

fn apply(mut bytes: Vec<u8>, edit: &Edit) -> Vec<u8> {
    let place = |at: &Index| at.index(bytes.len() + 1);
    match edit {
        Edit::Word(at, word) => drop(bytes.splice(place(at)..place(at), word.bytes())),
        Edit::Char(at, char) => {
            let mut room = [0; 4];
            let text = char.encode_utf8(&mut room).as_bytes().to_vec();
            drop(bytes.splice(place(at)..place(at), text));
        }
        Edit::Byte(at, byte) => {
            let at = place(at);
            if let Some(old) = bytes.get_mut(at) {
                *old = *byte;
            }
        }
        Edit::Cut(at, length) => {
            let from = place(at);
            bytes.drain(from..(from + length).min(bytes.len()));
        }
        Edit::Twice(at, length, times) => {
            let from = place(at);
            let stretch = bytes[from..(from + length).min(bytes.len())].repeat(*times);
            drop(bytes.splice(from..from, stretch));
        }
        Edit::End(at) => bytes.truncate(place(at)),
    }
    bytes
}
