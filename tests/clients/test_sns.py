"""SNS as needed for a connection's event feed and its diagnosis, through boto3."""

import json

import botocore.exceptions
import pytest

from clients import boto
from operations import listed
from simulator import REGION, START, Simulator

ACCOUNT = "111122223333"
TOPIC = f"arn:aws:sns:{REGION}:{ACCOUNT}:gamelift-placements"


@pytest.fixture
def sns(changing):
    return boto(changing.endpoint, "sns")


@pytest.fixture
def sqs(changing):
    return boto(changing.endpoint, "sqs")


def own_queue(sqs, name, source=f"arn:aws:sns:{REGION}:{ACCOUNT}:*"):
    """Creates a queue that accepts messages from topics; returns its URL and its ARN."""
    url = sqs.create_queue(QueueName=name)["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    statement = {
        "Effect": "Allow",
        "Principal": {"Service": "sns.amazonaws.com"},
        "Action": "sqs:SendMessage",
        "Resource": arn,
        "Condition": {"ArnEquals": {"aws:SourceArn": source}},
    }
    policy = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    sqs.set_queue_attributes(QueueUrl=url, Attributes={"Policy": policy})
    return url, arn


def bodies(sqs, url):
    found = []
    while messages := sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages"):
        found += [message["Body"] for message in messages]
        for message in messages:
            sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
    return found


def refused(call, **parameters):
    with pytest.raises(botocore.exceptions.ClientError) as caught:
        call(**parameters)
    return caught.value.response["Error"]["Code"]


def test_the_feed_of_a_region_can_be_followed_from_topic_to_queue(changing, sns):
    # Other tests create topics of their own.
    topics = [topic["TopicArn"] for topic in sns.list_topics()["Topics"] if ":gamelift-" in topic["TopicArn"]]
    assert TOPIC in topics and len(topics) == 3
    attributes = sns.get_topic_attributes(TopicArn=TOPIC)["Attributes"]
    assert attributes["SubscriptionsConfirmed"] == "1" and json.loads(attributes["Policy"])["Statement"]
    mine = sns.list_subscriptions_by_topic(TopicArn=TOPIC)["Subscriptions"]
    assert [(one["Protocol"], one["TopicArn"]) for one in mine] == [("sqs", TOPIC)]
    assert mine[0]["Endpoint"].rsplit(":", 1)[1] == changing.ready["event_queues"][REGION].rsplit("/", 1)[1]
    everything = [one for one in sns.list_subscriptions()["Subscriptions"] if one["TopicArn"] in topics]
    assert len(everything) == len(topics) and mine[0] in everything
    about = sns.get_subscription_attributes(SubscriptionArn=mine[0]["SubscriptionArn"])["Attributes"]
    assert (about["RawMessageDelivery"], about["PendingConfirmation"]) == ("false", "false")


def test_a_second_queue_gets_its_own_copy_raw_and_filtered(changing, sns, sqs):
    url, arn = own_queue(sqs, "second")
    scope = {"FilterPolicyScope": "MessageBody", "RawMessageDelivery": "true"}
    subscription = sns.subscribe(TopicArn=TOPIC, Protocol="sqs", Endpoint=arn, Attributes=scope)["SubscriptionArn"]
    wanted = json.dumps({"detail": {"type": ["PlacementFulfilled"]}})
    sns.set_subscription_attributes(SubscriptionArn=subscription, AttributeName="FilterPolicy", AttributeValue=wanted)
    changing.post("advance", {"seconds": 300})
    events = [json.loads(body) for body in bodies(sqs, url)]
    assert len(events) > 3
    assert {event["detail"]["type"] for event in events} == {"PlacementFulfilled"}
    sns.unsubscribe(SubscriptionArn=subscription)
    changing.post("advance", {"seconds": 60})
    assert not bodies(sqs, url)


