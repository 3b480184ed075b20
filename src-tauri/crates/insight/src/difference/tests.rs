//! The ranking, over counts made by hand: the incident of a bad build whose crashes are worst on one map.

use liftdeck_store::reader::session::difference::DimensionCount;

use liftdeck_store::reader::classes::ClassValue;

use super::*;

fn class(values: &[(Dimension, &str)], bad: u64, all: u64) -> Class {
    let value = |(dimension, value): &(Dimension, &str)| ClassValue {
        dimension: dimension.clone(),
        value: (*value).to_owned(),
        label: (*value).to_owned(),
    };
    Class { values: values.iter().map(value).collect(), bad, all }
}

fn ranked(counts: &Counts) -> Vec<Difference> {
    super::ranked(counts, words::difference::dimension)
}

fn of(dimension: Dimension, values: &[(&str, u64, u64)]) -> DimensionCount {
    let value = |(label, bad, all): &(&str, u64, u64)| ValueCount {
        value: (*label).to_owned(),
        label: (*label).to_owned(),
        term: Some(format!("x={label}")),
        bad: *bad,
        all: *all,
    };
    DimensionCount { dimension, values: values.iter().map(value).collect() }
}

fn property(key: &str) -> Dimension {
    Dimension::Property(key.to_owned())
}

fn bad_build() -> Counts {
    Counts {
        bad: 15,
        all: 1_419,
        dimensions: vec![
            of(Dimension::Build, &[("1.42.0", 3, 1_402), ("1.43.0-rc.1", 12, 17)]),
            of(Dimension::Fleet, &[("blue", 3, 1_402), ("green", 12, 17)]),
            of(Dimension::Location, &[("eu-west-1", 8, 700), ("eu-north-1", 7, 719)]),
            of(property("map"), &[("dust", 5, 1_188), ("mine", 10, 231)]),
            of(property("seed"), &[("1", 1, 1), ("2", 1, 1), ("3", 1, 2)]),
            of(Dimension::InstanceType, &[("c6i.large", 15, 1_419)]),
        ],
    }
}

#[test]
fn what_the_bad_ones_share_comes_first_and_what_all_share_is_no_difference() {
    let found = ranked(&bad_build());
    let lines: Vec<(&str, &str, u64, u64, bool)> = found
        .iter()
        .map(|one| (one.name.as_str(), one.label.as_str(), one.bad_in, one.all_in, one.is_significant))
        .collect();
    assert_eq!(
        lines,
        [
            ("build", "1.43.0-rc.1", 12, 17, true),
            ("fleet", "green", 12, 17, true),
            ("map", "mine", 10, 231, true),
            ("location", "eu-west-1", 8, 700, false),
        ]
    );
    let lift = found[0].lift.unwrap();
    assert!((329.0..331.0).contains(&lift), "{lift}");
    assert_eq!((found[0].bad_out, found[0].all_out), (3, 1_402));
}

#[test]
fn a_few_are_not_called_a_difference() {
    let counts = Counts {
        bad: 4,
        all: 12,
        dimensions: vec![of(Dimension::Location, &[("eu-west-1", 3, 5), ("eu-north-1", 1, 7)])],
    };
    let found = ranked(&counts);
    assert_eq!(found.len(), 1);
    assert!(!found[0].is_significant && found[0].p > 0.05, "{found:?}");
}

#[test]
fn the_more_values_were_looked_at_the_more_a_difference_must_show() {
    let many: Vec<(String, u64, u64)> = (0..400).map(|index| (format!("i-{index}"), 0, 20)).collect();
    let mut few = Counts { bad: 5, all: 8_020, ..Counts::default() };
    few.dimensions = vec![of(Dimension::Queue, &[("arena", 2, 20), ("ranked", 3, 8_000)])];
    let mut much = few.clone();
    let computes: Vec<(&str, u64, u64)> =
        many.iter().map(|(name, bad, all)| (name.as_str(), *bad, *all)).collect();
    much.dimensions.push(of(Dimension::Compute, &computes));
    let p = |counts: &Counts| ranked(counts).iter().find(|one| one.label == "arena").unwrap().p;
    assert!(p(&few) < FALSE_FINDS && p(&much) > 10.0 * p(&few));
}

#[test]
fn values_that_select_the_same_sessions_are_one_group() {
    let ranked = ranked(&bad_build());
    // Bits: build, fleet, map, location.
    let sets = [(0b1011, 9), (0b0111, 8), (0b0100, 223), (0b1000, 691), (0, 488)];
    let groups = grouped(ranked, &sets);
    let named: Vec<(&str, Vec<&str>)> = groups
        .iter()
        .map(|group| (group.first.name.as_str(), group.same.iter().map(|one| one.name.as_str()).collect()))
        .collect();
    assert_eq!(named, [("build", vec!["fleet"]), ("map", vec![]), ("location", vec![])]);
}

