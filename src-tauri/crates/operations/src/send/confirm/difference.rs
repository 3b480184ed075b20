//! What is different from when it was previewed.
//!
//! Owns what counts as a different change from the one that was agreed to. Deliberately reads nothing.

use liftdeck_model::action::Request;

use super::held::Held;
use crate::fact::{Skip, SkipReason};
use crate::preview::draft::{Draft, grew};
use crate::send::run::stale;
use crate::words::Difference;

/// Why each change is not sent: the preview said so, or it was found only now.
pub(super) fn left_out(before: &Held, now: &Held) -> Vec<Option<Skip>> {
    let many = before.preview.items.len() > 1 && !before.is_drain();
    let skip = |(old, new): (&Draft, &Draft)| {
        let filled = || many.then(|| stale::filled(old.hit.player_sessions, new)).flatten();
        old.skip.clone().or_else(|| new.skip.clone()).or_else(filled)
    };
    before.drafts.iter().zip(&now.drafts).map(skip).collect()
}

/// Lists what is no longer as previewed. Changes that are left out do not count.
pub(super) fn moved(before: &Held, now: &Held, left_out: &[Option<Skip>]) -> Vec<Difference> {
    let mut what = Vec::new();
    let many = before.preview.items.len() > 1;
    let is_drain = before.is_drain();
    let (mut sessions, mut players) = ((0, 0), (0, 0));
    for ((old, new), skip) in before.drafts.iter().zip(&now.drafts).zip(left_out) {
        if let Some(skip) = skip {
            // If there is only one change, a person should know that AWS would now refuse it.
            if !many && old.skip.is_none() && skip.reason == SkipReason::Refused {
                what.push(Difference::Refused { why: skip.facts.clone() });
            }
            continue;
        }
        sessions = (sessions.0 + old.hit.game_sessions, sessions.1 + new.hit.game_sessions);
        players = (players.0 + old.hit.player_sessions, players.1 + new.hit.player_sessions);
        // Capacity changes by itself until scaling is suspended, and a drain checks it again before setting it.
        if is_drain && matches!(old.action.request, Request::UpdateFleetCapacity(_)) {
            continue;
        }
        let of = many.then(|| old.named());
        let differs = old.differs_from(new, many).into_iter();
        what.extend(differs.map(|(label, was, is)| Difference::Fact { of: of.clone(), label, was, is }));
    }
    let (were, are) = (before.drafts.len(), now.drafts.len());
    if were != are {
        what.push(Difference::Changes { were, are });
    }
    // A drain ends no sessions, however many people there are.
    if !is_drain && grew(sessions.0, sessions.1) {
        what.push(Difference::GameSessions { were: sessions.0, are: sessions.1 });
    }
    if !is_drain && grew(players.0, players.1) {
        what.push(Difference::Players { were: players.0, are: players.1 });
    }
    what
}

#[cfg(test)]
mod tests {
    use liftdeck_model::Region;
    use liftdeck_model::action::{
        Action, TerminateGameSession, TerminationMode, UpdateAlias, UpdateFleetCapacity,
    };

    use liftdeck_model::activity::FactChange;

    use super::*;
    use crate::intent::{DrainPlan, Intent};
    use crate::preview::draft::{Hit, How};
    use crate::send::confirm::fixtures::held;
    use crate::words::SkipFact;

    fn draft(request: Request) -> Draft {
        Draft::new(&Action { region: Region::from("eu-west-1"), request }, "")
    }

    /// A draft that changes the alias of this name.
    fn alias(name: &str, led_to: &str) -> Draft {
        let rename = UpdateAlias { alias_id: name.into(), name: None, description: None, routing: None };
        let mut draft = draft(Request::UpdateAlias(rename));
        draft.name = Some(name.to_owned());
        draft.fact("Routing", Some(led_to.to_owned()), Some("fleet-9".to_owned()));
        draft
    }

    fn capacity(desired: &str) -> Draft {
        let mut draft = draft(Request::UpdateFleetCapacity(UpdateFleetCapacity {
            fleet_id: "fleet-1".into(),
            location: None,
            desired_instances: Some(0),
            min_size: None,
            max_size: None,
        }));
        draft.fact("Desired", Some(desired.to_owned()), Some("0".to_owned()));
        draft
    }

    /// A draft that ends a game session with this many players.
    fn end(session: &str, status: &str, players: u64) -> Draft {
        let mut draft = draft(Request::TerminateGameSession(TerminateGameSession {
            game_session_id: session.into(),
            termination_mode: TerminationMode::ForceTerminate,
        }));
        draft.fact("Status", Some(status.to_owned()), Some("TERMINATED".to_owned()));
        draft.hit = Hit { how: How::Ends, game_sessions: 1, player_sessions: players, ..Hit::default() };
        draft
    }

    fn skipped(mut draft: Draft, skip: Skip) -> Draft {
        draft.skip = Some(skip);
        draft
    }

    /// The same drafts as the preview of a drain.
    fn draining(drafts: Vec<Draft>) -> Held {
        let plan = DrainPlan {
            region: Region::from("eu-west-1"),
            fleet_id: "fleet-1".into(),
            routes: Vec::new(),
            protect: true,
            suspend_scaling: true,
            scale_to_zero: true,
        };
        Held { intent: Intent::Drain(plan), ..held(drafts) }
    }

    /// Returns what is reported when a preview is made again.
    fn told(before: &Held, now: &Held) -> Vec<(String, Option<String>, Option<String>)> {
        let what = moved(before, now, &left_out(before, now));
        let what = what.into_iter().map(FactChange::from);
        what.map(|fact| (fact.label, fact.before, fact.after)).collect()
    }

