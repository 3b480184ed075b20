//! The inputs of the operations on rules and targets.

use std::collections::BTreeMap;

use crate::service::ServiceError;
use crate::wire::{FromWire, Integer, Items, Map, Nested, Text, Value, input, read_input};

static NAME: Text = Text::matching(1, 64, r"^[\.\-_A-Za-z0-9]+$");
static BUS: Text = Text::matching(
    1,
    1_600,
    r"^(arn:aws[\w-]*:events:[a-z]+-[a-z]+-[\w-]+:[0-9]{12}:event-bus/)?[/\.\-_A-Za-z0-9]+$",
);
static ARN: Text = Text::length(1, 1_600);
static TOKEN: Text = Text::length(1, 2_048);
static LIMIT: Integer = Integer::between(1, 100);
static STATE: Text = Text::one_of(&["ENABLED", "DISABLED", "ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS"]);
static ANY: Text = Text::any();

input! {
    pub(super) struct NamedInput {
        name: String = required("Name", NAME),
        bus: Option<String> = optional("EventBusName", BUS),
    }

    pub(super) struct PutRuleInput {
        name: String = required("Name", NAME),
        bus: Option<String> = optional("EventBusName", BUS),
        pattern: Option<String> = optional("EventPattern", Text::length(0, 4_096)),
        schedule: Option<String> = optional("ScheduleExpression", Text::length(0, 256)),
        state: Option<String> = optional("State", STATE),
        description: Option<String> = optional("Description", Text::length(0, 512)),
        role_arn: Option<String> = optional("RoleArn", ARN),
    }

    pub(super) struct ListRulesInput {
        prefix: Option<String> = optional("NamePrefix", NAME),
        bus: Option<String> = optional("EventBusName", BUS),
        limit: Option<i64> = optional("Limit", LIMIT),
        token: Option<String> = optional("NextToken", TOKEN),
    }

    pub(super) struct ByTargetInput {
        target: String = required("TargetArn", ARN),
        bus: Option<String> = optional("EventBusName", BUS),
        limit: Option<i64> = optional("Limit", LIMIT),
        token: Option<String> = optional("NextToken", TOKEN),
    }

    pub(super) struct ListTargetsInput {
        rule: String = required("Rule", NAME),
        bus: Option<String> = optional("EventBusName", BUS),
        limit: Option<i64> = optional("Limit", LIMIT),
        token: Option<String> = optional("NextToken", TOKEN),
    }

    pub(super) struct PutTargetsInput {
        rule: String = required("Rule", NAME),
        bus: Option<String> = optional("EventBusName", BUS),
        targets: Vec<TargetInput> =
            required("Targets", Items { each: &Nested::<TargetInput>::new(), min: 1, max: 100 }),
    }

    pub(super) struct RemoveTargetsInput {
        rule: String = required("Rule", NAME),
        bus: Option<String> = optional("EventBusName", BUS),
        ids: Vec<String> = required("Ids", Items { each: &NAME, min: 1, max: 100 }),
    }

    pub(super) struct TargetInput {
        id: String = required("Id", NAME),
        arn: String = required("Arn", ARN),
        role_arn: Option<String> = optional("RoleArn", ARN),
        input: Option<String> = optional("Input", Text::length(0, 8_192)),
        path: Option<String> = optional("InputPath", Text::length(0, 256)),
        transformer: Option<TransformerInput> =
            optional("InputTransformer", Nested::<TransformerInput>::new()),
        sqs: Option<SqsInput> = optional("SqsParameters", Nested::<SqsInput>::new()),
    }

    pub(super) struct TransformerInput {
        paths: Option<BTreeMap<String, String>> = optional("InputPathsMap", Map { key: &ANY, each: &ANY }),
        template: String = required("InputTemplate", Text::length(1, 8_192)),
    }

    pub(super) struct SqsInput {
        group: Option<String> = optional("MessageGroupId", Text::length(0, 100)),
    }
}

/// Reads the typed input of a body, or reports what is wrong with it.
pub(super) fn read<T: FromWire>(body: &Value) -> Result<T, ServiceError> {
    read_input(body).map_err(|problems| {
        if problems.unreadable() {
            return ServiceError::unreadable(&problems);
        }
        ServiceError::new("ValidationException", &problems)
    })
}
