"""EventBridge through boto3, and every way in which events do not reach the queue of a connection."""

import json

import pytest

from clients import ask_json, boto
from model import declared_errors, problems, service
from operations import listed
from simulator import REGION, START, Simulator
from test_sns import ACCOUNT, TOPIC, bodies, own_queue

MODEL = service("events")
PLACEMENT = "GameLift Queue Placement Event"


@pytest.fixture(scope="module")
def world():
    """A world whose changes are on the bus at once."""
    options = ("--trail-delay", "0", "--trail-missing", "0", "--trail-events", "--no-throttle")
    with Simulator("--speed", "0", "--start", START, *options) as simulator:
        yield simulator


@pytest.fixture
def events(world):
    return boto(world.endpoint, "events")


@pytest.fixture
def sqs(world):
    return boto(world.endpoint, "sqs")


@pytest.fixture
def gamelift(world):
    return boto(world.endpoint, "gamelift")


def ask(client, operation, **parameters):
    """Calls an operation; its answer has to fit the model."""
    answer, model = ask_json(client, operation, parameters), MODEL.operation_model(operation)
    assert answer.code is None, answer.body
    if model.output_shape is None:
        assert answer.body is None
        return None
    wrong = problems(model.output_shape, answer.body, "json")
    # The service lists the targets of a rule without any as an empty list, which its model does not allow for.
    assert [line for line in wrong if line != "ListTargetsByRuleResponse.Targets: 0 is less than 1"] == []
    return answer.body


def refusal(client, operation, **parameters):
    answer = ask_json(client, operation, parameters)
    common = {"ValidationException": 400, "SerializationException": 400}
    assert answer.status == (declared_errors(MODEL.operation_model(operation)) | common)[answer.code]
    return answer.code, answer.body["message"]


def place(world, gamelift, queue, name, **more):
    """Creates a game session queue, and has a placement in it end."""
    gamelift.create_game_session_queue(Name=queue, TimeoutInSeconds=10, **more)
    again(world, gamelift, queue, name)


def again(world, gamelift, queue, name):
    """Has another placement end."""
    gamelift.start_game_session_placement(PlacementId=name, GameSessionQueueName=queue, MaximumPlayerSessionCount=2)
    gamelift.stop_game_session_placement(PlacementId=name)
    world.post("advance", {"seconds": 1})


def queue_for_rules(sqs, name, source=f"arn:aws:events:{REGION}:{ACCOUNT}:rule/*"):
    """Creates a queue that accepts events from rules; returns its URL and its ARN."""
    url, arn = own_queue(sqs, name)
    policy = json.loads(sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["Policy"])["Attributes"]["Policy"])
    statement = policy["Statement"][0]
    statement["Principal"], statement["Condition"] = (
        {"Service": "events.amazonaws.com"},
        {"ArnEquals": {"aws:SourceArn": source}},
    )
    sqs.set_queue_attributes(QueueUrl=url, Attributes={"Policy": json.dumps(policy)})
    return url, arn


def send(events, rule, pattern, arn, **target):
    ask(events, "PutRule", Name=rule, EventPattern=json.dumps(pattern))
    answer = ask(events, "PutTargets", Rule=rule, Targets=[{"Id": "queue", "Arn": arn} | target])
    assert answer == {"FailedEntryCount": 0, "FailedEntries": []}


def told(sqs, url):
    """The ids of the placements that arrived at a queue."""
    return [json.loads(body)["detail"]["placementId"] for body in bodies(sqs, url)]


def of(name):
    """A pattern of the placements whose ids begin with a name."""
    return {"source": ["aws.gamelift"], "detail-type": [PLACEMENT], "detail": {"placementId": [{"prefix": name}]}}


def test_the_event_queue_is_the_target_of_the_rules_the_world_comes_with(world, events):
    queue = f"arn:aws:sqs:{REGION}:{ACCOUNT}:liftdeck-events-{REGION}"
    names = ask(events, "ListRuleNamesByTarget", TargetArn=queue)["RuleNames"]
    assert names == ["gamelift-changes", "gamelift-events"]
    rule = ask(events, "DescribeRule", Name="gamelift-events")
    assert (rule["State"], rule["EventBusName"], rule["CreatedBy"]) == ("ENABLED", "default", ACCOUNT)
    pattern = json.loads(rule["EventPattern"])
    assert pattern["source"] == ["aws.gamelift"] and PLACEMENT in pattern["detail-type"]
    [target] = ask(events, "ListTargetsByRule", Rule="gamelift-events")["Targets"]
    assert target == {"Id": "queue", "Arn": queue}


