//! Form rules of aliases.

use super::*;

#[test]
fn aliases() {
    let create = |name: &str, fleet: &str| CreateAlias {
        name: name.to_owned(),
        description: None,
        routing: RoutingStrategy::Simple { fleet_id: fleet.into() },
    };
    let terminal = |message: &str| CreateAlias {
        routing: RoutingStrategy::Terminal { message: message.to_owned() },
        ..create("live", "fleet-1")
    };
    let described = |length| CreateAlias { description: Some(text(length)), ..create("live", "fleet-1") };
    hold(
        [
            ("A8 CreateAlias", create("live", "fleet-1"), &[][..]),
            ("A16 NonBlankAndLengthConstraintString", create(&text(1_024), "fleet-1"), &[]),
            ("A16 NonBlankAndLengthConstraintString", create(&text(1_025), "fleet-1"), &["name"]),
            ("A16 NonBlankAndLengthConstraintString", create("  ", "fleet-1"), &["name"]),
            ("A16 NonBlankAndLengthConstraintString", create("", "fleet-1"), &["name"]),
            ("A14 RoutingStrategy: id, not ARN", create("live", "arn:x:fleet/fleet-1"), &["routing.fleetId"]),
            ("A16 FleetId", create("live", &format!("fleet-{}", text(123))), &["routing.fleetId"]),
            ("A14 RoutingStrategy: TERMINAL, Message", terminal("closed"), &[]),
            ("A14 RoutingStrategy: TERMINAL, Message", terminal(""), &["routing.message"]),
            ("A16 NonZeroAndMaxString", described(0), &["description"]),
            ("A16 NonZeroAndMaxString", described(1_025), &["description"]),
        ],
        Request::CreateAlias,
    );
    let update = |alias_id: &str, name: Option<&str>| UpdateAlias {
        alias_id: alias_id.into(),
        name: name.map(str::to_owned),
        description: None,
        routing: None,
    };
    hold(
        [
            ("A8 UpdateAlias", update("alias-1", Some("live")), &[][..]),
            ("our own: nothing to change", update("alias-1", None), &["aliasId"]),
            ("A16 NonBlankAndLengthConstraintString", update("alias-1", Some(" ")), &["name"]),
            ("A16 AliasId", update("alias-", Some("live")), &["aliasId"]),
            ("A16 AliasId", update("alias-1 2", Some("live")), &["aliasId"]),
        ],
        Request::UpdateAlias,
    );
    hold([("A16 AliasId", DeleteAlias { alias_id: "live".into() }, &["aliasId"][..])], Request::DeleteAlias);
}
