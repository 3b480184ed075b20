"""Creates, changes and deletes game session queues."""

import choose
from simulator import REGION

IR, NF = "InvalidRequestException", "NotFoundException"
CREATE, UPDATE, DELETE = "CreateGameSessionQueue", "UpdateGameSessionQueue", "DeleteGameSessionQueue"
LOGS = {"LogDestination": "CLOUDWATCH", "DestinationArn": f"arn:aws:logs:{REGION}:111122223333:log-group:placements:*"}
BUCKET = {"LogDestination": "S3", "DestinationArn": "arn:aws:s3:::placements"}


def queues_made_changed_deleted(truth):
    arn = truth["Fleets"][0]["FleetArn"]
    alias = choose.alias(truth, "SIMPLE")["AliasArn"]
    wanted = {
        "Name": "judged",
        "TimeoutInSeconds": 60,
        "PlayerLatencyPolicies": [
            {"MaximumIndividualPlayerLatencyMilliseconds": 80, "PolicyDurationSeconds": 20},
            {"MaximumIndividualPlayerLatencyMilliseconds": 160},
        ],
        "Destinations": [{"DestinationArn": alias}, {"DestinationArn": arn}],
        "FilterConfiguration": {"AllowedLocations": [REGION]},
        "PriorityConfiguration": {"PriorityOrder": ["LOCATION", "COST"], "LocationOrder": [REGION]},
        "CustomEventData": "judged",
        "LogConfiguration": {"DeliveryDestinations": [LOGS]},
        "NotificationTarget": f"arn:aws:sns:{REGION}:111122223333:judged",
        "Tags": [{"Key": "by", "Value": "judge"}],
    }
    queue = (yield CREATE, wanted, None)["GameSessionQueue"]
    for name in wanted.keys() - {"Tags"}:
        assert queue[name] == wanted[name], name
    tags = yield "ListTagsForResource", {"ResourceARN": queue["GameSessionQueueArn"]}, None
    assert tags["Tags"] == wanted["Tags"]
    listed = yield "DescribeGameSessionQueues", {"Names": ["judged"]}, None
    assert listed["GameSessionQueues"] == [queue]
    yield CREATE, wanted | {"Name": "too-slow", "TimeoutInSeconds": 601}, IR
    yield CREATE, wanted, IR
    nowhere = [{"DestinationArn": arn.rsplit("/", 1)[0] + "/" + choose.NO_FLEET}]
    yield CREATE, wanted | {"Name": "lost", "Destinations": nowhere}, NF
    change = {
        "Name": queue["GameSessionQueueArn"],
        "TimeoutInSeconds": 30,
        "CustomEventData": "again",
        "AddLogDeliveryDestinations": [BUCKET],
        "RemoveLogDeliveryDestinations": [LOGS],
    }
    # Every setting may be sent again together with the others.
    change |= {name: wanted[name] for name in ["PlayerLatencyPolicies", "Destinations", "NotificationTarget"]}
    change |= {name: wanted[name] for name in ["FilterConfiguration", "PriorityConfiguration"]}
    after = (yield UPDATE, change, None)["GameSessionQueue"]
    logs = {"LogConfiguration": {"DeliveryDestinations": [BUCKET]}}
    assert after == queue | {"TimeoutInSeconds": 30, "CustomEventData": "again"} | logs
    yield UPDATE, {"Name": "judged", "RemoveLogDeliveryDestinations": [LOGS]}, IR
    yield UPDATE, {"Name": "judged", "TimeoutInSeconds": 5}, IR
    yield UPDATE, {"Name": "judged", "Destinations": nowhere}, NF
    yield UPDATE, {"Name": "none", "TimeoutInSeconds": 30}, NF
    yield DELETE, {"Name": "judged"}, None
    yield DELETE, {"Name": "judged"}, NF
    listed = yield "DescribeGameSessionQueues", {"Names": ["judged"]}, None
    assert listed["GameSessionQueues"] == []


OPERATIONS = [CREATE, UPDATE, DELETE]
STORIES = [(REGION, queues_made_changed_deleted)]