def test_a_rule_lives_from_creation_to_deletion_through_every_operation(world):
    region = "ap-northeast-1"
    client, sqs = boto(world.endpoint, "events", region), boto(world.endpoint, "sqs", region)
    arn = own_queue(sqs, "rules")[1]
    made = ask(client, "PutRule", Name="short", EventPattern='{"source": ["a"]}', Description="d", State="DISABLED")
    assert made["RuleArn"] == f"arn:aws:events:{region}:{ACCOUNT}:rule/short"
    assert ask(client, "ListTargetsByRule", Rule="short") == {"Targets": []}
    targets = [
        {"Id": "plain", "Arn": arn},
        {"Id": "part", "Arn": arn, "InputPath": "$.detail"},
        {
            "Id": "words",
            "Arn": arn,
            "InputTransformer": {"InputPathsMap": {"t": "$.detail.type"}, "InputTemplate": '"<t>"'},
        },
        {"Id": "order", "Arn": arn + ".fifo", "SqsParameters": {"MessageGroupId": "g"}},
    ]
    ask(client, "PutTargets", Rule="short", Targets=targets, EventBusName="default")
    shown = ask(client, "ListTargetsByRule", Rule="short", Limit=3)
    rest = ask(client, "ListTargetsByRule", Rule="short", Limit=3, NextToken=shown["NextToken"])
    by_id = sorted(targets, key=lambda target: target["Id"])
    assert shown["Targets"] + rest["Targets"] == by_id and "NextToken" not in rest
    assert ask(client, "ListRuleNamesByTarget", TargetArn=arn)["RuleNames"] == ["short"]
    assert refusal(client, "DeleteRule", Name="short")[1] == "Rule can't be deleted since it has targets."
    ask(client, "EnableRule", Name="short")
    [rule] = ask(client, "ListRules", NamePrefix="sho")["Rules"]
    assert (rule["State"], rule["Description"], rule["EventPattern"]) == ("ENABLED", "d", '{"source": ["a"]}')
    ask(client, "DisableRule", Name="short")
    ask(client, "PutRule", Name="short", ScheduleExpression="rate(5 minutes)")
    rule = ask(client, "DescribeRule", Name="short")
    assert rule["State"] == "ENABLED" and "Description" not in rule and "EventPattern" not in rule
    ask(client, "RemoveTargets", Rule="short", Ids=[target["Id"] for target in targets])
    ask(client, "DeleteRule", Name="short")
    assert refusal(client, "DescribeRule", Name="short")[0] == "ResourceNotFoundException"
    ask(client, "DeleteRule", Name="short")
    asked = {name.removeprefix("events:") for name in world.get("calls")[region] if name.startswith("events:")}
    assert asked == listed("events")


