//! The timeline of an incident: the alert's own steps, the first, the last and every so-many-th failure, changes that
//! concern it, what was done here, and notes.

use std::collections::{BTreeSet, HashSet};

use liftdeck_model::activity::{ActivityId, ActivityOutcome};
use liftdeck_model::alert::AlertStepKind;
use liftdeck_model::{Severity, Timestamp};
use liftdeck_store::StoreError;
use liftdeck_store::reader::activity::ActivityRequest;
use liftdeck_store::reader::window::Page;
use serde::{Deserialize, Serialize};
use specta::Type;
use strum::IntoStaticStr;

use super::failed::Failed;
use super::failing::Failing;
use super::mark::{MarkKind, kind_of};
use super::sphere::Sphere;
use crate::change::{ByUs, Change, ChangeKind, What};
use crate::verdict::LikelyCause;
use crate::words;

/// Most of our own attempts looked through.
const ATTEMPTS: u32 = 500;

/// What kind of line it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type, IntoStaticStr)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "snake_case")]
pub enum EvidenceKind {
    /// The alert began, fired, recovered or ended, or could not be told.
    Alert,
    /// Something failed.
    Failure,
    /// Something was changed.
    Change,
    /// A fleet event or a scaling step.
    Event,
    /// Something was done with this installation.
    Ours,
    /// A person wrote something down, or took note.
    Note,
}

/// Which lines are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum EvidenceFilter {
    /// All.
    All,
    /// What shows the trouble: the alert's steps, failures and fleet events.
    Evidence,
    /// What was changed, by anybody.
    Changes,
    /// What people did here: changes with this installation, and notes.
    Ours,
}

impl EvidenceFilter {
    pub(super) const fn keeps(self, line: &EvidenceLine) -> bool {
        match self {
            Self::All => true,
            Self::Evidence => {
                matches!(line.kind, EvidenceKind::Alert | EvidenceKind::Failure | EvidenceKind::Event)
            }
            Self::Changes => matches!(line.kind, EvidenceKind::Change) || line.is_change,
            Self::Ours => matches!(line.kind, EvidenceKind::Ours | EvidenceKind::Note),
        }
    }
}

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EvidenceLine {
    /// Identifies it; stable when it is read again.
    pub key: String,
    /// When.
    pub at: Timestamp,
    /// Kind.
    pub kind: EvidenceKind,
    /// How much it matters.
    pub severity: Severity,
    /// What happened, as text.
    pub text: String,
    /// Who, if that is known.
    pub by: Option<String>,
    /// Whether it changed a setting.
    pub is_change: bool,
    /// Whether it is a likely cause.
    pub is_cause: bool,
    /// The attempt of this installation.
    pub activity_id: Option<ActivityId>,
    /// The change, for its screen.
    pub change: Option<Box<Change>>,
}

impl EvidenceLine {
    fn new(key: String, at: Timestamp, kind: EvidenceKind, severity: Severity, text: String) -> Self {
        Self {
            key,
            at,
            kind,
            severity,
            text,
            by: None,
            is_change: false,
            is_cause: false,
            activity_id: None,
            change: None,
        }
    }
}

/// Every line, newest first, and whether nothing was left out.
pub(super) async fn lines(
    sphere: &Sphere<'_>,
    failed: &Failed,
    changes: &[Change],
) -> Result<(Vec<EvidenceLine>, bool), StoreError> {
    let mut lines = steps(sphere);
    lines.extend(notes(sphere));
    lines.extend(failures(sphere, failed));
    lines.extend(of_changes(sphere, changes));
    for (index, (at, text)) in sphere.undated_causes().into_iter().enumerate() {
        let kind = EvidenceKind::Change;
        let line = EvidenceLine::new(format!("cause {index}"), at, kind, Severity::Warning, text);
        lines.push(EvidenceLine { is_cause: true, is_change: true, ..line });
    }
    let told: HashSet<ActivityId> = lines.iter().filter_map(|line| line.activity_id.clone()).collect();
    let (ours, is_exact) = attempts(sphere, &told).await?;
    lines.extend(ours);
    lines.sort_by(|a, b| b.at.cmp(&a.at).then_with(|| b.key.cmp(&a.key)));
    Ok((lines, is_exact && changes.len() < 1_000))
}

