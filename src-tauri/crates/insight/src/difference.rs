//! What is different about the bad ones: which values game sessions, placements or tickets have in common that went
//! wrong, and the others have not; or those of one span against the rest of the time.
//!
//! Owns the ranking: how much more often those with a value are bad than the rest, whether that can be chance, which
//! values repeat each other, and the same once more within the first. A difference is a hint where to look, not a
//! cause. Deliberately counts nothing: the store does.

mod chance;

use liftdeck_model::query::{Field, Query};
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Location, Timestamp};
use liftdeck_store::reader::classes::{Bad, Class};
use liftdeck_store::reader::freshness::Freshness;
use liftdeck_store::reader::matchmaking::TicketScope;
use liftdeck_store::reader::placement::PlacementScope;
use liftdeck_store::reader::session::difference::{Compared, Counts, Dimension, ValueCount};
use liftdeck_store::{Reader, StoreError};
use serde::{Deserialize, Serialize};
use specta::Type;

use self::chance::{Table, adjusted, fisher};
use crate::words;

/// Values that fewer have than this are not tested: nothing could be said of them.
const FEWEST: u64 = 3;
/// A difference counts while at most this share of such finds is expected to be chance.
const FALSE_FINDS: f64 = 0.01;
/// Two values repeat each other when at least this share of the sessions with either has both; one is inside another
/// when at least this share of its sessions has both.
const MOST: f64 = 0.95;
/// Most values looked at for repetition.
const COMPARED: usize = 24;
/// Most groups that are differences, and most of those that are too few to tell.
const SHOWN: usize = 8;
const SHOWN_UNSURE: usize = 4;

/// One value that the bad ones have more often than the rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// The dimension.
    pub dimension: Dimension,
    /// The dimension in a word, such as `build`; a property's own key.
    pub name: String,
    /// The value: an id, a name or a number.
    pub value: String,
    /// The value as a person knows it.
    pub label: String,
    /// The term that selects it, if there is one: of the query language for game sessions; for placements and tickets
    /// what a list of them takes as `having`.
    pub term: Option<String>,
    /// Bad ones with this value.
    pub bad_in: u64,
    /// All with this value.
    pub all_in: u64,
    /// Bad ones without it.
    pub bad_out: u64,
    /// All without it.
    pub all_out: u64,
    /// How many times more often those with it are bad; `None` when no other is.
    pub lift: Option<f64>,
    /// Probability of such a surplus by chance, corrected for the number of values looked at (0 to 1).
    pub p: f64,
    /// Whether it is more than chance. Otherwise they are too few to call it a difference.
    pub is_significant: bool,
}

/// Values that select the same ones, such as a build and the only fleet that runs it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DifferenceGroup {
    /// The first of them.
    pub first: Difference,
    /// Those that repeat it.
    pub same: Vec<Difference>,
}

/// The bad ones against the rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// Bad ones.
    pub bad: u64,
    /// All, including the bad ones.
    pub all: u64,
    /// The differences, the surest first; those that are too few to tell come last.
    pub groups: Vec<DifferenceGroup>,
    /// What else was compared, in a word each.
    pub alike: Vec<String>,
}

/// What is different about the bad ones, and about those of the first difference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Differences {
    /// All that were compared, as a query; empty when that is everything.
    pub among: String,
    /// What makes one bad, as a query; empty for placements and tickets, which failed or timed out, or ended in a span.
    pub bad: String,
    /// The comparison.
    pub whole: Comparison,
    /// The same within the first difference, if there is more to tell there.
    pub within: Option<Comparison>,
    /// What to know of the figures, such as what is not known of the bad ones, as text; empty if there is nothing.
    pub note: String,
    /// How fresh the data is.
    pub freshness: Freshness,
}

