//! Realtime scripts.

use liftdeck_model::action::{Action, Request, UpdateScript};

use super::archive::zip_bytes;
use super::draft::{Draft, Hit};
use super::present::Present;
use crate::error::OperationError;
use crate::fact::UndoOffer;
use crate::words::{self, WarningFact};

/// UpdateScript.
pub(super) async fn update(
    present: &mut Present<'_>,
    action: &Action,
    it: &UpdateScript,
) -> Result<Draft, OperationError> {
    let Some(script) = present.script(&action.region, &it.script_id).await? else {
        let mut draft = Draft::new(action, format!("Change script {}", it.script_id));
        draft.refuse(words::missing("script", it.script_id.as_str(), action));
        draft.fact("Script", None, Some("changed".to_owned()));
        return Ok(draft);
    };
    let called = script.name.clone().unwrap_or_else(|| it.script_id.to_string());
    let verb = if it.zip_file.is_some() { "Upload new files of" } else { "Change" };
    let mut draft = Draft::new(action, format!("{verb} script {called}"));
    draft.name = Some(called);
    let mut former =
        UpdateScript { script_id: it.script_id.clone(), name: None, version: None, zip_file: None };
    if let Some(name) = &it.name {
        draft.fact("Name", script.name.clone(), Some(name.clone()));
        former.name = script.name.clone().filter(|name| !name.is_empty());
    }
    if let Some(version) = &it.version {
        draft.fact("Version", script.version.clone(), Some(version.clone()));
        former.version = script.version.clone().filter(|version| !version.is_empty());
    }
    draft.hit = Hit::nobody("No game session is affected.");
    if let Some(zip) = &it.zip_file {
        // The file that was inspected is the one that is sent. If it is gone or changed, say so now, not after the
        // confirmation.
        zip_bytes(zip).await?;
        let before = script.size_on_disk_bytes.map(|bytes| format!("{bytes} bytes"));
        draft.fact("Files", before, Some(format!("{} bytes", zip.size_bytes)));
        draft.rests_on("Version", script.version.clone());
        draft.hit = Hit::nobody("Running game sessions keep their files; new ones use the new files.");
        if it.version.is_none() {
            draft.caution(WarningFact::VersionMissing);
        }
        draft.offer =
            UndoOffer::None("AWS keeps only the newest files: upload the former zip to go back.".to_owned());
        return Ok(draft);
    }
    if !draft.holds() {
        let whole =
            it.name.is_some() == former.name.is_some() && it.version.is_some() == former.version.is_some();
        let something = former.name.is_some() || former.version.is_some();
        let lost = "AWS accepts no empty name or version, so one that was added stays.".to_owned();
        match (whole, something) {
            (true, _) => draft.undone_by(vec![Request::UpdateScript(former)], UndoOffer::Exact),
            (false, true) => draft.undone_by(vec![Request::UpdateScript(former)], UndoOffer::Partly(lost)),
            (false, false) => draft.offer = UndoOffer::None(lost),
        }
    }
    Ok(draft)
}