fn steps(sphere: &Sphere<'_>) -> Vec<EvidenceLine> {
    let line = |(index, step): (usize, &liftdeck_model::alert::AlertStep)| {
        let (kind, severity) = match step.kind {
            AlertStepKind::Firing => (EvidenceKind::Alert, Severity::Bad),
            AlertStepKind::Pending | AlertStepKind::Unknown => (EvidenceKind::Alert, Severity::Warning),
            AlertStepKind::Acknowledged | AlertStepKind::Note => (EvidenceKind::Note, Severity::Info),
            _ => (EvidenceKind::Alert, Severity::Info),
        };
        let text = words::incident::step(step);
        let line = EvidenceLine::new(format!("step {index}"), step.at, kind, severity, text);
        EvidenceLine { by: step.by.clone(), ..line }
    };
    sphere.steps.iter().enumerate().map(line).collect()
}

/// What people wrote down about a span.
fn notes(sphere: &Sphere<'_>) -> impl Iterator<Item = EvidenceLine> {
    sphere.notes.iter().enumerate().map(|(index, note)| {
        let key = format!("note {index}");
        let line = EvidenceLine::new(key, note.at, EvidenceKind::Note, Severity::Info, note.text.clone());
        EvidenceLine { by: note.by.clone(), ..line }
    })
}

/// The numbers of the failures worth a line of their own: the first, the 10th, the 100th …, and the last.
fn told(count: usize) -> BTreeSet<usize> {
    let powers = (0..).map(|power| 10_usize.saturating_pow(power)).take_while(|number| *number <= count);
    powers.chain((count > 0).then_some(count)).collect()
}

fn failures(sphere: &Sphere<'_>, failed: &Failed) -> Vec<EvidenceLine> {
    let rows = &failed.sessions.rows;
    let of_sessions = told(rows.len()).into_iter().filter_map(|number| {
        let row = rows.get(number - 1)?;
        let name = sphere.name_of(&row.fleet_id);
        let text = words::incident::nth_failure(number, row, &name, sphere.bad.len() > 1);
        let key = format!("failure {number}");
        Some(EvidenceLine::new(key, row.at, EvidenceKind::Failure, Severity::Bad, text))
    });
    let mut lines: Vec<EvidenceLine> = of_sessions.collect();
    let noun = match &sphere.failing {
        Failing::Placements(_) => "placement",
        Failing::Tickets(..) => "ticket",
        Failing::Reservations(_) => "reservation",
        _ => return lines,
    };
    let inside = failed.minutes.iter().filter(|minute| {
        minute.failed > 0 && minute.at >= sphere.span.from.floor_to_ms(60_000) && minute.at < sphere.span.to
    });
    let inside: Vec<_> = inside.collect();
    let total: u64 = inside.iter().map(|minute| minute.failed).sum();
    for number in told(usize::try_from(total).unwrap_or(0)) {
        let mut sum = 0;
        let minute = inside.iter().find(|minute| {
            sum += minute.failed;
            sum >= number as u64
        });
        if let Some(minute) = minute {
            let text = words::incident::nth_of(number, noun);
            let at = minute.at.max(sphere.span.from);
            let key = format!("failure {number}");
            lines.push(EvidenceLine::new(key, at, EvidenceKind::Failure, Severity::Bad, text));
        }
    }
    lines
}

pub(super) fn of_changes(sphere: &Sphere<'_>, changes: &[Change]) -> Vec<EvidenceLine> {
    let causes = sphere.cause_keys();
    let shown = changes.iter().filter(|change| !sphere.tells_of_failures(change));
    shown
        .map(|change| {
            let by_us = change.by_us.as_ref();
            let (kind, is_change) = match (by_us, kind_of(change)) {
                (Some(_), _) => (EvidenceKind::Ours, true),
                (None, MarkKind::Change) => (EvidenceKind::Change, true),
                (None, _) => (EvidenceKind::Event, false),
            };
            let line =
                EvidenceLine::new(change.key.clone(), change.at, kind, change.severity, change.sentence());
            EvidenceLine {
                is_change,
                is_cause: causes.contains(&change.key),
                activity_id: match by_us {
                    Some(ByUs::Activity(id)) => Some(id.clone()),
                    _ => None,
                },
                change: Some(Box::new(change.clone())),
                ..line
            }
        })
        .collect()
}

