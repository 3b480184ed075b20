//! Charts of a real database file: the bytes have the format they claim, and show what is in the store.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod history;

use history::{FLEET, FROM, MINUTES, at, filled, filled_for_days};
use liftdeck_charts::{ChartError, Format, Subject, Theme, csv, draw};
use liftdeck_insight::{Cause, Limit, fleet_scaling};
use liftdeck_model::FleetId;
use liftdeck_model::time::TimeRange;

fn range() -> TimeRange {
    TimeRange::new(FROM, at(MINUTES))
}

/// The size of a PNG and its colours, each with its number of pixels.
fn colors(bytes: &[u8]) -> (u32, u32, std::collections::HashMap<[u8; 3], usize>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    let mut colors = std::collections::HashMap::new();
    for pixel in pixels.chunks_exact(3) {
        *colors.entry([pixel[0], pixel[1], pixel[2]]).or_default() += 1;
    }
    (info.width, info.height, colors)
}

#[tokio::test]
async fn a_png_has_its_size_and_the_colours_of_its_theme_and_lines() {
    let folder = tempfile::tempdir().unwrap();
    let store = filled(folder.path()).await;
    let fleet = FleetId::from(FLEET);
    for (theme, ground, desired, limit) in [
        (Theme::Dark, [0x12, 0x16, 0x1e], [0xf0, 0xa3, 0x55], [0xff, 0x6f, 0x87]),
        (Theme::Light, [0xff, 0xff, 0xff], [0xb8, 0x62, 0x0e], [0xc0, 0x24, 0x45]),
    ] {
        let subject = Subject::Scaling(&fleet);
        let bytes = draw(&store.reader(), subject, range(), at(MINUTES), Format::Png, theme).await.unwrap();
        let (width, height, colors) = colors(&bytes);
        assert_eq!((width, height), (2_400, 1_520));
        let most = colors.iter().max_by_key(|(_, count)| **count).map(|(color, _)| *color);
        assert_eq!(most, Some(ground), "{theme:?}");
        assert!(colors[&desired] > 2_000, "the line of desired instances is there");
        assert!(colors[&limit] > 1_000, "the limit and the marks are there");
    }
    store.close().await;
}

#[tokio::test]
async fn an_svg_says_in_words_what_it_shows() {
    let folder = tempfile::tempdir().unwrap();
    let store = filled(folder.path()).await;
    let fleet = FleetId::from(FLEET);
    let reader = store.reader();
    for (subject, words) in [
        (
            Subject::Scaling(&fleet),
            vec!["arena-ranked-eu", "policy target", "What changed", "scaling step", "11:00"],
        ),
        (
            Subject::Sessions(Some(&fleet)),
            vec!["arena-ranked-eu: game sessions and players", "server processes"],
        ),
        (Subject::Sessions(None), vec!["All fleets"]),
        (Subject::Placements, vec!["Placements per minute", "failed, timed out", "Queue depth"]),
        (Subject::Matchmaking, vec!["Tickets per minute", "timed out", "Wait for a match"]),
    ] {
        let bytes = draw(&reader, subject, range(), at(MINUTES), Format::Svg, Theme::Light).await.unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"), "{subject:?}");
        for word in words {
            assert!(text.contains(word), "{subject:?} lacks {word:?}");
        }
    }
    store.close().await;
}

#[tokio::test]
async fn a_csv_has_a_column_a_line_and_leaves_gaps_empty() {
    let folder = tempfile::tempdir().unwrap();
    let store = filled(folder.path()).await;
    let fleet = FleetId::from(FLEET);
    let bytes = csv(&store.reader(), Subject::Scaling(&fleet), range(), at(MINUTES)).await.unwrap();
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    let header = reader.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|column| column == name).unwrap();
    let records: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!(records.len(), 720, "a quarter of a minute each");
    let desired = |minute: usize| &records[minute * 4][column("desired_instances")];
    assert_eq!((desired(0), desired(100), desired(179)), ("22", "28", "40"));
    assert_eq!(desired(70), "", "nobody looked");
    assert_eq!(&records[0][0], "2026-03-04T10:00:00.000Z");
    store.close().await;
}

