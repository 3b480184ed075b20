"""The event queues, read as a consumer reads them."""

import hashlib
import json
import time

import pytest

from clients import ask_json, boto
from model import problems, service
from operations import listed

MODEL = service("sqs")


@pytest.fixture
def queue(changing, request):
    """Returns a client and the URL of the test's own queue."""
    client = boto(changing.endpoint, "sqs")
    return client, client.create_queue(QueueName=request.node.name[:80])["QueueUrl"]


@pytest.fixture(scope="module")
def waiting(changing):
    """The messages in an event queue before any test reads from it, removed from the queue."""
    return drained(boto(changing.endpoint, "sqs", "us-east-1"), changing.ready["event_queues"]["us-east-1"])


def drained(client, url):
    """Returns all messages of a queue and deletes them."""
    found = []
    while messages := client.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages"):
        found += messages
        entries = [{"Id": str(at), "ReceiptHandle": m["ReceiptHandle"]} for at, m in enumerate(messages)]
        assert not client.delete_message_batch(QueueUrl=url, Entries=entries).get("Failed")
    return found


def event(body):
    """Returns the event in a body, and whether it was wrapped in an SNS notification."""
    outer = json.loads(body)
    return (json.loads(outer["Message"]), True) if outer.get("Type") == "Notification" else (outer, False)


def test_events_of_the_last_hour_wait_and_new_ones_follow(changing, waiting):
    client, url = boto(changing.endpoint, "sqs", "us-east-1"), changing.ready["event_queues"]["us-east-1"]
    assert len(waiting) > 20
    changing.post("advance", {"seconds": 600})
    new = drained(client, url)
    assert new
    seen, wrapped = set(), set()
    for message in waiting + new:
        told, in_envelope = event(message["Body"])
        assert told["source"] == "aws.gamelift" and told["account"] == "111122223333"
        assert told["region"] == "us-east-1" and len(told["resources"]) == 1
        seen.add((told["detail-type"], told["detail"]["type"]))
        wrapped.add((told["resources"][0], in_envelope))
        if told["detail"]["type"] == "PlacementFulfilled":
            assert isinstance(told["detail"]["port"], str) and told["detail"]["gameSessionArn"]
        if told["detail"]["type"] == "MatchmakingSucceeded":
            assert isinstance(told["detail"]["gameSessionInfo"]["port"], int)
    assert ("GameLift Queue Placement Event", "PlacementFulfilled") in seen
    assert ("GameLift Matchmaking Event", "MatchmakingSucceeded") in seen
    assert len({resource for resource, _ in wrapped}) == len(wrapped), "a resource takes one route"


def test_both_envelopes_are_seen_over_all_regions(changing, waiting):
    routes = set()
    for region, url in changing.ready["event_queues"].items():
        client = boto(changing.endpoint, "sqs", region)
        client.send_message(QueueUrl=url, MessageBody='{"detail-type": "other", "detail": {}}')
        changing.post("advance", {"seconds": 120})
        for message in drained(client, url):
            told, in_envelope = event(message["Body"])
            routes.add((told["detail-type"], in_envelope))
    assert {("GameLift Queue Placement Event", True), ("GameLift Queue Placement Event", False)} <= routes
    assert ("GameLift Matchmaking Event", False) in routes


def test_answers_of_every_operation_fit_the_model(queue):
    client, url = queue
    sent = {"QueueUrl": url, "VisibilityTimeout": 600}
    for body in ["one", "two", "three"]:
        client.send_message(QueueUrl=url, MessageBody=body)
    handles = [client.receive_message(**sent)["Messages"][0]["ReceiptHandle"] for _ in range(3)]
    calls = [
        ("CreateQueue", {"QueueName": "fits"}),
        ("SetQueueAttributes", {"QueueUrl": url, "Attributes": {"DelaySeconds": "0"}}),
        ("ChangeMessageVisibility", {"QueueUrl": url, "ReceiptHandle": handles[0], "VisibilityTimeout": 60}),
        ("DeleteMessage", {"QueueUrl": url, "ReceiptHandle": handles[1]}),
        ("DeleteMessageBatch", {"QueueUrl": url, "Entries": [{"Id": "a", "ReceiptHandle": handles[2]}]}),
        ("GetQueueUrl", {"QueueName": url.rsplit("/", 1)[1]}),
        ("ListQueues", {"QueueNamePrefix": "liftdeck", "MaxResults": 5}),
        ("GetQueueAttributes", {"QueueUrl": url, "AttributeNames": ["All"]}),
        ("SendMessage", {"QueueUrl": url, "MessageBody": "more"}),
        (
            "ReceiveMessage",
            {"QueueUrl": url, "MessageSystemAttributeNames": ["All"], "MaxNumberOfMessages": 10, "VisibilityTimeout": 0},
        ),
        ("ReceiveMessage", {"QueueUrl": url, "VisibilityTimeout": 0}),
        ("ChangeMessageVisibilityBatch", {"QueueUrl": url, "Entries": [{"Id": "a", "ReceiptHandle": "x"}]}),
        ("PurgeQueue", {"QueueUrl": url}),
        ("DeleteQueue", {"QueueUrl": url}),
    ]
    assert {operation for operation, _ in calls} == listed("sqs")
    for operation, parameters in calls:
        answer = ask_json(client, operation, parameters)
        shape = MODEL.operation_model(operation).output_shape
        assert answer.code is None, (operation, answer)
        assert not problems(shape, answer.body, "json") if shape else not answer.body, operation


