"""Puts payloads into the texts of a database.

Owns which texts come from somebody else. Deliberately checks nothing: `outputs` does.
"""

import json
import sqlite3

# Columns whose text is the program's own: it writes and reads them itself, and they never hold text from AWS or a
# person.
OWN = {
    "fact": None, "revision": None, "schema_migrations": None, "_sqlx_migrations": None, "listing": None, "poll": {"kind"},
    "region": {"name"}, "fleet": {"fleet_id"}, "resource": {"kind", "fingerprint"}, "change": {"kind", "field"}, "word": None,
    "metric_series": None, "series": None, "run": {"kind", "state", "run_id", "plan", "progress", "id"},
    "activity": {"id", "run_id", "undo_of", "operation", "resource_kind", "outcome", "effect"},
    "quarantined_message": {"reason", "event", "names", "queue_url"}, "feed_adoption": {"foreign_bodies", "region"},
    "alert": {"id", "rule", "subject", "severity", "state"}, "alert_step": {"step"},
}  # fmt: skip
# Rows of these columns whose text is not one of the program's keys; the other rows hold keys, such as ids of fleets.
OTHERS = {"resource.id": "kind <> 'fleet'"}
# Text from the game that may be a document, which Liftdeck does not interpret.
OPAQUE = {"game_session_data", "matchmaker_data", "player_data", "custom_event_data", "body"}
# Members of documents that are enums or the program's keys: another value would make the record invalid.
OWN_MEMBERS = {"type", "kind", "Type", "operation", "region", "fleet_id"}


def marked(number, payload):
    """Puts the mark behind a payload, so that it can be found, complete or not."""
    return f"{payload}⟦{number}⟧"


# More rows add nothing, and each would repeat the name of its fleet.
MOST_ROWS = 400
LONG = ("game_session", "player_session", "placement_event", "matchmaking_event", "ticket", "fleet_event")


class Field:
    """A column of texts or of JSON documents, and the rows that have a value."""

    def __init__(self, database, table, column):
        self.table, self.column = table, column
        self.key = row_key(database, table)
        self.rows = database.execute(
            f"SELECT {self.key}, {column} FROM {table} WHERE typeof({column}) = 'text' "
            f"AND {OTHERS.get(f'{table}.{column}', 'true')} LIMIT {MOST_ROWS}"
        ).fetchall()

    def poison(self, database, numbered):
        """Spreads all payloads over the rows; the first ones start a text. A value that the database refuses stays
        unchanged."""
        for at, (key, text) in enumerate(self.rows):
            share = numbered[at :: len(self.rows)] or [numbered[at % len(numbered)]]
            hostile = "".join(marked(*one) for one in share)
            if text[:1] in ("[", "{") and self.column not in OPAQUE:
                try:
                    hostile = json.dumps(put(json.loads(text), hostile, frozenset()), ensure_ascii=False)
                except ValueError:
                    pass
            try:
                database.execute(f"UPDATE {self.table} SET {self.column} = ? WHERE {self.key} = ?", (hostile, key))
            except sqlite3.IntegrityError:
                continue


def thin(database):
    """Keeps only the first rows of each long table."""
    for table in LONG:
        key = row_key(database, table)
        database.execute(
            f"DELETE FROM {table} WHERE {key} NOT IN (SELECT {key} FROM {table} ORDER BY {key} LIMIT {MOST_ROWS})"
        )


def fields(database):
    """Returns the fields that hold texts from somebody else."""
    tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    for table in tables:
        if table.startswith("sqlite_") or OWN.get(table, ()) is None:
            continue
        for _, column, kind, *_ in database.execute(f"PRAGMA table_info({table})").fetchall():
            if kind in ("TEXT", "ANY") and column not in OWN.get(table, ()):
                field = Field(database, table, column)
                if field.rows:
                    yield field


def put(value, payload, members):
    """Returns a document with the payload in every text except the program's own words."""
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


def row_key(database, table):
    """Returns what identifies a row: `rowid`, or the first column of a table without one."""
    try:
        database.execute(f"SELECT rowid FROM {table} LIMIT 1")
        return "rowid"
    except sqlite3.OperationalError:
        return database.execute(f"PRAGMA table_info({table})").fetchone()[1]
