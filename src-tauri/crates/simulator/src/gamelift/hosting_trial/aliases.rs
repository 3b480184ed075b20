//! Creating, repointing and deleting aliases.

use super::*;

#[test]
fn a_repointed_alias_is_shown_at_once_and_followed_within_two_minutes() {
    let mut trial = Trial::new();
    let (old, new) = (trial.fleet("arena-prod-eu"), trial.fleet("arena-spot-eu"));
    let made = trial.ask(
        EU,
        "CreateAlias",
        json!({
            "Name": "arena", "Description": "d", "RoutingStrategy": {"Type": "SIMPLE", "FleetId": old},
            "Tags": [{"Key": "team", "Value": "ops"}],
        }),
    );
    let (id, arn) = (made["Alias"]["AliasId"].clone(), made["Alias"]["AliasArn"].clone());
    let tags = trial.ask(EU, "ListTagsForResource", json!({ "ResourceARN": arn }));
    assert_eq!(tags["Tags"], json!([{"Key": "team", "Value": "ops"}]));
    trial.pass(5);
    let updated = trial.ask(
        EU,
        "UpdateAlias",
        json!({
            "AliasId": id, "RoutingStrategy": {"Type": "SIMPLE", "FleetId": new},
        }),
    );
    assert_eq!(updated["Alias"]["RoutingStrategy"]["FleetId"], new);
    assert_eq!(updated["Alias"]["Description"], "d");
    assert!(updated["Alias"]["LastUpdatedTime"].as_f64() > updated["Alias"]["CreationTime"].as_f64());
    assert_eq!(trial.ask(EU, "ResolveAlias", json!({ "AliasId": arn }))["FleetId"], new);
    let ask = json!({"AliasId": id, "MaximumPlayerSessionCount": 2});
    let soon = trial.ask(EU, "CreateGameSession", ask.clone());
    assert_eq!(soon["GameSession"]["FleetId"], old, "H6: for up to 2 minutes");
    trial.pass(120);
    let later = trial.ask(EU, "CreateGameSession", ask);
    assert_eq!(later["GameSession"]["FleetId"], new);
    // H6: sessions already running stay on the old fleet.
    let arn = soon["GameSession"]["GameSessionId"].as_str().unwrap().to_owned();
    assert_eq!(trial.look(&arn)["FleetId"], old);
}

#[test]
fn a_terminal_alias_answers_with_its_own_text() {
    let mut trial = Trial::new();
    let made = trial.ask(
        EU,
        "CreateAlias",
        json!({
            "Name": "closed", "RoutingStrategy": {"Type": "TERMINAL", "Message": "Please update."},
        }),
    );
    let id = made["Alias"]["AliasId"].clone();
    let error = trial.call(EU, "ResolveAlias", json!({ "AliasId": id })).unwrap_err();
    assert_eq!(
        (error.code.as_ref(), error.message.as_str()),
        ("TerminalRoutingStrategyException", "Please update.")
    );
    let create = json!({"AliasId": id, "MaximumPlayerSessionCount": 2});
    assert_eq!(trial.refused(EU, "CreateGameSession", create), "TerminalRoutingStrategyException");
    trial.ask(EU, "DeleteAlias", json!({ "AliasId": id }));
    assert_eq!(trial.refused(EU, "DescribeAlias", json!({ "AliasId": id })), "NotFoundException");
    assert_eq!(trial.refused(EU, "DeleteAlias", json!({ "AliasId": id })), "NotFoundException");
}

#[test]
fn aliases_keep_the_rules_of_the_reference() {
    let mut trial = Trial::new();
    let (fleet, abroad) = (trial.fleet("arena-prod-eu"), trial.fleet("arena-prod-us"));
    let simple = |fleet: &str| json!({"Type": "SIMPLE", "FleetId": fleet});
    trial.refuses(EU, "CreateAlias", vec![
        ("A8: Name required", json!({"RoutingStrategy": simple(&fleet)}), "InvalidRequestException"),
        ("A8: RoutingStrategy required", json!({"Name": "a"}), "InvalidRequestException"),
        ("A16: not blank", json!({"Name": "  ", "RoutingStrategy": simple(&fleet)}), "InvalidRequestException"),
        ("A14: SIMPLE needs a fleet", json!({"Name": "a", "RoutingStrategy": {"Type": "SIMPLE"}}), "InvalidRequestException"),
        ("A14: TERMINAL needs a text", json!({"Name": "a", "RoutingStrategy": {"Type": "TERMINAL"}}), "InvalidRequestException"),
        (
            "A14: the fleet's id, not its ARN",
            json!({"Name": "a", "RoutingStrategy": simple(&format!("arn:aws:gamelift:eu-west-1::fleet/{fleet}"))}),
            "InvalidRequestException",
        ),
        (
            "A14: the fleet must be in the alias's Region",
            json!({"Name": "a", "RoutingStrategy": simple(&abroad)}),
            "InvalidRequestException",
        ),
    ]);
    let mut last = Json::Null;
    loop {
        match trial.call(EU, "CreateAlias", json!({"Name": "same name", "RoutingStrategy": simple(&fleet)})) {
            Ok(made) => last = made["Alias"]["AliasId"].clone(),
            Err(error) => {
                assert_eq!(error.code, "LimitExceededException", "G2: 100 aliases");
                break;
            }
        }
    }
    assert_eq!(trial.world().aliases(EU).len(), 100);
    trial.refuses(
        EU,
        "UpdateAlias",
        vec![
            (
                "A14: Region",
                json!({"AliasId": last, "RoutingStrategy": simple(&abroad)}),
                "NotFoundException",
            ),
            ("A8: NF", json!({"AliasId": "alias-none", "Name": "b"}), "NotFoundException"),
        ],
    );
}
