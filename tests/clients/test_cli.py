"""The AWS CLI, used as an operator would."""

import io
import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

import choose
import pytest
from cases import pick
from clients import boto
from simulator import REGION
from test_sqs import drained

AWS = Path(sys.executable).with_name("aws")


def aws(world, *arguments):
    """Returns the JSON that the CLI prints; None if it prints nothing."""
    done = typed(world, *arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout) if done.stdout.strip() else None


def typed(world, *arguments):
    """Runs a command line as typed and returns the completed process."""
    environment = os.environ | {
        "AWS_ACCESS_KEY_ID": "AKIACLI",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": REGION,
        "AWS_PAGER": "",
    }
    line = [sys.executable, str(AWS), *arguments, "--endpoint-url", world.endpoint, "--output", "json"]
    return subprocess.run(line, env=environment, capture_output=True, text=True, check=False)


def test_lists_and_descriptions_are_what_the_truth_says(changing):
    truth = changing.truth()
    assert aws(changing, "gamelift", "list-fleets")["FleetIds"] == truth["FleetIds"]
    fleet = pick(truth)[0]
    shown = aws(changing, "gamelift", "describe-game-sessions", "--fleet-id", fleet, "--status-filter", "ACTIVE")
    real = [s for s in truth["GameSessions"] if s["FleetId"] == fleet and s["Status"] == "ACTIVE"]
    assert [s["GameSessionId"] for s in shown["GameSessions"]] == [s["GameSessionId"] for s in real]
    aliases = aws(changing, "gamelift", "list-aliases", "--routing-strategy-type", "TERMINAL")["Aliases"]
    assert aliases and all(alias["RoutingStrategy"]["Type"] == "TERMINAL" for alias in aliases)


def test_the_other_services_answer_too(changing):
    assert aws(changing, "sts", "get-caller-identity")["Account"] == "111122223333"
    url = changing.ready["event_queues"][REGION]
    depth = aws(changing, "sqs", "get-queue-attributes", "--queue-url", url, "--attribute-names", "All")["Attributes"]
    assert int(depth["ApproximateNumberOfMessages"]) >= 0
    metrics = aws(changing, "cloudwatch", "list-metrics", "--namespace", "AWS/GameLift", "--metric-name", "QueueDepth")
    assert metrics["Metrics"]
    assert "Events" in aws(changing, "cloudtrail", "lookup-events", "--max-items", "5")


def test_an_operator_makes_a_session_lets_a_player_in_and_ends_it(changing):
    fleet = choose.fleet(changing.truth(), FleetType="SPOT")
    wanted = ["--fleet-id", fleet, "--maximum-player-session-count", "4", "--name", "By hand"]
    wanted += ["--game-properties", "Key=mode,Value=duel", "--idempotency-token", "by-hand-1"]
    session = aws(changing, "gamelift", "create-game-session", *wanted)["GameSession"]["GameSessionId"]
    changing.post("advance", {"seconds": 60})
    mine = ["--game-session-id", session]
    shown = aws(changing, "gamelift", "describe-game-sessions", *mine)["GameSessions"][0]
    assert (shown["Status"], shown["Name"]) == ("ACTIVE", "By hand")
    assert shown["GameProperties"] == [{"Key": "mode", "Value": "duel"}]
    player = aws(changing, "gamelift", "create-player-session", *mine, "--player-id", "ada")["PlayerSession"]
    assert player["Status"] == "RESERVED" and player["Port"] == shown["Port"]
    seats = aws(changing, "gamelift", "describe-player-sessions", *mine)["PlayerSessions"]
    assert [seat["PlayerSessionId"] for seat in seats] == [player["PlayerSessionId"]]
    aws(changing, "gamelift", "update-game-session", *mine, "--player-session-creation-policy", "DENY_ALL")
    refused = typed(changing, "gamelift", "create-player-session", *mine, "--player-id", "bo")
    assert refused.returncode == 255 and "(InvalidGameSessionStatusException)" in refused.stderr
    ending = aws(changing, "gamelift", "terminate-game-session", *mine, "--termination-mode", "FORCE_TERMINATE")
    assert ending["GameSession"]["Status"] == "TERMINATING"
    changing.post("advance", {"seconds": 60})
    ended = aws(changing, "gamelift", "describe-game-sessions", *mine)["GameSessions"][0]
    assert (ended["Status"], ended["StatusReason"]) == ("TERMINATED", "FORCE_TERMINATED")
    url = aws(changing, "gamelift", "get-game-session-log-url", *mine)["PreSignedUrl"]
    with urllib.request.urlopen(url) as answer, zipfile.ZipFile(io.BytesIO(answer.read())) as log:
        assert session in log.read(log.namelist()[0]).decode()
    changing.post("advance", {"seconds": 901})
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(url)


