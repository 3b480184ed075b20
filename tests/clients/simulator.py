"""Starts the simulator as a program and talks to its control plane.

Knows nothing of AWS; the clients under test are in `clients.py`.
"""

import json
import os
import shlex
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

START = "2026-11-20T19:30:00Z"
REGION = "eu-west-1"


def command():
    """Returns the simulator's command line: `LIFTDECK_SIMULATE_CMD`, or `simulate` of the `LIFTDECK_BIN` program."""
    given = os.environ.get("LIFTDECK_SIMULATE_CMD")
    if given:
        return shlex.split(given)
    built = Path(__file__).resolve().parents[2] / "target/debug/liftdeck"
    return [os.environ.get("LIFTDECK_BIN", str(built)), "simulate"]


class Simulator:
    """A running simulator; leaving its `with` block ends it."""

    def __init__(self, *arguments):
        line = [*command(), "--listen", "127.0.0.1:0", *arguments]
        self.process = subprocess.Popen(line, stdout=subprocess.PIPE, text=True)
        ready = self.process.stdout.readline()
        if not ready:
            raise RuntimeError(f"{line} ended with {self.process.wait()} before it was ready")
        self.ready = json.loads(ready)
        self.endpoint = self.ready["endpoint"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=60)
        self.process.stdout.close()

    def get(self, path):
        """Returns the JSON at a path of the control plane."""
        with urllib.request.urlopen(f"{self.endpoint}/_simulator/{path}") as answer:
            return json.load(answer)

    def post(self, path, body):
        """Posts a body to a path of the control plane and returns the JSON."""
        request = urllib.request.Request(
            f"{self.endpoint}/_simulator/{path}", data=json.dumps(body).encode(), method="POST"
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def truth(self, region=REGION):
        """Returns the world's own records of a Region."""
        return self.get(f"truth?region={region}")
