//! The caller of a request: its SigV4 credential scope, and the credentials that are expired, unknown, restricted or
//! of another account.
//!
//! Signatures are not verified; the access key id is trusted.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::service::{Service, ServiceError};

/// What is wrong with credentials, by access key id. Keys that are not named are valid and may do everything.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Credentials {
    /// Keys whose session token has expired.
    pub expired: BTreeSet<String>,
    /// Keys that AWS does not know.
    pub unknown: BTreeSet<String>,
    /// Actions refused to a key, for example `gamelift:DescribeFleet*`; `*` stands for any text.
    pub denied: BTreeMap<String, Vec<String>>,
    /// Keys of another account than the world's. STS names that account, but the world answers these keys all the
    /// same, so a client that does not ask STS reads and changes another account's resources.
    pub accounts: BTreeMap<String, String>,
    /// The user names behind keys; for a key that is not named, the key itself is the user name.
    pub users: BTreeMap<String, String>,
}

/// The identity and the region of one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Scope {
    /// The access key id.
    pub(crate) access_key_id: String,
    /// The region the request is signed for.
    pub(crate) region: String,
}

impl Scope {
    /// Reads the credential scope from an `Authorization` header.
    pub(crate) fn read(authorization: Option<&str>) -> Result<Scope, ServiceError> {
        let missing = || {
            ServiceError::new("MissingAuthenticationToken", "Missing Authentication Token").with_status(403)
        };
        let header = authorization.ok_or_else(missing)?;
        let incomplete = |what: &str| {
            ServiceError::new("IncompleteSignature", format!("{what} Authorization={header}"))
                .with_status(403)
        };
        let fields = header
            .strip_prefix("AWS4-HMAC-SHA256")
            .ok_or_else(|| incomplete("Authorization header requires the 'AWS4-HMAC-SHA256' algorithm."))?;
        let field = |name: &str| {
            let mut all = fields.split(',').filter_map(|field| field.trim().split_once('='));
            all.find(|(key, _)| *key == name).map(|(_, value)| value).filter(|value| !value.is_empty())
        };
        for name in ["Signature", "SignedHeaders"] {
            if field(name).is_none() {
                return Err(incomplete(&format!("Authorization header requires '{name}' parameter.")));
            }
        }
        let credential = field("Credential")
            .ok_or_else(|| incomplete("Authorization header requires 'Credential' parameter."))?;
        let parts: Vec<&str> = credential.rsplitn(5, '/').collect();
        match parts.as_slice() {
            ["aws4_request", _service, region, _date, key] if !region.is_empty() && !key.is_empty() => {
                Ok(Scope { access_key_id: (*key).to_owned(), region: (*region).to_owned() })
            }
            _ => {
                Err(incomplete("Credential must have the form <key>/<date>/<region>/<service>/aws4_request."))
            }
        }
    }

    /// The ARN of the user behind the key.
    pub(crate) fn arn(&self, credentials: &Credentials, world: &str) -> String {
        format!("arn:aws:iam::{}:user/{}", self.account(credentials, world), self.user(credentials))
    }

    /// The account of the key, in a world of the account `world`.
    pub(crate) fn account<'a>(&self, credentials: &'a Credentials, world: &'a str) -> &'a str {
        credentials.accounts.get(&self.access_key_id).map_or(world, String::as_str)
    }

    /// The name of the user behind the key.
    pub(crate) fn user<'a>(&'a self, credentials: &'a Credentials) -> &'a str {
        credentials.users.get(&self.access_key_id).unwrap_or(&self.access_key_id)
    }

    /// Refuses a signature for a Region that AWS does not have, with the service's own error.
    pub(crate) fn locate(&self, regions: &BTreeSet<String>, service: Service) -> Result<(), ServiceError> {
        if regions.contains(&self.region) {
            return Ok(());
        }
        let (code, status) = match service {
            Service::Sts => ("SignatureDoesNotMatch", 403),
            _ => ("InvalidSignatureException", 400),
        };
        let message = format!("Credential should be scoped to a valid region, not '{}'. ", self.region);
        Err(ServiceError::new(code, message.trim_end()).with_status(status))
    }

    /// Refuses a key that is unknown or whose token has expired, with the service's own error.
    pub(crate) fn authenticate(
        &self,
        credentials: &Credentials,
        service: Service,
    ) -> Result<(), ServiceError> {
        let sts = service == Service::Sts;
        if credentials.unknown.contains(&self.access_key_id) {
            let code = if sts { "InvalidClientTokenId" } else { "UnrecognizedClientException" };
            let message = "The security token included in the request is invalid.";
            return Err(ServiceError::new(code, message).with_status(403));
        }
        if credentials.expired.contains(&self.access_key_id) {
            let code = if sts { "ExpiredToken" } else { "ExpiredTokenException" };
            let message = "The security token included in the request is expired";
            return Err(ServiceError::new(code, message).with_status(403));
        }
        Ok(())
    }

