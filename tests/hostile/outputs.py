"""Requirements for an output: inert, and complete.

Owns the checks for each form of output. Deliberately runs nothing.
"""

import csv
import io
import json
import re
import xml.etree.ElementTree

# The same characters as `liftdeck_model::visible`.
UNSEEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
FORMULA = re.compile(r"^[\s\"'“”‘’`]*[=+\-@＝＋－＠]")
NUMBER = re.compile(r"^-?[0-9.]+(e-?[0-9]+)?$", re.IGNORECASE)


def shown(text):
    """Replaces what must not be shown as it is with signs; joiners are ignored in comparisons."""
    def sign(match):
        code = ord(match[0])
        if code < 0x20:
            return chr(0x2400 + code)
        return "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"

    return re.sub(UNSEEN.pattern.replace("\x0b-", "\x0a-"), sign, text)


def without_joiners(text):
    return re.sub("[\u200c\u200d\ufe0e\ufe0f]|⟨U\\+(200C|200D|FE0E|FE0F)⟩", "", text)


class Judge:
    """Checks outputs against the rules and counts what it saw."""

    def __init__(self, payloads):
        self.payloads = {number: payload for number, payload in payloads}
        self.seen, self.faults = set(), []
        # Where ids are shown by their last part, a payload with a slash is complete from there on.
        self.by_last_part = False

    def fault(self, output, what):
        self.faults.append(f"{output}: {what}")

    def whole(self, output, text, show):
        """Checks that every payload whose mark is present is complete."""
        for mark in re.finditer("⟦([0-9]+)⟧", text):
            payload = self.payloads[int(mark[1])]
            wanted = without_joiners(show(payload))
            if self.by_last_part:
                wanted = wanted.rpartition("/")[2]
            before = without_joiners(text[max(0, mark.start() - 12 * len(payload) - 200) : mark.start()])
            if not before.endswith(wanted):
                self.fault(output, f"payload {mark[1]} is not whole: {before[-60:]!r}")
            self.seen.add(int(mark[1]))

    def inert(self, output, text):
        found = UNSEEN.search(text)
        if found:
            self.fault(output, f"{ord(found[0]):#x} at {text[max(0, found.start() - 40):found.start() + 9]!r}")

    def silent(self, output, complaint):
        if complaint:
            self.fault(output, f"it complains: {complaint[:200]!r}")

    def csv(self, output, text, complaint):
        self.silent(output, complaint)
        self.inert(output, text.replace("\r\n", "\n"))
        for record in csv.reader(io.StringIO(text, newline="")):
            for cell in record:
                # A leading apostrophe is how spreadsheets mark text.
                if FORMULA.search(cell) and not cell.startswith("'") and not NUMBER.match(cell):
                    self.fault(output, f"a formula: {cell[:60]!r}")
                if not cell[:1] in "[{":
                    self.whole(output, cell, shown)

    def ndjson(self, output, text, complaint):
        self.silent(output, complaint)
        self.inert(output, text)
        for line in filter(None, text.split("\n")):
            self.values(output, json.loads(line))

    def json(self, output, text, complaint):
        self.silent(output, complaint)
        self.inert(output, text)
        self.values(output, json.loads(text))

    def values(self, output, value):
        """Checks every text of a document."""
        if isinstance(value, str):
            self.whole(output, value, lambda payload: payload)
        elif isinstance(value, dict):
            self.values(output, list(value.values()))
        elif isinstance(value, list):
            for part in value:
                self.values(output, part)

    def svg(self, output, text):
        self.inert(output, text)
        allowed = {"svg", "rect", "polyline", "polygon", "text", "line", "circle", "path", "g"}
        for element in xml.etree.ElementTree.fromstring(text).iter():
            name = element.tag.rpartition("}")[2]
            if name not in allowed or any(key.startswith("on") or key.endswith("href") for key in element.attrib):
                self.fault(output, f"an element of somebody else: {name} {element.attrib}")
            if element.text:
                self.whole(output, element.text.strip(), lambda payload: shown(payload).strip())

    def terminal(self, output, text, complaint):
        # Further lines of a message are indented, so that none looks like a separate message.
        said = text + complaint.replace("\n  ", "␊")
        self.inert(output, said)
        self.whole(output, said, shown)
