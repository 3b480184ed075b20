//! Realtime scripts.

use aws_sdk_gamelift::primitives::Blob;
use bytes::Bytes;
use liftdeck_model::action::UpdateScript;

use super::{Change, Made, Sent};
use crate::error::GatewayError;
use crate::mapping::{content, need};

pub(super) async fn update(
    change: &Change<'_>,
    it: &UpdateScript,
    zip: Option<Bytes>,
) -> Result<Sent, GatewayError> {
    let zip = match (&it.zip_file, zip) {
        (None, _) => None,
        (Some(_), None) => return Err(change.refuse("the bytes of the zip are missing")),
        (Some(looked_at), Some(zip)) if zip.len() != looked_at.size_bytes as usize => {
            return Err(change.refuse("the zip is not the one that was previewed: its size has changed"));
        }
        (Some(_), Some(zip)) => Some(Blob::new(zip)),
    };
    let request = change
        .client()
        .update_script()
        .script_id(it.script_id.as_str())
        .set_name(it.name.clone())
        .set_version(it.version.clone())
        .set_zip_file(zip);
    change
        .send(
            || request.clone().send(),
            |answer| {
                let found = need(answer.script, "an answer", "Script")?;
                Ok(Made::Script(Box::new(content::script(found, change.region())?)))
            },
        )
        .await
}
