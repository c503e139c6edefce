"""A file against its JSON Schema: one sentence for each thing that is wrong, with its line."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from typing import Any

from pae_harness.errors import TaskError
from pae_harness.nearest import did_you_mean, nearest, one_of
from pae_harness.tasks.source import Source
from pae_harness.tasks.toml_lines import Keys

_TYPES = {
    "object": "a table",
    "array": "a list",
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}


def schema_errors(source: Source, name: str) -> list[TaskError]:
    """Where ``source`` departs from the schema ``name``, by line; empty if nowhere."""
    from pae_schemas import validator

    found = list(_not_finite(source, source.value, ()))
    faults = list(validator(name).iter_errors(source.value))
    misspelt = {near for fault in faults for near in _misspelt(fault)}
    for fault in faults:
        known = fault.validator == "required" and (_at(fault), _lacking(fault)) in misspelt
        if not known and _finite(fault.instance):
            found.extend(_tell(source, fault))
    unique = {(error.line, error.message): error for error in found}
    return sorted(unique.values(), key=lambda error: (error.line or 0, error.message))


def _at(fault: Any) -> Keys:
    return tuple(fault.absolute_path)


def _misspelt(fault: Any) -> Iterator[tuple[Keys, str]]:
    """The keys that unknown ones were meant to be: those are not missing as well."""
    if fault.validator == "additionalProperties" and fault.validator_value is False:
        for key in _unknown_keys(fault):
            near = nearest(key, _known_keys(fault))
            if near is not None:
                yield _at(fault), near


def _not_finite(source: Source, value: object, path: Keys) -> Iterator[TaskError]:
    """JSON Schema's limits let NaN through: it is neither below a minimum nor above a maximum."""
    if not _finite(value):
        yield source.error(f"{dotted(path)} must be a finite number, not {value}", *path)
    elif isinstance(value, dict):
        for key, child in value.items():
            yield from _not_finite(source, child, (*path, key))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from _not_finite(source, child, (*path, index))


def _finite(value: object) -> bool:
    return not isinstance(value, float) or math.isfinite(value)


def _tell(source: Source, fault: Any) -> Iterator[TaskError]:
    path = _at(fault)
    if fault.validator == "additionalProperties" and fault.validator_value is False:
        for key in _unknown_keys(fault):
            near = did_you_mean(key, _known_keys(fault))
            yield source.error(f"unknown key '{key}' {_inside(source, path)}{near}", *path, key)
    elif "propertyNames" in fault.absolute_schema_path:
        yield source.error(_bad_name(source, path, fault), *path, fault.instance)
    else:
        yield source.error(_SENTENCES.get(fault.validator, _other)(source, path, fault), *path)


def _known_keys(fault: Any) -> list[str]:
    properties: dict[str, Any] = fault.schema.get("properties", {})
    return [key for key, rule in properties.items() if "x-refused" not in rule]


def _unknown_keys(fault: Any) -> list[str]:
    known: dict[str, Any] = fault.schema.get("properties", {})
    patterns: list[str] = list(fault.schema.get("patternProperties", {}))
    return [
        key
        for key in fault.instance
        if key not in known and not any(re.search(pattern, key) for pattern in patterns)
    ]


def _bad_name(source: Source, path: Keys, fault: Any) -> str:
    rule = fault.schema.get("x-must-be", "a valid name")
    return f"the key '{fault.instance}' {_inside(source, path)} must be {rule}"


def _lacking(fault: Any) -> str:
    """The one key that a fault with ``required`` is about: only its message says which."""
    keys: list[str] = fault.validator_value
    return next(key for key in keys if fault.message.startswith(f"{key!r} "))


def _missing(source: Source, path: Keys, fault: Any) -> str:
    return f"the key '{_lacking(fault)}' is missing {_inside(source, path)}"


def _needs(source: Source, path: Keys, fault: Any) -> str:
    key, others = next(
        (key, [other for other in others if other not in fault.instance])
        for key, others in fault.validator_value.items()
        if key in fault.instance and not set(others) <= set(fault.instance)
    )
    return f"'{key}' {_inside(source, path)} needs {one_of(others)} beside it"


def _refused(source: Source, path: Keys, fault: Any) -> str:
    why = fault.schema.get("x-refused", "it may not stand here")
    return f"the key '{path[-1]}' {_inside(source, path[:-1])} is not accepted: {why}"


def _enum(source: Source, path: Keys, fault: Any) -> str:
    sentence = f"{dotted(path)} must be {one_of(fault.validator_value)}, not {_show(fault)}"
    near = nearest(str(fault.instance), map(str, fault.validator_value))
    return sentence if near is None else f"{sentence}; did you mean '{near}'?"


def _const(source: Source, path: Keys, fault: Any) -> str:
    if path == ("schema_version",):
        return (
            f"schema_version {_show(fault)} is not supported: write '{fault.validator_value}', "
            "the version that is read here"
        )
    return f"{dotted(path)} must be {fault.validator_value!r}, not {_show(fault)}"


def _type(source: Source, path: Keys, fault: Any) -> str:
    wanted = fault.validator_value
    types = [wanted] if isinstance(wanted, str) else wanted
    words = " or ".join(_TYPES[name] for name in types)
    return f"{dotted(path)} must be {words}, not {_show(fault)}"


def _pattern(source: Source, path: Keys, fault: Any) -> str:
    rule = fault.schema.get("x-must-be", f"of the form {fault.validator_value}")
    return f"{dotted(path)} must be {rule}, not {_show(fault)}"


def _limit(words: str) -> Callable[[Source, Keys, Any], str]:
    def sentence(source: Source, path: Keys, fault: Any) -> str:
        return f"{dotted(path)} must be {words} {fault.validator_value}, not {_show(fault)}"

    return sentence


def _empty(source: Source, path: Keys, fault: Any) -> str:
    return f"{dotted(path)} must not be empty"


def _twice(source: Source, path: Keys, fault: Any) -> str:
    again = next(item for i, item in enumerate(fault.instance) if item in fault.instance[:i])
    return f"{dotted(path)} holds {again!r} twice"


def _other(source: Source, path: Keys, fault: Any) -> str:
    return f"{dotted(path) or 'the file'}: {fault.message}"


_SENTENCES: dict[str, Callable[[Source, Keys, Any], str]] = {
    "required": _missing,
    "dependentRequired": _needs,
    "not": _refused,
    "enum": _enum,
    "const": _const,
    "type": _type,
    "pattern": _pattern,
    "minimum": _limit("at least"),
    "maximum": _limit("at most"),
    "exclusiveMinimum": _limit("above"),
    "minLength": _empty,
    "minItems": _empty,
    "minProperties": _empty,
    "uniqueItems": _twice,
}


def dotted(path: Keys) -> str:
    """``("metadata", "inputs", 0, "path")`` as ``metadata.inputs[0].path``."""
    return "".join(_step(key) for key in path).removeprefix(".")


def _step(key: str | int) -> str:
    if isinstance(key, int):
        return f"[{key}]"
    return f".{key}" if re.fullmatch(r"[\w-]+", key) else f"['{key}']"


def _inside(source: Source, path: Keys) -> str:
    if not path:
        return "at the top level"
    if source.toml and all(isinstance(key, str) for key in path):
        return f"in [{dotted(path)}]"
    return f"in {dotted(path)}"


def _show(fault: Any) -> str:
    value = fault.instance
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "nothing"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…'"