def test_an_operator_makes_an_alias_repoints_it_and_closes_it(changing):
    truth = changing.truth()
    blue, green = choose.fleet(truth, FleetType="SPOT"), choose.fleet(truth, FleetType="ON_DEMAND")
    routing = ["--routing-strategy", f"Type=SIMPLE,FleetId={blue}"]
    alias = aws(changing, "gamelift", "create-alias", "--name", "By hand", *routing)["Alias"]["AliasId"]
    assert aws(changing, "gamelift", "resolve-alias", "--alias-id", alias)["FleetId"] == blue
    routing = ["--routing-strategy", f"Type=SIMPLE,FleetId={green}"]
    aws(changing, "gamelift", "update-alias", "--alias-id", alias, *routing)
    assert aws(changing, "gamelift", "resolve-alias", "--alias-id", alias)["FleetId"] == green
    wanted = ["--alias-id", alias, "--maximum-player-session-count", "2"]
    changing.post("advance", {"seconds": 121})
    assert aws(changing, "gamelift", "create-game-session", *wanted)["GameSession"]["FleetId"] == green
    closed = "Type=TERMINAL,Message=Closed for good."
    aws(changing, "gamelift", "update-alias", "--alias-id", alias, "--routing-strategy", closed)
    changing.post("advance", {"seconds": 121})
    refused = typed(changing, "gamelift", "create-game-session", *wanted)
    assert refused.returncode == 255 and "Closed for good." in refused.stderr
    assert aws(changing, "gamelift", "delete-alias", "--alias-id", alias) in (None, {})
    assert typed(changing, "gamelift", "describe-alias", "--alias-id", alias).returncode == 255


def test_the_event_of_a_placement_arrives_in_the_queue(changing):
    queues = changing.truth()["GameSessionQueues"]
    # Earlier events are hundreds of messages, which the CLI would take minutes to read.
    drained(boto(changing.endpoint, "sqs"), changing.ready["event_queues"][REGION])
    url = ["--queue-url", changing.ready["event_queues"][REGION]]
    wanted = ["--game-session-queue-name", queues[0]["Name"], "--maximum-player-session-count", "4"]
    wanted += ["--desired-player-sessions", "PlayerId=ada"]
    start = ["gamelift", "start-game-session-placement", "--placement-id", "by-hand", *wanted]
    assert aws(changing, *start)["GameSessionPlacement"]["Status"] == "PENDING"
    changing.post("advance", {"seconds": 90})
    placed = aws(changing, "gamelift", "describe-game-session-placement", "--placement-id", "by-hand")
    placed = placed["GameSessionPlacement"]
    assert placed["Status"] == "FULFILLED"
    while received := aws(changing, "sqs", "receive-message", *url, "--max-number-of-messages", "10"):
        for message in received["Messages"]:
            body = json.loads(message["Body"])
            told = json.loads(body["Message"]) if "Message" in body else body
            detail = told["detail"]
            if detail.get("placementId") == "by-hand":
                assert detail["type"] == "PlacementFulfilled"
                assert detail["gameSessionArn"] == placed["GameSessionArn"]
                assert told["resources"] == [queues[0]["GameSessionQueueArn"]]
                seats = placed["PlacedPlayerSessions"]
                assert [seat["playerSessionId"] for seat in detail["placedPlayerSessions"]] == [
                    seat["PlayerSessionId"] for seat in seats
                ]
                return
        entries = [{"Id": str(at), "ReceiptHandle": m["ReceiptHandle"]} for at, m in enumerate(received["Messages"])]
        aws(changing, "sqs", "delete-message-batch", *url, "--entries", json.dumps(entries))
    raise AssertionError("no event of the placement arrived")
