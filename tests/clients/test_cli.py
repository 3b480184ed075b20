"""The AWS CLI, as an operator types it."""

import json
import os
import subprocess
import sys
from pathlib import Path

from cases import pick
from simulator import REGION

AWS = Path(sys.executable).with_name("aws")


def aws(world, *arguments):
    """The JSON the CLI prints."""
    environment = os.environ | {
        "AWS_ACCESS_KEY_ID": "AKIACLI",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": REGION,
        "AWS_PAGER": "",
    }
    line = [sys.executable, str(AWS), *arguments, "--endpoint-url", world.endpoint, "--output", "json"]
    done = subprocess.run(line, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_lists_and_descriptions_are_what_the_truth_says(world, truth):
    assert aws(world, "gamelift", "list-fleets")["FleetIds"] == truth["FleetIds"]
    fleet = pick(truth)[0]
    shown = aws(world, "gamelift", "describe-game-sessions", "--fleet-id", fleet, "--status-filter", "ACTIVE")
    real = [s for s in truth["GameSessions"] if s["FleetId"] == fleet and s["Status"] == "ACTIVE"]
    assert [s["GameSessionId"] for s in shown["GameSessions"]] == [s["GameSessionId"] for s in real]
    aliases = aws(world, "gamelift", "list-aliases", "--routing-strategy-type", "TERMINAL")["Aliases"]
    assert aliases and all(alias["RoutingStrategy"]["Type"] == "TERMINAL" for alias in aliases)


def test_the_other_services_answer_too(world):
    assert aws(world, "sts", "get-caller-identity")["Account"] == "111122223333"
    url = world.ready["event_queues"][REGION]
    depth = aws(world, "sqs", "get-queue-attributes", "--queue-url", url, "--attribute-names", "All")["Attributes"]
    assert int(depth["ApproximateNumberOfMessages"]) >= 0
    metrics = aws(world, "cloudwatch", "list-metrics", "--namespace", "AWS/GameLift", "--metric-name", "QueueDepth")
    assert metrics["Metrics"]
