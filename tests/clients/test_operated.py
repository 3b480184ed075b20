"""What Liftdeck's command line changed is what boto3 then finds, and what it refused never left the machine.

Uses three worlds, none of which follows the computer's clock. One advances with each request of the program that
follows a change, so that a slow machine sees the same world as a fast one. The tests advance the other two, a crowded
one and a calm one. Each is changed only through the program and read only with boto3.
"""

import contextlib
import json
import os
import subprocess
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor

import pytest

from clients import KEY, boto
from simulator import REGION, START, Simulator

LIFTDECK = os.environ["LIFTDECK_BIN"]
READS = ("Describe", "Get", "List", "Resolve", "Search", "Validate")
# Virtual seconds per request: a session needs up to 7 to become ACTIVE and up to 45 to end itself.
STEP = 15


class Desk:
    """The program at a simulated world, with its own home and database."""

    def __init__(self, world, home, budget_share, moves=False):
        self.world, self.home, self.moves = world, home, moves
        (home / "config").mkdir()
        (home / "config/settings.json").write_text(json.dumps({"budgetShare": budget_share}))
        self.environment = os.environ | {
            "AWS_ACCESS_KEY_ID": KEY,
            "AWS_SECRET_ACCESS_KEY": "secret",
            "AWS_EC2_METADATA_DISABLED": "true",
            "LIFTDECK_HOME": str(home),
            "HOME": str(home),
        }
        # A fast machine may exceed the request rates of AWS.
        self.gamelift = boto(world.endpoint, "gamelift", attempts=6)

    def run(self, *words, lines=None):
        """Runs a command to completion, with nobody to answer a prompt."""
        place = ["--db", self.home / "operated.sqlite", "--region", REGION, "--endpoint-url", self.world.endpoint]
        streams = {"input": lines} if lines else {"stdin": subprocess.DEVNULL}
        with self.moved_by_looks() if self.moves else contextlib.nullcontext():
            return subprocess.run(
                [LIFTDECK, *words, *place], env=self.environment, capture_output=True, text=True, timeout=300, **streams
            )

    @contextlib.contextmanager
    def moved_by_looks(self):
        """Advances the world with each call that follows a change while this is active; before the change it stands
        still."""
        ended, before = threading.Event(), self.changes()

        def move():
            moved_at = None
            while not ended.wait(0.1):
                asked = self.asked()
                if asked != moved_at and self.changes() > before:
                    self.advance(STEP)
                    moved_at = asked

        with ThreadPoolExecutor(1) as thread:
            moving = thread.submit(move)
            try:
                yield
            finally:
                ended.set()
            moving.result()

    def made(self, *words):
        """Makes a single change and returns the attempt, which is done."""
        ended = self.run(*words, "--yes", "--json")
        assert ended.returncode == 0, (words, ended.stdout, ended.stderr)
        result = json.loads(ended.stdout)["result"]
        [attempt] = result["activities"]
        assert attempt["outcome"] == "done" and attempt["request_id"], attempt
        return attempt | {"game_sessions": result["game_sessions"]}

    def calls(self):
        """Yields how often each GameLift operation was called, Region by Region."""
        for region in self.world.get("calls").values():
            for action, count in region.items():
                if action.startswith("gamelift:"):
                    yield action.removeprefix("gamelift:"), count["calls"]

    def asked(self):
        """Returns the number of all calls, in all Regions."""
        return sum(count for _, count in self.calls())

    def changes(self):
        """Returns the number of calls that are not reads, in all Regions."""
        return sum(count for operation, count in self.calls() if not operation.startswith(READS))

    def advance(self, seconds):
        self.world.post("advance", {"seconds": seconds})

    def alias(self, alias_id):
        return self.gamelift.describe_alias(AliasId=alias_id)["Alias"]

    def game_session(self, session_id):
        return self.gamelift.describe_game_sessions(GameSessionId=session_id)["GameSessions"][0]

    def some_game_session(self, with_room=False):
        """Returns an active game session, with room for a player if wanted."""

        def fits(session):
            takes = session["PlayerSessionCreationPolicy"] == "ACCEPT_ALL"
            return not with_room or takes and session["CurrentPlayerSessionCount"] < session["MaximumPlayerSessionCount"]

        for fleet in self.fleets():
            answer = self.gamelift.describe_game_sessions(FleetId=fleet, StatusFilter="ACTIVE", Limit=100)
            for session in filter(fits, answer["GameSessions"]):
                return session
        raise AssertionError("nobody plays")

    def policy(self, fleet):
        """Returns the name of the fleet's only target-based policy, or a new name if it has none."""
        policies = self.gamelift.describe_scaling_policies(FleetId=fleet)["ScalingPolicies"]
        names = [policy["Name"] for policy in policies if policy["PolicyType"] == "TargetBased"]
        return names[0] if names else "never"

    def fleets(self):
        """Returns the Region's EC2 fleets without a limit for creators, On-Demand before Spot, most room first."""

        def order(fleet):
            return fleet["FleetType"] != "ON_DEMAND", -self.room(fleet["FleetId"])

        def fits(fleet):
            limited = (fleet.get("ResourceCreationLimitPolicy") or {}).get("NewGameSessionsPerCreator")
            return fleet["ComputeType"] == "EC2" and fleet["Status"] == "ACTIVE" and not limited

        attributes = self.gamelift.describe_fleet_attributes()["FleetAttributes"]
        return [one["FleetId"] for one in sorted(filter(fits, attributes), key=order)]

    def room(self, fleet):
        """Returns the number of processes without a game session in a fleet's home location."""
        home = {"FleetId": fleet, "Location": REGION}
        used = self.gamelift.describe_fleet_location_utilization(**home)["FleetUtilization"]
        # A session that is starting or ending occupies a process and is not ACTIVE.
        others = [
            session
            for status in ["ACTIVATING", "TERMINATING"]
            for session in self.gamelift.describe_game_sessions(**home, StatusFilter=status)["GameSessions"]
        ]
        return used["ActiveServerProcessCount"] - used["ActiveGameSessionCount"] - len(others)

    def make_room(self, fleet):
        """Lets time pass until a fleet can take some game sessions."""
        for _ in range(60):
            if self.room(fleet) > 2:
                return
            self.advance(60)
        raise AssertionError(f"{fleet} never has room")

    def queue_to(self, fleet):
        """Returns a queue that places on a fleet, directly or through an alias."""
        aliases = self.gamelift.list_aliases()["Aliases"]
        ways = {fleet, *(one["AliasId"] for one in aliases if one["RoutingStrategy"].get("FleetId") == fleet)}
        for queue in self.gamelift.describe_game_session_queues()["GameSessionQueues"]:
            if any(one["DestinationArn"].rsplit("/", 1)[1] in ways for one in queue["Destinations"]):
                return queue["Name"]
        raise AssertionError(f"no queue places on {fleet}")