def test_bad_requests_have_the_codes_of_the_service(events):
    arn = f"arn:aws:sqs:{REGION}:{ACCOUNT}:q"
    ask(events, "PutRule", Name="bad", EventPattern='{"source": ["a"]}')
    target = {"Id": "a", "Arn": arn}
    for operation, parameters, code in [
        ("PutRule", {"Name": "bad"}, "ValidationException"),
        ("PutRule", {"Name": "a b", "EventPattern": '{"source": ["a"]}'}, "ValidationException"),
        ("PutRule", {"Name": "bad", "EventPattern": "{"}, "InvalidEventPatternException"),
        ("PutRule", {"Name": "bad", "EventPattern": "{}"}, "InvalidEventPatternException"),
        ("PutRule", {"Name": "bad", "EventPattern": '{"source": "a"}'}, "InvalidEventPatternException"),
        ("PutRule", {"Name": "bad", "EventPattern": '{"a": [{"like": "b"}]}'}, "InvalidEventPatternException"),
        ("PutRule", {"Name": "bad", "ScheduleExpression": "often"}, "ValidationException"),
        ("PutRule", {"Name": "bad", "State": "ASLEEP", "EventPattern": '{"a": ["b"]}'}, "ValidationException"),
        ("PutTargets", {"Rule": "nowhere", "Targets": [target]}, "ResourceNotFoundException"),
        ("PutTargets", {"Rule": "bad", "Targets": []}, "ValidationException"),
        ("PutTargets", {"Rule": "bad", "Targets": [target | {"Arn": "here"}]}, "ValidationException"),
        ("PutTargets", {"Rule": "bad", "Targets": [target | {"Arn": arn + ".fifo"}]}, "ValidationException"),
        (
            "PutTargets",
            {"Rule": "bad", "Targets": [target | {"Id": str(n)} for n in range(6)]},
            "LimitExceededException",
        ),
        ("PutTargets", {"Rule": "bad", "Targets": [target | {"Input": "1", "InputPath": "$"}]}, "ValidationException"),
        ("RemoveTargets", {"Rule": "nowhere", "Ids": ["a"]}, "ResourceNotFoundException"),
        ("ListRules", {"Limit": 101}, "ValidationException"),
        ("ListRules", {"NextToken": "forged"}, "ValidationException"),
        ("ListRules", {"EventBusName": "other"}, "ResourceNotFoundException"),
        ("ListTargetsByRule", {"Rule": "nowhere"}, "ResourceNotFoundException"),
        ("EnableRule", {"Name": "nowhere"}, "ResourceNotFoundException"),
    ]:
        assert refusal(events, operation, **parameters)[0] == code, (operation, parameters)
    _, message = refusal(events, "PutRule", Name="bad", EventPattern='{"source": "a"}')
    assert message.startswith('Event pattern is not valid. Reason: "source" must be an object or an array')
    assert ask_json(events, "PutEvents", {}).code == "UnknownOperationException"


def test_events_reach_the_targets_of_enabled_rules_that_match(world, events, sqs, gamelift):
    url, arn = queue_for_rules(sqs, "matched")
    send(events, "matched", of("matched-"), arn)
    place(world, gamelift, "matched", "matched-1")
    place(world, gamelift, "unmatched", "other-1")
    [body] = bodies(sqs, url)
    event = json.loads(body)
    assert (event["detail-type"], event["source"]) == (PLACEMENT, "aws.gamelift")
    assert event["detail"]["type"] == "PlacementCancelled"
    ask(events, "DisableRule", Name="matched")
    again(world, gamelift, "matched", "matched-2")
    ask(events, "EnableRule", Name="matched")
    again(world, gamelift, "matched", "matched-3")
    assert told(sqs, url) == ["matched-3"]
    send(events, "matched", of("matched-"), arn, InputPath="$.detail.placementId")
    again(world, gamelift, "matched", "matched-4")
    assert bodies(sqs, url) == ['"matched-4"']
    transformer = {"InputPathsMap": {"id": "$.detail.placementId"}, "InputTemplate": '{"was": <id>}'}
    send(events, "matched", of("matched-"), arn, InputTransformer=transformer)
    again(world, gamelift, "matched", "matched-5")
    assert bodies(sqs, url) == ['{"was": "matched-5"}']


def test_a_queue_takes_events_only_from_the_rules_its_policy_names(world, events, sqs, gamelift):
    shut, arn = queue_for_rules(sqs, "shut", f"arn:aws:events:{REGION}:{ACCOUNT}:rule/another")
    send(events, "shut", of("shut-"), arn)
    place(world, gamelift, "shut", "shut-1")
    assert bodies(sqs, shut) == []
    policy = sqs.get_queue_attributes(QueueUrl=shut, AttributeNames=["Policy"])["Attributes"]["Policy"]
    sqs.set_queue_attributes(QueueUrl=shut, Attributes={"Policy": policy.replace("rule/another", "rule/shut")})
    again(world, gamelift, "shut", "shut-2")
    assert told(sqs, shut) == ["shut-2"]


