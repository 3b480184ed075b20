//! Looks again, unprompted, for what became of attempts without an answer.
//!
//! Owns when to look: soon after, then less and less often, until an attempt is settled or looking on would show
//! nothing new. A sweep over the records takes up what an earlier process or a failed task left behind.

use std::sync::Arc;
use std::time::Duration;

use liftdeck_model::activity::{ActivityId, ActivityOutcome};
use liftdeck_store::ActivityEnd;

use super::{Stand, look};
use crate::error::OperationError;
use crate::outcome::Outcomes;
use crate::outcome::attempts::Watch;
use crate::words::Settled;

/// Pauses before the first looks, in seconds.
const PAUSES_S: [u64; 4] = [5, 10, 20, 40];
/// The pause from then on, in seconds.
const THEN_S: u64 = 60;
/// Looks after which AWS, or the connection to it, must be out of order, so that the pauses get longer.
const MANY: usize = 30;
/// The pause after that many looks.
const SLOW: Duration = Duration::from_mins(10);
/// How often the records are swept for attempts that nobody looks into.
const SWEEP: Duration = Duration::from_secs(10);

/// Looks in the background for what became of an attempt, until that is known or cannot become known.
pub(crate) fn begin(outcomes: &Arc<Outcomes>, id: &ActivityId) {
    let Some(watch) = outcomes.attempts.watch(id) else { return };
    // The time it may still arrive in is counted from here at the latest.
    outcomes.attempts.given_up(id, (outcomes.connection.options.steady)());
    let (owned, id, watch) = (Arc::clone(outcomes), id.clone(), Arc::new(watch));
    outcomes.connection.carry(format!("The check for the outcome of the change {id}"), move || {
        let (outcomes, id, watch) = (Arc::clone(&owned), id.clone(), Arc::clone(&watch));
        async move { pursue(&outcomes, &id, &watch).await }
    });
}

async fn pursue(outcomes: &Arc<Outcomes>, id: &ActivityId, watch: &Watch) {
    for number in 0.. {
        if !outcomes.connection.pause(pause(number)).await {
            return;
        }
        let Ok(_turn) = outcomes.attempts.looks.acquire().await else { return };
        match Box::pin(look(outcomes, id)).await {
            Ok((_, Stand::Open)) => {}
            Ok((_, Stand::Settled | Stand::NothingMore)) => return watch.rest(),
            Err(error) => tracing::info!(%error, "What became of a change could not be looked up."),
        }
    }
}

fn pause(number: usize) -> Duration {
    if number >= MANY {
        return SLOW;
    }
    Duration::from_secs(PAUSES_S.get(number).copied().unwrap_or(THEN_S))
}

/// Takes up attempts without an outcome, now and repeatedly.
///
/// # Errors
/// If the records cannot be read or written now.
pub(crate) async fn open(outcomes: &Arc<Outcomes>) -> Result<(), OperationError> {
    sweep(outcomes).await?;
    let owned = Arc::clone(outcomes);
    outcomes.connection.carry("The check of changes without an outcome".to_owned(), move || {
        let outcomes = Arc::clone(&owned);
        async move { sweep_on(&outcomes).await }
    });
    Ok(())
}

async fn sweep_on(outcomes: &Arc<Outcomes>) {
    while outcomes.connection.pause(SWEEP).await {
        if let Err(error) = sweep(outcomes).await {
            tracing::warn!(%error, "Changes without an outcome could not be looked through.");
        }
    }
}

/// Marks attempts that are recorded as being sent, but are not, as unknown, and looks into the unknown ones.
async fn sweep(outcomes: &Arc<Outcomes>) -> Result<(), OperationError> {
    for activity in outcomes.connection.store.unsettled().await? {
        if outcomes.attempts.is_in_flight(&activity.id) {
            continue;
        }
        if activity.outcome == ActivityOutcome::Sending {
            lost(outcomes, &activity.id).await?;
        }
        begin(outcomes, &activity.id);
    }
    Ok(())
}

/// Records that it is not known whether an attempt was carried out.
async fn lost(outcomes: &Outcomes, id: &ActivityId) -> Result<(), OperationError> {
    let _turn = outcomes.attempts.settling.lock().await;
    // The order matters: an attempt that is no longer under way has its answer on record, if there was one.
    if outcomes.attempts.is_in_flight(id) {
        return Ok(());
    }
    let known = outcomes.connection.store.activity(id).await?;
    if known.is_some_and(|activity| activity.outcome == ActivityOutcome::Sending) {
        let end = ActivityEnd {
            message: Some(Settled::LeftBehind.to_string()),
            given_up_aws_at: outcomes.connection.gateway.aws_now(),
            ..ActivityEnd::new(ActivityOutcome::Unknown, outcomes.connection.now())
        };
        outcomes.connection.writer.end_activity(id, end).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::arrival::WAIT;
    use super::*;

    #[test]
    fn it_looks_often_at_first_then_each_minute_and_never_gives_up_before_nothing_can_arrive() {
        let first: Vec<u64> = (0..7).map(|number| pause(number).as_secs()).collect();
        assert_eq!(first, [5, 10, 20, 40, 60, 60, 60]);
        let each_minute: Duration = (0..MANY).map(pause).sum();
        assert!(each_minute > WAIT + Duration::from_mins(2), "{each_minute:?}");
        assert_eq!(pause(MANY), SLOW);
    }
}
