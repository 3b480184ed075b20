//! Times every query behind a screen over 30 days of history: median and 99th percentile.

mod operating;

use std::time::Instant;

use fastrand::Rng;
use liftdeck_model::observation::PollKind;
use liftdeck_model::query::Query;
use liftdeck_model::time::TimeRange;
use liftdeck_store::Reader;
use liftdeck_store::reader::change::ChangeScope;
use liftdeck_store::reader::placement::{Destination, PlacementRequest, PlacementScope, PlacementSplit};
use liftdeck_store::reader::series::{SeriesName, SeriesRequest, SeriesScope};
use liftdeck_store::reader::session::difference::Compared;
use liftdeck_store::reader::session::{SessionColumn, SessionRequest};
use liftdeck_store::reader::window::Page;

use crate::sample::{self, DAY_MS, NOW, World};

/// How long one query took, in milliseconds.
pub(crate) struct Timing {
    pub(crate) name: &'static str,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
}

/// A list of sessions: name of the timing, query, sort order, rows to skip.
type SessionList = (&'static str, &'static str, Option<(SessionColumn, bool)>, u32);

async fn time<F: Future<Output = ()>>(
    name: &'static str,
    rounds: usize,
    mut query: impl FnMut(usize) -> F,
) -> Timing {
    let mut took = Vec::with_capacity(rounds);
    for round in 0..rounds + 3 {
        let begun = Instant::now();
        query(round).await;
        // The first rounds fill the page cache, as opening the screen earlier would.
        if round >= 3 {
            took.push(begun.elapsed().as_secs_f64() * 1_000.0);
        }
    }
    took.sort_by(f64::total_cmp);
    let at = |share: f64| took[((took.len() - 1) as f64 * share).round() as usize];
    Timing { name, p50_ms: at(0.5), p99_ms: at(0.99) }
}

