//! STS: `GetCallerIdentity` in the Query protocol. It needs no permission, so that a connection can always determine
//! its identity.

use crate::identity::Scope;
use crate::service::{ServiceError, xml_text};

/// Reads the operation from a form body.
pub(crate) fn operation(body: &[u8]) -> Option<String> {
    form_urlencoded::parse(body).find(|(name, _)| name == "Action").map(|(_, action)| action.into_owned())
}

/// Answers an action with XML.
pub(crate) fn answer(
    action: &str,
    scope: &Scope,
    arn: &str,
    request_id: &str,
) -> Result<Vec<u8>, ServiceError> {
    if action != "GetCallerIdentity" {
        let message = format!("Could not find operation {action} for version 2011-06-15");
        return Err(ServiceError::new("InvalidAction", message));
    }
    let account = arn.split(':').nth(4).unwrap_or_default();
    let (arn, user_id) = (xml_text(arn), xml_text(&user_id(&scope.access_key_id)));
    Ok(format!(
        "<GetCallerIdentityResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><GetCallerIdentityResult>\
         <Arn>{arn}</Arn><UserId>{user_id}</UserId><Account>{account}</Account></GetCallerIdentityResult>\
         <ResponseMetadata><RequestId>{request_id}</RequestId></ResponseMetadata></GetCallerIdentityResponse>"
    )
    .into_bytes())
}

/// A user id has the form of an access key id, with a prefix of its own.
pub(crate) fn user_id(access_key_id: &str) -> String {
    let tail = access_key_id.strip_prefix("AKIA").unwrap_or(access_key_id);
    format!("AIDA{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caller_is_named_by_its_key() {
        let scope = Scope { access_key_id: "AKIAONE".to_owned(), region: "eu-west-1".to_owned() };
        let body = b"Action=GetCallerIdentity&Version=2011-06-15";
        let action = operation(body).unwrap();
        let arn = "arn:aws:iam::111122223333:user/AKIAONE";
        let xml = String::from_utf8(answer(&action, &scope, arn, "r-1").unwrap()).unwrap();
        assert!(xml.contains("<Arn>arn:aws:iam::111122223333:user/AKIAONE</Arn>"), "{xml}");
        assert!(xml.contains("<Account>111122223333</Account>"), "{xml}");
        assert!(xml.contains("<UserId>AIDAONE</UserId>"), "{xml}");
        assert_eq!(answer("AssumeRole", &scope, arn, "r").unwrap_err().code, "InvalidAction");
    }
}
