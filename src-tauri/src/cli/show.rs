//! What all reading commands have in common: where they look, in which form they answer, and how often.
//!
//! Owns the common options and the one shape of an answer, which becomes a table, JSON or CSV. Beside this folder,
//! one file per noun asks and fills that shape. Deliberately asks nothing itself.

mod cell;
mod column;
mod csv;
mod json;
mod span;
mod table;
mod watch;

use clap::{Args, ValueEnum};
use liftdeck_model::time::in_words;
use liftdeck_model::{Region, Timestamp};
use liftdeck_store::reader::freshness::Freshness;

use super::look::{ReadConnection, ReadOptions};
use super::{Caller, Failure, Outcome};
pub(crate) use cell::{Cell, at, cell, length, many, name};
use column::Heading;
pub(crate) use column::{Column, Table, Tone, data, number, words};
pub(crate) use span::Span;

/// A question, with where to look and in which form to answer.
#[derive(Debug, Args)]
pub(crate) struct ReadCommand<Q: Args> {
    #[command(flatten)]
    options: ReadOptions,
    #[command(flatten)]
    form: Form,
    /// Refresh every so many seconds until Ctrl-C [default: 2]
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "2", value_parser = clap::value_parser!(u16).range(1..=3_600))]
    watch: Option<u16>,
    #[command(flatten)]
    question: Q,
}

/// Limits an answer to one Region.
#[derive(Debug, Args)]
pub(crate) struct InRegion {
    /// Only those of this Region
    #[arg(long, value_name = "REGION")]
    region: Option<String>,
}

impl InRegion {
    /// Whether resources in this Region are asked for.
    pub(crate) fn takes(&self, region: &Region) -> bool {
        self.region.as_ref().is_none_or(|wanted| wanted == region.as_str())
    }
}

/// The form in which to answer.
#[derive(Debug, Args)]
pub(crate) struct Form {
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = Format::Table, value_name = "FORMAT")]
    format: Format,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl Form {
    /// JSON if `json` is set, otherwise a table.
    pub(crate) const fn of(json: bool) -> Self {
        Self { format: Format::Table, json }
    }

    const fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    /// Writes the answer once.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn answer(&self, caller: &Caller, shown: &Shown, now: Timestamp) -> Result<(), Failure> {
        let screen = table::Screen::of(&caller.terminal);
        caller.terminal.pass_on_painted(&written(shown, self.format(), &screen, now)?)?;
        shown.foot(now).iter().for_each(|line| caller.terminal.foot(line));
        Ok(())
    }
}

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people; ages instead of times
    Table,
    /// One document with the age of its data; times in RFC 3339
    Json,
    /// A heading, then one line per row
    Csv,
}

/// One resource: its facts, and the tables that belong to it.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    pub(crate) facts: Vec<(Heading, Cell)>,
    pub(crate) parts: Vec<(&'static str, &'static str, Table)>,
}

impl Sheet {
    /// Adds a fact: its name for programs and its label for people, which is empty if the fact is for programs only.
    pub(crate) fn fact(&mut self, key: &'static str, label: &'static str, value: impl Into<Cell>) {
        let heading = if label.is_empty() { data(key) } else { words(key, label) };
        self.facts.push((heading, value.into()));
    }

    /// Adds a table: its name for programs and its title for people.
    pub(crate) fn part(&mut self, key: &'static str, title: &'static str, table: Table) {
        self.parts.push((key, title, table));
    }
}

/// The content of an answer.
#[derive(Debug)]
pub(crate) enum Body {
    Table(Table),
    Sheet(Sheet),
}

/// How many rows there are in total.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Total {
    /// The noun in the singular and the plural.
    pub(crate) noun: (&'static str, &'static str),
    /// The number of rows that match.
    pub(crate) all: u64,
    /// Whether all of them were counted.
    pub(crate) is_exact: bool,
}

/// An answer, ready for any form.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) body: Body,
    pub(crate) total: Option<Total>,
    /// Age of the data; absent where it has none.
    pub(crate) freshness: Option<Freshness>,
    /// What has this age, if the answer holds data of several ages.
    dated: Option<&'static str>,
    /// Further notes, in sentences.
    pub(crate) notes: Vec<String>,
}

impl Shown {
    /// A list, with its age where it has one.
    pub(crate) fn list(table: Table, total: Total, freshness: impl Into<Option<Freshness>>) -> Self {
        Self { total: Some(total), ..Self::of(Body::Table(table), freshness.into()) }
    }

