//! Columns with what stands in them, and the tables they make of rows.
//!
//! Owns that a column and its cells cannot drift apart: whoever names a column says there what it reads of a row.

use super::Cell;

/// A column's name for programs and its heading for people.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heading {
    pub(super) key: &'static str,
    pub(super) head: &'static str,
    pub(super) is_number: bool,
    /// Letters it may be cut to before others give way; 0 where it is shown whole or not at all.
    pub(super) least: u16,
    /// Columns of a higher rank give way first where a terminal is too narrow; `DATA` is for programs only.
    pub(super) rank: u8,
}

/// The rank of a column that no table for people has.
const DATA: u8 = u8::MAX;

/// A column of words.
pub(crate) const fn words(key: &'static str, head: &'static str) -> Heading {
    Heading { key, head, is_number: false, least: 0, rank: 0 }
}

/// A column of numbers.
pub(crate) const fn number(key: &'static str, head: &'static str) -> Heading {
    Heading { is_number: true, ..words(key, head) }
}

/// A column for programs only.
pub(crate) const fn data(key: &'static str) -> Heading {
    words(key, "").rank(DATA)
}

impl Heading {
    /// The same column, cut to so many letters where there is no room.
    pub(crate) const fn least(self, least: u16) -> Self {
        Self { least, ..self }
    }

    /// The same column, left out where there is no room; higher ranks go first.
    pub(crate) const fn rank(self, rank: u8) -> Self {
        Self { rank, ..self }
    }

    /// The column of this heading that shows this of a row.
    pub(crate) const fn of<T>(self, cell: fn(&T) -> Cell) -> Column<T> {
        Column { heading: self, cell }
    }

    /// Whether people see it.
    pub(super) const fn is_for_people(&self) -> bool {
        self.rank != DATA
    }
}

/// A column and what it shows of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column<T> {
    heading: Heading,
    cell: fn(&T) -> Cell,
}

/// How much a row matters, and so how it is coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tone {
    #[default]
    Plain,
    Faint,
    Warning,
    Bad,
}

/// Rows under columns: of each how much it matters, and a cell a column.
#[derive(Debug)]
pub(crate) struct Table {
    pub(super) columns: Vec<Heading>,
    pub(super) rows: Vec<(Tone, Vec<Cell>)>,
}

impl Table {
    /// Rows of which none matters more than another.
    pub(crate) fn of<'a, T: 'a>(columns: &[Column<T>], rows: impl IntoIterator<Item = &'a T>) -> Self {
        Self::toned(columns, rows, |_| Tone::Plain)
    }

    /// Rows, each as much as it matters.
    pub(crate) fn toned<'a, T: 'a>(
        columns: &[Column<T>],
        rows: impl IntoIterator<Item = &'a T>,
        tone: impl Fn(&T) -> Tone,
    ) -> Self {
        let row = |row| (tone(row), columns.iter().map(|column| (column.cell)(row)).collect());
        Self {
            columns: columns.iter().map(|column| column.heading).collect(),
            rows: rows.into_iter().map(row).collect(),
        }
    }

    /// Whether nothing is listed.
    pub(crate) const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// How many rows it has.
    pub(crate) fn count(&self) -> u64 {
        u64::try_from(self.rows.len()).unwrap_or(u64::MAX)
    }
}
