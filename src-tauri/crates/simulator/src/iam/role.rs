//! `GetRole`: a role with its trust policy.

use serde_json::{Value, json};

use super::{Request, no_such_entity};
use crate::identity::{Role, unique_id};
use crate::query::{self, element};
use crate::service::ServiceError;
use crate::wire::Text;

/// When every role was made: before any world begins.
const MADE: &str = "2024-02-01T09:00:00Z";

crate::wire::input! {
    struct RoleInput {
        name: String = required("RoleName", Text::matching(1, 64, r"^[\w+=,.@-]+$")),
    }
}

/// Shows the role.
pub(super) fn result(request: &Request<'_>) -> Result<String, ServiceError> {
    let input: RoleInput = query::input(request.body, &[])?;
    let name = input.name.as_str();
    let found = request.credentials.roles.get(name).filter(|_| request.signer.account == request.account);
    let arn = found.map_or_else(
        || format!("arn:aws:iam::{}:role/{name}", request.signer.account),
        |role| role.arn(request.account, name),
    );
    request.authorize(&arn)?;
    let role = found.ok_or_else(|| no_such_entity(format!("The role with name {name} cannot be found.")))?;
    let policy = trust_policy(role, request).to_string();
    // Documents are escaped as in the path of a URL, where a space is no plus sign.
    let policy: String = form_urlencoded::byte_serialize(policy.as_bytes()).collect();
    let members = [
        element("Path", &role.path),
        element("RoleName", name),
        element("RoleId", &unique_id("AROA", name)),
        element("Arn", &arn),
        element("CreateDate", MADE),
        element("AssumeRolePolicyDocument", &policy.replace('+', "%20")),
        element("MaxSessionDuration", &role.max_session_s.to_string()),
    ];
    Ok(format!("<Role>{}</Role>", members.concat()))
}

/// The policy that says who may assume the role.
fn trust_policy(role: &Role, request: &Request<'_>) -> Value {
    let account = request.account;
    let principal = |trusted: &String| {
        let name = request.credentials.users.get(trusted).unwrap_or(trusted);
        if name.starts_with("arn:") { name.clone() } else { format!("arn:aws:iam::{account}:user/{name}") }
    };
    let principals: Vec<String> = match role.trusted.as_slice() {
        [] => vec![format!("arn:aws:iam::{account}:root")],
        trusted => trusted.iter().map(principal).collect(),
    };
    let mut statement =
        json!({ "Effect": "Allow", "Principal": { "AWS": principals }, "Action": "sts:AssumeRole" });
    if let Some(wanted) = &role.external_id {
        statement["Condition"]["StringEquals"] = json!({ "sts:ExternalId": wanted });
    }
    if role.mfa {
        statement["Condition"]["Bool"] = json!({ "aws:MultiFactorAuthPresent": "true" });
    }
    json!({ "Version": "2012-10-17", "Statement": [statement] })
}
