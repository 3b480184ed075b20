"""Changes builds and scripts, and the tags of any resource."""

import io
import zipfile

from simulator import REGION
from twins import TRUTH

IR, NF = "InvalidRequestException", "NotFoundException"


def archive():
    """Returns a zip with one file, always with the same bytes."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as file:
        file.writestr(zipfile.ZipInfo("script.js"), "exports.ssExports = {};")
    return written.getvalue()


def scripts(truth):
    zipped = archive()
    wanted = {
        "Name": "judged",
        "Version": "1.0.0",
        "ZipFile": zipped,
        "Tags": [{"Key": "by", "Value": "judge"}],
        "NodeJsVersion": "24.x",
    }
    made = (yield "CreateScript", wanted, None)["Script"]
    assert (made["Name"], made["Version"], made["SizeOnDisk"]) == ("judged", "1.0.0", len(zipped))
    tags = yield "ListTagsForResource", {"ResourceARN": made["ScriptArn"]}, None
    assert tags["Tags"] == wanted["Tags"]
    assert (yield "DescribeScript", {"ScriptId": made["ScriptId"]}, None)["Script"] == made
    stored = {"Bucket": "content", "Key": "rules.zip", "RoleArn": "arn:aws:iam::111122223333:role/content-reader"}
    yield "CreateScript", {"Name": "stored", "StorageLocation": stored}, None
    yield "CreateScript", {"Name": "both", "ZipFile": zipped, "StorageLocation": stored}, IR
    yield "CreateScript", {"Name": "neither"}, IR
    yield "CreateScript", {"Name": "no zip", "ZipFile": b"PK is not enough"}, IR
    change = {"ScriptId": made["ScriptId"], "Version": "1.0.1", "ZipFile": zipped}
    after = (yield "UpdateScript", change, None)["Script"]
    assert (after["Name"], after["Version"]) == ("judged", "1.0.1")
    assert after in (yield TRUTH)["Scripts"]
    moved = {"ScriptId": made["ScriptArn"], "StorageLocation": stored | {"ObjectVersion": "7"}}
    assert (yield "UpdateScript", moved, None)["Script"]["SizeOnDisk"] == 0
    yield "UpdateScript", {"ScriptId": made["ScriptId"], "ZipFile": b"no zip"}, IR
    yield "UpdateScript", {"ScriptId": "script-none", "Name": "nobody"}, NF


def builds(truth):
    build = truth["Builds"][0]
    change = {"BuildId": build["BuildId"], "Name": "renamed", "Version": "9.9.9"}
    after = (yield "UpdateBuild", change, None)["Build"]
    assert after == build | {"Name": "renamed", "Version": "9.9.9"}
    assert after in (yield TRUTH)["Builds"]
    yield "UpdateBuild", {"BuildId": "build-none", "Name": "nobody"}, NF


def tags(truth):
    arns = [
        truth["Fleets"][0]["FleetArn"],
        truth["ContainerFleets"][0]["FleetArn"],
        truth["GameSessionQueues"][0]["GameSessionQueueArn"],
        truth["Aliases"][0]["AliasArn"],
        truth["Builds"][0]["BuildArn"],
        truth["Scripts"][0]["ScriptArn"],
        truth["MatchmakingConfigurations"][0]["ConfigurationArn"],
        truth["MatchmakingRuleSets"][0]["RuleSetArn"],
        truth["ContainerGroupDefinitions"][0]["ContainerGroupDefinitionArn"],
    ]
    for arn in arns:
        before = (yield "ListTagsForResource", {"ResourceARN": arn}, None)["Tags"]
        added = [{"Key": "by", "Value": "judge"}, {"Key": "on", "Value": ""}]
        yield "TagResource", {"ResourceARN": arn, "Tags": added}, None
        yield "TagResource", {"ResourceARN": arn, "Tags": [{"Key": "on", "Value": "a day"}]}, None
        after = (yield "ListTagsForResource", {"ResourceARN": arn}, None)["Tags"]
        expected = {tag["Key"]: tag["Value"] for tag in before} | {"by": "judge", "on": "a day"}
        assert {tag["Key"]: tag["Value"] for tag in after} == expected
        yield "UntagResource", {"ResourceARN": arn, "TagKeys": ["by", "on", "never-there"]}, None
        assert (yield "ListTagsForResource", {"ResourceARN": arn}, None)["Tags"] == before
    nowhere = {"ResourceARN": arns[0] + "-none"}
    yield "TagResource", nowhere | {"Tags": [{"Key": "by", "Value": "judge"}]}, NF
    yield "UntagResource", nowhere | {"TagKeys": ["by"]}, NF
    before = (yield "ListTagsForResource", {"ResourceARN": arns[0]}, None)["Tags"]
    failed = "TaggingFailedException"
    # The quota is fifty tags; the model allows two hundred in one request.
    many = [{"Key": f"k{number}", "Value": ""} for number in range(50 - len(before))]
    yield "TagResource", {"ResourceARN": arns[0], "Tags": many}, None
    yield "TagResource", {"ResourceARN": arns[0], "Tags": many[:1]}, None
    yield "TagResource", {"ResourceARN": arns[0], "Tags": [{"Key": "m", "Value": ""}]}, failed
    wanted = {"Name": "judged", "RoutingStrategy": {"Type": "TERMINAL", "Message": "Closed."}}
    refused = [
        [{"Key": f"k{number}", "Value": ""} for number in range(51)],
        [{"Key": "Aws:by", "Value": "judge"}],
        [{"Key": "by", "Value": "judge"}, {"Key": "by", "Value": "jury"}],
    ]
    for tags in refused:
        yield "TagResource", {"ResourceARN": arns[1], "Tags": tags}, failed
        yield "CreateAlias", wanted | {"Tags": tags}, failed
    assert truth["Aliases"] == (yield TRUTH)["Aliases"]


OPERATIONS = ["CreateScript", "UpdateScript", "UpdateBuild", "TagResource", "UntagResource"]
STORIES = [(REGION, scripts), (REGION, builds), (REGION, tags)]
