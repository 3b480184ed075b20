//! What the files say, and that hostile texts stay texts in them.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use liftdeck_insight::alert::Alert;
use liftdeck_insight::change::FleetNamed;
use liftdeck_insight::incident::{
    CauseAlert, CauseStory, EvidenceKind, EvidenceLine, FailedList, HitNoun, Incident, IncidentOf, Lane,
    LaneLine, LaneUnit, Phase, Tone, WhoIsHit,
};
use liftdeck_insight::verdict::{Facts, Hit, Strength, Target, Trouble};
use liftdeck_model::alert::{AlertId, AlertRecord, AlertState};
use liftdeck_model::time::TimeRange;
use liftdeck_model::{Severity, Timestamp};
use liftdeck_store::reader::freshness::Freshness;
use liftdeck_store::reader::hit_player::{HitBy, HitPlayer};
use pulldown_cmark::{Event, Options, Parser, Tag};

use crate::{ReportFormat, Story, write};

const SINCE: Timestamp = Timestamp::from_ms(1_772_618_400_000);
/// A name that tries to be markup, a table, a link, and to turn the direction of writing.
const HOSTILE: &str =
    "<img src=x onerror=alert(1)>|`a`|[x](javascript:alert(1))\u{202e}gpj\u{0007}</svg></style><script>";

fn story(name: &str) -> Story {
    let trouble = Trouble::SessionsCrash { fleet: name.to_owned(), crashed: 12, ended: 17, message: None };
    let facts = Facts {
        trouble,
        hit: Hit { count: 12, of: Some(17) },
        causes: Vec::new(),
        target: Target::FleetEvents("fleet-1".into()),
    };
    let alert = Alert::of(AlertRecord {
        id: AlertId::new("alert-1"),
        rule: "crashes".to_owned(),
        subject: "fleet-1".to_owned(),
        region: Some("eu-west-1".into()),
        fleet_id: Some("fleet-1".into()),
        severity: Severity::Bad,
        state: AlertState::Firing,
        since: SINCE,
        seen_at: SINCE,
        fired_at: Some(SINCE),
        clear_since: None,
        unknown_since: None,
        ended_at: None,
        acknowledged: None,
        document: facts.to_document(),
    });
    let shown = TimeRange::new(SINCE.plus_ms(-600_000), SINCE.plus_ms(600_000));
    let line = LaneLine {
        label: name.to_owned(),
        tone: Tone::Bad,
        values: vec![Some(0.0), None, Some(50.0)],
        figure: "12 of 17".to_owned(),
    };
    let note = EvidenceLine {
        key: "step 0".to_owned(),
        at: SINCE,
        kind: EvidenceKind::Note,
        severity: Severity::Info,
        text: name.to_owned(),
        by: Some(name.to_owned()),
        is_change: false,
        is_cause: false,
        activity_id: None,
        change: None,
    };
    Story {
        incident: Incident {
            of: IncidentOf::Alert { id: AlertId::new("alert-1") },
            title: alert.title.clone(),
            detail: String::new(),
            alert: Some(alert),
            rule: None,
            since: SINCE,
            until: None,
            shown,
            at: shown.to,
            fleets: vec![FleetNamed { fleet_id: "fleet-1".into(), name: name.to_owned() }],
            regions: vec!["eu-west-1".into()],
            course: vec![Phase { state: Some(AlertState::Firing), from: SINCE, to: None }],
            times: vec![shown.from, SINCE, shown.to],
            lanes: vec![Lane {
                title: name.to_owned(),
                unit: LaneUnit::Percent,
                is_step: true,
                counts_all: true,
                lines: vec![line],
            }],
            marks: Vec::new(),
            causes: Vec::new(),
            unexplained: "Not known. Nothing that was recorded explains it.".to_owned(),
            changed_before: Vec::new(),
            ruled_out: Vec::new(),
            offered: None,
            who: WhoIsHit {
                noun: HitNoun::GameSessions,
                count: 12,
                of: Some(17),
                players: Some(104),
                times: 121,
                unread: 0,
                region: None,
                locations: Vec::new(),
                playing: None,
                remaining: None,
                first_at: None,
                last_at: None,
                course: Vec::new(),
                is_exact: true,
            },
            failed: FailedList::Nothing,
            compared: None,
            apart: None,
            gaps: Vec::new(),
            freshness: Freshness { as_of: Some(SINCE), stale: false },
        },
        differences: None,
        apart: None,
        players: Vec::new(),
        players_total: 0,
        timeline: vec![note],
        timeline_total: 3,
        connection: name.to_owned(),
    }
}

fn text(name: &str, format: ReportFormat) -> String {
    String::from_utf8(write(&story(name), format).unwrap()).unwrap()
}

