"""The harness `hostile`: payloads in every string field of a collected database, and what the program makes of them.

A database is collected from a simulated world. Then every text in it that is not a key of the program's own gets a
payload, tables are exported and drawn, records are listed, and each output is held to two rules: it does nothing (no
control, direction or unseen characters, no formula, no markup), and it is whole (the payload is all there, as signs).

    LIFTDECK_TEST_SIZE=N hostile.py PROGRAM

The size is how many of the payloads are used; all of them when absent.
"""

import argparse
import csv
import io
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "clients"))
from simulator import Simulator  # noqa: E402

REGION = "eu-west-1"
KINDS = (
    "fleets fleet-locations fleet-capacity fleet-events scaling-policies scaling-steps game-sessions player-sessions "
    "placements queues aliases matchmaking-events builds scripts metrics activity"
).split()
# Columns whose text is the program's own: what it writes and reads itself, never text of AWS or of a person.
OWN = {
    "fact": None, "revision": None, "schema_migrations": None, "_sqlx_migrations": None, "listing": None, "poll": None,
    "region": {"name"}, "fleet": {"fleet_id"}, "resource": {"kind", "fingerprint"}, "change": {"kind", "field"}, "word": None,
    "metric_series": None, "series": None, "run": {"kind", "state", "run_id", "plan", "progress"},
}  # fmt: skip
# Members of documents that are enums or keys of ours: another value is no value of the record.
OWN_MEMBERS = {"type", "kind", "Type", "operation", "region", "fleet_id"}
# Messages quote what they were given; each takes a start of the program.
MESSAGES = 24
# The same characters as `liftdeck_model::visible`.
UNSEEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
FORMULA = re.compile(r"^[\s\"'“”‘’`]*[=+\-@＝＋－＠]")
NUMBER = re.compile(r"^-?[0-9.]+(e-?[0-9]+)?$", re.IGNORECASE)


def marked(number, payload):
    """A payload between marks, so that it is found again, whole or not. It begins the text: formulas must."""
    return f"{payload}⟦{number}⟧"


def shown(text):
    """Signs for what must not be shown as it is; joiners are compared without."""
    def sign(match):
        code = ord(match[0])
        if code < 0x20:
            return chr(0x2400 + code)
        return "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"

    return re.sub(UNSEEN.pattern.replace("\x0b-", "\x0a-"), sign, text)


def without_joiners(text):
    return re.sub("[\u200c\u200d\ufe0e\ufe0f]|⟨U\\+(200C|200D|FE0E|FE0F)⟩", "", text)


class Field:
    """A text column, or the texts of a column of JSON documents."""

    def __init__(self, table, column):
        self.table, self.column = table, column
        self.name = f"{table}.{column}"


def fields(database):
    tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    for table in tables:
        if table.startswith("sqlite_") or OWN.get(table, ()) is None:
            continue
        for _, column, kind, *_ in database.execute(f"PRAGMA table_info({table})"):
            if kind == "TEXT" and column not in OWN.get(table, ()):
                yield Field(table, column)


def put(value, payload, members):
    """A document with the payload in every text of it but its own words."""
    if isinstance(value, dict):
        return {
            name: part if name in OWN_MEMBERS else put(part, payload, members | {name})
            for name, part in value.items()
        }
    if isinstance(value, list):
        return [put(part, payload, members) for part in value]
    if isinstance(value, str) and not members & OWN_MEMBERS:
        return payload
    return value


def poison(database, field, numbered):
    """Gives each row's text a payload in turn; how many rows could take one."""
    taken = 0
    rows = database.execute(f"SELECT rowid_, text FROM (SELECT {row_key(database, field.table)} AS rowid_, "
                            f"{field.column} AS text FROM {field.table}) WHERE text IS NOT NULL LIMIT ?",
                            (len(numbered),)).fetchall()
    for (key, text), (number, payload) in zip(rows, numbered):
        hostile = marked(number, payload)
        if isinstance(text, str) and text[:1] in "[{":
            try:
                hostile = json.dumps(put(json.loads(text), hostile, frozenset()), ensure_ascii=False)
            except ValueError:
                pass
        try:
            database.execute(
                f"UPDATE {field.table} SET {field.column} = ? WHERE {row_key(database, field.table)} = ?",
                (hostile, key),
            )
            taken += 1
        except sqlite3.IntegrityError:
            continue
    return taken


def row_key(database, table):
    """What tells rows apart: `rowid`, or the first column of a table without one."""
    try:
        database.execute(f"SELECT rowid FROM {table} LIMIT 1")
        return "rowid"
    except sqlite3.OperationalError:
        return database.execute(f"PRAGMA table_info({table})").fetchone()[1]