/// Selects the game sessions to compare.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SessionDifferenceQuery {
    /// The bad ones, in the query language. Terms about where a session runs or what it is, such as `fleet:`, limit
    /// both sides; the others, such as `ended:`, tell the bad ones.
    pub text: String,
    /// Only of this fleet.
    pub fleet_id: Option<FleetId>,
    /// Only in this location.
    pub location: Option<Location>,
    /// Only sessions that ran at some time in this range.
    pub range: Option<TimeRange>,
}

/// What is different about the game sessions that match a query.
///
/// # Errors
/// When the store cannot be read.
pub async fn session_differences(
    reader: &Reader,
    query: Query,
    asked: &SessionDifferenceQuery,
    freshness: Freshness,
    now: Timestamp,
) -> Result<Differences, StoreError> {
    let (among, bad) = sides(query);
    let texts = [&among, &bad].map(|side| written(side, &asked.text));
    let compared = Compared {
        among,
        bad,
        fleet: asked.fleet_id.clone(),
        location: asked.location.clone(),
        range: asked.range,
    };
    let whole = session_comparison(reader, &compared, now).await?;
    let within = match first_of(&whole) {
        Some(term) => {
            let compared = Compared { among: compared.among.clone().and(term), ..compared };
            Some(session_comparison(reader, &compared, now).await?).filter(|found| !found.groups.is_empty())
        }
        None => None,
    };
    let [among, bad] = texts;
    Ok(Differences { among, bad, whole, within, note: String::new(), freshness })
}

/// What is different about the placements that failed or timed out, or about those that ended in `span`.
///
/// # Errors
/// When the store cannot be read.
pub async fn placement_differences(
    reader: &Reader,
    scope: &PlacementScope,
    range: TimeRange,
    span: Option<TimeRange>,
    freshness: Freshness,
) -> Result<Differences, StoreError> {
    let classes = reader.placement_classes(scope, range, bad_of(span)).await?;
    let name = words::difference::of_placement;
    let note = words::difference::PLACEMENTS.to_owned();
    Ok(Differences { note, ..of_classes(&classes, name, freshness) })
}

/// What is different about the tickets that failed or timed out, or about those that ended in `span`.
///
/// # Errors
/// When the store cannot be read.
pub async fn ticket_differences(
    reader: &Reader,
    scope: &TicketScope,
    range: TimeRange,
    span: Option<TimeRange>,
    freshness: Freshness,
) -> Result<Differences, StoreError> {
    let classes = reader.ticket_classes(scope, range, bad_of(span)).await?;
    let name = words::difference::of_ticket;
    let note = words::difference::TICKETS.to_owned();
    Ok(Differences { note, ..of_classes(&classes, name, freshness) })
}

fn bad_of(span: Option<TimeRange>) -> Bad {
    span.map_or(Bad::Failed, Bad::Within)
}

/// Compares classes, and those of the first difference. `name` names a dimension.
fn of_classes(classes: &[Class], name: fn(&Dimension) -> String, freshness: Freshness) -> Differences {
    let compared = |classes: &[&Class]| class_comparison(classes, name);
    let all: Vec<&Class> = classes.iter().collect();
    let whole = compared(&all);
    let first = whole.groups.first().map(|group| &group.first);
    let within = first.filter(|first| first.is_significant && first.bad_in < first.all_in).map(|first| {
        let inside: Vec<&Class> =
            all.iter().copied().filter(|class| class.has(&first.dimension, &first.value)).collect();
        compared(&inside)
    });
    Differences {
        among: String::new(),
        bad: String::new(),
        within: within.filter(|found| !found.groups.is_empty()),
        whole,
        note: String::new(),
        freshness,
    }
}

fn class_comparison(classes: &[&Class], name: fn(&Dimension) -> String) -> Comparison {
    let counts = Counts::of_classes(classes.iter().copied());
    let mut ranked = ranked(&counts, name);
    let rest = ranked.split_off(ranked.len().min(COMPARED));
    let bits = |class: &&Class| {
        let has = ranked.iter().enumerate().filter(|(_, one)| class.has(&one.dimension, &one.value));
        has.fold(0_u32, |bits, (index, _)| bits | 1 << index)
    };
    let sets: Vec<(u32, u64)> = classes.iter().map(|class| (bits(class), class.all)).collect();
    ranked.extend(rest);
    comparison(&counts, grouped(ranked, &sets), name)
}

