"""Fixtures: one frozen world for everything that only reads."""

import pytest

from clients import boto
from simulator import START, Simulator


@pytest.fixture(scope="session")
def world():
    """A simulator whose virtual clock stands still, without request rates."""
    with Simulator("--speed", "0", "--start", START, "--no-throttle") as simulator:
        yield simulator


@pytest.fixture(scope="session")
def truth(world):
    """The records of the frozen world's first region."""
    return world.truth()


@pytest.fixture(scope="session")
def gamelift(world):
    """boto3 on the frozen world."""
    return boto(world.endpoint, "gamelift")
