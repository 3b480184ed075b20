//! What a look concludes from each kind of evidence, while a request can still arrive and afterwards.

use super::*;
use crate::fixtures;
use crate::words::Trace;

const AT: Timestamp = Timestamp::from_ms(1_000);
const GIVEN_UP: Timestamp = Timestamp::from_ms(2_000);
const NOW: Clocks = Clocks { here: Timestamp::from_ms(9_000), aws: Some(Timestamp::from_ms(9_500)) };

/// Returns the conclusion of a look that found this evidence.
fn looked(evidence: Evidence, is_over: bool) -> (ActivityEnd, Stand) {
    outcome(&fixtures::unanswered(AT, GIVEN_UP), evidence, is_over, NOW)
}

fn done(proof: Proof) -> Evidence {
    Evidence::Done {
        trace: Trace::EverybodyHasSlot,
        proof,
        made: Some("made".to_owned()),
        slots: vec![("ada".to_owned(), "psess-1".to_owned())],
    }
}

fn no_trace() -> Evidence {
    Evidence::NoTrace(Trace::NobodyHasSlot)
}

fn unclear() -> Evidence {
    Evidence::Unclear(Trace::NoScript)
}

#[test]
fn what_is_there_was_carried_out_and_only_what_is_surely_ours_is_called_so() {
    for is_over in [false, true] {
        let (end, stand) = looked(done(Proof::Own), is_over);
        assert_eq!((stand, end.outcome, end.proof), (Stand::Settled, ActivityOutcome::Done, Proof::Own));
        let said = "No answer came, but it was carried out: every player has had a slot reserved since then.";
        assert_eq!((end.message.as_deref(), end.ended_at), (Some(said), NOW.here));
        assert_eq!(end.made.as_deref(), Some("made"));
        assert_eq!(end.made_player_sessions, [("ada".to_owned(), "psess-1".to_owned())]);

        let (end, stand) = looked(done(Proof::Seen), is_over);
        assert_eq!((stand, end.outcome, end.proof), (Stand::Settled, ActivityOutcome::Done, Proof::Seen));
        let said = end.message.unwrap();
        assert!(
            said.starts_with(
                "No answer came. Seen: every player has had a slot reserved since then. AWS does not say whether \
                 this change or someone else did that"
            ),
            "{said}"
        );
    }
}

#[test]
fn what_left_no_trace_has_failed_only_when_it_can_no_longer_arrive() {
    let (end, stand) = looked(no_trace(), true);
    assert_eq!((stand, end.outcome, end.proof), (Stand::Settled, ActivityOutcome::Failed, Proof::Seen));
    let said = "It did not arrive: no player has had a slot reserved since then. It can no longer arrive, and it \
        changed nothing.";
    assert_eq!((end.message.as_deref(), end.ended_at), (Some(said), NOW.here));

    let (end, stand) = looked(no_trace(), false);
    assert_eq!((stand, end.outcome), (Stand::Open, ActivityOutcome::Unknown));
    let said = end.message.unwrap();
    assert!(
        said.starts_with("Not known yet: no player has had a slot reserved since then.")
            && said.contains("for 12 minutes"),
        "{said}"
    );
}

#[test]
fn what_is_unclear_stays_unknown_and_is_looked_at_while_it_can_still_arrive() {
    let (end, stand) = looked(unclear(), false);
    assert_eq!((stand, end.outcome), (Stand::Open, ActivityOutcome::Unknown));
    let said = "Still not known: the script no longer exists. Liftdeck checks again by itself.";
    assert_eq!(end.message.as_deref(), Some(said));
    let (end, stand) = looked(unclear(), true);
    assert_eq!((stand, end.outcome), (Stand::NothingMore, ActivityOutcome::Unknown));
    assert_eq!(end.message.as_deref(), Some("Still not known: the script no longer exists."));
}

#[test]
fn an_attempt_that_stays_unknown_keeps_what_was_known_of_it() {
    let mut attempt = fixtures::unanswered(AT, GIVEN_UP);
    attempt.proof = Proof::Own;
    let (end, _) = outcome(&attempt, unclear(), false, NOW);
    assert_eq!((end.ended_at, end.proof), (GIVEN_UP, Proof::Own));
    assert_eq!(end.aws_code.as_deref(), Some("InternalServiceException"));
    assert_eq!(end.given_up_aws_at, NOW.aws, "the first time AWS tells is late enough");
    attempt.given_up_aws_at = Some(Timestamp::from_ms(2_500));
    let (end, _) = outcome(&attempt, unclear(), false, NOW);
    assert_eq!(end.given_up_aws_at, attempt.given_up_aws_at, "and it stays");
    attempt.ended_at = None;
    let (end, _) = outcome(&attempt, unclear(), false, Clocks { aws: None, ..NOW });
    assert_eq!(end.ended_at, AT);
}

#[test]
fn only_what_says_something_new_is_recorded() {
    let mut attempt = fixtures::unanswered(AT, GIVEN_UP);
    attempt.message = Some("Still not known.".to_owned());
    attempt.given_up_aws_at = Some(GIVEN_UP);
    let same = ActivityEnd {
        message: attempt.message.clone(),
        given_up_aws_at: attempt.given_up_aws_at,
        ..ActivityEnd::new(ActivityOutcome::Unknown, NOW.here)
    };
    assert!(is_known(&attempt, &same));
    assert!(is_known(&attempt, &ActivityEnd { given_up_aws_at: None, ..same.clone() }));
    assert!(!is_known(&attempt, &ActivityEnd { given_up_aws_at: NOW.aws, ..same.clone() }));
    assert!(!is_known(&attempt, &ActivityEnd { message: None, ..same.clone() }));
    assert!(!is_known(&attempt, &ActivityEnd { outcome: ActivityOutcome::Done, ..same }));
}
