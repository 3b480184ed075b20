//! Alerts as people read them: what the store keeps of each, with its facts and their words.

use std::cmp::Reverse;
use std::sync::Arc;

use liftdeck_model::alert::{Acknowledged, AlertId, AlertRecord, AlertState, AlertStep};
use liftdeck_model::silence::Silence;
use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Region, Severity, Timestamp};
use liftdeck_store::{Reader, StoreError};
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::incident::{WhoIsHit, add_hits};
use crate::knowledge::{Knowledge, knowledge};
use crate::offer::{Ground, Offered, add_offers};
use crate::silence::silences;
use crate::verdict::{Facts, Strength};
use crate::words;

/// A likely cause, as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CauseWords {
    /// What it is.
    pub text: String,
    /// How strongly the facts speak for it.
    pub strength: Strength,
    /// When it happened or began, if that is known.
    pub at: Option<Timestamp>,
    /// By how many milliseconds it came before the trouble; negative if it was first seen afterwards.
    pub lead_ms: Option<i64>,
}

/// An alert.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Alert {
    /// Id.
    pub id: AlertId,
    /// The rule, as settings and exports spell it.
    pub rule: String,
    /// What it is about; stable for as long as it lasts.
    pub subject: String,
    /// Home Region; `None` for what concerns several.
    pub region: Option<Region>,
    /// The fleet concerned.
    pub fleet_id: Option<FleetId>,
    /// `Warning` or `Bad`; `Info` for what is worth knowing and never fires.
    pub severity: Severity,
    /// State.
    pub state: AlertState,
    /// When the trouble began. It never moves to a later time.
    pub since: Timestamp,
    /// When it began to fire.
    pub fired_at: Option<Timestamp>,
    /// When data first no longer showed it.
    pub clear_since: Option<Timestamp>,
    /// Since when there is no data that could tell.
    pub unknown_since: Option<Timestamp>,
    /// When it was over.
    pub ended_at: Option<Timestamp>,
    /// Who has taken note of it.
    pub acknowledged: Option<Acknowledged>,
    /// The silence that keeps it from being told to anybody now.
    pub silenced: Option<Silence>,
    /// The facts; `None` if another version of the program recorded them in a form that this one cannot read.
    pub facts: Option<Facts>,
    /// What is wrong, as text.
    pub title: String,
    /// The figures behind it, as text.
    pub detail: String,
    /// Likely causes as text, in the order of the facts.
    pub causes: Vec<CauseWords>,
    /// What is said in their place while there is none.
    pub unexplained: String,
    /// What is offered against it; `None` when it is over, or was not asked for.
    pub offered: Option<Offered>,
    /// Whom it has hit; `None` if that was not asked for.
    pub who: Option<WhoIsHit>,
}

impl Alert {
    /// Reads the facts of a record and words them.
    pub fn of(record: AlertRecord) -> Self {
        let facts = Facts::of_document(&record.document);
        let (title, detail) = match &facts {
            Some(facts) => words::trouble(&facts.trouble),
            None => (
                format!("{}: {}", record.rule, record.subject),
                "recorded by another version of Liftdeck".to_owned(),
            ),
        };
        let causes = facts.iter().flat_map(|facts| &facts.causes).map(|likely| CauseWords {
            text: words::likely(&likely.cause),
            strength: likely.strength,
            at: likely.at,
            lead_ms: likely.at.map(|at| record.since.since_ms(at)),
        });
        Self {
            causes: causes.collect(),
            unexplained: words::unexplained(facts.as_ref().map(|facts| &facts.trouble)).to_owned(),
            id: record.id,
            rule: record.rule,
            subject: record.subject,
            region: record.region,
            fleet_id: record.fleet_id,
            severity: record.severity,
            state: record.state,
            since: record.since,
            fired_at: record.fired_at,
            clear_since: record.clear_since,
            unknown_since: record.unknown_since,
            ended_at: record.ended_at,
            acknowledged: record.acknowledged,
            silenced: None,
            facts,
            title,
            detail,
            offered: None,
            who: None,
        }
    }

