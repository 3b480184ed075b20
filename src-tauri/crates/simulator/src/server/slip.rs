//! Wrong next tokens, as a fault plan asks.
//!
//! Finds the token; the listing then returns it instead of its own. An operation that changes the world has no next
//! token and is left alone.

use super::dispatch::Exchange;
use crate::fault::FaultKind;
use crate::operation::{Act, Operation};
use crate::wire::{Value, Writer, read_json};

/// Returns the token that a fault puts into the response of a listing; `None` if the response stays as it is.
pub(super) fn next_token(
    exchange: &Exchange<'_>,
    operation: &Operation,
    body: &Value,
    kind: FaultKind,
) -> Option<String> {
    match (kind, operation.act) {
        (FaultKind::RepeatToken, _) => text(body.member("NextToken")),
        (FaultKind::WrongToken, Act::Read(_) | Act::Recall(_)) => {
            let (_, token) = page(exchange, operation, body)?;
            Some(token.chars().rev().collect())
        }
        (FaultKind::RepeatRow, Act::Read(_) | Act::Recall(_)) => {
            let (items, _) = page(exchange, operation, body)?;
            let size = if matches!(operation.act, Act::Recall(_)) { "MaxResults" } else { "Limit" };
            let mut shorter = body.clone();
            if let Value::Map(members) = &mut shorter {
                members.insert(size.to_owned(), Value::Int(i64::try_from(items).ok()? - 1));
            }
            page(exchange, operation, &shorter).map(|(_, token)| token)
        }
        _ => None,
    }
}

/// Returns how many items a page has, and its next token; `None` if it is not a page or is the last one.
fn page(exchange: &Exchange<'_>, operation: &Operation, body: &Value) -> Option<(usize, String)> {
    let mut writer = Writer::json();
    exchange.act(operation, body, None, &mut writer).ok()?;
    let Ok(Value::Map(answer)) = read_json(&writer.finish()) else { return None };
    let items = answer.values().find_map(|member| match member {
        Value::List(items) => Some(items.len()),
        _ => None,
    });
    Some((items?, text(answer.get("NextToken"))?))
}

fn text(value: Option<&Value>) -> Option<String> {
    match value {
        Some(Value::Text(text)) => Some(text.clone()),
        _ => None,
    }
}