class Judge:
    """Holds outputs to the rules and counts what it saw."""

    def __init__(self, payloads):
        self.payloads = {number: payload for number, payload in payloads}
        self.seen, self.faults = set(), []

    def fault(self, output, what):
        self.faults.append(f"{output}: {what}")

    def whole(self, output, text, show):
        """Every payload whose mark is there is there whole."""
        for mark in re.finditer("⟦([0-9]+)⟧", text):
            payload = self.payloads[int(mark[1])]
            wanted = without_joiners(show(payload))
            before = without_joiners(text[max(0, mark.start() - 12 * len(payload) - 200) : mark.start()])
            if not before.endswith(wanted):
                self.fault(output, f"payload {mark[1]} is not whole: {before[-60:]!r}")
            self.seen.add(int(mark[1]))

    def inert(self, output, text):
        found = UNSEEN.search(text)
        if found:
            self.fault(output, f"{ord(found[0]):#x} at {text[max(0, found.start() - 40):found.start() + 9]!r}")

    def csv(self, output, text):
        self.inert(output, text.replace("\r\n", "\n"))
        for record in csv.reader(io.StringIO(text, newline="")):
            for cell in record:
                # A leading apostrophe is a spreadsheet's own word for text.
                if FORMULA.search(cell) and not cell.startswith("'") and not NUMBER.match(cell):
                    self.fault(output, f"a formula: {cell[:60]!r}")
                if not cell[:1] in "[{":
                    self.whole(output, cell, shown)

    def ndjson(self, output, text):
        self.inert(output, text)

        def texts(value):
            if isinstance(value, str):
                yield value
            elif isinstance(value, dict):
                for part in value.values():
                    yield from texts(part)
            elif isinstance(value, list):
                for part in value:
                    yield from texts(part)

        for line in filter(None, text.split("\n")):
            for one in texts(json.loads(line)):
                self.whole(output, one, lambda payload: payload)

    def svg(self, output, text):
        self.inert(output, text)
        allowed = {"svg", "rect", "polyline", "polygon", "text", "line", "circle", "path", "g"}
        for element in xml.etree.ElementTree.fromstring(text).iter():
            name = element.tag.rpartition("}")[2]
            if name not in allowed or any(key.startswith("on") or key.endswith("href") for key in element.attrib):
                self.fault(output, f"an element of somebody else: {name} {element.attrib}")
            if element.text:
                self.whole(output, element.text.strip(), lambda payload: shown(payload).strip())

    def terminal(self, output, text):
        self.inert(output, text)
        self.whole(output, text, shown)


def ask(program, *arguments, may_fail=False):
    done = subprocess.run([program, *arguments], capture_output=True, timeout=300)
    if done.returncode != 0 and not may_fail:
        raise SystemExit(f"{arguments} ended with {done.returncode}: {done.stderr.decode()[:2000]}")
    return done.stdout.decode(), done.stderr.decode()


def main():
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("program")
    options = reader.parse_args()
    size = int(os.environ.get("LIFTDECK_TEST_SIZE", "0"))
    by_kind = json.loads((HERE / "payloads.json").read_text())
    payloads = list(enumerate(payload for kind in by_kind.values() for payload in kind))
    if size:
        step = max(1, len(payloads) // size)
        payloads = payloads[::step]
    judge = Judge(payloads)
    with tempfile.TemporaryDirectory() as folder:
        db = str(Path(folder) / "hostile.sqlite")
        with Simulator("--scenario", "quiet", "--start", "2026-11-20T19:30:00Z") as simulator:
            queue = simulator.ready["event_queues"][REGION]
            ask(options.program, "collect", "--db", db, "--region", REGION, "--endpoint-url", simulator.endpoint,
                "--event-queue", f"{REGION}={queue}", "--once", may_fail=True)
        database = sqlite3.connect(db)
        database.execute("PRAGMA foreign_keys = OFF")
        poisoned = [field for turn, field in enumerate(fields(database))
                    if poison(database, field, payloads[turn % len(payloads):] + payloads[: turn % len(payloads)])]
        fleets = [row[0] for row in database.execute("SELECT fleet_id FROM fleet ORDER BY fleet_key LIMIT 6")]
        database.commit()
        database.close()
        outputs, pictures = 0, 0
        for kind in KINDS:
            for form, check in (("csv", judge.csv), ("ndjson", judge.ndjson)):
                text, _ = ask(options.program, "export", kind, "--db", db, "--format", form)
                check(f"export {kind} {form}", text)
                outputs += 1
        for number, fleet in enumerate(fleets):
            out = Path(folder) / f"{number}.svg"
            ask(options.program, "chart", "scaling", "--db", db, f"--fleet={fleet}", "--out", str(out), may_fail=True)
            if out.exists():
                judge.svg(f"chart {number}", out.read_text())
                pictures += 1
        if pictures == 0:
            judge.fault("chart", "no picture was drawn")
        outputs += 1
        for words in (["activity", "list"], ["activity", "runs"], ["activity", "list", "--json"]):
            said, complained = ask(options.program, *words, "--db", db, may_fail=True)
            judge.terminal(" ".join(words), said + complained)
            outputs += 1
        # Messages that quote what they were given.
        for number, payload in payloads[:: max(1, len(payloads) // MESSAGES)]:
            if "\0" in payload or payload.startswith("-"):
                continue
            hostile = marked(number, payload)
            _, complained = ask(options.program, "session", "log", hostile, "--db", db, "--region", REGION, may_fail=True)
            judge.terminal("a message", complained.replace("\n  ", "\n"))
        outputs += 1
    if judge.faults:
        print("\n".join(judge.faults[:40]))
        raise SystemExit(f"hostile: {len(judge.faults)} faults")
    if not judge.seen:
        raise SystemExit("hostile: no payload came out anywhere; nothing was shown")
    print(f"hostile: {len(payloads)} payloads × {len(poisoned)} fields × {outputs} outputs, all inert and whole "
          f"({len(judge.seen)} payloads were seen in some output)")


if __name__ == "__main__":
    main()
