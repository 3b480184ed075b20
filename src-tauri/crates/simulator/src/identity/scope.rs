//! The SigV4 credential scope of a request.
//!
//! Signatures are not verified.

use std::collections::BTreeSet;

use crate::service::{Service, ServiceError};

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

    /// Refuses a signature for a Region that AWS does not have, with the service's own error.
    pub(crate) fn locate(&self, regions: &BTreeSet<String>, service: Service) -> Result<(), ServiceError> {
        if regions.contains(&self.region) {
            return Ok(());
        }
        let (code, status) = match service {
            Service::Sts | Service::Iam => ("SignatureDoesNotMatch", 403),
            _ => ("InvalidSignatureException", 400),
        };
        let message = format!("Credential should be scoped to a valid region, not '{}'. ", self.region);
        Err(ServiceError::new(code, message.trim_end()).with_status(status))
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
}
