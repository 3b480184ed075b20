//! IAM: a role as it is, and what a user or role may do, in the Query protocol.
//!
//! Both are answered from the same roles and refused actions by which the port really refuses.

mod role;
mod simulation;

use crate::identity::{Credentials, Signer, Temporary, Who};
use crate::page::Tokens;
use crate::query::answer;
use crate::service::{Service, ServiceError};

const OPERATIONS: [&str; 2] = ["GetRole", "SimulatePrincipalPolicy"];

/// The names of the operations.
pub(crate) fn operations() -> impl Iterator<Item = &'static str> {
    OPERATIONS.into_iter()
}

/// Finds the operation with this name.
pub(crate) fn operation(name: &str) -> Option<&'static str> {
    OPERATIONS.into_iter().find(|known| *known == name)
}

/// One request to IAM.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request<'a> {
    /// The operation.
    pub(crate) operation: &'static str,
    /// The form body.
    pub(crate) body: &'a [u8],
    /// The id of the request.
    pub(crate) request_id: &'a str,
    /// Who asks.
    pub(crate) signer: &'a Signer,
    /// The credentials and roles.
    pub(crate) credentials: &'a Credentials,
    /// The account that owns the roles.
    pub(crate) account: &'a str,
    /// Seals and opens page tokens.
    pub(crate) tokens: &'a Tokens,
}

impl Request<'_> {
    /// Refuses the action of the request on a resource if it is denied to the caller.
    fn authorize(&self, resource: &str) -> Result<(), ServiceError> {
        let action = format!("iam:{}", self.operation);
        self.signer.authorize(self.credentials, Service::Iam, &action, resource)
    }
}

/// Answers a request with XML.
pub(crate) fn respond(request: &Request<'_>) -> Result<Vec<u8>, ServiceError> {
    let signer = request.signer;
    let without_mfa = signer.temporary.is_some_and(|Temporary { mfa, .. }| !mfa);
    if without_mfa && matches!(signer.who, Who::User { .. }) {
        // Credentials of GetSessionToken can call IAM only with MFA (STS API reference, GetSessionToken).
        let message = "The security token included in the request is invalid.";
        return Err(ServiceError::new("InvalidClientTokenId", message).with_status(403));
    }
    let result = match request.operation {
        "GetRole" => role::result(request)?,
        _ => simulation::result(request)?,
    };
    Ok(answer(Service::Iam, request.operation, Some(&result), request.request_id))
}

fn no_such_entity(message: impl std::fmt::Display) -> ServiceError {
    ServiceError::new("NoSuchEntity", message).with_status(404)
}

#[cfg(test)]
mod tests;
