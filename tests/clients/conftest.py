"""Fixtures: a frozen world for everything that only reads, and one to change. Also distributes the tests.

A world takes seconds to start, so tests in the same world stay together when they run in several processes.
"""

import re

import pytest
from xdist.scheduler import LoadScopeScheduling

from changes import PLAYED_TOGETHER, name
from clients import boto
from simulator import START, Simulator

# Files with tests that change the same world.
CHANGING = ["test_cli.py", "test_cloudwatch.py", "test_faults.py", "test_sns.py", "test_sqs.py"]
# Files with tests that read the frozen world.
FROZEN = ["test_gamelift.py", "test_operations.py", "test_paging.py", "test_refusals.py", "test_truth.py"]


class ByWorld(LoadScopeScheduling):
    """Gives each process the tests of one world at a time."""

    def _split_scope(self, nodeid):
        file = nodeid.split("::")[0].rsplit("/", 1)[-1]
        told = re.search(r"\[(\w+)-", nodeid)
        if file == "test_changes.py" and told:
            return next(
                f"{file} {at}"
                for at, families in enumerate(PLAYED_TOGETHER)
                if told[1] in {name(family) for family in families}
            )
        return "changing" if file in CHANGING else "frozen" if file in FROZEN else file


def pytest_xdist_make_scheduler(config, log):
    """Distributes the tests by world."""
    return ByWorld(config, log)


@pytest.fixture(scope="session")
def world():
    """A simulator whose virtual clock stands still, without request rates."""
    with Simulator("--speed", "0", "--start", START, "--no-throttle") as simulator:
        yield simulator


@pytest.fixture(scope="session")
def truth(world):
    """The records of the frozen world's first Region."""
    return world.truth()


@pytest.fixture(scope="session")
def gamelift(world):
    """A boto3 client for the frozen world."""
    return boto(world.endpoint, "gamelift")


@pytest.fixture(scope="session")
def changing():
    """A simulator to change. Only tests move its clock, so nothing is late on a slow machine."""
    with Simulator("--speed", "0", "--start", START, "--no-throttle") as simulator:
        yield simulator
