//! Each operation, recognised by what it leaves behind, on hand-made answers of AWS.

use liftdeck_model::action::{
    Action, NewPlayerSession, Request, TerminateGameSession, TerminationMode, ZipFile,
};
use liftdeck_model::alias::RoutingStrategy;
use liftdeck_model::player_session::PlayerSessionStatus;

use super::*;
use crate::fixtures;

/// When the attempts of these tests were made.
const AT: Timestamp = Timestamp::from_ms(100 * SKEW_MS);
/// Just within what clocks may differ by.
const JUST_IN: Timestamp = Timestamp::from_ms(99 * SKEW_MS);
/// Just beyond that.
const TOO_OLD: Timestamp = Timestamp::from_ms(99 * SKEW_MS - 1);

fn none() -> BTreeSet<String> {
    BTreeSet::new()
}

#[test]
fn a_game_session_is_looked_for_under_its_documented_arn() {
    let (region, fleet) = (Region::from("eu-west-1"), FleetId::from("fleet-1"));
    let home = session_arn(&region, &fleet, None, None, "tok");
    assert_eq!(home.as_str(), "arn:aws:gamelift:eu-west-1::gamesession/fleet-1/tok");
    let arn = "arn:aws-cn:gamelift:cn-north-1::fleet/fleet-1";
    assert_eq!(session_arn(&region, &fleet, None, Some(&"eu-west-1".into()), "tok"), home);
    let remote = session_arn(&region, &fleet, Some(arn), Some(&"us-east-1".into()), "tok");
    assert_eq!(remote.as_str(), "arn:aws-cn:gamelift:eu-west-1::gamesession/fleet-1/us-east-1/tok");
}

#[test]
fn what_clocks_may_differ_by_makes_nothing_older() {
    assert!(is_older(AT, Some(TOO_OLD)));
    assert!(!is_older(AT, Some(JUST_IN)));
    assert!(!is_older(AT, None));
}

#[test]
fn a_game_session_of_the_token_is_ours_unless_it_was_there_long_before() {
    let mut session = fixtures::session(GameSessionStatus::Active);
    session.creation_time = JUST_IN;
    let ours = Evidence::Done {
        trace: Trace::SessionThere { status: GameSessionStatus::Active },
        proof: Proof::Own,
        made: Some(fixtures::SESSION_ARN.to_owned()),
        slots: Vec::new(),
    };
    assert_eq!(made(AT, &session), ours);
    session.creation_time = TOO_OLD;
    assert!(matches!(made(AT, &session), Evidence::Done { proof: Proof::Seen, .. }));
}

#[test]
fn a_placement_of_the_id_is_ours_unless_it_was_there_long_before() {
    let found = |start_time| Placement { start_time, ..fixtures::placement(PlacementStatus::Pending) };
    let made = found(None).game_session_id.map(|id| id.as_str().to_owned());
    assert!(made.is_some());
    assert_eq!(
        placement(AT, Some(found(Some(JUST_IN)))),
        Evidence::own(Trace::PlacementIs { status: PlacementStatus::Pending }, made)
    );
    assert!(matches!(placement(AT, Some(found(Some(TOO_OLD)))), Evidence::Unclear(_)));
    assert_eq!(placement(AT, None), Evidence::no_trace(Trace::NoPlacement));
}

#[test]
fn a_ticket_of_the_id_is_ours_unless_it_was_there_long_before() {
    let found = |start_time| Ticket { start_time, ..fixtures::ticket(TicketStatus::Queued) };
    let ours = Evidence::own(Trace::TicketIs { status: TicketStatus::Queued }, Some("t-1".to_owned()));
    assert_eq!(ticket(AT, Some(&found(Some(JUST_IN)))), ours);
    assert!(matches!(ticket(AT, Some(&found(Some(TOO_OLD)))), Evidence::Unclear(_)));
    assert_eq!(ticket(AT, None), Evidence::no_trace(Trace::NoTicket));
}

#[test]
fn a_game_session_that_goes_on_was_not_terminated_and_one_that_is_gone_was() {
    for goes_on in [GameSessionStatus::Active, GameSessionStatus::Activating] {
        assert_eq!(ended(Some(&fixtures::session(goes_on))), Evidence::no_trace(Trace::SessionGoesOn));
    }
    let mut over = fixtures::session(GameSessionStatus::Terminating);
    assert_eq!(
        ended(Some(&over)),
        Evidence::seen(Trace::SessionIs { status: GameSessionStatus::Terminating, since: None })
    );
    over.status = GameSessionStatus::Terminated;
    over.termination_time = Some(AT);
    let said = Trace::SessionIs { status: GameSessionStatus::Terminated, since: Some(AT) };
    assert_eq!(ended(Some(&over)), Evidence::seen(said));
    assert_eq!(ended(None), Evidence::seen(Trace::SessionNotListed));
}

