"""Stories of changes, one file a family of operations; `STORIES` in each lists them with their regions, `OPERATIONS` what
they ask with success and in vain.

A story is what `twins.py` says. What it asserts itself is what no model can say: that the change happened.
"""

from changes import (
    aliases,
    capacity,
    containers,
    content,
    fleets,
    hosts,
    matchmaking,
    placements,
    players,
    queues,
    sessions,
)

# Families that are played one after the other in the same pair of worlds.
PLAYED_TOGETHER = [
    [aliases, content, hosts, players, queues, sessions],
    [containers, matchmaking, capacity],
    [placements, fleets],
]

FAMILIES = [family for together in PLAYED_TOGETHER for family in together]


def name(family):
    """The name of a family as tests are called."""
    return family.__name__.removeprefix("changes.")