@pytest.fixture(scope="module")
def moving(tmp_path_factory):
    """A quiet world that advances with each request that follows a change. Request rates are those of AWS."""
    with Simulator("--speed", "0", "--seed", "3", "--start", START) as world:
        yield Desk(world, tmp_path_factory.mktemp("moving"), 0.2, moves=True)


@pytest.fixture(scope="module")
def calm(tmp_path_factory):
    """A world with room for a match; it moves only when advanced."""
    with Simulator("--speed", "0", "--seed", "3", "--start", START, "--no-throttle") as world:
        yield Desk(world, tmp_path_factory.mktemp("calm"), 1)


@pytest.fixture(scope="module")
def standing(tmp_path_factory):
    """A crowded world that moves only when advanced; the command line may use the full request rates."""
    with Simulator("--scenario", "launch-day", "--speed", "0", "--seed", "3", "--start", START, "--no-throttle") as world:
        desk = Desk(world, tmp_path_factory.mktemp("standing"), 1)
        desk.advance(900)
        yield desk


def every_change(desk):
    """Returns a command line for each kind of change; none of them would be refused."""
    home, other = desk.fleets()[:2]
    session = desk.some_game_session(with_room=True)["GameSessionId"]
    alias = desk.gamelift.list_aliases()["Aliases"][0]["AliasId"]
    queue = desk.gamelift.describe_game_session_queues()["GameSessionQueues"][0]["Name"]
    configuration = desk.gamelift.describe_matchmaking_configurations()["Configurations"][0]["Name"]
    script = desk.gamelift.list_scripts()["Scripts"][0]["ScriptId"]
    return [
        ["session", "create", "--fleet", home, "--max-players", "8"],
        ["session", "create", "--queue", queue, "--max-players", "8"],
        ["session", "terminate", session, "--force"],
        ["session", "reserve", session, "--player", "ada"],
        ["session", "update", session, "--deny"],
        ["alias", "create", "never", "--fleet", home],
        ["alias", "repoint", alias, "--fleet", other],
        ["alias", "edit", alias, "--name", "never"],
        ["fleet", "capacity", home, "--max", "9"],
        ["fleet", "policy", "put", home, desk.policy(home), "--target", "25"],
        ["fleet", "scaling", "suspend", home],
        ["fleet", "protect", home],
        ["fleet", "drain", home, "--protect"],
        ["queue", "update", queue, "--timeout", "60"],
        ["script", "upload", script, str(archive(desk.home))],
        ["matchmaking", "start", configuration, "--player", "ada", "--attribute", "skill=1000"],
    ]


