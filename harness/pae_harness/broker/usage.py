"""How many tokens a reply says that it took, and what they cost."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from pae_harness.broker.terms import Price

_BEYOND = 10**12  # tokens, which no call has


@dataclass(frozen=True)
class Usage:
    """One reply's tokens; ``cost`` in dollars is None where nobody knows it."""

    prompt_tokens: int
    completion_tokens: int
    cost: Decimal | None = None

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


def usage_of(body: bytes, price: Price | None) -> Usage | None:
    """What ``body`` says, a JSON reply or a stream of events; None where it says nothing.

    The cost is the reply's own ``usage.cost``, else what ``price`` makes of the tokens.
    """
    told: dict[str, Any] = {}
    for part in _parts(body):
        for place in (part, part.get("message")):
            if isinstance(place, Mapping) and isinstance(place.get("usage"), Mapping):
                told.update({k: v for k, v in place["usage"].items() if v is not None})
    if not told:
        return None
    prompt = _count(told, "prompt_tokens") + _count(told, "input_tokens")
    prompt += _count(told, "cache_creation_input_tokens") + _count(told, "cache_read_input_tokens")
    completion = _count(told, "completion_tokens") + _count(told, "output_tokens")
    cost = _cost(told.get("cost"))
    if cost is None and price is not None:
        cost = price.of(prompt, completion)
    return Usage(prompt, completion, cost)


def model_of(body: bytes) -> str:
    """The model that answered, as the reply has it, or empty."""
    for part in _parts(body):
        for place in (part, part.get("message")):
            if isinstance(place, Mapping) and isinstance(place.get("model"), str):
                return str(place["model"])
    return ""


def is_answer(body: bytes) -> bool:
    """Whether a reply says something, and not that it failed, which some do with status 200."""
    parts = list(_parts(body))
    return bool(parts) and not any(part.get("error") for part in parts)


def _parts(body: bytes) -> Iterator[Mapping[str, Any]]:
    """The JSON objects of a reply: itself, or the data of its events."""
    texts = [body]
    if not body.lstrip().startswith(b"{"):
        lines = body.splitlines()
        texts = [line.removeprefix(b"data:") for line in lines if line.startswith(b"data:")]
    for text in texts:
        try:
            part = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(part, Mapping):
            yield part


def _count(told: Mapping[str, Any], name: str) -> int:
    value = told.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < _BEYOND:
        return 0
    return value


def _cost(value: object) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return Decimal(str(value)) if math.isfinite(value) and value >= 0 else None
