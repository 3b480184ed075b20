//! An answer for people: aligned columns that fit the terminal, and colours where they are wanted.
//!
//! Owns the rule that cells are data: their control and invisible characters are made visible before layout, so only
//! the escape sequences that this file adds control the terminal.

use comfy_table::{Cell as Field, CellAlignment, ColumnConstraint, ContentArrangement, Row as Line, presets};
use liftdeck_model::Timestamp;
use liftdeck_model::visible::visible;

use super::{Body, Cell, Heading, Sheet, Table, Tone};
use crate::cli::Terminal;

/// Blanks between two columns.
const GAP: u16 = 2;

/// The screen that is drawn on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Screen {
    /// Columns and lines; `None` if the output does not go to a terminal.
    pub(super) size: Option<(u16, u16)>,
    /// Whether colours are wanted.
    pub(super) colours: bool,
}

impl Screen {
    /// The screen of a command's terminal.
    pub(super) fn of(terminal: &Terminal) -> Self {
        let size = terminal.size();
        let unwanted = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self { size, colours: size.is_some() && !unwanted("NO_COLOR") && !is_dumb }
    }

    fn painted(&self, tone: &str, line: &str) -> String {
        if self.colours && !tone.is_empty() {
            format!("\u{1b}[{tone}m{line}\u{1b}[0m")
        } else {
            line.to_owned()
        }
    }
}

/// A whole answer, with its line feeds.
pub(super) fn text(body: &Body, screen: &Screen, now: Timestamp) -> String {
    let mut out = Vec::new();
    match body {
        Body::Table(table) => out.extend(lines(table, screen, now)),
        Body::Sheet(sheet) => facts(sheet, screen, now, &mut out),
    }
    out.into_iter().map(|line| line + "\n").collect()
}

fn facts(sheet: &Sheet, screen: &Screen, now: Timestamp, out: &mut Vec<String>) {
    let is_said = |cell: &Cell| !matches!(cell, Cell::Nothing) && *cell != Cell::Many(Vec::new());
    let seen = || sheet.facts.iter().filter(|(column, cell)| column.is_for_people() && is_said(cell));
    let width = seen().map(|(column, _)| column.head.chars().count()).max().unwrap_or(0);
    for (column, cell) in seen() {
        let label = format!("{:width$}", column.head);
        out.push(format!("{}  {}", screen.painted("2", &label), visible(&cell.words(now))));
    }
    for (_, title, table) in sheet.parts.iter().filter(|(_, _, table)| !table.is_empty()) {
        if !out.is_empty() {
            out.push(String::new());
        }
        out.push(screen.painted("1", title));
        out.extend(lines(table, screen, now));
    }
}

/// The heading and one line per row.
fn lines(table: &Table, screen: &Screen, now: Timestamp) -> Vec<String> {
    let mut kept: Vec<usize> = (0..table.columns.len())
        .filter(|at| table.columns.get(*at).is_some_and(Heading::is_for_people))
        .collect();
    let Some((width, _)) = screen.size else {
        return painted(&laid_out(table, &kept, None, now), table, screen);
    };
    let laid = laid_out(table, &kept, None, now);
    let whole = laid.column_max_content_widths();
    if total(&whole) <= width {
        return painted(&laid, table, screen);
    }
    let column = |at: usize| table.columns.get(at);
    let mut least: Vec<u16> = kept
        .iter()
        .zip(&whole)
        .map(|(at, width)| match column(*at) {
            Some(column) if column.least > 0 => column.least.min(*width),
            _ => *width,
        })
        .collect();
    while total(&least) > width {
        let rank_of =
            |chosen: usize| kept.get(chosen).and_then(|at| column(*at)).map_or(0, |column| column.rank);
        // Among columns of equal rank the last one is dropped first.
        let Some(gives_way) =
            (0..kept.len()).filter(|chosen| rank_of(*chosen) > 0).max_by_key(|chosen| rank_of(*chosen))
        else {
            break;
        };
        kept.remove(gives_way);
        least.remove(gives_way);
    }
    let mut laid = laid_out(table, &kept, Some(width), now);
    if total(&least) <= width {
        // Columns that may not be cut are shown whole; the others share the rest.
        for (laid, at) in laid.column_iter_mut().zip(&kept) {
            if column(*at).is_some_and(|column| column.least == 0) {
                laid.set_constraint(ColumnConstraint::ContentWidth);
            }
        }
    }
    painted(&laid, table, screen)
}

fn total(widths: &[u16]) -> u16 {
    let gaps = GAP.saturating_mul(u16::try_from(widths.len().saturating_sub(1)).unwrap_or(u16::MAX));
    widths.iter().fold(gaps, |sum, width| sum.saturating_add(*width))
}

fn laid_out(table: &Table, kept: &[usize], width: Option<u16>, now: Timestamp) -> comfy_table::Table {
    let mut laid = comfy_table::Table::new();
    laid.load_style(presets::NOTHING);
    match width {
        // The gap of the last column is only blanks at the end of the line, which are trimmed.
        Some(width) => {
            laid.set_content_arrangement(ContentArrangement::Dynamic).set_width(width.saturating_add(GAP))
        }
        None => laid.set_content_arrangement(ContentArrangement::Disabled),
    };
    let columns: Vec<&Heading> = kept.iter().filter_map(|at| table.columns.get(*at)).collect();
    let aligned = |text: String, column: &Heading| {
        let side = if column.is_number { CellAlignment::Right } else { CellAlignment::Left };
        Field::new_owned(text).set_alignment(side)
    };
    laid.set_header(columns.iter().map(|column| aligned(column.head.to_owned(), column)).collect::<Vec<_>>());
    for (_, cells) in &table.rows {
        let fields = kept.iter().zip(&columns).map(|(at, column)| {
            let words = cells.get(*at).map(|cell| cell.words(now)).unwrap_or_default();
            aligned(visible(&words).into_owned(), column)
        });
        let mut line = Line::from(fields.collect::<Vec<_>>());
        line.max_height(1);
        laid.add_row(line);
    }
    for column in laid.column_iter_mut() {
        column.set_padding((0, GAP));
    }
    laid
}

fn painted(laid: &comfy_table::Table, table: &Table, screen: &Screen) -> Vec<String> {
    let tones = std::iter::once("1").chain(table.rows.iter().map(|(tone, _)| match tone {
        Tone::Plain => "",
        Tone::Faint => "2",
        Tone::Warning => "33",
        Tone::Bad => "31",
    }));
    laid.lines().zip(tones).map(|(line, tone)| screen.painted(tone, line.trim_end())).collect()
}