#[test]
fn a_placement_is_stopped_when_it_is_cancelled() {
    let found = |status| stopped(Some(&fixtures::placement(status)));
    assert_eq!(
        found(PlacementStatus::Cancelled),
        Evidence::seen(Trace::PlacementIs { status: PlacementStatus::Cancelled })
    );
    assert_eq!(
        found(PlacementStatus::Fulfilled),
        Evidence::no_trace(Trace::PlacementIs { status: PlacementStatus::Fulfilled })
    );
    assert!(matches!(stopped(None), Evidence::Unclear(_)));
}

#[test]
fn a_ticket_is_stopped_when_it_is_cancelled() {
    let found = |status| cancelled(Some(&fixtures::ticket(status)));
    assert_eq!(
        found(TicketStatus::Cancelled),
        Evidence::seen(Trace::TicketIs { status: TicketStatus::Cancelled })
    );
    assert_eq!(
        found(TicketStatus::Searching),
        Evidence::no_trace(Trace::TicketIs { status: TicketStatus::Searching })
    );
    assert!(matches!(cancelled(None), Evidence::Unclear(_)));
}

#[test]
fn an_answer_to_a_match_is_seen_by_what_came_of_it_alone() {
    let found = |accept, status| answered(accept, Some(&fixtures::ticket(status)));
    let accepted = Trace::EverybodyAccepted { status: TicketStatus::Placing };
    assert_eq!(found(true, TicketStatus::Placing), Evidence::seen(accepted));
    assert!(matches!(found(true, TicketStatus::Completed), Evidence::Done { .. }));
    let rejected = Trace::MatchNotAccepted { status: TicketStatus::Searching };
    assert_eq!(found(false, TicketStatus::Searching), Evidence::seen(rejected));
    assert!(matches!(found(false, TicketStatus::Cancelled), Evidence::Done { .. }));
    for (accept, status) in [
        (true, TicketStatus::RequiresAcceptance),
        (false, TicketStatus::RequiresAcceptance),
        (true, TicketStatus::Searching),
        (true, TicketStatus::Cancelled),
        (false, TicketStatus::Placing),
        (false, TicketStatus::Completed),
    ] {
        assert!(matches!(found(accept, status), Evidence::Unclear(_)));
    }
    assert!(matches!(answered(true, None), Evidence::Unclear(_)));
}

#[test]
fn slots_are_those_of_the_players_asked_for_made_since_and_by_nobody_else() {
    let slot = |id: &str, player: &str, creation_time| PlayerSession {
        player_session_id: id.into(),
        player_id: player.into(),
        game_session_id: fixtures::SESSION_ARN.into(),
        fleet_id: "fleet-1".into(),
        creation_time,
        termination_time: None,
        status: PlayerSessionStatus::Reserved,
        player_data: None,
    };
    let player = |id: &str| NewPlayerSession { player_id: id.into(), player_data: None };
    let asked = CreatePlayerSessions {
        game_session_id: fixtures::SESSION_ARN.into(),
        players: vec![player("ada"), player("bob")],
    };
    let (ada, bob) = (slot("psess-1", "ada", JUST_IN), slot("psess-2", "bob", AT));
    let found = |slots: &[&PlayerSession], others: &[&str]| {
        let slots: Vec<PlayerSession> = slots.iter().copied().cloned().collect();
        super::slots(AT, &asked, &slots, &others.iter().map(|id| (*id).to_owned()).collect())
    };
    let both = |ids: [&str; 2]| Evidence::Done {
        trace: Trace::EverybodyHasSlot,
        proof: Proof::Seen,
        made: None,
        slots: vec![("ada".to_owned(), ids[0].to_owned()), ("bob".to_owned(), ids[1].to_owned())],
    };
    assert_eq!(found(&[&ada, &bob], &[]), both(["psess-1", "psess-2"]));
    let newer = slot("psess-3", "ada", AT);
    assert_eq!(found(&[&newer, &ada, &bob], &[]), both(["psess-3", "psess-2"]));
    assert_eq!(found(&[&newer, &ada, &bob], &["psess-3"]), both(["psess-1", "psess-2"]));
    assert!(matches!(found(&[&ada], &[]), Evidence::Unclear(_)));
    assert!(matches!(found(&[&slot("psess-4", "cyd", AT)], &[]), Evidence::NoTrace(_)));
    let old = slot("psess-5", "ada", TOO_OLD);
    assert!(matches!(found(&[&old], &[]), Evidence::NoTrace(_)));
    assert!(matches!(found(&[&ada, &bob], &["psess-1", "psess-2"]), Evidence::NoTrace(_)));
}

