//! One answer in its three forms.

use super::table::Screen;
use super::*;

const NOW: Timestamp = Timestamp::from_ms(1_700_000_100_000);

/// A fleet: how much it matters, its name and its players.
type Fleet = (Tone, &'static str, i64);

const COLUMNS: &[Column<Fleet>] = &[
    words("name", "NAME").of(|it| cell(it.1)),
    number("players", "PLAYERS").of(|it| cell(it.2)),
    words("kind", "KIND").rank(2).of(|_| cell("on-demand")),
    words("region", "REGION").rank(1).of(|_| cell("eu-west-1")),
    data("arn").of(|_| cell("arn:x")),
];

fn shown() -> Shown {
    let fleets = [(Tone::Plain, "arena", 7), (Tone::Bad, "=du\u{1b}[2Jel", 1_024)];
    let freshness = Freshness { as_of: Some(Timestamp::from_ms(1_700_000_096_000)), stale: false };
    Shown::list(
        Table::toned(COLUMNS, &fleets, |fleet| fleet.0),
        Total { noun: ("fleet", "fleets"), all: 5, is_exact: true },
        freshness,
    )
}

fn table(width: Option<u16>, colours: bool) -> String {
    let screen = Screen { size: width.map(|width| (width, 24)), colours };
    written(&shown(), Format::Table, &screen, NOW).unwrap()
}

#[test]
fn a_table_is_aligned_numbers_to_the_right_and_nothing_in_it_steers_the_terminal() {
    assert_eq!(
        table(None, false),
        "NAME       PLAYERS  KIND       REGION\n\
         arena            7  on-demand  eu-west-1\n\
         =du␛[2Jel     1024  on-demand  eu-west-1\n"
    );
}

#[test]
fn a_narrow_terminal_loses_columns_by_rank_and_then_the_ends_of_words() {
    assert!(
        table(Some(60), false).starts_with("NAME       PLAYERS  KIND       REGION\n"),
        "{}",
        table(Some(60), false)
    );
    let narrow = table(Some(30), false);
    assert!(!narrow.contains("KIND") && narrow.contains("REGION"), "{narrow}");
    let narrower = table(Some(20), false);
    assert!(!narrower.contains("REGION") && narrower.contains("1024"), "{narrower}");
    let narrowest = table(Some(14), false);
    assert!(narrowest.lines().all(|line| line.chars().count() <= 14), "{narrowest}");
    assert_eq!(narrowest.lines().count(), 3, "a line a row: {narrowest}");
}

#[test]
fn a_column_that_may_be_cut_gives_its_end_before_others_go() {
    const CUT: &[Column<&str>] = &[
        words("name", "NAME").of(|_| cell("arena")),
        words("detail", "DETAIL").least(8).rank(1).of(|detail| cell(*detail)),
    ];
    let at = |width| {
        let screen = Screen { size: Some((width, 24)), colours: false };
        table::text(&Body::Table(Table::of(CUT, &["a long story of many words"])), &screen, NOW)
    };
    assert_eq!(at(40), "NAME   DETAIL\narena  a long story of many words\n");
    let cut = at(22);
    assert!(cut.contains("arena  a long") && cut.contains('…') && !cut.contains("words"), "{cut}");
    assert!(cut.lines().all(|line| line.chars().count() <= 22), "{cut}");
    assert_eq!(at(12), "NAME\narena\n");
}

#[test]
fn colours_are_ours_alone_and_only_where_they_are_wanted() {
    assert!(!table(Some(80), false).contains('\u{1b}'));
    let coloured = table(Some(80), true);
    assert!(coloured.starts_with("\u{1b}[1mNAME"), "{coloured:?}");
    assert!(coloured.contains("\u{1b}[31m=du␛[2Jel"), "{coloured:?}");
}

#[test]
fn json_has_every_column_and_the_age() {
    let text = written(&shown(), Format::Json, &Screen::default(), NOW).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["as_of"], "2023-11-14T22:14:56.000Z");
    assert_eq!((json["total"].as_u64(), json["stale"].as_bool()), (Some(5), Some(false)));
    assert_eq!(json["rows"][1]["name"], "=du\u{1b}[2Jel", "the very text");
    assert_eq!(
        (json["rows"][0]["arn"].as_str(), json["rows"][0]["players"].as_i64()),
        (Some("arn:x"), Some(7))
    );
    assert!(!text.contains('\u{1b}'), "{text:?}");
}

#[test]
fn csv_has_every_column_and_no_formula() {
    let text = written(&shown(), Format::Csv, &Screen::default(), NOW).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "name,players,kind,region,arn");
    assert_eq!(lines[2], "'=du␛[2Jel,1024,on-demand,eu-west-1,arn:x");
}

#[test]
fn the_foot_says_how_much_and_how_old() {
    assert_eq!(shown().foot(NOW), ["2 of 5 fleets · read 4 s ago"]);
    let old = Shown {
        freshness: Some(Freshness { as_of: Some(Timestamp::from_ms(1_699_992_900_000)), stale: true }),
        ..shown()
    };
    assert_eq!(old.foot(NOW), ["2 of 5 fleets · last read 2 h 00 min ago: nothing newer was collected"]);
}

#[test]
fn the_foot_says_what_it_dates_where_an_answer_holds_data_of_several_ages() {
    let read = Freshness { as_of: Some(NOW.plus_ms(-131_000)), stale: false };
    let shown = Shown::sheet(Sheet::default(), read).dating("capacity and utilization");
    assert_eq!(shown.foot(NOW), ["capacity and utilization read 2 min 11 s ago"]);
}

#[test]
fn one_thing_is_facts_and_tables() {
    let mut sheet = Sheet::default();
    sheet.fact("name", "Name", "arena");
    sheet.fact("fleet_arn", "", "arn:x");
    sheet.fact("aliases", "Aliases", many(["live", "next"]));
    let Body::Table(locations) = shown().body else { panic!("a table") };
    sheet.part("locations", "Locations", locations);
    let shown = Shown::sheet(sheet, Freshness { as_of: None, stale: true });
    let in_form = |format| written(&shown, format, &Screen::default(), NOW).unwrap();
    let text = in_form(Format::Table);
    assert!(text.starts_with("Name     arena\nAliases  live, next\n\nLocations\nNAME "), "{text}");
    let json: serde_json::Value = serde_json::from_str(&in_form(Format::Json)).unwrap();
    assert_eq!(
        (json["fleet_arn"].as_str(), json["locations"][0]["players"].as_i64()),
        (Some("arn:x"), Some(7))
    );
    let csv = in_form(Format::Csv);
    assert!(csv.contains("aliases.1,next\r\n") && csv.contains("locations.0.players,7\r\n"), "{csv}");
    assert_eq!(shown.foot(NOW), ["not read yet"]);
}
