//! Builds and Realtime scripts, with the fleets that run them. For scripts also counts the game sessions that a new
//! version has and has not reached.

use liftdeck_model::action::Request;
use liftdeck_model::activity::ActivityOutcome;
use liftdeck_model::content::{Build, Script};
use liftdeck_model::fleet::Fleet;
use liftdeck_model::observation::PollKind;
use liftdeck_model::{FleetId, Timestamp};
use serde::{Deserialize, Serialize};
use specta::Type;

use super::Reader;
use super::change::ChangeRow;
use super::freshness::{Basis, Freshness};
use crate::error::StoreError;

/// A fleet that runs a build or script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UsingFleet {
    /// Fleet.
    pub fleet_id: FleetId,
    /// Its name, or its id if it has none.
    pub name: String,
}

/// A build.
#[derive(Clone, Debug, PartialEq)]
pub struct BuildRow {
    /// The build.
    pub build: Build,
    /// Fleets that run it, by name.
    pub fleets: Vec<UsingFleet>,
}

/// A Realtime script.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptRow {
    /// The script.
    pub script: Script,
    /// Fleets that run it, by name.
    pub fleets: Vec<UsingFleet>,
    /// When its newest files arrived: the script's own time if that moved with them, else when we uploaded them or
    /// first saw them; `None` while there has been only one version.
    pub updated_at: Option<Timestamp>,
    /// Live game sessions of its fleets that surely have older files: AWS gives each the files of its start.
    pub live_before: u64,
    /// Live game sessions of its fleets that surely have the newest files.
    pub live_after: u64,
    /// Live game sessions of its fleets that were created before the script was first seen: nothing tells which files
    /// they have.
    pub live_unknown: u64,
    /// Recorded changes, newest first.
    pub history: Vec<ChangeRow>,
}

/// Maximum number of changes read for a script.
const HISTORY: u32 = 50;

/// Fields of a script that change with its files.
const OF_THE_FILES: [&str; 3] = ["version", "size_on_disk_bytes", "creation_time"];

impl Reader {
    /// Existing builds, newest first, with their freshness.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn builds(&self, now: Timestamp) -> Result<(Vec<BuildRow>, Freshness), StoreError> {
        let fleets = self.documents::<Fleet>("fleet", None).await?;
        let mut rows = Vec::new();
        for document in self.documents::<Build>("build", None).await? {
            if document.gone_at.is_some() {
                continue;
            }
            let build = document.record;
            let runs = |fleet: &Fleet| fleet.build_id.as_ref() == Some(&build.build_id);
            let using =
                using(fleets.iter().filter(|fleet| fleet.gone_at.is_none()).map(|it| &it.record), runs);
            rows.push(BuildRow { fleets: using, build });
        }
        rows.sort_by_key(|row| std::cmp::Reverse(row.build.creation_time));
        Ok((rows, self.freshness(Basis::All(PollKind::Builds), now)))
    }

    /// Existing Realtime scripts, newest first, with their freshness.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn scripts(&self, now: Timestamp) -> Result<(Vec<ScriptRow>, Freshness), StoreError> {
        let directory = self.directory().await?;
        let fleets = self.documents::<Fleet>("fleet", None).await?;
        let mut histories = self.changes_by_resource(&directory, "script", HISTORY).await?;
        let mut rows = Vec::new();
        for document in self.documents::<Script>("script", None).await? {
            if document.gone_at.is_some() {
                continue;
            }
            let script = document.record;
            let runs = |fleet: &Fleet| fleet.script_id.as_ref() == Some(&script.script_id);
            let fleets =
                using(fleets.iter().filter(|fleet| fleet.gone_at.is_none()).map(|it| &it.record), runs);
            let history = histories.remove(script.script_id.as_str()).unwrap_or_default();
            let updated_at = self.newest_version(&script, &history).await?;
            let (mut live_before, mut live_after, mut live_unknown) = (0, 0, 0);
            for fleet in &fleets {
                let since = updated_at.or(script.creation_time).unwrap_or(Timestamp::from_ms(i64::MIN));
                let (before, after) = self.live_around(&fleet.fleet_id, since).await?;
                // A game session older than the script's own time shows that this is the time of an update.
                let is_known = updated_at.is_some() || before > 0;
                let (unknown, after) = match is_known {
                    true => (0, after),
                    false => self.live_around(&fleet.fleet_id, document.first_seen_at).await?,
                };
                live_before += before;
                live_after += after;
                live_unknown += unknown;
            }
            rows.push(ScriptRow {
                script,
                fleets,
                updated_at,
                live_before,
                live_after,
                live_unknown,
                history,
            });
        }
        rows.sort_by_key(|row| std::cmp::Reverse(row.script.creation_time));
        Ok((rows, self.freshness(Basis::All(PollKind::Scripts), now)))
    }

    /// When the newest files arrived: our own upload or the newest change seen, whichever is later. A change seen
    /// soon after an upload is that upload.
    async fn newest_version(
        &self,
        script: &Script,
        history: &[ChangeRow],
    ) -> Result<Option<Timestamp>, StoreError> {
        let kind = liftdeck_model::action::ResourceKind::Script;
        let sent = self.activities_of(kind, script.script_id.as_str(), HISTORY).await?.into_iter().find_map(
            |sent| {
                let Request::UpdateScript(update) = &sent.action.request else { return None };
                let arrived = sent.outcome == ActivityOutcome::Done && update.zip_file.is_some();
                arrived.then(|| sent.ended_at.unwrap_or(sent.at))
            },
        );
        let is_of_files = |change: &&ChangeRow| OF_THE_FILES.contains(&change.field.as_str());
        let seen = history.iter().find(is_of_files).map(|change| change.seen_at);
        // The script's own time moved with its files.
        let has_own_time =
            history.iter().any(|change| change.field == "creation_time" && Some(change.seen_at) == seen);
        if let Some(own) = script.creation_time.filter(|_| has_own_time) {
            return Ok(Some(own));
        }
        Ok(match (sent, seen) {
            (Some(sent), Some(seen)) if seen.since_ms(sent) > SIGHTING_MS => Some(seen),
            (sent, seen) => sent.or(seen),
        })
    }
}

/// Within this time a poll sees what we uploaded, because scripts are listed every five minutes.
const SIGHTING_MS: i64 = 10 * 60_000;

fn using<'f>(fleets: impl Iterator<Item = &'f Fleet>, runs: impl Fn(&Fleet) -> bool) -> Vec<UsingFleet> {
    let mut using: Vec<UsingFleet> = fleets
        .filter(|fleet| runs(fleet))
        .map(|fleet| UsingFleet { fleet_id: fleet.fleet_id.clone(), name: fleet.display_name().to_owned() })
        .collect();
    using.sort_by(|a, b| a.name.cmp(&b.name));
    using
}
