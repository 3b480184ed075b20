//! Tests of what rule sets accept and reject, and how they judge.

use super::*;

const ARENA: &str = r#"{
  "ruleLanguageVersion": "1.0",
  "playerAttributes": [{"name": "skill", "type": "number", "default": 1000},
                       {"name": "modes", "type": "string_list"}, {"name": "side", "type": "string"}],
  "teams": [{"name": "red", "minPlayers": 1, "maxPlayers": 2}, {"name": "blue", "minPlayers": 1, "maxPlayers": 2}],
  "rules": [
    {"name": "Even", "type": "comparison", "operation": "=", "measurements": ["count(teams[red].players)"], "referenceValue": "count(teams[blue].players)"},
    {"name": "Fair", "type": "distance", "measurements": ["avg(teams[red].players.attributes[skill])"], "referenceValue": "avg(teams[blue].players.attributes[skill])", "maxDistance": 50},
    {"name": "Near", "type": "latency", "maxLatency": 100}
  ],
  "expansions": [{"target": "rules[Fair].maxDistance", "steps": [{"waitTimeSeconds": 10, "value": 500}]}]
}"#;

fn player(number: u32, skill: f64, latency: &[(&str, u32)]) -> Candidate {
    Candidate {
        player: number,
        attributes: [("skill".to_owned(), AttributeValue::Number(skill))].into(),
        latencies: latency.iter().map(|(name, ms)| ((*name).to_owned(), *ms)).collect(),
    }
}

/// Judges a complete match. Also returns passes and failures by rule.
fn judge(set: &RuleSet, teams: &[Vec<Candidate>]) -> (bool, Vec<(u32, u32)>) {
    let (mut sides, mut counts) = (set.teams(), Vec::new());
    for (side, players) in sides.iter_mut().zip(teams) {
        side.players = players.iter().cloned().map(|player| set.complete(player)).collect();
    }
    (set.judge(&sides, true, &mut counts), counts)
}

#[test]
fn rules_pass_and_fail_on_their_own() {
    let set = RuleSet::read(ARENA).unwrap();
    let near = [("eu-west-1", 20)];
    let fair = [vec![player(1, 1000.0, &near)], vec![player(2, 1040.0, &near)]];
    assert_eq!(judge(&set, &fair), (true, vec![(1, 0); 3]));
    let unfair = [vec![player(1, 1000.0, &near)], vec![player(2, 1100.0, &near)]];
    assert_eq!(judge(&set, &unfair), (false, vec![(1, 0), (0, 1), (1, 0)]));
    let apart = [vec![player(1, 1000.0, &near)], vec![player(2, 1000.0, &[("us-east-1", 20)])]];
    assert_eq!(judge(&set, &apart), (false, vec![(1, 0), (1, 0), (0, 1)]));
    let odd = [vec![player(1, 1000.0, &near), player(3, 1000.0, &near)], vec![player(2, 1000.0, &near)]];
    assert_eq!(judge(&set, &odd), (false, vec![(0, 1), (1, 0), (1, 0)]));
}

#[test]
fn an_expansion_relaxes_its_rule_after_the_wait() {
    let unfair = [vec![player(1, 1000.0, &[])], vec![player(2, 1400.0, &[])]];
    assert!(!judge(&RuleSet::relaxed(ARENA, 9).unwrap(), &unfair).0);
    assert!(judge(&RuleSet::relaxed(ARENA, 10).unwrap(), &unfair).0);
}