def test_what_is_published_arrives_where_the_policy_lets_it_in(sns, sqs):
    topic = sns.create_topic(Name="own")["TopicArn"]
    assert sns.create_topic(Name="own")["TopicArn"] == topic
    let_in, shut_out = own_queue(sqs, "let-in", topic), own_queue(sqs, "shut-out", topic + "-other")
    for _, arn in [let_in, shut_out]:
        sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn, ReturnSubscriptionArn=True)
    attributes = {"kind": {"DataType": "String", "StringValue": "greeting"}}
    sent = sns.publish(TopicArn=topic, Message="hello <&>", Subject="s", MessageAttributes=attributes)["MessageId"]
    envelope = json.loads(bodies(sqs, let_in[0])[0])
    assert (envelope["Type"], envelope["MessageId"], envelope["Message"]) == ("Notification", sent, "hello <&>")
    assert envelope["MessageAttributes"]["kind"] == {"Type": "String", "Value": "greeting"}
    assert not bodies(sqs, shut_out[0])


def test_a_fifo_topic_keeps_order_all_the_way_and_drops_repetitions(changing, sns, sqs):
    topic = sns.create_topic(Name="ordered.fifo", Attributes={"FifoTopic": "true"})["TopicArn"]
    url = sqs.create_queue(QueueName="ordered.fifo", Attributes={"FifoQueue": "true"})["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    statement = {"Effect": "Allow", "Principal": {"Service": "sns.amazonaws.com"}, "Action": "sqs:SendMessage"}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [statement | {"Resource": arn}]})
    sqs.set_queue_attributes(QueueUrl=url, Attributes={"Policy": policy})
    assert refused(sns.subscribe, TopicArn=TOPIC, Protocol="sqs", Endpoint=arn) == "InvalidParameter"
    sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn, Attributes={"RawMessageDelivery": "true"})
    assert refused(sns.publish, TopicArn=topic, Message="a") == "InvalidParameter"
    assert refused(sns.publish, TopicArn=topic, Message="a", MessageGroupId="g") == "InvalidParameter"
    sent = [
        sns.publish(TopicArn=topic, Message=body, MessageGroupId="g", MessageDeduplicationId=body)
        for body in ["a", "a", "b"]
    ]
    assert sent[0]["SequenceNumber"] < sent[2]["SequenceNumber"]
    for body in ["a", "b"]:
        (message,) = sqs.receive_message(QueueUrl=url, AttributeNames=["All"], MaxNumberOfMessages=1)["Messages"]
        about = message["Attributes"]
        assert (message["Body"], about["MessageGroupId"], about["MessageDeduplicationId"]) == (body, "g", body)
        assert about["SequenceNumber"]
        sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
    assert bodies(sqs, url) == []
    # The events of a game session queue take the same path.
    gamelift, queue = boto(changing.endpoint, "gamelift"), "ordered-events"
    gamelift.create_game_session_queue(Name=queue, TimeoutInSeconds=10, NotificationTarget=topic)
    for placement in ["ordered-1", "ordered-2"]:
        gamelift.start_game_session_placement(
            PlacementId=placement, GameSessionQueueName=queue, MaximumPlayerSessionCount=2
        )
        gamelift.stop_game_session_placement(PlacementId=placement)
        changing.post("advance", {"seconds": 1})
    events = [json.loads(body) for body in bodies(sqs, url)]
    assert [event["detail"]["placementId"] for event in events] == ["ordered-1", "ordered-2"]
    sns.delete_topic(TopicArn=topic)


def test_bad_requests_have_the_codes_of_the_service(sns):
    nowhere = TOPIC + "-nowhere"
    assert refused(sns.get_topic_attributes, TopicArn=nowhere) == "NotFound"
    assert refused(sns.list_subscriptions_by_topic, TopicArn=nowhere) == "NotFound"
    assert refused(sns.publish, TopicArn=nowhere, Message="x") == "NotFound"
    assert refused(sns.publish, TopicArn=TOPIC, Message="") == "InvalidParameter"
    assert refused(sns.publish, TopicArn="here", Message="x") == "InvalidParameter"
    assert refused(sns.create_topic, Name="a b") == "InvalidParameter"
    assert refused(sns.create_topic, Name="a.fifo") == "InvalidParameter"
    assert refused(sns.create_topic, Name="a", Attributes={"FifoTopic": "true"}) == "InvalidParameter"
    senseless = {"FilterPolicy": json.dumps({"kind": [{"sounds-like": "a"}]})}
    here = {"TopicArn": TOPIC, "Protocol": "sqs", "Endpoint": f"arn:aws:sqs:{REGION}:{ACCOUNT}:x"}
    assert refused(sns.subscribe, **here, Attributes=senseless) == "InvalidParameter"
    assert refused(sns.subscribe, TopicArn=TOPIC, Protocol="pigeon", Endpoint="x") == "InvalidParameter"
    assert refused(sns.create_topic, Name="gamelift-placements", Attributes={"DisplayName": "x"}) == "InvalidParameter"
    bad = {"RawMessageDelivery": "perhaps"}
    sqs_arn = f"arn:aws:sqs:{REGION}:{ACCOUNT}:x"
    assert refused(sns.subscribe, TopicArn=TOPIC, Protocol="sqs", Endpoint=sqs_arn, Attributes=bad) == "InvalidParameter"
    assert refused(sns.get_subscription_attributes, SubscriptionArn=TOPIC + ":none") == "NotFound"