def archive(folder):
    """Creates a zip with a Realtime script in it."""
    path = folder / "rules.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("MyRealtimeServer.js", "exports.ssExports = { init: function (session) {} };\n")
    return path


@pytest.mark.parametrize("more, code", [([], 3), (["--dry-run", "--json"], 0)])
def test_without_consent_nothing_is_sent(standing, more, code):
    before = standing.changes(), activities(standing)
    for words in every_change(standing):
        ended = standing.run(*words, *more)
        assert ended.returncode == code, (words, ended.stdout, ended.stderr)
    assert (standing.changes(), activities(standing)) == before


def activities(desk):
    """Returns the attempts on record."""
    if not (desk.home / "operated.sqlite").exists():
        return []
    words = ["activity", "list", "--db", desk.home / "operated.sqlite", "--json", "--limit", "1000"]
    ended = subprocess.run([LIFTDECK, *words], env=desk.environment, capture_output=True, text=True, timeout=300)
    return json.loads(ended.stdout)["rows"]


@pytest.mark.parametrize("kind", ["SIMPLE", "TERMINAL"])
def test_a_repoint_is_seen_and_its_undo_restores_the_former_routing(moving, kind):
    aliases = moving.gamelift.list_aliases()["Aliases"]
    alias = next(alias for alias in aliases if alias["RoutingStrategy"]["Type"] == kind)
    former = alias["RoutingStrategy"]
    to = next(fleet for fleet in moving.fleets() if fleet != former.get("FleetId"))

    repoint = moving.made("alias", "repoint", alias["AliasId"], "--fleet", to)
    assert repoint["effect"]["state"] == "seen", repoint
    assert moving.alias(alias["AliasId"])["RoutingStrategy"] == {"Type": "SIMPLE", "FleetId": to}
    # AWS may route new sessions to the previous fleet for two more minutes.
    moving.advance(121)
    moving.make_room(to)
    new = moving.gamelift.create_game_session(AliasId=alias["AliasId"], MaximumPlayerSessionCount=2)["GameSession"]
    assert new["FleetId"] == to

    undo = moving.made("alias", "undo", alias["AliasId"])
    assert undo["undo_of"] == repoint["id"]
    assert moving.alias(alias["AliasId"])["RoutingStrategy"] == former
    assert {**moving.alias(alias["AliasId"]), "LastUpdatedTime": None} == {**alias, "LastUpdatedTime": None}