async fn session_comparison(
    reader: &Reader,
    compared: &Compared,
    now: Timestamp,
) -> Result<Comparison, StoreError> {
    let counts = reader.session_counts(compared, now).await?;
    let mut ranked = ranked(&counts, words::difference::dimension);
    let rest = ranked.split_off(ranked.len().min(COMPARED));
    let queries: Option<Vec<Query>> =
        ranked.iter().map(|one| Query::parse(one.term.as_deref()?).ok()).collect();
    let sets = match queries.filter(|queries| queries.len() > 1) {
        Some(queries) => reader.session_overlaps(compared, &queries, now).await?,
        None => Vec::new(),
    };
    ranked.extend(rest);
    Ok(comparison(&counts, grouped(ranked, &sets), words::difference::dimension))
}

/// Splits a query: what limits both sides, and what tells the bad ones. If nothing would tell them, all of it does.
fn sides(query: Query) -> (Query, Query) {
    let limits = |part: &Query| {
        part.terms().iter().all(|term| {
            matches!(
                term.field,
                Field::Fleet
                    | Field::Region
                    | Field::Location
                    | Field::Build
                    | Field::Script
                    | Field::InstanceType
                    | Field::Queue
                    | Field::Property(_)
                    | Field::Max
                    | Field::Compute
            )
        })
    };
    let whole = query.clone();
    let (among, bad): (Vec<Query>, Vec<Query>) = query.parts().into_iter().partition(limits);
    if bad.is_empty() {
        return (Query::everything(), whole);
    }
    let all = |parts: Vec<Query>| parts.into_iter().fold(Query::everything(), Query::and);
    (all(among), all(bad))
}

/// The text of one side, from the places of its terms in the whole.
fn written(side: &Query, text: &str) -> String {
    let parts = side.clone().parts();
    let piece = |part: &Query| {
        let terms = part.terms();
        let (start, end) = (terms.first()?.span.start, terms.last()?.span.end);
        // A minus or a bracket stands before the first term and after the last.
        let open = text.get(..start)?.trim_end_matches(['-', '(']).len();
        let close = text.get(end..)?.len() - text.get(end..)?.trim_start_matches(')').len();
        text.get(open..end + close).map(str::to_owned)
    };
    parts.iter().filter_map(piece).collect::<Vec<_>>().join(" ")
}

/// Everything the bad ones have more often, the surest first.
fn ranked(counts: &Counts, name: fn(&Dimension) -> String) -> Vec<Difference> {
    let tested: Vec<(&Dimension, &ValueCount)> = counts
        .dimensions
        .iter()
        .flat_map(|of| of.values.iter().map(move |value| (&of.dimension, value)))
        // Chosen by how many there are, not by how many are bad, so that the correction holds.
        .filter(|(_, value)| value.all >= FEWEST && value.all < counts.all)
        .collect();
    let table =
        |value: &ValueCount| Table { bad_in: value.bad, all_in: value.all, bad: counts.bad, all: counts.all };
    let chances: Vec<f64> = tested.iter().map(|(_, value)| fisher(table(value))).collect();
    let mut found: Vec<Difference> = tested
        .iter()
        .zip(adjusted(&chances))
        .map(|((dimension, value), p)| difference(counts, dimension, name(dimension), value, p))
        .filter(|one| one.bad_in > 1 && one.lift.is_none_or(|lift| lift > 1.0))
        .collect();
    found.sort_by(|a, b| {
        let lift = |one: &Difference| one.lift.unwrap_or(f64::INFINITY);
        (!a.is_significant)
            .cmp(&!b.is_significant)
            .then(a.p.total_cmp(&b.p))
            .then(lift(b).total_cmp(&lift(a)))
            .then(a.dimension.cmp(&b.dimension))
            .then(a.value.cmp(&b.value))
    });
    found
}