def test_a_fifo_queue_gets_its_group_from_the_target(world, events, sqs, gamelift):
    fifo = {"FifoQueue": "true", "ContentBasedDeduplication": "true"}
    url = sqs.create_queue(QueueName="ruled.fifo", Attributes=fifo)["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    statement = {"Effect": "Allow", "Principal": {"Service": "events.amazonaws.com"}, "Action": "sqs:SendMessage"}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [statement | {"Resource": arn}]})
    sqs.set_queue_attributes(QueueUrl=url, Attributes={"Policy": policy})
    send(events, "ordered", of("ruled-"), arn, SqsParameters={"MessageGroupId": "g"})
    place(world, gamelift, "ruled", "ruled-1")
    [message] = sqs.receive_message(QueueUrl=url, AttributeNames=["All"])["Messages"]
    assert message["Attributes"]["MessageGroupId"] == "g"


def test_changes_reach_a_rule_for_records_where_there_is_a_trail(world, events, sqs, gamelift):
    url, arn = queue_for_rules(sqs, "changes")
    calls = {"source": ["aws.gamelift"], "detail-type": ["AWS API Call via CloudTrail"]}
    send(events, "own-changes", calls | {"detail": {"eventName": ["CreateGameSessionQueue"]}}, arn)
    gamelift.create_game_session_queue(Name="recorded", TimeoutInSeconds=10)
    gamelift.update_game_session_queue(Name="recorded", TimeoutInSeconds=20)
    world.post("advance", {"seconds": 1})
    [record] = [json.loads(body)["detail"] for body in bodies(sqs, url)]
    assert record["requestParameters"]["name"] == "recorded"


def fed(world, name, **subscription):
    """Creates a topic and a queue subscribed to it; returns the topic, the queue's URL and ARN, the subscription."""
    sns, sqs = boto(world.endpoint, "sns"), boto(world.endpoint, "sqs")
    topic = sns.create_topic(Name=name)["TopicArn"]
    url, arn = own_queue(sqs, name, topic)
    raw = {"RawMessageDelivery": "true"} | subscription
    made = sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn, Attributes=raw, ReturnSubscriptionArn=True)
    return topic, url, arn, made["SubscriptionArn"]


def test_a_queue_without_a_policy_or_with_one_for_another_topic_gets_nothing(world, sqs, gamelift):
    topic, url, _, _ = fed(world, "policed")
    place(world, gamelift, "policed", "policed-1", NotificationTarget=topic)
    assert told(sqs, url) == ["policed-1"]
    policy = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["Policy"])["Attributes"]["Policy"]
    for number, broken in enumerate(["", policy.replace(topic, topic + "-other")]):
        sqs.set_queue_attributes(QueueUrl=url, Attributes={"Policy": broken})
        again(world, gamelift, "policed", f"policed-broken-{number}")
        assert bodies(sqs, url) == []


def test_a_queue_of_two_topics_or_of_topic_and_rule_gets_an_event_twice(world, events, sqs, gamelift):
    topic, url, arn, _ = fed(world, "twice")
    policy = json.loads(sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["Policy"])["Attributes"]["Policy"])
    policy["Statement"] += [{"Effect": "Allow", "Principal": "*", "Action": "sqs:SendMessage", "Resource": arn}]
    sqs.set_queue_attributes(QueueUrl=url, Attributes={"Policy": json.dumps(policy)})
    send(events, "twice", of("twice-"), arn)
    place(world, gamelift, "twice", "twice-1", NotificationTarget=topic)
    assert told(sqs, url) == ["twice-1", "twice-1"]
    sns = boto(world.endpoint, "sns")
    sns.subscribe(TopicArn=TOPIC, Protocol="sqs", Endpoint=arn)
    subscriptions = sns.list_subscriptions()["Subscriptions"]
    assert {one["TopicArn"] for one in subscriptions if one["Endpoint"] == arn} == {topic, TOPIC}