    fn changed(label: &str, before: &str, after: &str) -> (String, Option<String>, Option<String>) {
        (label.to_owned(), Some(before.to_owned()), Some(after.to_owned()))
    }

    #[test]
    fn what_stands_as_it_did_has_not_moved() {
        let same = || held(vec![alias("live", "fleet-1"), end("gs-1", "ACTIVE", 4), capacity("3")]);
        assert_eq!(told(&same(), &same()), []);
    }

    #[test]
    fn a_fact_that_moved_is_told_and_among_many_with_its_resource() {
        let one = |led_to| held(vec![alias("live", led_to)]);
        let fact = changed("Routing", "fleet-1", "fleet-2");
        assert_eq!(told(&one("fleet-1"), &one("fleet-2")), [fact]);
        let two = |led_to| held(vec![alias("live", led_to), alias("beta", "fleet-1")]);
        let fact = changed("live: Routing", "fleet-1", "fleet-2");
        assert_eq!(told(&two("fleet-1"), &two("fleet-2")), [fact]);
    }

    #[test]
    fn what_the_preview_left_out_stays_left_out_and_is_not_told_again() {
        let ended = || Skip::ended(SkipFact::SessionNotListed);
        let before = held(vec![skipped(end("gs-1", "TERMINATED", 0), ended()), alias("live", "fleet-1")]);
        let now = held(vec![end("gs-1", "ACTIVE", 90), alias("live", "fleet-1")]);
        assert_eq!(left_out(&before, &now), [Some(ended()), None]);
        assert_eq!(told(&before, &now), []);
    }

    #[test]
    fn of_one_change_alone_it_is_told_that_aws_would_refuse_it_by_now() {
        let refused = || Skip::refused(SkipFact::SessionUnknown);
        let told_now = ("AWS would refuse it".to_owned(), None, Some(SkipFact::SessionUnknown.to_string()));
        let before = held(vec![capacity("3")]);
        let now = held(vec![skipped(capacity("3"), refused())]);
        assert_eq!(told(&before, &now), [told_now]);
        let ended = held(vec![skipped(capacity("3"), Skip::ended(SkipFact::SessionNotListed))]);
        assert_eq!(told(&before, &ended), [], "one that has ended is left out with its reason");
        let known = held(vec![skipped(capacity("3"), refused())]);
        assert_eq!(told(&known, &now), [], "the preview said so");
        let many = held(vec![capacity("3"), alias("live", "fleet-1")]);
        let now = held(vec![skipped(capacity("3"), refused()), alias("live", "fleet-1")]);
        assert_eq!(told(&many, &now), [], "among many it is left out with its reason");
    }

    #[test]
    fn of_many_sessions_those_that_filled_since_are_left_out() {
        let before = held(vec![end("gs-1", "ACTIVE", 0), end("gs-2", "ACTIVE", 0)]);
        let now = held(vec![end("gs-1", "ACTIVE", 1), end("gs-2", "ACTIVE", 0)]);
        let skips = left_out(&before, &now);
        assert_eq!(skips[0].as_ref().map(|skip| skip.reason), Some(SkipReason::Moved));
        assert_eq!(skips[1], None);
        assert_eq!(told(&before, &now), []);
        let (before, now) = (held(vec![end("gs-1", "ACTIVE", 0)]), held(vec![end("gs-1", "ACTIVE", 1)]));
        assert_eq!(left_out(&before, &now), [None], "one alone is asked again when it is too many");
    }

    #[test]
    fn more_people_than_agreed_to_are_told_and_a_few_more_are_not() {
        let of = |players: [u64; 2]| {
            held(vec![end("gs-1", "ACTIVE", players[0]), end("gs-2", "ACTIVE", players[1])])
        };
        assert_eq!(told(&of([20, 30]), &of([22, 33])), []);
        assert_eq!(told(&of([20, 30]), &of([23, 33])), [changed("Players hit", "50", "56")]);
        let sessions = |count| {
            let mut draft = capacity("9");
            draft.hit = Hit { how: How::MayEnd, game_sessions: count, ..Hit::default() };
            held(vec![draft])
        };
        assert_eq!(told(&sessions(10), &sessions(15)), []);
        assert_eq!(told(&sessions(10), &sessions(16)), [changed("Game sessions hit", "10", "16")]);
    }

    #[test]
    fn a_drain_looks_at_capacity_anew_and_ends_nobody() {
        let hit = |mut draft: Draft, players| {
            draft.hit = Hit { how: How::MayEnd, player_sessions: players, ..Hit::default() };
            draft
        };
        let of = |desired, players, led_to| {
            draining(vec![
                hit(capacity(desired), players),
                alias("live", led_to),
                hit(alias("beta", "x"), players),
            ])
        };
        assert_eq!(told(&of("3", 0, "fleet-1"), &of("5", 90, "fleet-1")), []);
        let fact = changed("live: Routing", "fleet-1", "fleet-2");
        assert_eq!(told(&of("3", 0, "fleet-1"), &of("3", 0, "fleet-2")), [fact]);
        assert_eq!(left_out(&of("3", 0, "fleet-1"), &of("3", 9, "fleet-1")), [None, None, None]);
    }

    #[test]
    fn another_number_of_changes_is_told() {
        let before = held(vec![alias("live", "fleet-1")]);
        let now = held(vec![alias("live", "fleet-1"), alias("beta", "fleet-1")]);
        assert_eq!(told(&before, &now), [changed("Changes", "1", "2")]);
    }
}