def test_a_topic_lives_from_creation_to_deletion_through_every_operation(changing):
    region = "ap-northeast-1"
    sns, sqs = boto(changing.endpoint, "sns", region), boto(changing.endpoint, "sqs", region)
    topic = sns.create_topic(Name="short")["TopicArn"]
    sns.set_topic_attributes(TopicArn=topic, AttributeName="DisplayName", AttributeValue="Short")
    assert sns.get_topic_attributes(TopicArn=topic)["Attributes"]["DisplayName"] == "Short"
    assert topic in [one["TopicArn"] for one in sns.list_topics()["Topics"]]
    url, arn = own_queue(sqs, "short", f"arn:aws:sns:{region}:{ACCOUNT}:*")
    wanted = {"TopicArn": topic, "Protocol": "sqs", "Endpoint": arn}
    subscription = sns.subscribe(**wanted)["SubscriptionArn"]
    for attributes in [{}, {"RawMessageDelivery": "false"}]:
        assert sns.subscribe(**wanted, Attributes=attributes)["SubscriptionArn"] == subscription
    assert refused(sns.subscribe, **wanted, Attributes={"RawMessageDelivery": "true"}) == "InvalidParameter"
    raw = {"AttributeName": "RawMessageDelivery", "AttributeValue": "true"}
    sns.set_subscription_attributes(SubscriptionArn=subscription, **raw)
    shown = sns.get_subscription_attributes(SubscriptionArn=subscription)["Attributes"]
    assert (shown["RawMessageDelivery"], shown["Endpoint"]) == ("true", arn)
    for found in [sns.list_subscriptions_by_topic(TopicArn=topic), sns.list_subscriptions()]:
        assert subscription in [one["SubscriptionArn"] for one in found["Subscriptions"]]
    sns.publish(TopicArn=topic, Message="raw")
    assert bodies(sqs, url) == ["raw"]
    sns.unsubscribe(SubscriptionArn=subscription)
    sns.publish(TopicArn=topic, Message="to nobody")
    assert bodies(sqs, url) == []
    sns.delete_topic(TopicArn=topic)
    assert refused(sns.get_topic_attributes, TopicArn=topic) == "NotFound"
    asked = {name for name in changing.get("calls")[region] if name.startswith("sns:")}
    assert {name.removeprefix("sns:") for name in asked} == listed("sns")


def test_a_broken_feed_is_broken_in_each_region_in_its_own_way():
    with Simulator("--speed", "0", "--start", START, "--scenario", "feed-broken") as simulator:
        simulator.post("advance", {"seconds": 120})
        found = {}
        for region, url in simulator.ready["event_queues"].items():
            sns, sqs = boto(simulator.endpoint, "sns", region), boto(simulator.endpoint, "sqs", region)
            policy = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["Policy"])["Attributes"]["Policy"]
            subscribed = len(sns.list_subscriptions()["Subscriptions"])
            found[region] = (bodies(sqs, url), subscribed, len(json.loads(policy)["Statement"]))
    received, subscribed, statements = found["eu-west-1"]
    assert (received, subscribed) == ([], 0) and statements
    received, subscribed, statements = found["ap-northeast-1"]
    assert (received, statements) == ([], 0) and subscribed
    received, subscribed, statements = found["us-east-1"]
    rubbish = [body for body in received if "aws.gamelift" not in body]
    assert len(rubbish) > 5 and len(received) > len(rubbish) and subscribed and statements