#[test]
fn a_value_inside_an_earlier_difference_is_left_to_the_look_within() {
    let mut counts = bad_build();
    counts.dimensions.push(of(Dimension::Compute, &[("i-1", 5, 6), ("i-2", 5, 700)]));
    let ranked = ranked(&counts);
    let at = |label: &str| ranked.iter().position(|one| one.label == label).unwrap();
    let bit = |label: &str| 1_u32 << at(label);
    let inside = bit("1.43.0-rc.1") | bit("green");
    let sets = [(inside | bit("i-1"), 6), (inside, 11), (bit("mine"), 231), (0, 1_171)];
    let groups = grouped(ranked, &sets);
    let first: Vec<&str> = groups.iter().map(|group| group.first.label.as_str()).collect();
    assert!(first.contains(&"mine") && !first.contains(&"i-1"), "{first:?}");
    assert_eq!(groups[0].same[0].label, "green");
}

#[test]
fn dimensions_without_a_difference_are_named() {
    let counts = bad_build();
    let groups = ranked(&counts)
        .into_iter()
        .filter(|one| one.is_significant)
        .map(|first| DifferenceGroup { first, same: Vec::new() })
        .collect();
    assert_eq!(comparison(&counts, groups, words::difference::dimension).alike, ["location", "seed"]);
}

#[test]
fn a_query_limits_both_sides_by_where_and_tells_the_bad_ones_by_the_rest() {
    for (text, among, bad) in [
        ("ended:crashed", "", "ended:crashed"),
        ("fleet:eu-* ended:crashed", "fleet:eu-*", "ended:crashed"),
        (
            "ended:abnormal prop.map:mine -location:eu-west-1",
            "prop.map:mine -location:eu-west-1",
            "ended:abnormal",
        ),
        ("(ended:crashed or duration<1m) max=8", "max=8", "(ended:crashed or duration<1m)"),
        ("prop.map:mine", "", "prop.map:mine"),
        ("", "", ""),
    ] {
        let (left, right) = sides(Query::parse(text).unwrap());
        assert_eq!((written(&left, text).as_str(), written(&right, text).as_str()), (among, bad), "{text}");
    }
}

#[test]
fn nothing_bad_or_nothing_else_gives_no_difference() {
    assert_eq!(ranked(&Counts::default()), []);
    let all_bad =
        Counts { bad: 10, all: 10, dimensions: vec![of(Dimension::Queue, &[("a", 5, 5), ("b", 5, 5)])] };
    assert_eq!(ranked(&all_bad), [], "nothing to compare with");
}

#[test]
fn placements_are_grouped_by_what_one_queue_gives_them_all_and_looked_at_within_the_first() {
    use Dimension::{Build, Configuration, Fleet, Players, Queue};
    let arena = |players, bad, all| {
        class(
            &[(Queue, "arena"), (Fleet, "green"), (Build, "rc"), (Configuration, "duel"), (Players, players)],
            bad,
            all,
        )
    };
    let ranked =
        class(&[(Queue, "ranked"), (Fleet, "blue"), (Configuration, "solo"), (Players, "1")], 2, 400);
    let classes = [arena("2", 26, 40), arena("4", 14, 60), ranked];
    let fresh = Freshness { as_of: None, stale: false };
    let found = of_classes(&classes, words::difference::of_placement, fresh);
    assert_eq!((found.whole.bad, found.whole.all), (42, 500));
    let named = |group: &DifferenceGroup| {
        let mut all: Vec<String> =
            std::iter::once(&group.first).chain(&group.same).map(|one| one.name.clone()).collect();
        all.sort();
        all
    };
    // What the queue gives to all of them is one difference, not five.
    assert_eq!(
        named(&found.whole.groups[0]),
        ["matchmaking configuration", "possible build", "possible fleet", "queue"]
    );
    let fleet = found.whole.groups[0].same.iter().chain([&found.whole.groups[0].first]);
    let fleet = fleet.clone().find(|one| one.dimension == Fleet).unwrap();
    assert_eq!((fleet.term.as_deref(), fleet.bad_in, fleet.all_in), (Some("fleet=green"), 40, 100));
    let within = found.within.expect("more is to tell within the queue");
    let deeper = &within.groups[0].first;
    assert_eq!(
        (deeper.name.as_str(), deeper.value.as_str(), deeper.bad_in, deeper.all_in),
        ("players", "2", 26, 40)
    );
}
