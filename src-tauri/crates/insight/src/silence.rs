//! Silences that runs of ours cause: a drain silences what it does to its fleet for as long as it runs.

use liftdeck_model::Timestamp;
use liftdeck_model::silence::{Matchers, Silence};
use liftdeck_store::{Reader, RunKind, RunRecord, RunState, StoreError};

use crate::verdict::Rule;

/// What a drain does to its fleet: it leaves no room there, and new game sessions do not start.
const BY_A_DRAIN: [Rule; 4] = [Rule::Capped, Rule::LittleRoom, Rule::Activation, Rule::Startup];

/// Every silence that matters at a moment: those of people, and those of runs.
///
/// # Errors
/// When the store cannot be read.
pub async fn silences(reader: &Reader, at: Timestamp) -> Result<Vec<Silence>, StoreError> {
    let mut silences = reader.silences(at).await?;
    silences.extend(reader.runs(true).await?.iter().filter_map(of_run));
    Ok(silences)
}

fn of_run(run: &RunRecord) -> Option<Silence> {
    let fleet_id = run.fleet_id.clone()?;
    if run.kind != RunKind::Drain || run.state != RunState::Running {
        return None;
    }
    let rules = BY_A_DRAIN.map(|rule| <&str>::from(rule).to_owned()).to_vec();
    Some(Silence {
        id: run.id.as_str().into(),
        matchers: Matchers { rules, fleet_id: Some(fleet_id), ..Matchers::default() },
        from: run.created_at,
        until: None,
        author: "Liftdeck".to_owned(),
        reason: format!("the run \"{}\" goes on", run.title),
        ended_at: None,
        ended_by: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(kind: RunKind, state: RunState) -> RunRecord {
        RunRecord {
            id: "run-1".into(),
            kind,
            state,
            title: "Drain fleet arena".to_owned(),
            region: Some("eu-west-1".into()),
            fleet_id: Some("fleet-1".into()),
            created_at: Timestamp::from_ms(5),
            changed_at: Timestamp::from_ms(6),
            plan: String::new(),
            progress: String::new(),
        }
    }

    #[test]
    fn a_drain_silences_its_own_effects_and_nothing_else_for_as_long_as_it_runs() {
        let silence = of_run(&run(RunKind::Drain, RunState::Running)).unwrap();
        assert_eq!(silence.reason, "the run \"Drain fleet arena\" goes on");
        assert_eq!(silence.matchers.fleet_id, Some("fleet-1".into()));
        assert!(silence.matchers.rules.contains(&"little-room".to_owned()));
        assert!(!silence.matchers.rules.contains(&"crashes".to_owned()), "a drain makes nothing crash");
        assert!(silence.is_in_force(Timestamp::from_ms(i64::MAX)));
        assert_eq!(of_run(&run(RunKind::Drain, RunState::Paused)), None);
        assert_eq!(of_run(&run(RunKind::Bulk, RunState::Running)), None);
    }
}
