//! The members of inputs and outputs as CloudTrail records them: names with their first letter lower-cased, times as
//! text, sensitive values hidden.
//!
//! The naming and the times follow the only documented GameLift records (developer guide, logging-using-cloudtrail:
//! `eC2InboundPermissions`, `Dec 29, 2015 11:40:14 PM`). Which members GameLift hides is not documented; hidden here is
//! what the service's model marks as sensitive, except the ports and address ranges that the documented record shows.

use serde_json::{Map, Number, Value as Json};

use crate::wire::Value;

/// What stands in place of a sensitive value.
const HIDDEN: &str = "HIDDEN_DUE_TO_SECURITY_REASONS";

/// Sensitive members.
const SENSITIVE: [&str; 12] = [
    "credentials",
    "customEventData",
    "gameSessionData",
    "ipAddress",
    "matchmakerData",
    "playerData",
    "playerDataMap",
    "playerId",
    "playerIds",
    "port",
    "preSignedUrl",
    "uploadCredentials",
];

/// Times of the model. An `EstimatedWaitTime` is a number of seconds and stays one.
const TIMES: [&str; 6] =
    ["creationTime", "endTime", "eventTime", "lastUpdatedTime", "startTime", "terminationTime"];

/// Members that are maps, whose keys are data.
const MAPS: [&str; 5] = ["latencyInMs", "locationalDeployments", "playerAttributes", "playerDataMap", "sDM"];

/// Lists of name and value pairs whose values are sensitive.
const PROPERTIES: &str = "gameProperties";

/// Returns the members of a request or response body as they are recorded. Bytes, such as the files of a script, are
/// left out.
pub(super) fn recorded(body: &Value) -> Json {
    logged(&plain(body), "")
}

/// Returns members in JSON as they are recorded; times in them are seconds since the epoch.
pub(super) fn logged(value: &Json, owner: &str) -> Json {
    match value {
        Json::Object(members) if MAPS.contains(&owner) => {
            Json::Object(members.iter().map(|(key, value)| (key.clone(), logged(value, ""))).collect())
        }
        Json::Object(members) => {
            let shown = members.iter().filter(|(name, value)| !value.is_null() && *name != "ZipFile");
            Json::Object(shown.map(|(name, value)| member(name, value, owner)).collect())
        }
        Json::Array(items) => Json::Array(items.iter().map(|item| logged(item, owner)).collect()),
        other => other.clone(),
    }
}

fn member(name: &str, value: &Json, owner: &str) -> (String, Json) {
    let name = lowered(name);
    let hidden = SENSITIVE.contains(&name.as_str()) || (owner == PROPERTIES && name == "value");
    let shown = match value.as_f64() {
        _ if hidden => HIDDEN.into(),
        Some(seconds) if TIMES.contains(&name.as_str()) => time(seconds).into(),
        _ => logged(value, &name),
    };
    (name, shown)
}

fn lowered(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

fn time(seconds: f64) -> String {
    let at = jiff::Timestamp::from_second(seconds.floor() as i64).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    at.strftime("%b %-d, %Y %-I:%M:%S %p").to_string()
}

fn plain(value: &Value) -> Json {
    match value {
        Value::Null | Value::Bytes(_) => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::Int(number) => Json::from(*number),
        Value::Float(number) | Value::Seconds(number) => {
            Number::from_f64(*number).map_or(Json::Null, Json::Number)
        }
        Value::Text(text) => Json::from(text.as_str()),
        Value::List(items) => items.iter().map(plain).collect(),
        Value::Map(members) => {
            let members = members.iter().map(|(name, value)| (name.clone(), plain(value)));
            Json::Object(members.collect::<Map<_, _>>())
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::wire::read_json;

    fn recorded_json(body: &Json) -> Json {
        recorded(&read_json(body.to_string().as_bytes()).unwrap())
    }

    #[test]
    fn names_and_times_are_those_of_the_documented_record() {
        let body = json!({
            "EC2InboundPermissions": [{ "FromPort": 1935, "IpRange": "10.24.34.0/23" }],
            "EC2InstanceType": "c5.large", "CreationTime": 1_451_432_414.5, "Description": null,
        });
        let shown = json!({
            "eC2InboundPermissions": [{ "fromPort": 1935, "ipRange": "10.24.34.0/23" }],
            "eC2InstanceType": "c5.large", "creationTime": "Dec 29, 2015 11:40:14 PM",
        });
        assert_eq!(recorded_json(&body), shown);
        assert_eq!(
            recorded(&Value::Map([("StartTime".to_owned(), Value::Seconds(0.0))].into())),
            json!({
                "startTime": "Jan 1, 1970 12:00:00 AM"
            })
        );
    }

    #[test]
    fn the_keys_of_maps_are_data_and_stay_as_they_are() {
        let body = json!({ "Players": [{
            "PlayerAttributes": { "Skill": { "N": 3.5 } }, "LatencyInMs": { "US-east": 7 },
        }], "EstimatedWaitTime": 20 });
        let shown = json!({ "players": [{
            "playerAttributes": { "Skill": { "n": 3.5 } }, "latencyInMs": { "US-east": 7 },
        }], "estimatedWaitTime": 20 });
        assert_eq!(recorded_json(&body), shown);
    }

    #[test]
    fn what_the_model_calls_sensitive_is_hidden_and_files_are_left_out() {
        let body = json!({
            "PlayerId": "p-1", "PlayerIds": ["p-1"], "IpAddress": "198.51.100.1", "Port": 7777,
            "GameProperties": [{ "Key": "map", "Value": "secret" }], "Tags": [{ "Key": "a", "Value": "b" }],
            "ZipFile": "UEsDBA==",
        });
        let shown = json!({
            "playerId": HIDDEN, "playerIds": HIDDEN, "ipAddress": HIDDEN, "port": HIDDEN,
            "gameProperties": [{ "key": "map", "value": HIDDEN }], "tags": [{ "key": "a", "value": "b" }],
        });
        assert_eq!(recorded_json(&body), shown);
    }
}
