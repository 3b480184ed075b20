//! `LookupEvents`: the management events of a Region, newest first.
//!
//! `Resources` is always empty and `ResourceName` and `ResourceType` find nothing: no source says that CloudTrail knows
//! resource types of GameLift.

use std::sync::Arc;

use super::History;
use super::backend::{self, Wanted};
use super::record::Record;
use crate::operation;
use crate::service::ServiceError;
use crate::wire::{
    At, FromWire, Integer, Items, Nested, Problem, Text, Time, Wire, Writer, input, read_input, structure,
};

/// The largest page, which is also the default.
const MOST: i64 = 50;

/// How long a token can be used. CloudTrail does not publish it.
const TOKEN_MS: i64 = 3_600_000;

static KEY: Text = Text::one_of(&[
    "EventId",
    "EventName",
    "ReadOnly",
    "Username",
    "ResourceType",
    "ResourceName",
    "EventSource",
    "AccessKeyId",
]);

input! {
    struct Attribute {
        key: String = required("AttributeKey", KEY),
        value: String = required("AttributeValue", Text::length(1, 2_000)),
    }

    struct LookupInput {
        attributes: Option<Vec<Attribute>> =
            optional("LookupAttributes", Items { each: &Nested::<Attribute>::new(), min: 0, max: 1 }),
        start_ms: Option<i64> = optional("StartTime", Time),
        end_ms: Option<i64> = optional("EndTime", Time),
        category: Option<String> = optional("EventCategory", Text::one_of(&["insight"])),
        most: Option<i64> = optional("MaxResults", Integer::between(1, MOST)),
        token: Option<String> = optional("NextToken", Text::any()),
    }
}

/// An event of the response.
struct Event<'a> {
    record: &'a Record,
    json: String,
}

/// A resource of an event; there is none here.
struct Resource;

impl Wire for Resource {
    fn write(&self, _: &mut Writer) {}
}

structure!(Event<'_>, event, {
    "EventId" => event.record.id,
    "EventName" => event.record.call.name,
    "ReadOnly" => event.record.call.read_only.to_string(),
    "AccessKeyId" => event.record.call.caller.access_key_id(),
    "EventTime" => At(event.record.time_ms()),
    "EventSource" => event.record.source(),
    "Username" => event.record.call.caller.username(),
    "Resources" => Vec::<Resource>::new(),
    "CloudTrailEvent" => event.json,
});

/// Reads the input; each member has an error of its own.
fn read<T: FromWire>(call: &operation::Call<'_>) -> Result<T, ServiceError> {
    read_input(call.body).map_err(|problems| {
        let path = match problems.0.first() {
            _ if problems.unreadable() => return ServiceError::unreadable(&problems),
            Some(
                Problem::Broken { path, .. } | Problem::Missing { path } | Problem::WrongType { path, .. },
            ) => path,
            None => "",
        };
        let code = match path.split('.').next() {
            Some("maxResults") => "InvalidMaxResultsException",
            Some("eventCategory") => "InvalidEventCategoryException",
            _ => "InvalidLookupAttributesException",
        };
        ServiceError::new(code, &problems)
    })
}

fn fits(attribute: &Attribute, record: &Record) -> bool {
    let (call, value) = (&record.call, attribute.value.as_str());
    match attribute.key.as_str() {
        "EventId" => record.id == value,
        "EventName" => call.name == value,
        "ReadOnly" => call.read_only.to_string() == value,
        "Username" => call.caller.username() == Some(value),
        "EventSource" => record.source() == value,
        "AccessKeyId" => call.caller.access_key_id() == value,
        _ => false,
    }
}

