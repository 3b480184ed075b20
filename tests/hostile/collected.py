"""A database that has some of everything: collected from a simulated world, with changes and runs on record.

Owns the world and the processes that use it. Deliberately leaves every text as it came: `poison` adds the payloads.
"""

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "clients"))
from simulator import REGION, START, Simulator  # noqa: E402

KEY = "AKIAHOSTILE"
HOME = tempfile.TemporaryDirectory(prefix="liftdeck-hostile-")
# CloudWatch's fifteen days would be most of the database and add nothing to the polled samples.
WORLD = ("--scenario", "quiet", "--start", START, "--speed", "0", "--no-throttle", "--deny", f"{KEY}=cloudwatch:*")
# Tables and rows that must exist before anything is tried.
ROWS = (
    "fleet", "fleet_capacity", "fleet_utilization", "fleet_event", "game_session", "player_session", "player",
    "placement_event", "matchmaking_event", "ticket", "quarantined_message", "metric_hot",
    "resource WHERE kind = 'alias'", "resource WHERE kind = 'build'", "resource WHERE kind = 'script'",
    "resource WHERE kind = 'queue'", "resource WHERE kind = 'scaling_policy'",
)  # fmt: skip
# Time limit for anything that finishes in time on an idle machine.
PATIENCE_S = 300


def environment():
    """Returns an environment with invented keys, and without the computer's own credentials and saved connections."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "LIFTDECK_"))}
    keys = {"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": "secret", "AWS_EC2_METADATA_DISABLED": "true"}
    return kept | keys | {"LIFTDECK_HOME": HOME.name}


def ask(program, *arguments, may_fail=False):
    """Runs a command and returns its standard output and standard error."""
    done = subprocess.run([program, *arguments], capture_output=True, timeout=PATIENCE_S, env=environment())
    if done.returncode != 0 and not may_fail:
        raise SystemExit(f"{arguments} ended with {done.returncode}: {done.stderr.decode()[:2000]}")
    return done.stdout.decode(), done.stderr.decode()


def send(endpoint, queue, body):
    """Sends a message, as any client would."""
    scope = f"{KEY}/20261121/{REGION}/sqs/aws4_request"
    request = urllib.request.Request(
        endpoint,
        data=json.dumps({"QueueUrl": queue, "MessageBody": body}).encode(),
        headers={
            "content-type": "application/x-amz-json-1.0",
            "x-amz-target": "AmazonSQS.SendMessage",
            "authorization": f"AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host, Signature=00",
        },
    )
    urllib.request.urlopen(request).close()


def missing(db):
    """Returns the tables that have no row yet."""
    database = sqlite3.connect(f"file:{db}?mode=ro", uri=True)
    try:
        return [rows for rows in ROWS if not database.execute(f"SELECT EXISTS (SELECT 1 FROM {rows})").fetchone()[0]]
    except sqlite3.OperationalError as error:
        return [str(error)]
    finally:
        database.close()


def collect(program, place, queue, db):
    """Collects until there is some of everything."""
    line = [program, "collect", *place, "--event-queue", f"{REGION}={queue}"]
    running = subprocess.Popen(line, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + PATIENCE_S
    while lacks := missing(db):
        if running.poll() is not None or time.monotonic() > until:
            raise SystemExit(f"never collected: {lacks}")
        time.sleep(0.2)
    running.terminate()
    running.wait(timeout=PATIENCE_S)


def make(program, db, description):
    """Makes the database; `description` is what a person gives an alias."""
    with Simulator(*WORLD) as simulator:
        endpoint, queue = simulator.endpoint, simulator.ready["event_queues"][REGION]
        place = ["--db", db, "--region", REGION, "--endpoint-url", endpoint]
        send(endpoint, queue, json.dumps({"order": 1}))
        ask(program, "feed", "adopt", queue, "--foreign", "set-aside", "--confirm", queue.rpartition("/")[2], *place)
        collect(program, place, queue, db)
        database = sqlite3.connect(db)
        alias = database.execute("SELECT id FROM resource WHERE kind = 'alias'").fetchone()[0]
        fleets = [row[0] for row in database.execute("SELECT fleet_id FROM fleet WHERE fleet_id LIKE 'fleet-%'")]
        database.close()
        ask(program, "alias", "edit", alias, f"--description={description}", "--yes", "--no-wait", *place)
        ask(program, "fleet", "protect", *fleets, "--yes", "--no-wait", *place, may_fail=True)
