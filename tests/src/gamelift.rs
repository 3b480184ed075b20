//! GameLift of a simulated world, asked directly in AWS JSON 1.1, as an independent record of what it knows.

use std::time::Duration;

use serde_json::Value;

/// How long a throttled request waits until it is sent again.
const AGAIN: Duration = Duration::from_millis(50);

/// Calls an operation in a Region, again if it is throttled; `None` if GameLift does not know the resource.
///
/// # Panics
/// If the request is refused for another reason.
pub fn ask(endpoint: &str, region: &str, operation: &str, body: &Value) -> Option<Value> {
    let scope = format!("AKIDEXAMPLE/20261121/{region}/gamelift/aws4_request");
    let signature =
        format!("AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host;x-amz-date, Signature=0");
    let request = ureq::post(endpoint).config().http_status_as_error(false).build();
    let request = request
        .header("Authorization", &signature)
        .header("Content-Type", "application/x-amz-json-1.1")
        .header("X-Amz-Target", &format!("GameLift.{operation}"));
    let mut answer = request.send(body.to_string()).unwrap_or_else(|error| panic!("{operation}: {error}"));
    let text = answer.body_mut().with_config().limit(64 << 20).read_to_string().expect(operation);
    let told: Value =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{operation}: {error}: {text}"));
    match answer.status().as_u16() {
        200 => Some(told),
        400 if told["__type"] == "ThrottlingException" => {
            std::thread::sleep(AGAIN);
            ask(endpoint, region, operation, body)
        }
        _ if told["__type"].as_str().is_some_and(|code| code.contains("NotFound")) => None,
        status => panic!("{operation}: {status} {told}"),
    }
}

/// Reads all pages of a listing in a Region.
///
/// # Panics
/// Like [`ask`].
pub fn list(endpoint: &str, region: &str, operation: &str, body: &Value, member: &str) -> Vec<Value> {
    let (mut body, mut found) = (body.clone(), Vec::new());
    loop {
        let Some(page) = ask(endpoint, region, operation, &body) else { return found };
        found.extend(page[member].as_array().cloned().unwrap_or_default());
        match page["NextToken"].as_str() {
            Some(token) => body["NextToken"] = token.into(),
            None => return found,
        }
    }
}
