//! Operations that create, change and delete matchmaking configurations and rule sets, and validate rule sets.

use super::choice::Choice;
use super::constraint::{GAME_PROPERTIES, MATCHMAKER, RULE_SET, SESSION, SHORT_TEXT};
use super::listing;
use super::lookup::{self, invalid, names, not_found};
use super::matchmaking_change::named;
use super::tag::{self, NewTag, TAGS};
use crate::operation::{Call, Change};
use crate::service::ServiceError;
use crate::wire::{Bool, Integer, Items, Text, Wire, Writer, in_place, input};
use liftdeck_simulated_world::records::{BackfillMode, FlexMatchMode, GameProperty};
use liftdeck_simulated_world::{ConfigurationSettings, World};

static NAME: Text = Text::matching(0, 128, r"^[a-zA-Z0-9\-\.]*$");
static QUEUES: Items<'_, Text> = Items { each: &SESSION, min: 0, max: usize::MAX };
static REQUEST_TIMEOUT: Integer = Integer::between(1, 43_200);
static ACCEPTANCE_TIMEOUT: Integer = Integer::between(1, 600);
static WHOLE: Integer = Integer::between(0, i32::MAX as i64);
static TOPIC: Text = Text::matching(0, 300, r"^[a-zA-Z0-9:_/-]*(\.fifo)?$");
static CUSTOM: Text = Text::length(0, 256);
static GAME_DATA: Text = Text::length(1, 4_096);
static BODY: Text = Text::length(1, 65_535);
static BACKFILL: Choice<BackfillMode> = Choice::new(BackfillMode::ALL, BackfillMode::as_str);
static FLEX_MATCH: Choice<FlexMatchMode> = Choice::new(FlexMatchMode::ALL, FlexMatchMode::as_str);

input! {
    struct Settings {
        description: Option<String> = optional("Description", SHORT_TEXT),
        queues: Option<Vec<String>> = optional("GameSessionQueueArns", QUEUES),
        request_timeout_s: Option<i64> = optional("RequestTimeoutSeconds", REQUEST_TIMEOUT),
        acceptance_timeout_s: Option<i64> = optional("AcceptanceTimeoutSeconds", ACCEPTANCE_TIMEOUT),
        acceptance: Option<bool> = optional("AcceptanceRequired", Bool),
        rule_set: Option<String> = optional("RuleSetName", RULE_SET),
        topic: Option<String> = optional("NotificationTarget", TOPIC),
        additional: Option<i64> = optional("AdditionalPlayerCount", WHOLE),
        custom: Option<String> = optional("CustomEventData", CUSTOM),
        properties: Option<Vec<GameProperty>> = optional("GameProperties", GAME_PROPERTIES),
        game_data: Option<String> = optional("GameSessionData", GAME_DATA),
        backfill: Option<BackfillMode> = optional("BackfillMode", BACKFILL),
        mode: Option<FlexMatchMode> = optional("FlexMatchMode", FLEX_MATCH),
    }

    struct CreateInput {
        name: String = required("Name", NAME),
        _request_timeout_s: i64 = required("RequestTimeoutSeconds", REQUEST_TIMEOUT),
        _acceptance: bool = required("AcceptanceRequired", Bool),
        _rule_set: String = required("RuleSetName", RULE_SET),
        tags: Option<Vec<NewTag>> = optional("Tags", TAGS),
    }

    struct NamedInput {
        name: String = required("Name", MATCHMAKER),
    }

    struct CreateRuleSetInput {
        name: String = required("Name", NAME),
        body: String = required("RuleSetBody", BODY),
        tags: Option<Vec<NewTag>> = optional("Tags", TAGS),
    }

    struct NamedRuleSetInput {
        name: String = required("Name", RULE_SET),
    }

    struct ValidateInput {
        body: String = required("RuleSetBody", BODY),
    }
}

fn settings(call: &Call<'_>) -> Result<ConfigurationSettings, ServiceError> {
    let input: Settings = lookup::read(call)?;
    if input.queues.as_ref().is_some_and(|queues| queues.len() > 1) {
        return Err(invalid("A matchmaking configuration supports only one game session queue."));
    }
    let whole = |value: i64| u32::try_from(value).unwrap_or(u32::MAX);
    Ok(ConfigurationSettings {
        description: input.description,
        game_session_queue_arns: input.queues,
        request_timeout_seconds: input.request_timeout_s.map(whole),
        acceptance_timeout_seconds: input.acceptance_timeout_s.map(whole),
        acceptance_required: input.acceptance,
        rule_set_name: input.rule_set,
        notification_target: input.topic,
        additional_player_count: input.additional.map(whole),
        custom_event_data: input.custom,
        game_properties: input.properties,
        game_session_data: input.game_data,
        backfill_mode: input.backfill,
        flex_match_mode: input.mode,
    })
}

fn write(change: &Change<'_>, name: &str, writer: &mut Writer) {
    let mut known = change.world.matchmaking_configurations(change.region);
    let configuration = known.find(|known| known.name == name);
    in_place!({ "Configuration" => configuration }).write(writer);
}

/// `CreateMatchmakingConfiguration`.
pub(super) fn create(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: CreateInput = lookup::read(&change.call())?;
    let settings = settings(&change.call())?;
    change.world.create_configuration(change.region, &input.name, settings, tag::by_key(input.tags)?)?;
    write(change, &input.name, writer);
    Ok(())
}

/// `UpdateMatchmakingConfiguration`.
pub(super) fn update(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: NamedInput = lookup::read(&change.call())?;
    let settings = settings(&change.call())?;
    let name = named(&change.call(), &input.name)?;
    change.world.update_configuration(change.region, &name, settings)?;
    write(change, &name, writer);
    Ok(())
}

/// `DeleteMatchmakingConfiguration`.
pub(super) fn delete(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: NamedInput = lookup::read(&change.call())?;
    let name = named(&change.call(), &input.name)?;
    change.world.delete_configuration(change.region, &name)?;
    listing::write_empty(writer);
    Ok(())
}

/// `CreateMatchmakingRuleSet`.
pub(super) fn create_rule_set(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: CreateRuleSetInput = lookup::read(&change.call())?;
    change.world.create_rule_set(change.region, &input.name, input.body, tag::by_key(input.tags)?)?;
    let known = change.world.matchmaking_rule_sets(change.region).iter();
    let made = known.clone().find(|set| set.rule_set_name == input.name);
    in_place!({ "RuleSet" => made }).write(writer);
    Ok(())
}

/// `DeleteMatchmakingRuleSet`.
pub(super) fn delete_rule_set(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: NamedRuleSetInput = lookup::read(&change.call())?;
    let mut known = change.world.matchmaking_rule_sets(change.region).iter();
    let found = known.find(|set| names(&input.name, &set.rule_set_name, &set.rule_set_arn));
    let name = found.ok_or_else(|| not_found("Rule set", &input.name))?.rule_set_name.clone();
    change.world.delete_rule_set(change.region, &name)?;
    listing::write_empty(writer);
    Ok(())
}

/// `ValidateMatchmakingRuleSet`: reports an invalid rule set as an error.
pub(super) fn validate(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: ValidateInput = lookup::read(call)?;
    World::check_rule_set(&input.body)?;
    in_place!({ "Valid" => true }).write(writer);
    Ok(())
}
