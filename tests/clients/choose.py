"""Selects resources of a truth by their properties, so that stories and cases do not depend on names or the seed."""

from twins import Wait

NOWHERE = "mars-north-1"
NO_FLEET = "fleet-00000000-0000-4000-8000-000000000000"
NO_SESSION = f"arn:aws:gamelift:eu-west-1::gamesession/{NO_FLEET}/nothing"


def first(records, **members):
    """Returns the first record whose members have these values."""
    return next(record for record in records if all(record.get(name) == value for name, value in members.items()))


def fleet(truth, **members):
    """Returns the first EC2 fleet with these members and no limit for creators."""
    free = [fleet for fleet in truth["Fleets"] if "ResourceCreationLimitPolicy" not in fleet]
    return first(free, ComputeType="EC2", **members)["FleetId"]


def limited_fleet(truth):
    """Returns the first EC2 fleet with a limit for creators."""
    return next(fleet["FleetId"] for fleet in truth["Fleets"] if "ResourceCreationLimitPolicy" in fleet)


def locations(truth, fleet):
    """Returns the locations of a fleet, the home location first."""
    return [place["LocationState"]["Location"] for place in truth["LocationAttributes"][fleet]]


def alias(truth, kind):
    """Returns the first alias with this type of routing strategy."""
    return next(alias for alias in truth["Aliases"] if alias["RoutingStrategy"]["Type"] == kind)


def session(truth, fleet, status="ACTIVE"):
    """Returns the ARN of the first game session of a fleet with this status."""
    return first(truth["GameSessions"], FleetId=fleet, Status=status)["GameSessionId"]


def room(fleet):
    """Waits until the home location of a fleet has a process without a game session; part of a story."""
    for _ in range(60):
        # By then earlier game sessions have become ACTIVE and are counted.
        yield Wait(60)
        shown = yield "DescribeFleetUtilization", {"FleetIds": [fleet]}, None
        used = shown["FleetUtilization"][0]
        if used["ActiveServerProcessCount"] > used["ActiveGameSessionCount"]:
            return
    raise AssertionError(f"{fleet} never has a free process")