#[test]
fn a_page_has_its_parts_and_loads_nothing() {
    let page = text("arena", ReportFormat::Html);
    for part in [
        "<h1>12 of 17 sessions on arena crashed</h1>",
        "104 players cut off, 121 times",
        "Timeline, newest first",
        "2 more lines are left out.",
        "prefers-color-scheme: dark",
        "@media print",
    ] {
        assert!(page.contains(part), "{part} is missing");
    }
    assert_eq!(page.matches("<svg").count(), 2, "a chart for light and one for dark");
    for loads in ["<script", "<link", "<img", "@import", "url("] {
        assert!(!page.contains(loads), "{loads}");
    }
}

#[test]
fn hostile_texts_stay_texts_on_the_page() {
    let page = text(HOSTILE, ReportFormat::Html);
    for harm in ["<img", "<script", "\u{202e}", "\u{0007}"] {
        assert!(!page.contains(harm), "{harm:?}");
    }
    assert_eq!(page.matches("</style>").count(), 1);
    assert_eq!(page.matches("</svg>").count(), 2);
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;"));
}

#[test]
fn hostile_texts_stay_texts_in_markdown() {
    let written = text(HOSTILE, ReportFormat::Markdown);
    assert!(!written.contains('\u{202e}') && !written.contains('\u{0007}'));
    let events: Vec<Event<'_>> = Parser::new_ext(&written, Options::ENABLE_TABLES).collect();
    for event in &events {
        let harmless = !matches!(
            event,
            Event::Html(_)
                | Event::InlineHtml(_)
                | Event::Code(_)
                | Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::HtmlBlock)
        );
        assert!(harmless, "{event:?}");
    }
    // The table of the timeline keeps its three columns.
    let cells = events.iter().filter(|event| matches!(event, Event::Start(Tag::TableCell))).count();
    let plain = text("arena", ReportFormat::Markdown);
    let expected = Parser::new_ext(&plain, Options::ENABLE_TABLES);
    assert_eq!(cells, expected.filter(|event| matches!(event, Event::Start(Tag::TableCell))).count());
}

#[test]
fn json_holds_what_the_screens_get() {
    let value: serde_json::Value = serde_json::from_str(&text("arena", ReportFormat::Json)).unwrap();
    assert_eq!(value["incident"]["who"]["players"], 104);
    assert_eq!(value["timeline"][0]["kind"], "note");
}

#[test]
fn a_page_about_tickets_names_the_players_without_a_match_and_their_last_tickets() {
    let mut story = story("arena");
    story.incident.who =
        WhoIsHit { noun: HitNoun::Tickets, players: Some(1), times: 2, ..story.incident.who };
    story.players = vec![HitPlayer {
        player_id: "player-1".into(),
        at: SINCE,
        times: 2,
        by: HitBy::Ticket { ticket_id: "ticket-9".into() },
        playing: None,
    }];
    story.players_total = 1;
    let page = String::from_utf8(write(&story, ReportFormat::Markdown).unwrap()).unwrap();
    for part in ["1 player without a match, 2 times", "Players without a match", "Last ticket", "ticket-9"] {
        assert!(page.contains(part), "{part} is missing from {page}");
    }
}

#[test]
fn what_was_hit_is_counted_in_words_and_called_no_failure_that_it_is_not() {
    let counts = |noun, count, of, is_exact| {
        let mut story = story("arena");
        story.incident.who = WhoIsHit { noun, count, of, is_exact, ..story.incident.who };
        story.who().swap_remove(0)
    };
    assert_eq!(counts(HitNoun::GameSessions, 12, Some(17), true), "12 of 17 game sessions");
    assert_eq!(counts(HitNoun::Placements, 1, None, true), "1 placement");
    assert_eq!(counts(HitNoun::Reservations, 36, None, true), "36 reservations");
    assert_eq!(counts(HitNoun::GameSessions, 500, None, false), "at least 500 game sessions");
}

#[test]
fn a_span_tells_of_which_alerts_its_causes_are_and_what_was_changed_before() {
    let cause = |number: u32| CauseStory {
        heading: "Alias repointed".to_owned(),
        text: format!("cause {number}"),
        strength: Strength::Strong,
        at: None,
        lead_ms: None,
        proofs: Vec::new(),
        alerts: vec![CauseAlert {
            id: AlertId::new(format!("alert-{number}")),
            title: format!("trouble {number}"),
        }],
    };
    let mut story = story("arena");
    story.incident.alert = None;
    story.incident.unexplained = "Nobody knows.".to_owned();
    story.incident.changed_before = story.timeline.clone();
    for format in [ReportFormat::Html, ReportFormat::Markdown] {
        story.incident.causes = vec![cause(1)];
        let one = String::from_utf8(write(&story, format).unwrap()).unwrap();
        assert!(one.contains("cause 1") && !one.contains("trouble 1"), "one alert need not be named: {one}");
        assert!(one.contains("Changed before the first failure"), "{one}");
        story.incident.causes.push(cause(2));
        let two = String::from_utf8(write(&story, format).unwrap()).unwrap();
        assert!(two.contains("of the alert: trouble 1") && two.contains("trouble 2"), "{two}");
        story.incident.causes.clear();
        let none = String::from_utf8(write(&story, format).unwrap()).unwrap();
        assert!(none.contains("Nobody knows."), "{none}");
    }
}
