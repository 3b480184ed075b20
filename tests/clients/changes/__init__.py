"""Stories of changes, with one file for each family of operations. `STORIES` in each lists them with their Regions;
`OPERATIONS` lists the operations they call, with success and with an error.

`twins.py` defines what a story is. A story itself asserts what no model can check: that the change happened.
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
    """Returns the name of a family as used in test names."""
    return family.__name__.removeprefix("changes.")