    /// Refuses an action that is denied to the key.
    pub(crate) fn authorize(
        &self,
        credentials: &Credentials,
        account: &str,
        action: &str,
    ) -> Result<(), ServiceError> {
        let denied = credentials.denied.get(&self.access_key_id);
        if denied.is_some_and(|patterns| patterns.iter().any(|pattern| glob(pattern, action))) {
            return Err(ServiceError::access_denied(&self.arn(credentials, account), action));
        }
        Ok(())
    }
}

/// Whether text matches a pattern in which `*` stands for any text.
pub(crate) fn glob(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((head, rest)) => text.strip_prefix(head).is_some_and(|tail| {
            tail.char_indices()
                .map(|(at, _)| at)
                .chain([tail.len()])
                .any(|at| tail.get(at..).is_some_and(|tail| glob(rest, tail)))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261121/eu-west-1/gamelift/aws4_request, \
                        SignedHeaders=host;x-amz-date, Signature=abc";

    #[test]
    fn the_region_is_the_one_the_request_is_signed_for() {
        let scope = Scope::read(Some(GOOD)).unwrap();
        assert_eq!((scope.access_key_id.as_str(), scope.region.as_str()), ("AKIDEXAMPLE", "eu-west-1"));
    }

    #[test]
    fn a_signature_for_a_region_that_does_not_exist_is_refused() {
        let regions = BTreeSet::from(["us-east-1".to_owned()]);
        let scope = Scope::read(Some(GOOD)).unwrap();
        assert_eq!(scope.locate(&regions, Service::GameLift).unwrap_err().code, "InvalidSignatureException");
        assert_eq!(scope.locate(&regions, Service::Sts).unwrap_err().code, "SignatureDoesNotMatch");
    }

    #[test]
    fn unsigned_and_half_signed_requests_are_refused() {
        assert_eq!(Scope::read(None).unwrap_err().code, "MissingAuthenticationToken");
        for header in ["Bearer x", "AWS4-HMAC-SHA256 Credential=A/b/c, SignedHeaders=h, Signature=s"] {
            assert_eq!(Scope::read(Some(header)).unwrap_err().code, "IncompleteSignature", "{header}");
        }
        let unsigned = GOOD.replace("Signature=abc", "Signature=");
        assert_eq!(Scope::read(Some(&unsigned)).unwrap_err().code, "IncompleteSignature");
    }

    #[test]
    fn a_denied_action_names_the_user_and_the_action() {
        let scope = Scope::read(Some(GOOD)).unwrap();
        let denied = BTreeMap::from([("AKIDEXAMPLE".to_owned(), vec!["gamelift:DescribeFleet*".to_owned()])]);
        let credentials = Credentials { denied, ..Credentials::default() };
        let error =
            scope.authorize(&credentials, "111122223333", "gamelift:DescribeFleetAttributes").unwrap_err();
        assert_eq!((error.code.as_ref(), error.status), ("AccessDeniedException", 403));
        assert!(error.message.starts_with(
            "User: arn:aws:iam::111122223333:user/AKIDEXAMPLE is not authorized to perform: gamelift:DescribeFleetAttributes"
        ));
        assert!(scope.authorize(&credentials, "111122223333", "gamelift:ListFleets").is_ok());
    }

    #[test]
    fn each_service_has_its_own_word_for_bad_credentials() {
        let scope = Scope::read(Some(GOOD)).unwrap();
        let key = BTreeSet::from(["AKIDEXAMPLE".to_owned()]);
        let expired = Credentials { expired: key.clone(), ..Credentials::default() };
        let unknown = Credentials { unknown: key, ..Credentials::default() };
        let code = |credentials, service| scope.authenticate(credentials, service).unwrap_err().code;
        assert_eq!(code(&expired, Service::GameLift), "ExpiredTokenException");
        assert_eq!(code(&expired, Service::Sts), "ExpiredToken");
        assert_eq!(code(&unknown, Service::Sqs), "UnrecognizedClientException");
        assert_eq!(code(&unknown, Service::Sts), "InvalidClientTokenId");
    }

    #[test]
    fn a_key_of_another_account_or_user_is_named_with_it() {
        let accounts = BTreeMap::from([("AKIDEXAMPLE".to_owned(), "999988887777".to_owned())]);
        let denied = BTreeMap::from([("AKIDEXAMPLE".to_owned(), vec!["*".to_owned()])]);
        let users = BTreeMap::from([("AKIDEXAMPLE".to_owned(), "ada".to_owned())]);
        let credentials = Credentials { accounts, denied, users, ..Credentials::default() };
        let scope = Scope::read(Some(GOOD)).unwrap();
        let arn = "arn:aws:iam::999988887777:user/ada";
        assert_eq!(scope.arn(&credentials, "111122223333"), arn);
        assert_eq!(
            scope.arn(&Credentials::default(), "111122223333"),
            "arn:aws:iam::111122223333:user/AKIDEXAMPLE"
        );
        let error = scope.authorize(&credentials, "111122223333", "gamelift:ListFleets").unwrap_err();
        assert!(error.message.contains(arn), "{}", error.message);
    }

    #[test]
    fn a_star_stands_for_any_text() {
        assert!(glob("gamelift:*", "gamelift:ListFleets"));
        assert!(glob("*Fleet*s", "gamelift:ListFleets"));
        assert!(!glob("gamelift:List", "gamelift:ListFleets"));
    }
}
