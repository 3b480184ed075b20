"""The harness `hostile`: payloads in every string field of a collected database, and what the program makes of them.

A database is collected from a simulated world. Then every text in it that is not a key of the program's own gets all
payloads, tables are exported and drawn, records are listed, and each output is held to two rules: it does nothing (no
control, direction or unseen characters, no formula, no markup), and it is whole (the payload is all there, as signs).

    LIFTDECK_TEST_SIZE=N LIFTDECK_TEST_SEED=N hostile.py PROGRAM

The size is how many payloads are used, some of each kind; a few when absent. The seed says which.
"""

import argparse
import json
import os
import sqlite3
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from collected import START, ask, make
from outputs import FORMULA, Judge
from poison import fields, marked, thin

SMALL = 36
KINDS = (
    "fleets fleet-locations fleet-capacity fleet-events scaling-policies scaling-steps game-sessions player-sessions "
    "placements queues aliases matchmaking-events builds scripts metrics activity"
).split()
CHARTS = ("scaling", "sessions", "placements")
READS = (
    ["status"], ["fleet", "list"], ["alias", "list"], ["queue", "list"], ["build", "list"], ["script", "list"],
    ["session", "list", "--limit", "200"], ["placement", "list", "--since", START], ["changes", "--since", START],
    ["activity", "list"], ["activity", "runs"], ["feed", "list"], ["feed", "aside", "list"],
)
# Starting one command takes as long as another one computes.
AT_ONCE = 2


def chosen(size, seed):
    """Returns numbered payloads, equally many of each kind as far as there are enough; formulas come first."""
    by_kind = json.loads((Path(__file__).parent / "payloads.json").read_text())
    kinds = by_kind.values()
    most = max(map(len, kinds))
    each = next((each for each in range(1, most) if sum(min(len(kind), each) for kind in kinds) >= size), most)
    numbered, number = [], 0
    for kind in kinds:
        share = min(len(kind), each)
        taken = {(seed + at * len(kind) // share) % len(kind) for at in range(share)}
        numbered += [(number + at, kind[at]) for at in sorted(taken)]
        number += len(kind)
    return sorted(numbered, key=lambda one: FORMULA.search(one[1]) is None)


class Trial:
    """A poisoned database, and every way its texts are output."""

    def __init__(self, program, folder, numbered):
        self.program, self.numbered = program, numbered
        self.folder, self.db = Path(folder), str(Path(folder) / "hostile.sqlite")
        self.judge, self.outputs = Judge(numbered), 0
        # Payloads that fit a description and a command-line argument.
        typed = "".join(marked(*one) for one in numbered if len(one[1]) < 50 and "\0" not in one[1])
        self.typed = "a" + typed
        make(program, self.db, self.typed[:1000])

    def answers(self, asked):
        """Checks the output of commands; several run at once."""

        def answer(one):
            words, check = one
            check(ascii(" ".join(words))[:60], *ask(self.program, *words, may_fail=True))

        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(answer, asked))
        self.outputs += len(asked)

    def exports(self, forms):
        """Exports every table in some forms."""
        asked = []
        for kind in KINDS:
            for form in forms:
                words = ["export", kind, "--format", form, "--db", self.db]
                asked.append((words, getattr(self.judge, form)))
        self.answers(asked)

    def charts(self):
        """Draws every chart of each fleet."""
        database = sqlite3.connect(self.db)
        fleets = [row[0] for row in database.execute("SELECT fleet_id FROM fleet")]
        database.close()
        asked = []
        for chart in CHARTS:
            for fleet in fleets:
                out = self.folder / f"{chart}-{fleet}.svg"

                def drawn(output, _, complaint, out=out):
                    if out.exists():
                        self.judge.svg(output, out.read_text())
                    else:
                        self.judge.fault(output, f"no picture was drawn: {complaint[:200]}")

                words = ["chart", chart, "--db", self.db, f"--fleet={fleet}", "--since", START, "--out", str(out)]
                asked.append((words if chart != "placements" else [w for w in words if "--fleet" not in w], drawn))
        self.answers(asked)

    def reads(self):
        """Lists the rows that the screens show, in each form; their age is printed on stderr."""
        self.judge.by_last_part = True
        asked = [(words + ["--db", self.db], self.judge.terminal) for words in READS]
        for form in ("csv", "json"):
            check = getattr(self.judge, form)
            aged = lambda output, text, _, check=check: check(output, text, "")
            asked += [(words + ["--db", self.db, "--format", form], aged) for words in READS]
        self.answers(asked)
        self.judge.by_last_part = False

    def refusals(self):
        """Checks a message that quotes its input."""
        self.answers([(["session", "log", self.typed, "--db", self.db], self.judge.terminal)])


def main():
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("program")
    program = reader.parse_args().program
    seed = int(os.environ.get("LIFTDECK_TEST_SEED") or 1)
    print(f"hostile: seed {seed}", flush=True)
    numbered = chosen(int(os.environ.get("LIFTDECK_TEST_SIZE") or SMALL), seed)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(program, folder, numbered)
        database = sqlite3.connect(trial.db)
        database.execute("PRAGMA foreign_keys = OFF")
        thin(database)
        poisoned = list(fields(database))
        formulas = sum(FORMULA.search(payload) is not None for _, payload in numbered)
        # Once with all payloads in every field, then until each formula has started a text in each field.
        turns = max(-(-formulas // len(field.rows)) for field in poisoned) or 1
        for turn in range(turns):
            for field in poisoned:
                first = turn * len(field.rows) % max(1, formulas)
                field.poison(database, numbered[first:formulas] + numbered[:first] + numbered[formulas:])
            database.commit()
            trial.exports(("csv", "ndjson", "json") if turn == 0 else ("csv",))
            if turn == 0:
                trial.charts()
                trial.refusals()
                trial.reads()
        database.close()
    judge = trial.judge
    unseen = len(numbered) - len(judge.seen)
    if unseen:
        judge.fault("all outputs", f"{unseen} payloads came out nowhere, so nothing was shown of them")
    print("\n".join(judge.faults[:40]))
    held = "all inert and whole" if not judge.faults else f"{len(judge.faults)} faults"
    print(f"hostile: {len(numbered)} payloads × {len(poisoned)} fields, {trial.outputs} outputs, {held} "
          f"({time.monotonic() - begun:.0f} s, seed {seed})")
    raise SystemExit(1 if judge.faults else 0)


if __name__ == "__main__":
    main()
