//! Columns with their cells, and the tables they make of rows.
//!
//! Owns the rule that a column and its cells cannot drift apart: each column is defined together with what it reads
//! from a row.

use super::Cell;

/// A column's name for programs and its heading for people.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heading {
    pub(super) key: &'static str,
    pub(super) head: &'static str,
    pub(super) is_number: bool,
    /// The fewest characters it may be cut to before other columns are dropped; 0 if it is shown whole or not at all.
    pub(super) least: u16,
    /// Columns of a higher rank are dropped first if a terminal is too narrow; `DATA` is for programs only.
    pub(super) rank: u8,
}

/// The rank of a column that no table for people shows.
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
    /// The same column, cut to no fewer than this many characters if there is not enough room.
    pub(crate) const fn least(self, least: u16) -> Self {
        Self { least, ..self }
    }

    /// The same column, dropped if there is not enough room; higher ranks go first.
    pub(crate) const fn rank(self, rank: u8) -> Self {
        Self { rank, ..self }
    }

    /// The column with this heading, whose cells are read from rows by `cell`.
    pub(crate) const fn of<T>(self, cell: fn(&T) -> Cell) -> Column<T> {
        Column { heading: self, cell }
    }

    /// Whether people see it.
    pub(super) const fn is_for_people(&self) -> bool {
        self.rank != DATA
    }
}

/// A column and how it reads its cell from a row.
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

/// Rows under columns: each row has a tone, and one cell per column.
#[derive(Debug)]
pub(crate) struct Table {
    pub(super) columns: Vec<Heading>,
    pub(super) rows: Vec<(Tone, Vec<Cell>)>,
}

impl Table {
    /// Rows that all matter equally.
    pub(crate) fn of<'a, T: 'a>(columns: &[Column<T>], rows: impl IntoIterator<Item = &'a T>) -> Self {
        Self::toned(columns, rows, |_| Tone::Plain)
    }

    /// Rows that matter as much as `tone` says.
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

    /// Whether it has no rows.
    pub(crate) const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// How many rows it has.
    pub(crate) fn count(&self) -> u64 {
        u64::try_from(self.rows.len()).unwrap_or(u64::MAX)
    }
}