#[tokio::test]
async fn a_week_tells_the_minutes_in_which_nothing_was_free() {
    let folder = tempfile::tempdir().unwrap();
    let store = filled(folder.path()).await;
    let (fleet, reader) = (FleetId::from(FLEET), store.reader());
    let week = TimeRange::new(at(MINUTES - 7 * 24 * 60), at(MINUTES));
    let subject = Subject::Scaling(&fleet);
    let bytes = csv(&reader, subject, week, at(MINUTES)).await.unwrap();
    let mut table = csv::Reader::from_reader(bytes.as_slice());
    let header = table.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|column| column == name).unwrap();
    let free = column("percent_available_game_sessions");
    assert_eq!(&header[free + 1], "percent_available_game_sessions_lowest");
    assert_eq!(&header[free + 2], "percent_available_game_sessions_highest");
    assert!(!header.iter().any(|name| name == "policy_target_lowest"), "a target is what was set");
    let mut known = 0;
    for record in table.records().map(Result::unwrap).filter(|record| !record[free].is_empty()) {
        let [value, low, high] = [free, free + 1, free + 2].map(|at| record[at].parse::<f64>().unwrap());
        assert!(low <= value && value <= high, "{record:?}");
        known += usize::from(low == 0.0 && value > 0.0);
    }
    assert!(known > 0, "the last quarter of an hour had nothing free for some minutes, and its mean some");
    for (range, told) in [(week, true), (range(), false)] {
        let bytes = draw(&reader, subject, range, at(MINUTES), Format::Svg, Theme::Light).await.unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(text.contains("shaded: lowest to highest within 15 min"), told);
    }
    store.close().await;
}

#[tokio::test]
async fn steps_causes_and_the_limit_are_read_from_the_same_history() {
    let folder = tempfile::tempdir().unwrap();
    let store = filled(folder.path()).await;
    let scaling = fleet_scaling(&store.reader(), &FLEET.into(), range(), at(MINUTES)).await.unwrap().unwrap();
    let told: Vec<_> = scaling.steps.iter().rev().map(|step| (step.from_desired, step.to_desired)).collect();
    assert_eq!(told, [(22, 25), (25, 24), (24, 28), (28, 31), (31, 35), (35, 38), (38, 40)]);
    let newest = &scaling.steps[0];
    let limit = Cause::LimitReached { limit: Limit::Maximum, instances: 40 };
    assert_eq!((&newest.cause, newest.cause_text.as_str()), (&limit, "maximum is 40"));
    assert_eq!(newest.to_active_ms, Some(240_000));
    let [capped] = scaling.capped_ranges.as_slice() else { panic!("{:?}", scaling.capped_ranges) };
    assert_eq!(capped.from, at(165), "all processes were taken when desired reached the maximum");
    let targets: Vec<_> = scaling.policy_targets.iter().map(|target| target.target_value).collect();
    assert_eq!(targets, [Some(20.0), Some(25.0)]);
    store.close().await;
}

#[tokio::test]
async fn an_unknown_fleet_and_an_empty_store_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let store = filled(folder.path()).await;
    let nobody = FleetId::from("fleet-nobody");
    let missing =
        draw(&store.reader(), Subject::Scaling(&nobody), range(), at(MINUTES), Format::Svg, Theme::Dark)
            .await;
    assert!(matches!(missing, Err(ChartError::NoFleet(_))));
    let long_ago = TimeRange::new(at(-9_000), at(-8_000));
    let empty =
        draw(&store.reader(), Subject::Placements, long_ago, at(MINUTES), Format::Png, Theme::Dark).await;
    assert!(empty.unwrap().starts_with(b"\x89PNG"), "gaps are drawn as gaps");
    store.close().await;
}

#[tokio::test]
async fn what_is_usual_is_a_grey_band_once_enough_days_are_known() {
    let fleet = FleetId::from(FLEET);
    let subjects = [Subject::Scaling(&fleet), Subject::Sessions(Some(&fleet)), Subject::Placements];
    for is_known in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let store = match is_known {
            true => filled_for_days(folder.path()).await,
            false => filled(folder.path()).await,
        };
        for subject in subjects {
            let drawn = draw(&store.reader(), subject, range(), at(MINUTES), Format::Svg, Theme::Light).await;
            let text = String::from_utf8(drawn.unwrap()).unwrap();
            assert_eq!(text.contains("grey: usual at that hour"), is_known, "{subject:?}");
        }
        store.close().await;
    }
}
