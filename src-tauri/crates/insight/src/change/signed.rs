//! Turns recorded changes and recorded calls into lines, each signed by who made it.

use std::collections::HashSet;

use liftdeck_model::activity::{Activity, ActivityId};
use liftdeck_model::trail::TrailCall;
use liftdeck_store::reader::change::ChangeRow;
use liftdeck_store::{Reader, StoreError};

use super::who::Witnesses;
use super::{Change, Names, RecordedCall, Value, What, Who, called, from_row, ours};
use crate::scaling::count_before;

/// Turns recorded changes into lines, attributes those of this installation, and returns which attempts they cover.
pub(super) fn signed(
    rows: &[ChangeRow],
    activities: &[Activity],
    names: &Names,
    witnesses: &Witnesses,
) -> (Vec<Change>, HashSet<ActivityId>) {
    let mut told = HashSet::new();
    let mut lines = Vec::new();
    for row in rows {
        // Which call it was also tells what an alias was set to.
        let makers = if row.updated_at().is_some() { witnesses.makers(row) } else { Vec::new() };
        let mut found: Vec<Change> = makers.iter().flat_map(|call| lines_of(call, names)).collect();
        for (number, line) in found.iter_mut().enumerate() {
            line.key = format!("change {} {number}", row.change_key);
            line.seen_at = row.seen_at;
        }
        if found.is_empty() {
            let Some(mut line) = from_row(row, names) else { continue };
            let makers = witnesses.makers(row);
            let by_request = makers.iter().find_map(|call| witnesses.ours(call).cloned());
            // Where CloudTrail names the calls, an attempt that is known not to be one of them did not make it, however
            // well its values fit.
            let may_be = |one: &&Activity| makers.is_empty() || one.request_id.is_none();
            let by_value = || ours::maker(row, activities).filter(may_be).map(|one| one.id.clone());
            let maker = by_request.or_else(by_value);
            line.sign(maker.clone(), witnesses.who(row));
            told.extend(maker);
            found.push(line);
        } else {
            let maker = makers.iter().find_map(|call| witnesses.ours(call).cloned());
            if let Some(maker) = maker {
                found.iter_mut().for_each(|line| line.sign(Some(maker.clone()), None));
                told.insert(maker);
            }
        }
        lines.append(&mut found);
    }
    (lines, told)
}

/// Lines for recorded calls that left no recorded change, and are not ours.
pub(super) fn unseen(rows: &[ChangeRow], names: &Names, witnesses: &Witnesses) -> Vec<Change> {
    let is_told = |call: &TrailCall| rows.iter().any(|row| row.is_made_by(call));
    let calls = witnesses.calls.iter().filter(|call| witnesses.ours(call).is_none() && !is_told(call));
    calls.flat_map(|call| lines_of(call, names)).collect()
}

/// What a call set, as lines signed by who made it.
fn lines_of(call: &TrailCall, names: &Names) -> Vec<Change> {
    let rows = called::rows(call, names);
    let lines = rows.iter().filter_map(|row| {
        let mut line = from_row(row, names)?;
        line.key = format!("call {} {}", call.event_id, row.field);
        line.sign(None, Some(Who::Named { calls: vec![RecordedCall::from(call)] }));
        Some(line)
    });
    lines.collect()
}

/// Adds the number of instances before a call, as the figures of that time tell. Returns whether it changed anything.
pub(super) async fn complete(reader: &Reader, line: &mut Change) -> Result<bool, StoreError> {
    let (Some(fleet), Some(location)) = (&line.fleet_id, &line.location) else { return Ok(true) };
    let What::Set { field, before: before @ None, after: Some(Value::Count(after)), .. } = &mut line.what
    else {
        return Ok(true);
    };
    let Some(count) = count_before(reader, fleet, location, field, line.at).await? else { return Ok(true) };
    let is_change = count != *after;
    *before = Some(Value::Count(count));
    line.words.before = Some(count.to_string());
    Ok(is_change)
}