pub(crate) async fn all(reader: &Reader, world: &World, rounds: usize) -> Vec<Timing> {
    let mut rng = Rng::with_seed(7);
    let month = TimeRange::new(NOW.plus_ms(-30 * DAY_MS), NOW);
    let day = TimeRange::new(NOW.plus_ms(-DAY_MS), NOW);
    let mut timings = Vec::new();
    let lists: [SessionList; 9] = [
        ("sessions: newest 100", "", None, 0),
        ("sessions: 50 000 rows down", "", Some((SessionColumn::Created, true)), 50_000),
        ("sessions: status:active", "status:active", None, 0),
        ("sessions: players>=8, most first", "players>=8", Some((SessionColumn::Players, true)), 0),
        ("sessions: fleet:eu-prod-7", "fleet:eu-prod-7", None, 0),
        ("sessions: created:<2h", "created:<2h", None, 0),
        ("sessions: prop.mode:ranked", "prop.mode:ranked", None, 0),
        ("sessions: name match-4242", "name:match-4242", None, 0),
        ("sessions: by name", "", Some((SessionColumn::Name, false)), 0),
    ];
    for (name, text, sort, offset) in lists {
        let request = SessionRequest {
            query: Query::parse(text).unwrap(),
            fleet: None,
            location: None,
            range: None,
            sort,
            page: Page { offset, limit: 100 },
        };
        let request = &request;
        timings.push(
            time(name, rounds, |_| async move { drop(reader.game_sessions(request, NOW).await.unwrap()) })
                .await,
        );
    }
    let picks: Vec<usize> = (0..rounds + 3).map(|_| rng.usize(..world.sessions.len())).collect();
    let picks = &picks;
    for (name, days) in [("sessions: what is different, 30 d", 30), ("sessions: what is different, 24 h", 1)]
    {
        let compared = Compared {
            among: Query::everything(),
            bad: Query::parse("ended:abnormal or players>=8").unwrap(),
            fleet: None,
            location: None,
            range: Some(TimeRange::new(NOW.plus_ms(-days * DAY_MS), NOW)),
        };
        let compared = &compared;
        timings.push(
            time(name, rounds, |_| async move { drop(reader.session_counts(compared, NOW).await.unwrap()) })
                .await,
        );
    }
    timings.push(
        time("session: one", rounds, |round| async move {
            let id = &world.sessions[picks[round]].game_session_id;
            assert!(reader.game_session(id, NOW).await.unwrap().is_some());
        })
        .await,
    );
    for (name, length) in [("players: exact", usize::MAX), ("players: prefix of 4", 4)] {
        timings.push(
            time(name, rounds, |round| async move {
                let id = world.players[picks[round]][0].player_id.as_str();
                let hits = reader.players(&id[..length.min(id.len())], Page::first(50), NOW).await.unwrap();
                assert!(hits.0.total > 0);
            })
            .await,
        );
    }
    for (name, text, range) in
        [("placements: newest 100, 30 d", "", month), ("placements: newest 100, 24 h", "", day)]
    {
        let request = PlacementRequest {
            scope: PlacementScope::default(),
            event_types: Vec::new(),
            text: text.to_owned(),
            range,
            page: Page::first(100),
        };
        let request = &request;
        timings.push(
            time(name, rounds, |_| async move { drop(reader.placements(request).await.unwrap()) }).await,
        );
    }
    timings.push(
        time("placements: statistics, 24 h", rounds, |_| async move {
            drop(reader.placement_statistics(&PlacementScope::default(), day).await.unwrap());
        })
        .await,
    );
    timings.push(
        time("placements: statistics, 30 d", rounds, |_| async move {
            drop(reader.placement_statistics(&PlacementScope::default(), month).await.unwrap());
        })
        .await,
    );
    let arena = PlacementScope { queue: Some("arena".to_owned()), ..PlacementScope::default() };
    let on_fleet = PlacementScope {
        destination: Some(Destination::Fleet(sample::fleet_id(7))),
        ..PlacementScope::default()
    };
    let (all, arena, on_fleet) = (&PlacementScope::default(), &arena, &on_fleet);
    for (name, scope, range, split) in [
        ("placements: by queue, 30 d", all, month, PlacementSplit::Queue),
        ("placements: by Region, 30 d", all, month, PlacementSplit::Region),
        ("placements: by destination, 30 d", all, month, PlacementSplit::Destination),
        ("placements: by destination, 24 h", all, day, PlacementSplit::Destination),
        ("placements: of a queue by destination, 30 d", arena, month, PlacementSplit::Destination),
        ("placements: of a destination by queue, 30 d", on_fleet, month, PlacementSplit::Queue),
    ] {
        timings.push(
            time(name, rounds, |_| async move {
                assert!(!reader.placement_split(scope, range, split).await.unwrap().is_empty());
            })
            .await,
        );
    }
    timings.push(
        time("placements: statistics of a destination, 30 d", rounds, |_| async move {
            drop(reader.placement_statistics(on_fleet, month).await.unwrap());
        })
        .await,
    );
    timings.push(
        time("placements: rate, 24 h", rounds, |_| async move {
            drop(reader.placement_rate(&PlacementScope::default(), day, 60_000).await.unwrap());
        })
        .await,
    );
    timings.push(
        time("fleets: list", rounds, |_| async move { drop(reader.fleet_summaries(NOW).await.unwrap()) })
            .await,
    );
    timings.push(
        time("fleet: detail", rounds, |round| async move {
            drop(reader.fleet_detail(&sample::fleet_id(picks[round] % sample::FLEETS), NOW).await.unwrap());
        })
        .await,
    );
    timings.push(
        time("fleet: computes", rounds, |round| async move {
            drop(reader.computes(&sample::fleet_id(picks[round] % sample::FLEETS), NOW).await.unwrap());
        })
        .await,
    );
    timings.push(
        time("fleet: events", rounds, |round| async move {
            let fleet = sample::fleet_id(picks[round] % sample::FLEETS);
            drop(reader.fleet_events(Some(&fleet), None, Page::first(100)).await.unwrap());
        })
        .await,
    );
    timings.push(
        time("what changed, 24 h", rounds, |_| async move {
            drop(reader.changes(ChangeScope::All, Some(day), 100).await.unwrap());
        })
        .await,
    );
    timings.push(time("queues", rounds, |_| async move { drop(reader.queues(NOW).await.unwrap()) }).await);
    timings.push(time("aliases", rounds, |_| async move { drop(reader.aliases(NOW).await.unwrap()) }).await);
    timings.push(
        time("go to: a session id", rounds, |round| async move {
            drop(reader.find(world.sessions[picks[round]].game_session_id.short(), NOW).await.unwrap());
        })
        .await,
    );
    let scaling = vec![
        SeriesName::DesiredInstances,
        SeriesName::ActiveInstances,
        SeriesName::IdleInstances,
        SeriesName::PercentAvailableGameSessions,
        SeriesName::ActiveGameSessions,
    ];
    let charts: [(&'static str, bool, TimeRange, Vec<SeriesName>); 4] = [
        ("chart: one series of a fleet, 30 d", true, month, vec![SeriesName::ActiveInstances]),
        ("chart: five series of a fleet, 24 h", true, day, scaling.clone()),
        ("chart: five series of a fleet, 30 d", true, month, scaling),
        ("chart: players of all fleets, 24 h", false, day, vec![SeriesName::CurrentPlayerSessions]),
    ];
    for (name, of_fleet, range, names) in charts {
        let names = &names;
        timings.push(
            time(name, rounds, |round| async move {
                let fleet_id = sample::fleet_id(picks[round] % sample::FLEETS);
                let scope =
                    if of_fleet { SeriesScope::Fleet { fleet_id, location: None } } else { SeriesScope::All };
                let request = SeriesRequest { scope, names: names.clone(), range, max_points: 1_000 };
                assert!(!reader.series_with_bands(&request).await.unwrap().table.times.is_empty());
            })
            .await,
        );
    }
    timings.push(
        time("sparklines of all fleets, 3 h", rounds, |_| async move {
            let range = TimeRange::new(NOW.plus_ms(-DAY_MS / 8), NOW);
            drop(reader.series_by_fleet(SeriesName::ActiveGameSessions, range, 36).await.unwrap());
        })
        .await,
    );
    timings.push(
        time("poll ledger of a kind", rounds, |_| async move { drop(reader.polls(PollKind::GameSessions)) })
            .await,
    );
    timings.extend(operating::all(reader, world, rounds).await);
    timings
}
