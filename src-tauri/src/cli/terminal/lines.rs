//! Lines for a terminal.
//!
//! Owns the rule that a line stays one line and controls nothing: whatever a name or a message holds is displayed,
//! not obeyed.

use std::fmt;

use liftdeck_model::visible::visible;

/// Lines of output. Control and invisible characters in a line are made visible when it is added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lines(Vec<String>);

impl Lines {
    /// One line.
    pub(crate) fn one(line: impl AsRef<str>) -> Self {
        [line].into_iter().collect()
    }

    /// Adds a line.
    pub(crate) fn push(&mut self, line: impl AsRef<str>) {
        self.0.push(visible(line.as_ref()).into_owned());
    }

    /// Adds finished lines.
    pub(crate) fn append(&mut self, lines: Self) {
        self.0.extend(lines.0);
    }
}

impl<T: AsRef<str>> FromIterator<T> for Lines {
    fn from_iter<I: IntoIterator<Item = T>>(lines: I) -> Self {
        let mut all = Self::default();
        lines.into_iter().for_each(|line| all.push(line));
        all
    }
}

/// Writes each line with a line feed.
impl fmt::Display for Lines {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|line| writeln!(out, "{line}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_can_neither_move_the_cursor_nor_begin_a_line() {
        let lines: Lines = ["a\u{1b}[2Jb\nc", "d\u{202e}"].into_iter().collect();
        assert_eq!(lines.to_string(), "a␛[2Jb␊c\nd⟨U+202E⟩\n");
    }
}
