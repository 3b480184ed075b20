"""Requests that each break one rule of the model, made from a valid request.

botocore's model says which members are required, how long texts and lists are, what a pattern or an enumeration
allows and which type a member has; the service refuses whatever breaks that. Rules that are not in the model are
tested in `cases.py` and `changes/`.
"""

import copy
import re

INVALID, UNREADABLE = "InvalidRequestException", "SerializationException"
# The longest text that is sent to exceed a length; longer limits would only cost time.
LONGEST = 300_000
STRANGE = ["!", "no match", "\u00e9", " ", "-"]
PLAIN = ("string", "integer", "long", "boolean", "double", "float", "timestamp")


def members(shape, path="", above=()):
    """Yields the path of every member of a shape: names joined by dots, `[]` for an item, `{}` for a value."""
    if shape.type_name == "structure":
        for name, inner in shape.members.items():
            here = f"{path}.{name}" if path else name
            yield here
            if inner.name not in above:
                yield from members(inner, here, (*above, shape.name))
    elif shape.type_name == "list":
        yield f"{path}[]"
        yield from members(shape.member, f"{path}[]", above)
    elif shape.type_name == "map":
        yield f"{path}{{}}"
        yield from members(shape.value, f"{path}{{}}", above)


def violations(shape, parameters, done=frozenset()):
    """Yields every (path, broken rule, parameters, expected code) for an input shape and valid parameters.

    Members in `done` were already tested with other parameters and are left out.
    """
    for path, inner, present in _places(shape, parameters, ()):
        where = _general(shape, path)
        if where in done:
            continue
        for what, value in _broken(inner, _at(parameters, path) if present else None):
            yield where, f"{_name(path)}: {what}", _with(parameters, path, value), INVALID
        yield where, f"{_name(path)}: of another type", _with(parameters, path, _of_another_type(inner)), UNREADABLE
    for path, structure in _structures(shape, parameters, ()):
        for name in structure.required_members:
            if _general(shape, path + (name,)) not in done:
                without = _without(parameters, path + (name,))
                yield _general(shape, path + (name,)), f"{_name(path + (name,))}: absent", without, INVALID


def _places(shape, value, path):
    """Yields the members of a structure: those given and below them; of the others, the texts and numbers."""
    for name, inner in shape.members.items():
        here = path + (name,)
        if name in value:
            yield from _given(inner, value[name], here)
        elif inner.type_name in PLAIN:
            yield here, inner, False


def _given(shape, value, path):
    yield path, shape, True
    if shape.type_name == "structure":
        yield from _places(shape, value, path)
    elif shape.type_name == "list" and value:
        yield from _given(shape.member, value[0], path + (0,))
    elif shape.type_name == "map" and value:
        first = next(iter(value))
        yield from _given(shape.value, value[first], path + (first,))


def _structures(shape, value, path):
    """Yields the structures that are given, with their paths."""
    if shape.type_name == "structure":
        yield path, shape
        for name, inner in shape.members.items():
            if name in value:
                yield from _structures(inner, value[name], path + (name,))
    elif shape.type_name == "list" and value:
        yield from _structures(shape.member, value[0], path + (0,))


def _broken(shape, value):
    """Yields values of the right type that break a rule of a shape."""
    low, high = shape.metadata.get("min"), shape.metadata.get("max")
    kind = shape.type_name
    if kind == "string":
        if getattr(shape, "enum", None):
            yield "outside the enumeration", "NO_SUCH_VALUE"
            return
        pattern = shape.metadata.get("pattern")
        strange = next((text for text in STRANGE if pattern and not re.search(pattern, text)), None)
        if strange is not None:
            yield "outside the pattern", strange
        if low:
            yield "too short", ""
        if high and high < LONGEST:
            yield "too long", "x" * (high + 1)
    elif kind in ("integer", "long"):
        if low is not None:
            yield "too small", low - 1
        if high is not None and high < 2**31 - 1:
            yield "too large", high + 1
    elif kind == "list" and value:
        if low:
            yield "too few", []
        if high:
            yield "too many", [copy.deepcopy(value[0]) for _ in range(high + 1)]
    elif kind == "map" and value:
        for what, key in _broken(shape.key, None):
            yield f"with a key {what}", {key: copy.deepcopy(next(iter(value.values())))}


def _of_another_type(shape):
    return {"no": "text"} if shape.type_name in ("string", "integer", "long", "blob") else "no such type"


def _name(path):
    return ".".join(str(part) for part in path)


def _general(shape, path):
    """Returns a path in the notation of `members`."""
    text = ""
    for part in path:
        if shape.type_name == "list":
            shape, text = shape.member, f"{text}[]"
        elif shape.type_name == "map":
            shape, text = shape.value, f"{text}{{}}"
        else:
            shape, text = shape.members[part], f"{text}.{part}" if text else part
    return text


def _at(value, path):
    for part in path:
        value = value[part]
    return value


def _with(parameters, path, value):
    changed = copy.deepcopy(parameters)
    _at(changed, path[:-1])[path[-1]] = value
    return changed


def _without(parameters, path):
    changed = copy.deepcopy(parameters)
    del _at(changed, path[:-1])[path[-1]]
    return changed