def test_a_session_made_by_fleet_by_alias_and_by_queue_becomes_active(moving):
    fleet = moving.fleets()[0]
    alias = moving.made("alias", "create", "by hand", "--fleet", fleet)["made"]
    assert moving.alias(alias)["RoutingStrategy"] == {"Type": "SIMPLE", "FleetId": fleet}
    queue = moving.queue_to(fleet)
    moving.make_room(fleet)
    for target, where in [("--fleet", fleet), ("--alias", alias), ("--queue", queue)]:
        made = moving.made(
            *("session", "create", target, where, "--max-players", "7", "--name", f"made {target}"),
            *("--property", "mode=duel"),
        )
        [shown] = made["game_sessions"]
        session = moving.game_session(shown["game_session_id"])
        assert session["Status"] == "ACTIVE", session
        assert (session["Name"], session["MaximumPlayerSessionCount"]) == (f"made {target}", 7)
        assert {"Key": "mode", "Value": "duel"} in session["GameProperties"]
        assert shown["address"] == f"{session.get('DnsName') or session['IpAddress']}:{session['Port']}"
        if target != "--queue":
            assert session["FleetId"] == fleet


@pytest.mark.parametrize("more", [[], ["--force"]])
def test_a_terminated_session_is_terminated(moving, more):
    fleet = moving.fleets()[0]
    moving.make_room(fleet)
    made = moving.made("session", "create", "--fleet", fleet, "--max-players", "4")
    session = made["game_sessions"][0]["game_session_id"]
    ended = moving.made("session", "terminate", session, *more)
    assert ended["effect"]["state"] == "seen", ended
    shown = moving.game_session(session)
    assert shown["Status"] == "TERMINATED" and shown["TerminationTime"], shown
    assert ("FORCE" in shown["StatusReason"]) == bool(more), shown


def test_a_ticket_is_stopped_and_another_accepted(calm):
    configurations = calm.gamelift.describe_matchmaking_configurations()["Configurations"]
    name = next(one["Name"] for one in configurations if one["AcceptanceRequired"])
    player = ["--player", "ada", "--attribute", "skill=1000", "--attribute", "platform=pc", "--latency", f"{REGION}=20"]

    def ticket(ticket_id):
        return calm.gamelift.describe_matchmaking(TicketIds=[ticket_id])["TicketList"][0]

    def pass_until(ticket_id, statuses):
        # A match stays proposed for 25 seconds, so the world is advanced in smaller steps.
        for _ in range(60):
            found = ticket(ticket_id)
            if found["Status"] in statuses:
                return found
            calm.advance(4)
        raise AssertionError(found)

    calm.made("matchmaking", "start", name, "--ticket", "to-stop", "--no-wait", *player)
    assert ticket("to-stop")["ConfigurationName"] == name
    calm.made("matchmaking", "stop", "to-stop", "--no-wait")
    assert ticket("to-stop")["Status"] == "CANCELLED"
    calm.made("matchmaking", "start", name, "--ticket", "to-play", "--no-wait", *player)
    pass_until("to-play", ["REQUIRES_ACCEPTANCE"])
    calm.made("matchmaking", "accept", "to-play", "--player", "ada", "--no-wait")
    ended = pass_until("to-play", ["COMPLETED", "CANCELLED", "FAILED", "TIMED_OUT"])
    assert ended["Status"] == "COMPLETED", ended
    assert ended["GameSessionConnectionInfo"]["MatchedPlayerSessions"], ended


def test_capacity_is_set_and_put_back(standing):
    fleet = standing.fleets()[0]

    def counts():
        [capacity] = standing.gamelift.describe_fleet_capacity(FleetIds=[fleet])["FleetCapacity"]
        return {name: capacity["InstanceCounts"][name] for name in ("DESIRED", "MINIMUM", "MAXIMUM")}

    # From here on only the test changes its size.
    standing.made("fleet", "scaling", "suspend", fleet, "--no-wait")
    standing.advance(65)
    former = counts()
    wanted = {"DESIRED": former["DESIRED"] + 1, "MINIMUM": former["MINIMUM"], "MAXIMUM": former["MAXIMUM"] + 3}
    sizes = ["--desired", wanted["DESIRED"], "--max", wanted["MAXIMUM"]]
    made = standing.made("fleet", "capacity", fleet, "--no-wait", *map(str, sizes))
    standing.advance(65)
    assert counts() == wanted
    standing.made("activity", "undo", made["id"], "--no-wait")
    standing.advance(65)
    assert counts() == former
    standing.made("fleet", "scaling", "resume", fleet, "--no-wait")


