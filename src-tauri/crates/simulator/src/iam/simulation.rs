//! `SimulatePrincipalPolicy`: the decisions about actions for a user or role.
//!
//! The refused actions are refused on every resource, so the decisions about the resources of an action are the same.
//! Policies, context and a caller that a request adds change nothing.

use super::{Request, no_such_entity};
use crate::identity::Decision;
use crate::query::{self, element};
use crate::service::ServiceError;
use crate::wire::{Integer, Items, Text};

/// The page size that no size is given for (IAM API reference, SimulatePrincipalPolicy).
const PAGE: usize = 100;

static ACTION: Text = Text::length(3, 128);
static RESOURCE: Text = Text::length(1, 2_048);

crate::wire::input! {
    struct SimulationInput {
        source: String = required("PolicySourceArn", Text::length(20, 2_048)),
        actions: Vec<String> = required("ActionNames", Items { each: &ACTION, min: 0, max: usize::MAX }),
        resources: Option<Vec<String>> =
            optional("ResourceArns", Items { each: &RESOURCE, min: 0, max: usize::MAX }),
        most: Option<i64> = optional("MaxItems", Integer::between(1, 1_000)),
        marker: Option<String> = optional("Marker", Text::length(1, 320)),
    }
}

fn invalid(message: impl std::fmt::Display) -> ServiceError {
    ServiceError::new("InvalidInput", message)
}

/// Decides about each action. There is one result for an action, however many resources it is asked about (IAM API
/// reference, EvaluationResult).
pub(super) fn result(request: &Request<'_>) -> Result<String, ServiceError> {
    let input: SimulationInput = query::input(request.body, &["MaxItems"])?;
    request.authorize(&input.source)?;
    let denied = denied_to(&input.source, request)?;
    let is_action = |action: &String| {
        action.split_once(':').is_some_and(|(service, name)| !service.is_empty() && !name.is_empty())
    };
    if let Some(action) = input.actions.iter().find(|action| !is_action(action)) {
        return Err(invalid(format!("Invalid action: {action}")));
    }
    let resources = input.resources.unwrap_or_default();
    let listing = format!("SimulatePrincipalPolicy {} {resources:?} {:?}", input.source, input.actions);
    let start = match &input.marker {
        Some(marker) => {
            let cursor = request.tokens.open(&listing, marker).ok();
            cursor.and_then(|cursor| cursor.parse::<usize>().ok()).ok_or_else(|| invalid("Invalid Marker"))?
        }
        None => 0,
    };
    let most = input.most.map_or(PAGE, |most| usize::try_from(most).unwrap_or(PAGE));
    let page = input.actions.iter().skip(start).take(most);
    let results: String = page.map(|action| evaluation(action, &resources, &denied)).collect();
    let end = start.saturating_add(most);
    let more = end < input.actions.len();
    let marker = if more {
        element("Marker", &request.tokens.seal(&listing, &end.to_string()))
    } else {
        String::new()
    };
    let truncated = element("IsTruncated", &more.to_string());
    Ok(format!("<EvaluationResults>{results}</EvaluationResults>{truncated}{marker}"))
}

fn evaluation(action: &str, resources: &[String], denied: &[String]) -> String {
    let decision = Decision::about(action, denied).as_str();
    let own = element("EvalActionName", action) + &element("EvalDecision", decision);
    let specific = |resource: &String| {
        let name = element("EvalResourceName", resource);
        format!("<member>{name}{}</member>", element("EvalResourceDecision", decision))
    };
    let about = match resources {
        [] => element("EvalResourceName", "*"),
        [every] if every == "*" => element("EvalResourceName", "*"),
        _ => {
            let one = if let [one] = resources { element("EvalResourceName", one) } else { String::new() };
            let each: String = resources.iter().map(specific).collect();
            format!("{one}<ResourceSpecificResults>{each}</ResourceSpecificResults>")
        }
    };
    format!("<member>{own}{about}</member>")
}

/// The actions refused to the user or role with that ARN.
fn denied_to(arn: &str, request: &Request<'_>) -> Result<Vec<String>, ServiceError> {
    let credentials = request.credentials;
    let unclear =
        || invalid(format!("Invalid Entity Arn: {arn} does not clearly define entity type and name."));
    let rest = arn.strip_prefix("arn:aws:iam::").ok_or_else(unclear)?;
    let (account, entity) = rest.split_once(':').ok_or_else(unclear)?;
    let (kind, path) = entity.split_once('/').ok_or_else(unclear)?;
    let name = path.rsplit('/').next().filter(|name| !name.is_empty()).ok_or_else(unclear)?;
    let unknown = || no_such_entity(format!("The {kind} with name {name} cannot be found."));
    match kind {
        "role" => {
            let role = credentials.roles.get(name).filter(|role| role.arn(request.account, name) == arn);
            Ok(role.ok_or_else(unknown)?.denied.clone())
        }
        "user" if account == request.signer.account => {
            // Every user is behind a key: one that is given another name, or one of the user's own name.
            let mut keys: Vec<&str> = credentials
                .users
                .iter()
                .filter(|(_, user)| *user == name)
                .map(|(key, _)| key.as_str())
                .collect();
            let is_caller = request.signer.arn() == arn;
            let own = is_caller || credentials.denied.contains_key(name);
            if own && !credentials.users.contains_key(name) {
                keys.push(name);
            }
            if keys.is_empty() {
                return Err(unknown());
            }
            Ok(keys.iter().filter_map(|key| credentials.denied.get(*key)).flatten().cloned().collect())
        }
        "user" | "group" => Err(unknown()),
        _ => Err(unclear()),
    }
}
