"""Reads a JSON text into its numeric leaves, each with pointer, literal and sibling strings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import NamedTuple

from pae_verifiers.errors import SourcesError

_NO_NAMES: Mapping[str, str] = {}


class Literal(NamedTuple):
    """A JSON number as it was written."""

    text: str


class Leaf(NamedTuple):
    """A number in the JSON text, or an array's length (``is_length``; its pointer ends in ``#``).

    ``steps`` are the unescaped keys and indices on the way to it; ``siblings`` are the strings and
    numbers, as text, of the object that holds it.
    """

    steps: tuple[str, ...]
    literal: str
    is_length: bool = False
    siblings: Mapping[str, str] = _NO_NAMES

    @property
    def pointer(self) -> str:
        """RFC 6901, with ``#`` appended for an array's length."""
        path = "".join("/" + s.replace("~", "~0").replace("/", "~1") for s in self.steps)
        return path + "#" if self.is_length else path

    @property
    def value(self) -> Decimal:
        return Decimal(self.literal)


class Leaves(NamedTuple):
    """All numbers and all strings (keys left out) of a JSON text, in its order."""

    numbers: tuple[Leaf, ...]
    strings: tuple[str, ...]


def read(text: str) -> Leaves:
    """Read a JSON text. Raises SourcesError when it is not JSON or holds NaN or Infinity."""
    try:
        tree = json.loads(text, parse_float=Literal, parse_int=Literal, parse_constant=_refuse)
    except (json.JSONDecodeError, RecursionError) as error:
        raise SourcesError(f"the results are not JSON: {error}") from error
    numbers: list[Leaf] = []
    strings: list[str] = []
    for item in _walk(tree, (), _NO_NAMES):
        if isinstance(item, Leaf):
            numbers.append(item)
        else:
            strings.append(item)
    return Leaves(tuple(numbers), tuple(strings))


def _refuse(name: str) -> object:
    raise SourcesError(f"the results hold {name}, which is no number: write a finite one or null")


def _walk(
    node: object, steps: tuple[str, ...], siblings: Mapping[str, str]
) -> Iterator[Leaf | str]:
    if isinstance(node, Literal):
        yield Leaf(steps, node.text, siblings=siblings)
    elif isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        own = {
            key: value.text if isinstance(value, Literal) else value
            for key, value in node.items()
            if isinstance(value, (str, Literal))
        }
        for key, value in node.items():
            yield from _walk(value, (*steps, key), own)
    elif isinstance(node, list):
        if steps:
            yield Leaf(steps, str(len(node)), is_length=True, siblings=siblings)
        for index, value in enumerate(node):
            yield from _walk(value, (*steps, str(index)), siblings)
