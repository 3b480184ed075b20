//! Queries behind the screens for operating: activity, runs, presets, matchmaking, queues, blasts and drains.

use liftdeck_model::action::ResourceKind;
use liftdeck_model::activity::ActivityOutcome;
use liftdeck_model::time::TimeRange;
use liftdeck_store::reader::activity::ActivityRequest;
use liftdeck_store::reader::matchmaking::{MatchmakingEventRequest, TicketRequest};
use liftdeck_store::reader::queue::LeadTarget;
use liftdeck_store::reader::window::Page;
use liftdeck_store::{PresetKind, Reader};

use super::{Timing, time};
use crate::operated::{self, ATTEMPTS, ATTEMPTS_A_RUN, CONFIGURATIONS, QUEUES};
use crate::sample::{self, DAY_MS, NOW, World};

/// The fleet that a round queries.
fn fleet_of(round: usize) -> liftdeck_model::FleetId {
    sample::fleet_id(round * 7 % sample::FLEETS)
}

pub(super) async fn all(reader: &Reader, world: &World, rounds: usize) -> Vec<Timing> {
    let month = TimeRange::new(NOW.plus_ms(-30 * DAY_MS), NOW);
    let day = TimeRange::new(NOW.plus_ms(-DAY_MS), NOW);
    let mut timings = activity(reader, rounds, month).await;
    timings.extend(matchmaking(reader, rounds, day, month).await);
    timings.extend(routing(reader, world, rounds, day).await);
    timings
}

async fn activity(reader: &Reader, rounds: usize, month: TimeRange) -> Vec<Timing> {
    let everything = ActivityRequest::everything(Page::first(100));
    let requests = [
        ("activity: newest 100, 30 d", ActivityRequest { range: Some(month), ..everything.clone() }),
        (
            "activity: containing `match-39`",
            ActivityRequest { text: "match-39".to_owned(), ..everything.clone() },
        ),
        (
            "activity: failed",
            ActivityRequest { outcomes: vec![ActivityOutcome::Failed], ..everything.clone() },
        ),
        ("activity: of a fleet", ActivityRequest { fleet_id: Some(fleet_of(1)), ..everything.clone() }),
        ("activity: of a run", ActivityRequest { run_id: Some(operated::run_id(3).into()), ..everything }),
    ];
    let mut timings = Vec::new();
    for (name, request) in &requests {
        timings.push(
            time(name, rounds, |_| async move {
                assert!(reader.activities(request).await.unwrap().total > 0);
            })
            .await,
        );
    }
    timings.push(
        time("activity: one", rounds, |round| async move {
            let id = operated::attempt_id(round * 31 % ATTEMPTS).into();
            assert!(reader.activity(&id).await.unwrap().is_some());
        })
        .await,
    );
    timings.push(
        time("activity: of a resource", rounds, |round| async move {
            let fleet = fleet_of(round);
            drop(reader.activities_of(ResourceKind::Fleet, fleet.as_str(), 20).await.unwrap());
        })
        .await,
    );
    timings.push(
        time("activity: unsettled and awaited", rounds, |_| async move {
            drop((reader.unsettled_count().await.unwrap(), reader.awaited().await.unwrap()));
        })
        .await,
    );
    timings.push(
        time("activity: marks on the chart of a fleet, 30 d", rounds, |round| async move {
            let fleet = fleet_of(round);
            drop(reader.settings_changed_by_us(Some(&fleet), month).await.unwrap());
            drop(reader.runs_begun(Some(&fleet), month).await.unwrap());
        })
        .await,
    );
    timings.push(
        time("runs: all", rounds, |_| async move {
            assert!(!reader.runs(false).await.unwrap().is_empty());
        })
        .await,
    );
    timings.push(
        time("run: one with its counts", rounds, |round| async move {
            let id = operated::run_id(round % (ATTEMPTS / ATTEMPTS_A_RUN)).into();
            assert!(reader.run(&id).await.unwrap().is_some());
            assert!(reader.run_counts(&id).await.unwrap().done > 0);
        })
        .await,
    );
    timings.push(
        time("presets of a form", rounds, |_| async move {
            assert!(!reader.presets(PresetKind::NewSession).await.unwrap().is_empty());
        })
        .await,
    );
    timings
}

