"""Every operation that changes something, and every rule of the model, on twin worlds in both protocols."""

import functools

import pytest

from changes import aliases, capacity, containers, content, fleets, hosts, matchmaking, placements, players, sessions
from clients import ask_json
from twins import Book, Twins

FAMILIES = [aliases, capacity, containers, content, fleets, hosts, matchmaking, placements, players, sessions]

# What an operator's dashboard asks beyond reading, and what makes and deletes the resources of that.
OPERATIONS = """
AcceptMatch CreateAlias CreateFleet CreateFleetLocations CreateGameSession CreateGameSessionQueue
CreateMatchmakingConfiguration CreateMatchmakingRuleSet CreatePlayerSession CreatePlayerSessions CreateScript
DeleteAlias DeleteFleet DeleteFleetLocations DeleteGameSessionQueue DeleteMatchmakingConfiguration
DeleteMatchmakingRuleSet DeleteScalingPolicy DeregisterCompute DescribeContainerGroupPortMappings GetComputeAccess
GetGameSessionLogUrl GetInstanceAccess GetPlayerConnectionDetails ListContainerGroupDefinitionVersions
PutScalingPolicy StartFleetActions StartGameSessionPlacement StartMatchBackfill StartMatchmaking StopFleetActions
StopGameSessionPlacement StopMatchmaking TagResource TerminateGameSession UntagResource UpdateAlias UpdateBuild
UpdateContainerFleet UpdateFleetAttributes UpdateFleetCapacity UpdateFleetPortSettings UpdateGameSession
UpdateGameSessionQueue UpdateMatchmakingConfiguration UpdateRuntimeConfiguration UpdateScript
ValidateMatchmakingRuleSet
""".split()

# Operations that are still unknown to the simulator. A story that needs one ends there.
NOT_YET = []


@functools.cache
def played(family):
    """What was wrong with each story of a family, by name, and the book of what was asked."""
    book = Book(NOT_YET)
    with Twins() as twins:
        return {story.__name__: twins.play(story, region, book) for region, story in family.STORIES}, book


TOLD = [(family, story.__name__) for family in FAMILIES for _, story in family.STORIES]


@pytest.mark.parametrize("family, story", TOLD, ids=[f"{family.__name__[8:]}-{story}" for family, story in TOLD])
def test_a_story_goes_as_the_service_would_tell_it(family, story):
    found = played(family)[0][story]
    assert not found, "\n".join(found[:40])


def test_every_operation_is_asked_with_success_and_in_vain():
    books = [played(family)[1] for family in FAMILIES]
    known = set(OPERATIONS) - set(NOT_YET)
    assert known <= set().union(*(book.succeeded for book in books))
    assert known <= set().union(*(book.failed for book in books))


def test_what_is_not_yet_known_is_an_unknown_operation_and_nothing_else_is(gamelift):
    unknown = {name for name in OPERATIONS if ask_json(gamelift, name, {}).code == "UnknownOperationException"}
    assert unknown == set(NOT_YET)
