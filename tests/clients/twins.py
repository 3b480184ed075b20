"""Twin worlds: two simulators with one seed that get the same calls, one in JSON through boto3, one in CBOR by hand.

A story is a generator over the truth of a Region. It yields calls (operation, parameters, expected error code or
None) and receives the answer to each, so a later call can use what an earlier one created. It may also yield
`Wait(seconds)`, which advances the virtual time of both worlds, and `TRUTH`, which returns the current truth.
"""

from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from clients import Answer, ask_cbor, ask_json, ask_json_by_hand, boto
from judge import MODEL, judge_both
from simulator import START, Simulator
from violations import violations

TRUTH = object()


@dataclass(frozen=True)
class Wait:
    """Advances virtual time."""

    seconds: float


class Twins:
    """Two running simulators whose clocks are moved only by stories."""

    def __init__(self):
        options = ("--speed", "0", "--start", START, "--no-throttle")
        with ThreadPoolExecutor() as starting:
            self.pair = list(starting.map(lambda _: Simulator(*options), range(2)))
        self.clients = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for simulator in self.pair:
            simulator.__exit__()

    def play(self, story, region, book):
        """Plays a story to its end; returns everything wrong with the answers. Notes the calls in `book`."""
        found, answered = [], None
        told = story(self.pair[0].truth(region))
        while True:
            try:
                step = told.send(answered)
            except StopIteration:
                return found
            if isinstance(step, Wait):
                for simulator in self.pair:
                    simulator.post("advance", {"seconds": step.seconds})
                answered = None
            elif step is TRUTH:
                answered, other = (simulator.truth(region) for simulator in self.pair)
                if answered != other:
                    found.append(f"{story.__name__}: the worlds have drifted apart")
                    return found
            else:
                operation, parameters, expected = step
                if expected is None:
                    found += self.break_rules(operation, parameters, region, book)
                answer, wrong = self.ask(operation, parameters, expected, region)
                book.note(operation, expected)
                found += [f"{story.__name__}: {operation} {str(parameters)[:300]}: {line}" for line in wrong[:5]]
                if answer.code != expected:
                    return found
                answered = answer.body

    def ask(self, operation, parameters, expected, region, in_json=None):
        """Calls both worlds; returns the JSON answer and everything wrong with the two."""
        first, second = self.pair
        as_json = (in_json or self.through_boto)(first.endpoint, operation, parameters, region)
        as_cbor = ask_cbor(second.endpoint, "GameLift", operation, parameters, region)
        as_cbor = _elsewhere(as_cbor, second.endpoint, first.endpoint)
        return as_json, judge_both(operation, as_json, as_cbor, expected)

    def through_boto(self, endpoint, operation, parameters, region):
        """Calls in JSON through boto3."""
        if region not in self.clients:
            self.clients[region] = boto(endpoint, "gamelift", region)
        return ask_json(self.clients[region], operation, parameters)

    def break_rules(self, operation, parameters, region, book):
        """Sends requests that each break one rule of the model; returns everything wrong with the refusals."""
        found, shape = [], MODEL.operation_model(operation).input_shape
        done = book.broken[operation]
        for path, what, broken, code in list(violations(shape, parameters, frozenset(done))):
            done.add(path)
            _, wrong = self.ask(operation, broken, code, region, ask_json_by_hand)
            book.note(operation, code)
            found += [f"{operation} {what}: {line}" for line in wrong[:1]]
        return found


class Book:
    """Records which operations succeeded, which failed, which members were broken, and the number of calls."""

    def __init__(self):
        self.succeeded, self.failed, self.broken, self.questions = set(), set(), defaultdict(set), 0

    def note(self, operation, expected):
        """Notes one call."""
        (self.succeeded if expected is None else self.failed).add(operation)
        self.questions += 1


def _elsewhere(answer, endpoint, other):
    """Returns an answer as if from the other endpoint, because a twin's links lead to itself."""

    def moved(value):
        if isinstance(value, str):
            return value.replace(endpoint, other)
        if isinstance(value, dict):
            return {name: moved(inner) for name, inner in value.items()}
        return [moved(inner) for inner in value] if isinstance(value, list) else value

    return Answer(answer.status, moved(answer.body), answer.code, answer.headers)