def test_a_resource_without_topic_or_with_one_that_nobody_hears_tells_nobody(world, sqs, gamelift):
    topic, url, _, subscription = fed(world, "mute")
    lonely = boto(world.endpoint, "sns").create_topic(Name="lonely")["TopicArn"]
    place(world, gamelift, "mute", "mute-1", NotificationTarget=topic)
    for number, target in enumerate(["", lonely, topic + "-that-never-was"]):
        gamelift.update_game_session_queue(Name="mute", NotificationTarget=target)
        again(world, gamelift, "mute", f"mute-off-{number}")
    gamelift.update_game_session_queue(Name="mute", NotificationTarget=topic)
    again(world, gamelift, "mute", "mute-2")
    assert told(sqs, url) == ["mute-1", "mute-2"]
    boto(world.endpoint, "sns").unsubscribe(SubscriptionArn=subscription)
    again(world, gamelift, "mute", "mute-3")
    assert bodies(sqs, url) == []
    # A resource of the world falls silent, too: its events were not among those of the rule.
    own = sqs.get_queue_url(QueueName=f"liftdeck-events-{REGION}")["QueueUrl"]
    [first, *_] = gamelift.describe_game_session_queues()["GameSessionQueues"]
    gamelift.update_game_session_queue(Name=first["Name"], NotificationTarget="")
    assert "NotificationTarget" not in gamelift.describe_game_session_queues(Names=[first["Name"]])["GameSessionQueues"][0]
    sqs.purge_queue(QueueUrl=own)
    world.post("advance", {"seconds": 120})
    arrived = [json.loads(body) for body in bodies(sqs, own)]
    arrived = [json.loads(event["Message"]) if "Message" in event else event for event in arrived]
    assert arrived and first["GameSessionQueueArn"] not in {arn for event in arrived for arn in event["resources"]}


def test_a_filter_can_let_nothing_through_and_delivery_can_be_raw_or_not(world, sqs, gamelift):
    topic, url, _, subscription = fed(world, "filtered")
    sns = boto(world.endpoint, "sns")
    place(world, gamelift, "filtered", "filtered-1", NotificationTarget=topic)
    assert told(sqs, url) == ["filtered-1"]
    policy = {"AttributeName": "FilterPolicy", "AttributeValue": json.dumps({"kind": ["never"]})}
    sns.set_subscription_attributes(SubscriptionArn=subscription, **policy)
    again(world, gamelift, "filtered", "filtered-2")
    assert bodies(sqs, url) == []
    sns.set_subscription_attributes(SubscriptionArn=subscription, **policy | {"AttributeValue": ""})
    wrapped = {"AttributeName": "RawMessageDelivery", "AttributeValue": "false"}
    sns.set_subscription_attributes(SubscriptionArn=subscription, **wrapped)
    again(world, gamelift, "filtered", "filtered-3")
    [envelope] = [json.loads(body) for body in bodies(sqs, url)]
    assert (envelope["Type"], envelope["TopicArn"]) == ("Notification", topic)
    assert json.loads(envelope["Message"])["detail"]["placementId"] == "filtered-3"


def test_a_topic_whose_policy_does_not_let_gamelift_publish_is_mute(world, sqs, gamelift):
    topic, url, _, _ = fed(world, "forbidden")
    sns = boto(world.endpoint, "sns")
    publisher = {
        "Effect": "Allow",
        "Principal": {"Service": "gamelift.amazonaws.com"},
        "Action": "SNS:Publish",
        "Resource": topic,
        "Condition": {"ArnLike": {"aws:SourceArn": f"arn:aws:gamelift:{REGION}:{ACCOUNT}:gamesessionqueue/forbidden"}},
    }

    def allow(*statements):
        policy = json.dumps({"Version": "2012-10-17", "Statement": list(statements)})
        sns.set_topic_attributes(TopicArn=topic, AttributeName="Policy", AttributeValue=policy)

    allow(publisher)
    place(world, gamelift, "forbidden", "forbidden-1", NotificationTarget=topic)
    allow(publisher | {"Principal": {"Service": "events.amazonaws.com"}})
    again(world, gamelift, "forbidden", "forbidden-2")
    sns.publish(TopicArn=topic, Message="from the account itself")
    arrived = bodies(sqs, url)
    assert json.loads(arrived[0])["detail"]["placementId"] == "forbidden-1"
    assert arrived[1:] == ["from the account itself"]
    with pytest.raises(sns.exceptions.InvalidParameterException):
        sns.set_topic_attributes(TopicArn=topic, AttributeName="Policy", AttributeValue="open")