#[test]
fn a_default_stands_for_an_attribute_that_is_not_given_and_nothing_else_does() {
    let set = RuleSet::read(ARENA).unwrap();
    let nameless = Candidate { player: 1, attributes: BTreeMap::new(), latencies: BTreeMap::new() };
    assert!(judge(&set, &[vec![nameless.clone()], vec![player(2, 1010.0, &[])]]).0);
    let strict = RuleSet::read(&ARENA.replace(r#", "default": 1000"#, "")).unwrap();
    assert!(!judge(&strict, &[vec![nameless], vec![player(2, 1010.0, &[])]]).0);
}

#[test]
fn batch_distance_collection_and_compound_are_judged() {
    let rules = r#"[{"name": "Close", "type": "batchDistance", "batchAttribute": "skill", "maxDistance": 30},
      {"name": "SameMode", "type": "collection", "operation": "intersection", "measurements": ["teams[*].players.attributes[modes]"], "minCount": 1},
      {"name": "Ranked", "type": "collection", "operation": "contains", "measurements": ["flatten(teams[*].players.attributes[modes])"], "referenceValue": "ranked"},
      {"name": "Either", "type": "compound", "statement": "or(Close, and(SameMode, not(Ranked)))"}]"#;
    let from = ARENA.find(r#""rules":"#).unwrap();
    let body = format!("{}\"rules\": {rules}}}", &ARENA[..from]);
    let set = RuleSet::read(&body).unwrap();
    let with_modes = |number, skill, modes: &[&str]| {
        let mut player = player(number, skill, &[]);
        let modes = modes.iter().map(|mode| (*mode).to_owned()).collect();
        player.attributes.insert("modes".to_owned(), AttributeValue::Texts(modes));
        player
    };
    let match_of = |apart: f64, a: &[&str], b: &[&str]| {
        judge(&set, &[vec![with_modes(1, 1000.0, a)], vec![with_modes(2, 1000.0 + apart, b)]]).0
    };
    assert!(match_of(10.0, &["ranked"], &["casual"]), "close is enough");
    assert!(match_of(90.0, &["coop", "casual"], &["casual"]), "a mode in common, and not ranked");
    assert!(!match_of(90.0, &["ranked"], &["casual"]), "neither");
    assert!(!match_of(90.0, &["ranked"], &["ranked"]), "a mode in common, but ranked");
}

#[test]
fn what_is_wrong_with_a_rule_set_is_said() {
    let changed = |from: &str, to: &str| {
        assert!(ARENA.contains(from), "{from}");
        RuleSet::read(&ARENA.replacen(from, to, 1)).unwrap_err()
    };
    for (from, to, says) in [
        (r#""1.0""#, r#""2.0""#, "ruleLanguageVersion"),
        (r#""minPlayers": 1"#, r#""minPlayers": 3"#, "contradict each other"),
        (r#""name": "blue""#, r#""name": "red""#, "two teams"),
        (r#""type": "latency""#, r#""type": "luck""#, "no rule type 'luck'"),
        (r#""maxLatency": 100"#, r#""minLatency": 100"#, "maxLatency is missing"),
        ("attributes[skill]", "attributes[rank]", "'rank', which is not declared"),
        ("teams[red]", "teams[green]", "the team 'green', which does not exist"),
        (r#""operation": "=""#, r#""operation": "~""#, "no comparison '~'"),
        ("avg(teams[red]", "mean(teams[red]", "no function 'mean'"),
        ("rules[Fair]", "rules[Foul]", "does not exist"),
        (r#""name": "Near""#, r#""name": "Even""#, "two rules 'Even'"),
        (r#""type": "number""#, r#""type": "colour""#, "the type 'colour'"),
        (r#""default": 1000"#, r#""default": "much""#, "is not a number"),
        (r#""maxPlayers": 2"#, r#""maxPlayers": 201"#, "at most 200 players"),
        ("{\n", "", "not JSON"),
    ] {
        let problem = changed(from, to);
        assert!(problem.contains(says), "{to}: {problem}");
    }
}

#[test]
fn a_quantity_stands_for_as_many_teams() {
    let body = r#"{"ruleLanguageVersion": "1.0",
        "teams": [{"name": "squad", "minPlayers": 1, "maxPlayers": 3, "quantity": 4}]}"#;
    let set = RuleSet::read(body).unwrap();
    let names: Vec<String> = set.teams().into_iter().map(|side| side.name).collect();
    assert_eq!(names, ["squad_1", "squad_2", "squad_3", "squad_4"]);
    assert_eq!(set.most_players(), 12);
}