    /// A list that is shown whole, with the noun for its rows in the singular and the plural.
    pub(crate) fn whole(
        table: Table,
        noun: (&'static str, &'static str),
        freshness: impl Into<Option<Freshness>>,
    ) -> Self {
        let total = Total { noun, all: table.count(), is_exact: true };
        Self::list(table, total, freshness)
    }

    /// One resource, with its age where it has one.
    pub(crate) fn sheet(sheet: Sheet, freshness: impl Into<Option<Freshness>>) -> Self {
        Self::of(Body::Sheet(sheet), freshness.into())
    }

    const fn of(body: Body, freshness: Option<Freshness>) -> Self {
        Self { body, total: None, freshness, dated: None, notes: Vec::new() }
    }

    /// The same answer, whose age is said to be that of `data`, the subject of a sentence.
    pub(crate) fn dating(self, data: &'static str) -> Self {
        Self { dated: Some(data), ..self }
    }

    /// The lines below the data: how much there is, how old it is, and the notes.
    fn foot(&self, now: Timestamp) -> Vec<String> {
        let mut words = Vec::new();
        if let (Some(total), Body::Table(table)) = (self.total, &self.body) {
            let noun = if total.all == 1 { total.noun.0 } else { total.noun.1 };
            let all = format!("{}{} {noun}", if total.is_exact { "" } else { "more than " }, total.all);
            let shown = table.count();
            words.push(match shown < total.all {
                true => format!("{shown} of {all}"),
                false if total.is_exact => all,
                false => format!("{shown} {noun}, and there are more"),
            });
        }
        words.extend(self.freshness.map(|freshness| {
            let age = age(freshness, now);
            match self.dated {
                Some(data) => format!("{data} {age}"),
                None => age,
            }
        }));
        let first = (!words.is_empty()).then(|| words.join(" · "));
        first.into_iter().chain(self.notes.iter().cloned()).collect()
    }
}

/// How old data is, in words.
fn age(freshness: Freshness, now: Timestamp) -> String {
    let Some(as_of) = freshness.as_of else { return "not read yet".to_owned() };
    let age = in_words(now.since_ms(as_of).max(0));
    if freshness.stale {
        format!("last read {age} ago: nothing newer was collected")
    } else {
        format!("read {age} ago")
    }
}

/// A question that can be asked repeatedly.
pub(crate) trait Question: Sync {
    /// Asks, and builds the answer.
    ///
    /// # Errors
    /// When there is no answer.
    fn answer(&self, look: &ReadConnection) -> impl Future<Output = Result<Shown, Failure>> + Send;
}

impl<Q: Question + Args> ReadCommand<Q> {
    /// Asks and answers, once or until it is told to stop.
    pub(crate) async fn show(&self, caller: &Caller) -> Result<Outcome, Failure> {
        match self.watch {
            Some(seconds) => Box::pin(watch::watch(caller, self, seconds)).await,
            None => {
                let (shown, now) = self.asked(caller).await?;
                self.form.answer(caller, &shown, now)?;
                Ok(Outcome::Done)
            }
        }
    }

    /// Asks the question on a newly opened database, so that the answer is as new as the database.
    async fn asked(&self, caller: &Caller) -> Result<(Shown, Timestamp), Failure> {
        let look = Box::pin(ReadConnection::open(caller, &self.options)).await?;
        let answer = Box::pin(self.answered(&look)).await;
        let now = look.now();
        look.close().await;
        Ok((answer?, now))
    }

    async fn answered(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let mut shown = self.question.answer(look).await?;
        let is_empty = shown.total.is_some_and(|total| total.all == 0);
        if is_empty && look.is_never_read().await? {
            shown.notes.push("Nothing was ever read from AWS: what is not listed may well exist.".to_owned());
        }
        Ok(shown)
    }
}

/// Writes an answer in its form, with control and invisible characters made visible.
fn written(shown: &Shown, format: Format, screen: &table::Screen, now: Timestamp) -> Result<String, Failure> {
    match format {
        Format::Table => Ok(table::text(&shown.body, screen, now)),
        Format::Json => Ok(json::text(shown)),
        Format::Csv => csv::text(&shown.body)
            .map_err(|error| Failure::new(format!("The answer could not be written: {error}."))),
    }
}

#[cfg(test)]
mod tests;
