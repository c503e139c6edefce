"""A request's JSON, parsed only where that is cheap: the box that sends it may want it dear.

A few bytes make a value of seventy, and a line of its own in a record: four megabytes of them cost
seconds, in which the broker's one thread serves nobody.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from pae_harness.broker.refusal import Refusal

MOST_VALUES = 50_000  # a long conversation has some thousands
DEEPEST = 64
_STRING = re.compile(rb'"[^"]*"?')
_OPENS, _CLOSES = b"[{", b"]}"
_NOT_BRACKETS = bytes(set(range(256)) - {*_OPENS, *_CLOSES})


def parse(body: bytes) -> Mapping[str, Any]:
    """The JSON object that ``body`` is. Raises Refusal where it is none, or one too many-sided."""
    _check_size(body)
    try:
        # Not the bytes, which could be UTF-16: in that a quote's byte is no quote.
        request = json.loads(body.decode("utf-8"), parse_constant=_finite, parse_float=_finite)
    except (ValueError, RecursionError):
        raise Refusal(400, "invalid_json", "the request is not JSON") from None
    if not isinstance(request, dict):
        raise Refusal(400, "invalid_json", "the request is not a JSON object")
    return request


def _check_size(body: bytes) -> None:
    """Count what stands outside of strings, without making anything of it."""
    plain = body.replace(rb"\\", b"").replace(rb"\"", b"")
    most_quotes = 4 * MOST_VALUES  # a value may have a key
    bare = _STRING.sub(b"", plain) if plain.count(b'"') <= most_quotes else b"," * most_quotes
    if sum(bare.count(mark) for mark in (b",", b"[", b"{")) > MOST_VALUES:
        raise _too_complex(f"it has over {MOST_VALUES} values")
    depth = 0
    for bracket in bare.translate(None, _NOT_BRACKETS)[: 2 * MOST_VALUES]:
        depth += 1 if bracket in _OPENS else -1
        if depth > DEEPEST:
            raise _too_complex(f"it is nested over {DEEPEST} deep")


def _too_complex(why: str) -> Refusal:
    return Refusal(413, "request_too_complex", f"the request is refused: {why}")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number