def test_a_message_comes_back_until_it_is_deleted(queue):
    client, url = queue
    body = '{"no": "event", "quote": "\u00e9"}'
    attributes = {"kind": {"DataType": "String", "StringValue": "odd"}}
    sent = client.send_message(QueueUrl=url, MessageBody=body, MessageAttributes=attributes)
    assert sent["MD5OfMessageBody"] == hashlib.md5(body.encode()).hexdigest()
    take = {"QueueUrl": url, "AttributeNames": ["All"], "MessageAttributeNames": ["All"]}
    first = client.receive_message(**take, VisibilityTimeout=600)["Messages"][0]
    assert first["MessageAttributes"] == attributes
    assert first["MD5OfMessageAttributes"] == sent["MD5OfMessageAttributes"]
    assert "Messages" not in client.receive_message(**take)
    client.change_message_visibility(QueueUrl=url, ReceiptHandle=first["ReceiptHandle"], VisibilityTimeout=1)
    handles = {first["ReceiptHandle"]}
    # It becomes visible again after its visibility timeout, whether set later or on receipt.
    for count, hidden in [("2", 1), ("3", 600)]:
        again = client.receive_message(**take, WaitTimeSeconds=20, VisibilityTimeout=hidden)["Messages"][0]
        assert again["MessageId"] == first["MessageId"] and again["ReceiptHandle"] not in handles
        assert again["Attributes"]["ApproximateReceiveCount"] == count
        handles.add(again["ReceiptHandle"])
    client.delete_message(QueueUrl=url, ReceiptHandle=first["ReceiptHandle"])
    client.change_message_visibility(QueueUrl=url, ReceiptHandle=again["ReceiptHandle"], VisibilityTimeout=0)
    third = client.receive_message(**take)["Messages"][0]
    client.delete_message(QueueUrl=url, ReceiptHandle=third["ReceiptHandle"])
    assert "Messages" not in client.receive_message(**take)
    counts = client.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]
    assert counts["ApproximateNumberOfMessages"] == counts["ApproximateNumberOfMessagesNotVisible"] == "0"


def test_a_queue_delivers_twice_when_the_fault_plan_says_so(changing, queue):
    client, url = queue
    client.send_message(QueueUrl=url, MessageBody="once")
    changing.post("faults", {"fault": [{"operation": "sqs:ReceiveMessage", "kind": "duplicate", "count": 1}]})
    first = client.receive_message(QueueUrl=url)["Messages"][0]
    second = client.receive_message(QueueUrl=url)["Messages"][0]
    assert first["MessageId"] == second["MessageId"]
    client.delete_message(QueueUrl=url, ReceiptHandle=second["ReceiptHandle"])
    assert "Messages" not in client.receive_message(QueueUrl=url)


def test_a_long_poll_ends_when_a_message_comes(queue):
    client, url = queue
    began = time.monotonic()
    assert "Messages" not in client.receive_message(QueueUrl=url, WaitTimeSeconds=1)
    assert time.monotonic() - began > 0.9
    began = time.monotonic()
    client.send_message(QueueUrl=url, MessageBody="soon", DelaySeconds=1)
    assert client.receive_message(QueueUrl=url, WaitTimeSeconds=20)["Messages"][0]["Body"] == "soon"
    assert 0.9 < time.monotonic() - began < 19, "neither before the delay nor at the end of the poll"


