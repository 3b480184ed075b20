"""Checks values as they were on the wire against botocore's service model.

Stricter than any client: unknown members, enumerations, patterns, lengths and number types count too.
"""

import datetime
import re
import xml.etree.ElementTree

import botocore.session

# Values that the reference documents but the model lacks: EC2 and Anywhere computes are `Active`.
DOCUMENTED = {("Compute", "ComputeStatus"): {"Active"}}

# Errors that any operation may return, and their status (API reference, common error types).
COMMON_ERRORS = {
    "AccessDeniedException": 403,
    "ExpiredTokenException": 403,
    "IncompleteSignature": 403,
    "MissingAuthenticationToken": 403,
    "SerializationException": 400,
    "ThrottlingException": 400,
    "UnknownOperationException": 404,
    "UnrecognizedClientException": 403,
}


def service(name):
    """Returns the model of a service."""
    return botocore.session.get_session().get_service_model(name)


def problems(shape, value, encoding, path="", owner=None):
    """Returns everything wrong with a value of a shape, as lines of text. `encoding` is `json` or `cbor`."""
    return list(_problems(shape, value, encoding, path or shape.name, owner))


def _problems(shape, value, encoding, path, owner):
    kind = shape.type_name
    if not _has_type(kind, value, encoding):
        yield f"{path}: {value!r} is no {kind} in {encoding}"
        return
    if kind == "structure":
        for name in shape.required_members:
            if name not in value:
                yield f"{path}: required {name} is absent"
        for name, inner in value.items():
            if name not in shape.members:
                yield f"{path}: {name} is not in the model"
            else:
                yield from _problems(shape.members[name], inner, encoding, f"{path}.{name}", (shape.name, name))
    elif kind == "list":
        yield from _size(shape, len(value), path)
        for at, inner in enumerate(value):
            yield from _problems(shape.member, inner, encoding, f"{path}[{at}]", owner)
    elif kind == "map":
        yield from _size(shape, len(value), path)
        for name, inner in value.items():
            yield from _problems(shape.key, name, encoding, f"{path} key {name!r}", owner)
            yield from _problems(shape.value, inner, encoding, f"{path}[{name!r}]", owner)
    elif kind == "string":
        yield from _size(shape, len(value), path)
        allowed = set(getattr(shape, "enum", None) or []) | DOCUMENTED.get(owner, set())
        if getattr(shape, "enum", None) and value not in allowed:
            yield f"{path}: {value!r} is not in the enumeration of {shape.name}"
        pattern = shape.metadata.get("pattern")
        if pattern and not re.search(pattern, value):
            yield f"{path}: {value!r} does not match {pattern}"
    elif kind in ("integer", "long"):
        yield from _size(shape, value, path)


def _size(shape, size, path):
    low, high = shape.metadata.get("min"), shape.metadata.get("max")
    if low is not None and size < low:
        yield f"{path}: {size} is less than {low}"
    if high is not None and size > high:
        yield f"{path}: {size} is more than {high}"


def _has_type(kind, value, encoding):
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind == "structure" or kind == "map":
        return isinstance(value, dict)
    if kind == "list":
        return isinstance(value, list)
    if kind == "string":
        return isinstance(value, str)
    if kind in ("integer", "long"):
        return number and isinstance(value, int)
    if kind in ("double", "float"):
        return isinstance(value, float) if encoding == "cbor" else number
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "blob":
        return isinstance(value, bytes if encoding == "cbor" else str)
    if kind == "timestamp":
        return isinstance(value, datetime.datetime) if encoding == "cbor" else number
    return False


def from_xml(operation, content):
    """Returns the result in an XML answer of the Query protocol, as CBOR would hold it. What the model does not know
    stays, so that `problems` names it."""
    root = xml.etree.ElementTree.fromstring(content)
    space = root.tag.split("}")[0] + "}"
    assert space == "{" + operation.service_model.metadata["xmlNamespace"] + "}", root.tag
    assert root.tag == f"{space}{operation.name}Response", root.tag
    result = root.find(f"{space}{operation.name}Result")
    return {} if result is None else _from_xml(operation.output_shape, result)


def _from_xml(shape, element):
    children, kind = [(child.tag.split("}")[1], child) for child in element], shape and shape.type_name
    if kind == "structure":
        return {name: _from_xml(shape.members.get(name), child) for name, child in children}
    if kind == "list":
        assert {name for name, _ in children} <= {"member"}, children
        return [_from_xml(shape.member, child) for _, child in children]
    text = element.text or ""
    if kind in ("integer", "long"):
        return int(text)
    if kind == "boolean":
        return {"true": True, "false": False}[text]
    return datetime.datetime.fromisoformat(text) if kind == "timestamp" else text


def declared_errors(operation):
    """Returns the error codes that an operation may return, and their status."""
    declared = {}
    for shape in operation.error_shapes:
        error = shape.metadata.get("error", {})
        fallback = 500 if shape.name == "InternalServiceException" else 400
        declared[error.get("code", shape.name)] = error.get("httpStatusCode", fallback)
    return declared | COMMON_ERRORS
