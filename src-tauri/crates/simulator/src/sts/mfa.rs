//! MFA as a request gives it: the serial number of a device and the code it shows.

use super::{Request, denied};
use crate::identity::{Temporary, Who};
use crate::service::ServiceError;
use crate::wire::Text;

pub(super) static SERIAL: Text = Text::matching(9, 256, r"^[\w+=/:,.@-]*$");
pub(super) static CODE: Text = Text::matching(6, 6, r"^\d*$");

/// Whether the caller is authenticated with MFA, by this request or by its session before. Refuses a device that is
/// not the caller's, and a wrong code.
pub(super) fn verify(
    request: &Request<'_>,
    serial: Option<&str>,
    code: Option<&str>,
) -> Result<bool, ServiceError> {
    let signer = request.signer;
    let (serial, code) = match (serial, code) {
        (Some(serial), Some(code)) => (serial, code),
        (None, None) => {
            // The MFA of a session goes on for a user, not for a role that was assumed with it.
            let user = matches!(signer.who, Who::User { .. });
            return Ok(user && signer.temporary.is_some_and(|Temporary { mfa, .. }| mfa));
        }
        _ => {
            let message = "MultiFactorAuthentication failed, must provide both MFA serial number and one time pass code.";
            return Err(denied(message));
        }
    };
    let device = match &signer.who {
        Who::User { key, .. } => request.credentials.mfa.get(key).filter(|device| device.serial == serial),
        Who::Role { .. } => None,
    };
    match device {
        Some(device) if device.code == code => Ok(true),
        Some(_) => Err(denied("MultiFactorAuthentication failed with invalid MFA one time pass code. ")),
        None => Err(denied(
            "MultiFactorAuthentication failed, unable to validate MFA code.  Please verify your MFA serial number is valid and associated with this user.",
        )),
    }
}