def test_bad_requests_have_the_codes_of_the_service(queue):
    client, url = queue
    nowhere = url + "-nowhere"
    entry = {"Id": "a", "ReceiptHandle": "x"}
    labelled = {"DataType": "String.label", "StringValue": "b"}
    bad = [
        ("ReceiveMessage", {"QueueUrl": nowhere}, "AWS.SimpleQueueService.NonExistentQueue"),
        ("ReceiveMessage", {}, "MissingParameter"),
        ("ReceiveMessage", {"QueueUrl": url, "MaxNumberOfMessages": 11}, "InvalidParameterValue"),
        ("ReceiveMessage", {"QueueUrl": url, "WaitTimeSeconds": 21}, "InvalidParameterValue"),
        ("DeleteMessage", {"QueueUrl": url, "ReceiptHandle": "x"}, "ReceiptHandleIsInvalid"),
        ("DeleteMessageBatch", {"QueueUrl": url, "Entries": []}, "AWS.SimpleQueueService.EmptyBatchRequest"),
        (
            "DeleteMessageBatch",
            {"QueueUrl": url, "Entries": [{"Id": str(n), "ReceiptHandle": "x"} for n in range(11)]},
            "AWS.SimpleQueueService.TooManyEntriesInBatchRequest",
        ),
        (
            "DeleteMessageBatch",
            {"QueueUrl": url, "Entries": [entry, entry]},
            "AWS.SimpleQueueService.BatchEntryIdsNotDistinct",
        ),
        (
            "DeleteMessageBatch",
            {"QueueUrl": url, "Entries": [entry | {"Id": "a b"}]},
            "AWS.SimpleQueueService.InvalidBatchEntryId",
        ),
        ("GetQueueAttributes", {"QueueUrl": url, "AttributeNames": ["Colour"]}, "InvalidAttributeName"),
        ("GetQueueUrl", {"QueueName": "nowhere"}, "AWS.SimpleQueueService.NonExistentQueue"),
        ("SendMessage", {"QueueUrl": url, "MessageBody": "\u0001"}, "InvalidMessageContents"),
        ("SendMessage", {"QueueUrl": url, "MessageBody": ""}, "MissingParameter"),
        ("PurgeQueue", {"QueueUrl": nowhere}, "AWS.SimpleQueueService.NonExistentQueue"),
        ("CreateQueue", {"QueueName": "a b"}, "InvalidParameterValue"),
        ("CreateQueue", {"QueueName": "a.fifo"}, "InvalidParameterValue"),
        ("CreateQueue", {"QueueName": "a", "Attributes": {"Colour": "red"}}, "InvalidAttributeName"),
        ("CreateQueue", {"QueueName": "a", "Attributes": {"FifoQueue": "false"}}, "InvalidAttributeName"),
        ("CreateQueue", {"QueueName": "a", "Attributes": {"ContentBasedDeduplication": "true"}}, "InvalidAttributeName"),
        ("SetQueueAttributes", {"QueueUrl": url, "Attributes": {"DelaySeconds": "901"}}, "InvalidAttributeValue"),
        ("SendMessage", {"QueueUrl": url, "MessageBody": "a", "MessageDeduplicationId": "a"}, "InvalidParameterValue"),
        (
            "SendMessage",
            {"QueueUrl": url, "MessageBody": "a", "MessageAttributes": {f"a{n}": labelled for n in range(11)}},
            "InvalidParameterValue",
        ),
        (
            "SendMessage",
            {"QueueUrl": url, "MessageBody": "a", "MessageAttributes": {"a": labelled | {"DataType": "Text"}}},
            "InvalidParameterValue",
        ),
        (
            "SendMessage",
            {"QueueUrl": url, "MessageBody": "a", "MessageAttributes": {"a": {"DataType": "String", "StringValue": ""}}},
            "InvalidParameterValue",
        ),
        ("TagQueue", {"QueueUrl": url, "Tags": {}}, "UnknownOperationException"),
    ]
    for operation, parameters, code in bad:
        answer = ask_json(client, operation, parameters)
        assert answer.code == code and answer.status in (400, 404), (operation, parameters, answer)
    client.send_message(QueueUrl=url, MessageBody="shown")
    handle = client.receive_message(QueueUrl=url)["Messages"][0]["ReceiptHandle"]
    client.change_message_visibility(QueueUrl=url, ReceiptHandle=handle, VisibilityTimeout=0)
    late = {"QueueUrl": url, "ReceiptHandle": handle, "VisibilityTimeout": 5}
    assert ask_json(client, "ChangeMessageVisibility", late).code == "AWS.SimpleQueueService.MessageNotInflight"