async fn matchmaking(reader: &Reader, rounds: usize, day: TimeRange, month: TimeRange) -> Vec<Timing> {
    let page = Page::first(100);
    let mut timings = Vec::new();
    for (name, range) in
        [("matchmaking: configurations, 24 h", day), ("matchmaking: configurations, 30 d", month)]
    {
        timings.push(
            time(name, rounds, |_| async move {
                let (rows, _) = reader.matchmaking_configurations(range, NOW).await.unwrap();
                assert_eq!(rows.len(), CONFIGURATIONS);
            })
            .await,
        );
    }
    for (name, configuration) in [
        ("matchmaking: newest 100 events, 30 d", None),
        ("matchmaking: events of a configuration, 30 d", Some(operated::configuration(2))),
    ] {
        let request = &MatchmakingEventRequest { configuration, range: Some(month), page };
        timings.push(
            time(name, rounds, |_| async move {
                assert!(reader.matchmaking_events(request).await.unwrap().total > 0);
            })
            .await,
        );
    }
    let everything = TicketRequest {
        text: String::new(),
        configuration: None,
        state: None,
        having: None,
        range: Some(month),
        page,
    };
    let timed_out = TicketRequest {
        configuration: Some(operated::configuration(1)),
        state: Some("TIMED_OUT".to_owned()),
        ..everything.clone()
    };
    let named = TicketRequest { text: operated::ticket_id(5)[..34].to_owned(), ..everything.clone() };
    let newest = reader.tickets(&everything).await.unwrap().rows.remove(0);
    let player = newest.players[0].player_id.as_str().to_owned();
    let of_players = TicketRequest { text: player[..4].to_owned(), ..everything.clone() };
    let of_player = TicketRequest { text: player, ..everything.clone() };
    for (name, request) in [
        ("tickets: newest 100, 30 d", &everything),
        ("tickets: timed out in a configuration, 30 d", &timed_out),
        ("tickets: by the begin of an id", &named),
        ("tickets: of a player, 30 d", &of_player),
        ("tickets: by the begin of a player, 30 d", &of_players),
    ] {
        timings.push(
            time(name, rounds, |_| async move {
                assert!(reader.tickets(request).await.unwrap().total > 0);
            })
            .await,
        );
    }
    timings.push(
        time("ticket: one with its story", rounds, |round| async move {
            let id = operated::ticket_id(round).into();
            assert!(reader.ticket(&sample::region(), &id).await.unwrap().is_some());
        })
        .await,
    );
    timings.push(
        time("tickets: by state, 30 d", rounds, |_| async move {
            assert!(!reader.tickets_by_state(month).await.unwrap().is_empty());
        })
        .await,
    );
    timings.push(
        time("tickets: waits, 24 h", rounds, |_| async move {
            assert!(!reader.matchmaking_waits(day).await.unwrap().is_empty());
        })
        .await,
    );
    timings
}

async fn routing(reader: &Reader, world: &World, rounds: usize, day: TimeRange) -> Vec<Timing> {
    let mut timings = Vec::new();
    timings.push(
        time("queue: one", rounds, |round| async move {
            let name = operated::queue(round % QUEUES).into();
            assert!(reader.queue(&sample::region(), &name, NOW).await.unwrap().is_some());
        })
        .await,
    );
    timings.push(
        time("fleet: queues and aliases that lead to it", rounds, |round| async move {
            let fleet = fleet_of(round);
            assert!(!reader.queues_leading_to(&LeadTarget::Fleet(fleet.clone())).await.unwrap().is_empty());
            assert!(!reader.aliases_leading_to(&fleet).await.unwrap().is_empty());
        })
        .await,
    );
    timings.push(time("builds", rounds, |_| async move { drop(reader.builds(NOW).await.unwrap()) }).await);
    timings.push(time("scripts", rounds, |_| async move { drop(reader.scripts(NOW).await.unwrap()) }).await);
    timings.push(
        time("blast: of a fleet", rounds, |round| async move {
            assert!(reader.blast_of_fleet(&fleet_of(round), None).await.unwrap().live_game_sessions > 0);
        })
        .await,
    );
    let picked: Vec<_> =
        world.sessions.iter().take(500).map(|session| session.game_session_id.clone()).collect();
    let picked = &picked;
    timings.push(
        time("blast: of 500 game sessions", rounds, |_| async move {
            assert!(reader.blast_of_sessions(picked).await.unwrap().live_game_sessions > 0);
        })
        .await,
    );
    timings.push(
        time("drain: how long sessions of a fleet last", rounds, |round| async move {
            drop(reader.session_lengths(&fleet_of(round), day.from, NOW).await.unwrap());
        })
        .await,
    );
    timings.push(
        time("drain: live sessions around its begin", rounds, |round| async move {
            let fleet = fleet_of(round);
            assert!(reader.live_around(&fleet, day.from).await.unwrap().0 > 0);
            drop(reader.live_counts(std::slice::from_ref(&fleet)).await.unwrap());
        })
        .await,
    );
    timings
}