def test_scaling_is_suspended_and_resumed(standing):
    fleet = standing.fleets()[0]

    def stopped():
        standing.advance(65)
        [attributes] = standing.gamelift.describe_fleet_attributes(FleetIds=[fleet])["FleetAttributes"]
        return attributes.get("StoppedActions", [])

    standing.made("fleet", "scaling", "suspend", fleet, "--no-wait")
    assert stopped() == ["AUTO_SCALING"]
    standing.made("fleet", "scaling", "resume", fleet, "--no-wait")
    assert stopped() == []


def test_a_scaling_policy_is_put_and_deleted(standing):
    fleet = standing.fleets()[0]

    def policy(name):
        policies = standing.gamelift.describe_scaling_policies(FleetId=fleet, StatusFilter="ACTIVE")["ScalingPolicies"]
        return next((one for one in policies if one["Name"] == name), None)

    rule = ["--metric", "IdleInstances", "--when", "GreaterThanThreshold", "--threshold", "2.5", "--for", "5"]
    change = ["--by", "ChangeInCapacity", "--change", "-1"]
    put = standing.made("fleet", "policy", "put", fleet, "shrink", *rule, *change, "--no-wait")
    standing.advance(65)
    found = policy("shrink")
    assert {name: found[name] for name in ("MetricName", "ComparisonOperator", "Threshold", "EvaluationPeriods")} == {
        "MetricName": "IdleInstances",
        "ComparisonOperator": "GreaterThanThreshold",
        "Threshold": 2.5,
        "EvaluationPeriods": 5,
    }
    assert (found["ScalingAdjustmentType"], found["ScalingAdjustment"]) == ("ChangeInCapacity", -1)
    deleted = standing.made("fleet", "policy", "delete", fleet, "shrink", "--no-wait")
    standing.advance(65)
    assert policy("shrink") is None
    standing.made("activity", "undo", deleted["id"], "--no-wait")
    standing.advance(65)
    again = policy("shrink")
    assert {**again, "CreationTime": None, "LastUpdatedTime": None} == {
        **found,
        "CreationTime": None,
        "LastUpdatedTime": None,
    }
    standing.made("activity", "undo", put["id"], "--no-wait")
    standing.advance(65)
    assert policy("shrink") is None


def test_protection_of_a_fleet_is_set_and_put_back(standing):
    fleet = standing.fleets()[0]

    def protection():
        [attributes] = standing.gamelift.describe_fleet_attributes(FleetIds=[fleet])["FleetAttributes"]
        return attributes["NewGameSessionProtectionPolicy"]

    former = protection()
    more = ["--off"] if former == "FullProtection" else []
    made = standing.made("fleet", "protect", fleet, "--no-wait", *more)
    assert protection() != former
    standing.made("activity", "undo", made["id"], "--no-wait")
    assert protection() == former


def test_slots_are_reserved_and_a_session_updated(standing):
    full = standing.some_game_session()
    session, slots = full["GameSessionId"], full["MaximumPlayerSessionCount"] + 2
    standing.made("session", "update", session, "--max-players", str(slots), "--accept", "--no-wait")
    assert standing.game_session(session)["MaximumPlayerSessionCount"] == slots
    kept = standing.made("session", "reserve", session, "--player", "bo", "cy", "--no-wait")["player_sessions"]
    for slot in kept:
        [found] = standing.gamelift.describe_player_sessions(PlayerSessionId=slot["player_session_id"])["PlayerSessions"]
        assert (found["PlayerId"], found["GameSessionId"], found["Status"]) == (slot["player_id"], session, "RESERVED")
    assert {slot["player_id"] for slot in kept} == {"bo", "cy"}

    standing.made("session", "update", session, "--name", "by hand", "--deny", "--property", "season=9", "--no-wait")
    found = standing.game_session(session)
    assert (found["Name"], found["PlayerSessionCreationPolicy"]) == ("by hand", "DENY_ALL")
    assert {"Key": "season", "Value": "9"} in found["GameProperties"]