/// Attempts with this installation that no change tells: on game sessions, and those that failed.
async fn attempts(
    sphere: &Sphere<'_>,
    told: &HashSet<ActivityId>,
) -> Result<(Vec<EvidenceLine>, bool), StoreError> {
    let request =
        ActivityRequest { range: Some(sphere.shown), ..ActivityRequest::everything(Page::first(ATTEMPTS)) };
    let window = sphere.ground.reader.activities(&request).await?;
    let is_exact = window.total_is_exact && window.rows.len() as u64 == window.total;
    let lines = window.rows.into_iter().filter(|row| !told.contains(&row.id)).filter(|row| {
        let resource = row.action.request.resource();
        let of_fleet = row.fleet_id.as_ref().is_some_and(|id| sphere.bad.contains(id));
        let of_queue =
            sphere.queues.iter().any(|(region, name)| *region == row.region && name.as_str() == resource.id);
        sphere.bad_is_all() || of_fleet || of_queue || sphere.aliases.contains(&resource.id)
    });
    let line = |row: liftdeck_model::activity::Activity| {
        let resource = row.action.request.resource();
        let name = row.name.as_deref().unwrap_or(&resource.id);
        let severity = match row.outcome {
            ActivityOutcome::Failed => Severity::Bad,
            ActivityOutcome::Unknown => Severity::Warning,
            _ => Severity::Info,
        };
        let text = words::incident::attempt(&words::action(&row.action.request, name), row.outcome);
        let key = format!("activity {}", row.id);
        let line = EvidenceLine::new(key, row.at, EvidenceKind::Ours, severity, text);
        EvidenceLine { activity_id: Some(row.id), ..line }
    };
    Ok((lines.map(line).collect(), is_exact))
}

impl Sphere<'_> {
    /// Keys of the changes that are likely causes.
    pub(super) fn cause_keys(&self) -> HashSet<String> {
        let facts = self.own_alerts().filter_map(|alert| alert.facts.as_ref());
        let keys = facts.flat_map(|facts| &facts.causes).filter_map(|likely| match &likely.cause {
            LikelyCause::Changed { change } => Some(change.key.clone()),
            _ => None,
        });
        keys.collect()
    }

    /// Likely causes with a time that no recorded change tells.
    pub(super) fn undated_causes(&self) -> Vec<(Timestamp, String)> {
        let likely = self
            .own_alerts()
            .flat_map(|alert| alert.facts.iter().flat_map(|facts| &facts.causes).zip(&alert.causes));
        let mut causes: Vec<(Timestamp, String)> = likely
            .filter(|(likely, _)| {
                matches!(
                    likely.cause,
                    LikelyCause::AliasUpdated { .. }
                        | LikelyCause::NewFleet { .. }
                        | LikelyCause::NewRuleSet { .. }
                )
            })
            .filter_map(|(likely, words)| Some((likely.at?, words.text.clone())))
            .filter(|(at, _)| self.shown.contains(*at))
            .collect();
        // Several alerts may have one cause.
        let mut seen = BTreeSet::new();
        causes.retain(|cause| seen.insert(cause.clone()));
        causes
    }

    /// Whether a line of the feed only repeats the failures, which are told one by one.
    pub(super) fn tells_of_failures(&self, change: &Change) -> bool {
        let (Failing::Sessions(endings), What::Events { code, .. }) = (&self.failing, &change.what) else {
            return false;
        };
        change.kind == ChangeKind::FleetEvent
            && liftdeck_model::game_session::GameSessionEnding::of_event(code)
                .is_some_and(|ending| endings.contains(&ending))
    }
}

#[cfg(test)]
mod tests {
    use super::told;

    #[test]
    fn the_first_the_last_and_each_tenfold_failure_are_told() {
        let all = |count| told(count).into_iter().collect::<Vec<_>>();
        assert_eq!(all(0), Vec::<usize>::new());
        assert_eq!(all(1), [1]);
        assert_eq!(all(12), [1, 10, 12]);
        assert_eq!(all(1_500), [1, 10, 100, 1_000, 1_500]);
    }
}
