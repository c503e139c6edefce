"""A model's text as the one JSON object that it must be.

One outer code fence may go; nothing is fished out of prose, so that a document which the model
quotes cannot speak for it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any, NoReturn

MOST_CHARACTERS = 1 << 20
MOST_DEPTH = 32
SHOWN = 80
_FENCE = re.compile(r"(`{3,}|~{3,})[ \t]*\w*[ \t]*\n(?P<inside>.*)\n[ \t]*\1", re.DOTALL)


class ReplyError(ValueError):
    """A reply that is not one JSON object; the message is a sentence for the model."""


def parse(text: str) -> dict[str, Any]:
    """The object that ``text`` is. A number such as 4.0 is the integer 4, as in JSON Schema.

    Raises ReplyError for anything else: prose, text before or after the object, another type, a
    key that occurs twice, NaN and infinities, lone surrogates, what is too long or too deep.
    """
    text = _unfenced(text.strip())
    if not text:
        raise ReplyError("the reply is empty")
    if len(text) > MOST_CHARACTERS:
        raise ReplyError(f"the reply has more than {MOST_CHARACTERS} characters")
    try:
        data = json.loads(
            text,
            object_pairs_hook=_unique,
            parse_constant=_no_constant,
            parse_float=_number,
        )
    except ReplyError:
        raise
    except json.JSONDecodeError as error:
        raise ReplyError(_why(error)) from None
    except RecursionError:
        raise ReplyError("the reply is nested too deeply") from None
    except ValueError as error:  # an integer of thousands of digits
        raise ReplyError(f"the reply is not usable JSON: {error}") from None
    if not isinstance(data, dict):
        raise ReplyError(f"the reply is {_type(data)}, not one JSON object")
    for value, depth in _values(data):
        if depth > MOST_DEPTH:
            raise ReplyError(f"the reply is nested more than {MOST_DEPTH} levels deep")
        if isinstance(value, str) and not _is_text(value):
            raise ReplyError(
                f"the reply has half a character (a lone surrogate) in {value[:SHOWN]!a}"
            )
    return data


def _unfenced(text: str) -> str:
    fenced = _FENCE.fullmatch(text)
    return fenced["inside"].strip() if fenced else text


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ReplyError(f"the key {key[:SHOWN]!r} occurs twice in one object")
        found[key] = value
    return found


def _no_constant(name: str) -> NoReturn:
    raise ReplyError(f"{name} is no JSON number")


def _number(text: str) -> int | float:
    value = float(text)
    if not math.isfinite(value):
        raise ReplyError(f"{text[:SHOWN]} is too large for a number")
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _why(error: json.JSONDecodeError) -> str:
    if error.msg == "Extra data":
        after = error.doc[error.pos : error.pos + SHOWN]
        return f"text follows the JSON object: {after!r}"
    if error.pos == 0:
        return f"the reply does not begin with a JSON object but with {error.doc[:SHOWN]!r}"
    return f"the reply is not valid JSON: {error.msg} at character {error.pos}"


def _type(data: object) -> str:
    names = {list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return names.get(type(data), "a number")


def _values(data: object) -> Iterator[tuple[object, int]]:
    """Every value and key with its depth; without recursion, which depth would end."""
    waiting = [(data, 1)]
    while waiting:
        value, depth = waiting.pop()
        yield value, depth
        if isinstance(value, dict):
            waiting += [(part, depth + 1) for pair in value.items() for part in pair]
        elif isinstance(value, list):
            waiting += [(part, depth + 1) for part in value]


def _is_text(value: str) -> bool:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