#[test]
fn a_new_alias_is_found_by_name_routing_and_time_and_only_when_there_is_one() {
    let asked = CreateAlias {
        name: "live".to_owned(),
        description: None,
        routing: RoutingStrategy::Simple { fleet_id: "fleet-1".into() },
    };
    let mine = Alias { creation_time: Some(JUST_IN), ..fixtures::alias("fleet-1") };
    let found = |all: &[Alias]| alias(AT, &asked, all, &none());
    let Evidence::Done { trace, proof: Proof::Seen, made, .. } = found(std::slice::from_ref(&mine)) else {
        panic!("it is there")
    };
    assert_eq!(trace.to_string(), format!("the alias alias-1 exists, since {}.", JUST_IN.in_utc()));
    assert_eq!(made.as_deref(), Some("alias-1"));
    let no_trace = Evidence::no_trace(Trace::NoAlias);
    for other in [
        Alias { name: "beta".to_owned(), ..mine.clone() },
        Alias { routing: RoutingStrategy::Simple { fleet_id: "fleet-2".into() }, ..mine.clone() },
        Alias { creation_time: Some(TOO_OLD), ..mine.clone() },
        Alias { creation_time: None, ..mine.clone() },
    ] {
        assert_eq!(found(&[other]), no_trace);
    }
    assert_eq!(
        alias(AT, &asked, std::slice::from_ref(&mine), &BTreeSet::from(["alias-1".to_owned()])),
        no_trace
    );
    let several = Evidence::unclear(Trace::SeveralAliases { count: 2 });
    assert_eq!(found(&[mine.clone(), Alias { alias_id: "alias-2".into(), ..mine }]), several);
}

#[test]
fn a_script_is_told_by_its_version_or_else_by_its_size() {
    let version = |version: &str| Trace::VersionIs { version: Some(version.to_owned()) };
    let size = |size: &str| Trace::SizeIs { size: Some(size.to_owned()) };
    let before = |label: &str, was: &str| FactChange {
        label: label.to_owned(),
        before: Some(was.to_owned()),
        after: None,
    };
    let before = [before("Version", "1"), before("Files", "10 bytes")];
    let asked = |version: Option<&str>, size_bytes| UpdateScript {
        script_id: "script-1".into(),
        name: None,
        version: version.map(str::to_owned),
        zip_file: Some(ZipFile { path: String::new(), size_bytes, sha256: String::new() }),
    };
    let there = |version: Option<&str>, size: Option<i64>| Script {
        script_id: "script-1".into(),
        region: Region::from("eu-west-1"),
        arn: None,
        name: None,
        version: version.map(str::to_owned),
        size_on_disk_bytes: size,
        node_js_version: None,
        creation_time: None,
    };
    let found = |asked, script| uploaded(&before, &asked, Some(&script));
    assert_eq!(found(asked(Some("2"), 20), there(Some("2"), Some(20))), Evidence::seen(version("2")));
    let former = Evidence::no_trace(version("1"));
    assert_eq!(found(asked(Some("2"), 20), there(Some("1"), Some(10))), former);
    let absent = Evidence::no_trace(Trace::VersionIs { version: None });
    assert_eq!(found(asked(Some("2"), 20), there(None, Some(10))), absent);
    // The version that was there before proves nothing.
    for version in [Some("1"), None] {
        let seen = Evidence::seen(size("20 bytes"));
        assert_eq!(found(asked(version, 20), there(Some("1"), Some(20))), seen);
        let not = Evidence::no_trace(size("10 bytes"));
        assert_eq!(found(asked(version, 20), there(Some("1"), Some(10))), not);
        let unknown = Evidence::no_trace(Trace::SizeIs { size: None });
        assert_eq!(found(asked(version, 20), there(Some("1"), None)), unknown);
        assert!(matches!(found(asked(version, 10), there(Some("1"), Some(10))), Evidence::Unclear(_)));
    }
    assert!(matches!(uploaded(&before, &asked(None, 20), None), Evidence::Unclear(_)));
}

#[test]
fn settings_are_as_asked_as_before_or_neither() {
    let action = Action {
        region: Region::from("eu-west-1"),
        request: Request::TerminateGameSession(TerminateGameSession {
            game_session_id: fixtures::SESSION_ARN.into(),
            termination_mode: TerminationMode::TriggerOnProcessTerminate,
        }),
    };
    let now = |is: Option<&str>, asked: &str| {
        let mut draft = Draft::new(&action, "");
        draft.fact("Desired", is.map(str::to_owned), Some(asked.to_owned()));
        draft.fact("Min", Some("1".to_owned()), Some("1".to_owned()));
        draft
    };
    let before = now(None, "5").facts;
    let Evidence::Done { trace, proof: Proof::Seen, .. } = compared(&now(Some("5"), "5"), &before, Some(AT))
    else {
        panic!("it is so")
    };
    assert_eq!(trace.to_string(), format!("Desired is 5, Min is 1, since {}.", AT.in_utc()));
    let Evidence::NoTrace(trace) = compared(&now(None, "5"), &before, None) else { panic!("as before") };
    assert_eq!(trace.to_string(), "Desired is absent, Min is 1. That is as it was before.");
    let Evidence::Unclear(trace) = compared(&now(Some("7"), "5"), &before, None) else { panic!("neither") };
    let text = trace.to_string();
    assert!(text.starts_with("Desired is 7, Min is 1. That is neither what was asked for nor"), "{text}");
}
