//! Tests of what reads return and refuse, each rule with the line of the reference it comes from; one file per
//! family.

mod fleets;
mod members;
mod players;
mod routing;
mod search;
mod sessions;

use super::trial::Trial;
use serde_json::{Value as Json, json};

const EU: &str = "eu-west-1";
const AP: &str = "ap-northeast-1";
const INVALID: &str = "InvalidRequestException";
const UNKNOWN: &str = "NotFoundException";
const TERMINAL: &str = "TerminalRoutingStrategyException";

/// Returns the items an operation lists, over all pages.
fn all(trial: &mut Trial, name: &str, input: &Json, member: &str) -> Vec<Json> {
    let (mut items, mut input) = (Vec::new(), input.clone());
    loop {
        let page = trial.get(name, input.clone());
        items.extend(page[member].as_array().unwrap().iter().cloned());
        match page.get("NextToken") {
            Some(token) => input["NextToken"] = token.clone(),
            None => return items,
        }
    }
}

/// One member of each item, as text.
fn texts(items: &[Json], member: &str) -> Vec<String> {
    items.iter().map(|item| item[member].as_str().unwrap().to_owned()).collect()
}

/// Returns the id of the first alias with a routing strategy type.
fn alias(trial: &mut Trial, kind: &str) -> String {
    let found = trial.get("ListAliases", json!({ "RoutingStrategyType": kind }));
    found["Aliases"][0]["AliasId"].as_str().unwrap().to_owned()
}