def test_a_script_is_uploaded(standing):
    script = standing.gamelift.list_scripts()["Scripts"][0]
    zipped = archive(standing.home)
    standing.made("script", "upload", script["ScriptId"], str(zipped), "--version", "by hand", "--no-wait")
    found = standing.gamelift.describe_script(ScriptId=script["ScriptId"])["Script"]
    assert (found["Version"], found["SizeOnDisk"]) == ("by hand", zipped.stat().st_size)
    assert found["Name"] == script["Name"]


def test_a_queue_is_changed_and_put_back(standing):
    def queue():
        return standing.gamelift.describe_game_session_queues()["GameSessionQueues"][0]

    former = queue()
    reversed_arns = [one["DestinationArn"] for one in reversed(former["Destinations"])]
    made = standing.made(
        *("queue", "update", former["Name"], "--timeout", "77", "--latency-policy", "80:30", "120"),
        *("--destination", *reversed_arns, "--no-wait"),
    )
    found = queue()
    assert [one["DestinationArn"] for one in found["Destinations"]] == reversed_arns
    assert (found["TimeoutInSeconds"], len(found["PlayerLatencyPolicies"])) == (77, 2)
    standing.made("activity", "undo", made["id"], "--no-wait")
    assert queue() == former


def test_a_placement_is_started_and_stopped(standing):
    # The queue has no destination, so nothing placed in it finds a place before it is stopped.
    queue = standing.gamelift.create_game_session_queue(Name="to-nowhere", TimeoutInSeconds=600)["GameSessionQueue"]["Name"]

    def status():
        answer = standing.gamelift.describe_game_session_placement(PlacementId="to-stop")
        return answer["GameSessionPlacement"]["Status"]

    standing.made("placement", "start", queue, "--id", "to-stop", "--max-players", "4", "--player", "ada", "--no-wait")
    assert status() == "PENDING"
    standing.made("placement", "stop", "to-stop", "--no-wait")
    assert status() == "CANCELLED"


def test_five_hundred_terminations_of_which_some_fail_are_told_one_by_one(standing):
    live = {}
    for region in standing.world.ready["regions"]:
        for session in standing.world.truth(region)["GameSessions"]:
            if session["Status"] == "ACTIVE":
                live[session["GameSessionId"]] = region
    chosen = sorted(live)[::2][:500] if len(live) >= 1_000 else sorted(live)[:500]
    assert len(chosen) == 500
    fault = {"operation": "gamelift:TerminateGameSession", "kind": "status", "status": 400, "probability": 0.03}
    standing.world.post("faults", {"fault": [fault]})
    before = standing.changes()
    # This many sessions require the connection's name; a database without a connection is named after its file.
    words = ["session", "terminate", "-", "--force", "--yes", "--json", "--confirm", "operated"]
    ended = standing.run(*words, lines="\n".join(chosen))
    standing.world.post("faults", {"fault": []})
    assert ended.returncode == 4, (ended.stdout[-2_000:], ended.stderr[-2_000:])
    assert standing.changes() == before + 500, "each was sent once"

    result = json.loads(ended.stdout)["result"]
    outcomes = {one["resource"]: one["outcome"] for one in result["activities"]}
    assert len(result["activities"]) == 500 and set(outcomes) == set(chosen)
    failed = {session for session, outcome in outcomes.items() if outcome == "failed"}
    assert 1 <= len(failed) <= 60 and set(outcomes.values()) == {"done", "failed"}
    run = result["run"]
    assert (run["done"], run["failed"], run["unknown"], run["left"]) == (500 - len(failed), len(failed), 0, 0)
    assert all(one["request_id"] and one["message"] for one in result["activities"] if one["outcome"] == "failed")

    standing.advance(1)
    for region in standing.world.ready["regions"]:
        gamelift = boto(standing.world.endpoint, "gamelift", region)
        goes_on = set()
        for fleet in {session.split("/")[1] for session in chosen if live[session] == region}:
            pages = gamelift.get_paginator("describe_game_sessions").paginate(FleetId=fleet, StatusFilter="ACTIVE")
            goes_on |= {one["GameSessionId"] for one in pages.build_full_result()["GameSessions"]}
        for session in (session for session in chosen if live[session] == region):
            assert (session in goes_on) == (session in failed), session