    /// Whether what it is about was wrong at a moment that is over.
    pub(crate) fn is_open_at(&self, at: Timestamp) -> bool {
        self.fired_at.is_some() && self.since <= at && self.ended_at.is_none_or(|ended| ended > at)
    }
}

/// Alerts that were open at some time in `range`, at most [`MOST`], each as it is now.
///
/// # Errors
/// When the store cannot be read.
pub(crate) async fn alerts_in(
    reader: &Reader,
    range: TimeRange,
    now: Timestamp,
) -> Result<Vec<Alert>, StoreError> {
    marked(reader, reader.alerts(range, MOST).await?, now).await
}

/// Every alert that is not over, in the order they began; pending ones, which are not yet or never alerts, included.
///
/// # Errors
/// When the store cannot be read.
pub async fn open_alerts(reader: &Reader, now: Timestamp) -> Result<Vec<Alert>, StoreError> {
    marked(reader, reader.open_alerts().await?, now).await
}

/// Words records, and says of those that are open which silence covers them.
async fn marked(
    reader: &Reader,
    records: Vec<AlertRecord>,
    now: Timestamp,
) -> Result<Vec<Alert>, StoreError> {
    if records.is_empty() {
        return Ok(Vec::new());
    }
    let silences = silences(reader, now).await?;
    let marked = |record: AlertRecord| {
        let silence = Silence::of(&silences, &record, now).filter(|_| record.state.is_open()).cloned();
        Alert { silenced: silence, ..Alert::of(record) }
    };
    Ok(records.into_iter().map(marked).collect())
}

/// Alerts of a range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AlertList {
    /// Open ones that are not alerts, or not yet, in the order they began.
    pub seen: Vec<Alert>,
    /// Those that fire or recover now, and those that fired at some time in the range, at most 500: open ones first, in
    /// the order of the Overview, then the newest.
    pub alerts: Vec<Alert>,
    /// What is known, and as of when.
    pub knowledge: Knowledge,
}

/// An alert with its course.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AlertStory {
    /// The alert.
    pub alert: Alert,
    /// Its states and what people did, oldest first.
    pub steps: Vec<AlertStep>,
}

/// Adds to each alert that is not over what is offered against it and who is hit. What both depend on is read once.
///
/// # Errors
/// When the store cannot be read.
pub(crate) async fn complete(
    reader: &Reader,
    alerts: &mut [Alert],
    now: Timestamp,
) -> Result<(), StoreError> {
    if alerts.iter().all(|alert| !alert.state.is_open()) {
        return Ok(());
    }
    let ground = Arc::new(Ground::read(reader, now).await?);
    add_offers(&ground, alerts).await?;
    add_hits(&ground, alerts).await
}

/// Most alerts listed at a time.
const MOST: u32 = 500;

/// Alerts of a range.
///
/// # Errors
/// When the store cannot be read.
pub async fn alert_list(reader: &Reader, range: TimeRange, now: Timestamp) -> Result<AlertList, StoreError> {
    let (mut alerts, seen): (Vec<Alert>, Vec<Alert>) =
        open_alerts(reader, now).await?.into_iter().partition(|alert| alert.state.is_shown());
    let of_range = alerts_in(reader, range, now).await?;
    alerts.extend(of_range.into_iter().filter(|alert| alert.ended_at.is_some()));
    // The sort is stable: those that are over stay newest first.
    alerts.sort_by_key(|alert| match alert.ended_at {
        None => (false, Reverse(alert.severity), alert.since),
        Some(_) => (true, Reverse(Severity::Bad), Timestamp::from_ms(0)),
    });
    complete(reader, &mut alerts, now).await?;
    Ok(AlertList { seen, alerts, knowledge: knowledge(reader, now) })
}

/// One alert with its course; `None` if there is no such alert.
///
/// # Errors
/// When the store cannot be read.
pub async fn alert_story(
    reader: &Reader,
    id: &AlertId,
    now: Timestamp,
) -> Result<Option<AlertStory>, StoreError> {
    let Some(alert) = marked(reader, reader.alert(id).await?.into_iter().collect(), now).await?.pop() else {
        return Ok(None);
    };
    Ok(Some(AlertStory { alert, steps: reader.alert_steps(id).await? }))
}