def test_a_queue_is_made_changed_emptied_and_deleted(changing, queue):
    client, _ = queue
    url = client.create_queue(QueueName="made", Attributes={"VisibilityTimeout": "7"})["QueueUrl"]
    assert client.create_queue(QueueName="made", Attributes={"VisibilityTimeout": "7"})["QueueUrl"] == url
    again = ask_json(client, "CreateQueue", {"QueueName": "made", "Attributes": {"VisibilityTimeout": "8"}})
    assert again.code == "QueueAlreadyExists"
    client.set_queue_attributes(QueueUrl=url, Attributes={"DelaySeconds": "0", "MessageRetentionPeriod": "600"})
    shown = client.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]
    assert (shown["VisibilityTimeout"], shown["MessageRetentionPeriod"]) == ("7", "600")
    assert {"QueueArn", "CreatedTimestamp", "LastModifiedTimestamp"} <= set(shown) and "Policy" not in shown
    assert url in client.list_queues(QueueNamePrefix="ma")["QueueUrls"]
    client.send_message(QueueUrl=url, MessageBody="gone")
    client.purge_queue(QueueUrl=url)
    assert "Messages" not in client.receive_message(QueueUrl=url)
    twice = ask_json(client, "PurgeQueue", {"QueueUrl": url})
    assert twice.code == "AWS.SimpleQueueService.PurgeQueueInProgress"
    client.delete_queue(QueueUrl=url)
    assert ask_json(client, "ReceiveMessage", {"QueueUrl": url}).code == "AWS.SimpleQueueService.NonExistentQueue"
    # A deleted queue's name cannot be reused for a minute in its Region, and only there.
    soon = ask_json(client, "CreateQueue", {"QueueName": "made"})
    assert soon.code == "AWS.SimpleQueueService.QueueDeletedRecently"
    assert boto(changing.endpoint, "sqs", "us-east-1").create_queue(QueueName="made")["QueueUrl"]


def test_listed_queues_come_in_pages(queue):
    client, _ = queue
    assert "QueueUrls" not in client.list_queues(QueueNamePrefix="page-")
    made = [client.create_queue(QueueName=f"page-{n}")["QueueUrl"] for n in range(3)]
    pages = list(client.get_paginator("list_queues").paginate(QueueNamePrefix="page-", PaginationConfig={"PageSize": 2}))
    assert [len(page["QueueUrls"]) for page in pages] == [2, 1]
    assert sorted(url for page in pages for url in page["QueueUrls"]) == sorted(made)


def test_a_fifo_queue_keeps_order_and_drops_repetitions(queue):
    client, _ = queue
    attributes = {"FifoQueue": "true", "ContentBasedDeduplication": "true"}
    url = client.create_queue(QueueName="order.fifo", Attributes=attributes)["QueueUrl"]
    sent = [client.send_message(QueueUrl=url, MessageBody=body, MessageGroupId="g") for body in ["a", "b", "a"]]
    assert sent[0]["MessageId"] == sent[2]["MessageId"] and sent[0]["SequenceNumber"] < sent[1]["SequenceNumber"]
    first = client.receive_message(QueueUrl=url, AttributeNames=["All"])["Messages"][0]
    assert (first["Body"], first["Attributes"]["MessageGroupId"]) == ("a", "g")
    assert "Messages" not in client.receive_message(QueueUrl=url), "the group waits"
    client.delete_message(QueueUrl=url, ReceiptHandle=first["ReceiptHandle"])
    assert client.receive_message(QueueUrl=url)["Messages"][0]["Body"] == "b"
    delayed = {"QueueUrl": url, "MessageBody": "c", "MessageGroupId": "g", "DelaySeconds": 1}
    assert ask_json(client, "SendMessage", delayed).code == "InvalidParameterValue", "only the queue delays"
    groupless = ask_json(client, "SendMessage", {"QueueUrl": url, "MessageBody": "c"})
    assert groupless.code == "MissingParameter"


def test_what_is_received_too_often_goes_to_the_dead_letter_queue(queue):
    client, _ = queue
    dead = client.create_queue(QueueName="dead")["QueueUrl"]
    arn = client.get_queue_attributes(QueueUrl=dead, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    policy = json.dumps({"deadLetterTargetArn": arn, "maxReceiveCount": "2"})
    url = client.create_queue(QueueName="alive", Attributes={"RedrivePolicy": policy})["QueueUrl"]
    client.send_message(QueueUrl=url, MessageBody="poison")
    for _ in range(2):
        assert client.receive_message(QueueUrl=url, VisibilityTimeout=0)["Messages"][0]["Body"] == "poison"
    assert "Messages" not in client.receive_message(QueueUrl=url)
    found = client.receive_message(QueueUrl=dead, AttributeNames=["All"])["Messages"][0]
    assert found["Body"] == "poison" and found["Attributes"]["DeadLetterQueueSourceArn"].endswith(":alive")
    nowhere = json.dumps({"deadLetterTargetArn": arn + "-nowhere", "maxReceiveCount": 2})
    bad = ask_json(client, "SetQueueAttributes", {"QueueUrl": url, "Attributes": {"RedrivePolicy": nowhere}})
    assert bad.code == "InvalidParameterValue"
