//! The constraints of GameLift's input shapes, named after the model.

use crate::wire::{Constraint, Integer, Items, Members, Path, Problems, Text, Value};
use liftdeck_simulated_world::records::GameProperty;

/// The largest page of listings for which the model gives no maximum.
pub(super) const PAGE: usize = 100;

pub(super) static POSITIVE: Integer = Integer::between(1, i32::MAX as i64);
pub(super) static TOKEN: Text = Text::length(1, 1024);
pub(super) static SHORT_TEXT: Text = Text::length(1, 1024);
pub(super) static NON_EMPTY: Text = Text::length(1, usize::MAX);

pub(super) static FLEET: Text =
    Text::matching(1, 512, r"^[a-z]*fleet-[a-zA-Z0-9\-]+$|^arn:.*:[a-z]*fleet\/[a-z]*fleet-[a-zA-Z0-9\-]+$");
pub(super) static FLEETS: Items<'_, Text> = Items { each: &FLEET, min: 1, max: usize::MAX };
pub(super) static LOCATION: Text = Text::matching(1, 64, r"^[A-Za-z0-9\-]+$");
pub(super) static LOCATIONS: Items<'_, Text> = Items { each: &LOCATION, min: 1, max: 100 };
pub(super) static ALIAS: Text = Text::matching(1, 512, r"^(alias-\S+|arn:.*:alias\/alias-\S+)$");
pub(super) static BUILD: Text = Text::matching(1, 512, r"^(build-\S+|arn:.*:build\/build-\S+)$");
pub(super) static SCRIPT: Text = Text::matching(1, 512, r"^(script-\S+|arn:.*:script\/script-\S+)$");
pub(super) static SESSION: Text = Text::matching(1, 512, r"^[a-zA-Z0-9:/-]+$");
pub(super) static PLAYER: Text = Text::length(1, 1024);
pub(super) static PLAYER_SESSION: Text = Text::matching(1, 128, r"^psess-\S+$");
/// IdStringModel: ids that callers choose for placements and sessions.
pub(super) static ID: Text = Text::matching(1, 48, r"^[a-zA-Z0-9-]+$");
pub(super) static SLOTS: Integer = Integer::between(0, i32::MAX as i64);
pub(super) static LARGE_DATA: Text = Text::length(1, 262_144);
pub(super) static PLAYER_DATA: Text = Text::length(1, 2_048);
pub(super) static PLAYERS: Items<'_, Text> = Items { each: &PLAYER, min: 1, max: 25 };
static PROPERTY: Property = Property;
pub(super) static GAME_PROPERTIES: Items<'_, Property> = Items { each: &PROPERTY, min: 0, max: 16 };
pub(super) static QUEUE: Text =
    Text::matching(1, 256, r"^([a-zA-Z0-9-]+|arn:.*:gamesessionqueue\/[a-zA-Z0-9-]+)$");
pub(super) static QUEUES: Items<'_, Text> = Items { each: &QUEUE, min: 0, max: usize::MAX };
pub(super) static TICKET: Text = Text::matching(0, 128, r"^[a-zA-Z0-9\-\.]*$");
pub(super) static TICKETS: Items<'_, Text> = Items { each: &TICKET, min: 0, max: 10 };
pub(super) static MATCHMAKER: Text =
    Text::matching(1, 256, r"^([a-zA-Z0-9\-\.]*|arn:.*:matchmakingconfiguration\/[a-zA-Z0-9\-\.]*)$");
pub(super) static MATCHMAKERS: Items<'_, Text> = Items { each: &MATCHMAKER, min: 0, max: usize::MAX };
pub(super) static RULE_SET: Text =
    Text::matching(1, 256, r"^([a-zA-Z0-9\-\.]*|arn:.*:matchmakingruleset\/[a-zA-Z0-9\-\.]*)$");
pub(super) static RULE_SETS: Items<'_, Text> = Items { each: &RULE_SET, min: 1, max: 10 };
pub(super) static INSTANCE: Text = Text::matching(1, 256, r"^[a-zA-Z0-9\.\-]+$");
pub(super) static COMPUTE: Text = Text::matching(
    0,
    1024,
    r"^([a-zA-Z0-9\-]+(\/[a-zA-Z0-9\-]+)?|arn:.*:compute\/[a-zA-Z0-9\-]+(\/[a-zA-Z0-9\-]+)?)$",
);
pub(super) static DEFINITION: Text =
    Text::matching(1, 512, r"^[a-zA-Z0-9\-]+$|^arn:.*:containergroupdefinition\/[a-zA-Z0-9\-]+(:[0-9]+)?$");