/// Answers `LookupEvents`.
pub(super) fn events(
    call: &operation::Call<'_>,
    history: &History<'_>,
    writer: &mut Writer,
) -> Result<(), ServiceError> {
    let input: LookupInput = read(call)?;
    if let (Some(start_ms), Some(end_ms)) = (input.start_ms, input.end_ms)
        && start_ms > end_ms
    {
        let message = "The start time is after the end time.";
        return Err(ServiceError::new("InvalidTimeRangeException", message));
    }
    let after = cursor(call, input.token.as_deref(), history.now_ms)?;
    let wanted = |record: &Record| {
        // There are no Insights events.
        input.category.is_none()
            && input.start_ms.is_none_or(|start_ms| record.time_ms() >= start_ms)
            && input.end_ms.is_none_or(|end_ms| record.time_ms() <= end_ms)
            && input.attributes.iter().flatten().all(|attribute| fits(attribute, record))
            && after.as_ref().is_none_or(|(at_ms, id)| place(record) < (*at_ms, id.as_str()))
    };
    let most = input.most.unwrap_or(MOST) as usize;
    let mut found = history.trail.arrived(call.world, call.region, history.faults, history.now_ms);
    found.retain(|record| wanted(record));
    let attribute = input.attributes.iter().flatten().next();
    let of_backend = Wanted {
        attribute: attribute.map(|attribute| (attribute.key.as_str(), attribute.value.as_str())),
        from_ms: input.start_ms.unwrap_or(i64::MIN),
        // A start and an end are whole seconds, by which events are compared.
        to_ms: input.end_ms.map_or(i64::MAX, |end_ms| end_ms.saturating_add(999)),
    };
    let of_backend = match &after {
        Some((at_ms, _)) => Wanted { to_ms: of_backend.to_ms.min(*at_ms), ..of_backend },
        None => of_backend,
    };
    found.extend(backend::events(call.world, call.region, history, &of_backend, wanted, most + 1));
    found.sort_by(|one, other| place(other).cmp(&place(one)));
    let more = found.len() > most;
    found.truncate(most);
    let token = found.last().filter(|_| more).map(|last| {
        let (at_ms, id) = place(last);
        let cursor = format!("{} {at_ms} {id}", history.now_ms);
        call.next_token.map_or_else(|| call.tokens.seal(&listing(call), &cursor), str::to_owned)
    });
    let shown = |record: &Arc<Record>| record.event(call.region, history.trail.account()).to_string();
    let events: Vec<Event<'_>> =
        found.iter().map(|record| Event { record: record.as_ref(), json: shown(record) }).collect();
    writer.open_map();
    writer.member("Events", &events);
    writer.member("NextToken", &token);
    writer.close_map();
    Ok(())
}

/// The place of a record in the listing, which is newest first. Events of the same millisecond have no order of
/// their own.
fn place(record: &Record) -> (i64, &str) {
    (record.call.at_ms, &record.id)
}

/// What a token belongs to: the parameters of the request that got it, except for the size of the page.
fn listing(call: &operation::Call<'_>) -> String {
    let filters = call.body.fingerprint(&["NextToken", "MaxResults"]);
    format!("{} {} {filters}", call.operation, call.region)
}

/// Returns the place that a token continues behind.
fn cursor(
    call: &operation::Call<'_>,
    token: Option<&str>,
    now_ms: i64,
) -> Result<Option<(i64, String)>, ServiceError> {
    let invalid =
        || ServiceError::new("InvalidNextTokenException", "The NextToken is not valid for this request.");
    let Some(token) = token else { return Ok(None) };
    let cursor = call.tokens.open(&listing(call), token).map_err(|_| invalid())?;
    let mut parts = cursor.splitn(3, ' ');
    let mut time = || parts.next().and_then(|part| part.parse::<i64>().ok());
    let (issued_ms, at_ms) = (time().ok_or_else(invalid)?, time().ok_or_else(invalid)?);
    if now_ms - issued_ms > TOKEN_MS {
        return Err(ServiceError::new("InvalidNextTokenException", "The NextToken has expired."));
    }
    Ok(Some((at_ms, parts.next().unwrap_or_default().to_owned())))
}

#[cfg(test)]
mod tests;