fn difference(
    counts: &Counts,
    dimension: &Dimension,
    name: String,
    value: &ValueCount,
    p: f64,
) -> Difference {
    let (bad_out, all_out) = (counts.bad - value.bad, counts.all - value.all);
    let share = |bad: u64, all: u64| bad as f64 / all.max(1) as f64;
    let lift = (bad_out > 0).then(|| share(value.bad, value.all) / share(bad_out, all_out));
    Difference {
        name,
        dimension: dimension.clone(),
        value: value.value.clone(),
        label: value.label.clone(),
        term: value.term.clone(),
        bad_in: value.bad,
        all_in: value.all,
        bad_out,
        all_out,
        lift,
        p,
        is_significant: p <= FALSE_FINDS && value.bad > 1,
    }
}

/// Puts values that select nearly the same sessions together, and leaves out those that are nearly all inside an
/// earlier difference: an instance of the fleet that is bad is looked at within that fleet. `sets`: for each set of the
/// first values that occurs, a bit for each value, and how many there are.
fn grouped(ranked: Vec<Difference>, sets: &[(u32, u64)]) -> Vec<DifferenceGroup> {
    let counted = |one: usize, other: usize| {
        let with = |bit: usize, bits: u32| bit < 32 && bits >> bit & 1 == 1;
        let (mut both, mut in_one, mut in_other) = (0_u64, 0_u64, 0_u64);
        for (bits, count) in sets {
            let (is_one, is_other) = (with(one, *bits), with(other, *bits));
            both += if is_one && is_other { *count } else { 0 };
            in_one += if is_one { *count } else { 0 };
            in_other += if is_other { *count } else { 0 };
        }
        (both, in_one, in_other)
    };
    let is_most = |part: u64, whole: u64| whole > 0 && part as f64 >= whole as f64 * MOST;
    let mut groups: Vec<(usize, DifferenceGroup)> = Vec::new();
    for (index, one) in ranked.into_iter().enumerate() {
        let mut is_inside = false;
        let mut repeated = None;
        for (at, (first, group)) in groups.iter().enumerate() {
            let (both, in_first, here) = counted(*first, index);
            if is_most(both, in_first + here - both) {
                repeated = Some(at);
                break;
            }
            is_inside |= group.first.is_significant && is_most(both, here);
        }
        match repeated.and_then(|at| groups.get_mut(at)) {
            Some((_, group)) => group.same.push(one),
            None if is_inside => {}
            None => groups.push((index, DifferenceGroup { first: one, same: Vec::new() })),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

fn comparison(
    counts: &Counts,
    mut groups: Vec<DifferenceGroup>,
    name: fn(&Dimension) -> String,
) -> Comparison {
    let sure = groups.iter().filter(|group| group.first.is_significant).count().min(SHOWN);
    let mut unsure = groups.split_off(groups.iter().filter(|group| group.first.is_significant).count());
    unsure.truncate(SHOWN_UNSURE);
    groups.truncate(sure);
    groups.extend(unsure);
    let shown: Vec<&Dimension> = groups
        .iter()
        .flat_map(|group| std::iter::once(&group.first).chain(&group.same))
        .map(|one| &one.dimension)
        .collect();
    let alike = counts
        .dimensions
        .iter()
        .filter(|of| of.values.len() > 1 && !shown.contains(&&of.dimension))
        .map(|of| name(&of.dimension))
        .collect();
    Comparison { bad: counts.bad, all: counts.all, groups, alike }
}

/// The term of the first difference, if there are others in it to compare with.
fn first_of(whole: &Comparison) -> Option<Query> {
    let first = &whole.groups.first()?.first;
    if !first.is_significant || first.bad_in == first.all_in {
        return None;
    }
    Query::parse(first.term.as_deref()?).ok()
}

#[cfg(test)]
mod tests;