pub(super) static DEPLOYMENT: Text = Text::matching(1, 1024, r"^[a-zA-Z0-9\-]+$");
pub(super) static RESOURCE_ARN: Text = Text::length(1, 1011);

pub(super) static BUILD_STATUS: Text = Text::one_of(&["INITIALIZED", "READY", "FAILED"]);
pub(super) static COMPUTE_STATUS: Text = Text::one_of(&["ACTIVE", "IMPAIRED"]);
pub(super) static CONTAINER_GROUP_TYPE: Text = Text::one_of(&["GAME_SERVER", "PER_INSTANCE"]);
pub(super) static ROUTING: Text = Text::one_of(&["SIMPLE", "TERMINAL"]);
pub(super) static LOCATION_FILTER: Text = Text::one_of(&["AWS", "CUSTOM"]);
/// The format of an instance type only, not whether a Region offers it.
pub(super) static INSTANCE_TYPE: Text = Text::matching(1, 64, r"^[a-z0-9\-]+\.[a-z0-9\-]+$");
pub(super) static LOCATION_FILTERS: Items<'_, Text> = Items { each: &LOCATION_FILTER, min: 1, max: 2 };
pub(super) static SCALING_STATUS: Text = Text::one_of(&[
    "ACTIVE",
    "UPDATE_REQUESTED",
    "UPDATING",
    "DELETE_REQUESTED",
    "DELETING",
    "DELETED",
    "ERROR",
]);

/// A game property.
#[derive(Debug)]
pub(super) struct Property;

impl Constraint for Property {
    type Output = GameProperty;

    fn read(&self, value: &Value, path: &Path<'_>, problems: &mut Problems) -> Option<GameProperty> {
        static KEY: Text = Text::length(0, 32);
        static VALUE: Text = Text::length(0, 96);
        let mut members = Members::of(value, path, problems)?;
        let (key, value) = (members.required("Key", &KEY), members.required("Value", &VALUE));
        Some(GameProperty { key: key?, value: value? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(constraint: &Text, text: &str) -> bool {
        constraint.read(&Value::Text(text.to_owned()), &Path::Root, &mut Problems::default()).is_some()
    }

    #[test]
    fn the_patterns_accept_ids_and_arns_and_nothing_else() {
        let good = [
            (&FLEET, "fleet-1111aaaa-22bb-33cc-44dd-5555eeee66ff"),
            (&FLEET, "arn:aws:gamelift:eu-west-1:111122223333:containerfleet/containerfleet-1a"),
            (&ALIAS, "arn:aws:gamelift:eu-west-1::alias/alias-1"),
            (&SESSION, "arn:aws:gamelift:eu-west-1::gamesession/fleet-1/eu-north-1/abc"),
            (&COMPUTE, "i-0abc"),
            (&DEFINITION, "arn:aws:gamelift:eu-west-1:1:containergroupdefinition/arena:3"),
            (&TICKET, "tk-1.a"),
            (&MATCHMAKER, "arn:aws:gamelift:eu-west-1:1:matchmakingconfiguration/arena-2v2"),
            (&RULE_SET, "rules"),
            (&QUEUE, "arena-eu"),
            (&INSTANCE, "i-0abc"),
            (&BUILD, "build-1"),
            (&SCRIPT, "script-1"),
            (&PLAYER_SESSION, "psess-1"),
        ];
        for (constraint, text) in good {
            assert!(accepts(constraint, text), "{text}");
        }
        let bad = [
            (&FLEET, "flt-1"),
            (&FLEET, "fleet-"),
            (&ALIAS, "alias"),
            (&SESSION, "not an arn"),
            (&ID, "a_b"),
            (&QUEUE, "a b"),
            (&TICKET, "a/b"),
            (&LOCATION, ""),
        ];
        for (constraint, text) in bad {
            assert!(!accepts(constraint, text), "{text}");
        }
    }
}
