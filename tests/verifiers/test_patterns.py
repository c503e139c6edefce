"""The package's patterns match alike on every Python that it supports.

Up to 3.11.4 a possessive repeat of something that itself repeats goes wrong: on "12,895." the
pattern of a number took the full stop with it. An atomic group around a plain repeat does not.
"""

from __future__ import annotations

import re
import re._parser as parser  # type: ignore[import-not-found]
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

import pytest

import pae_verifiers

MODULES = sorted(
    module.name
    for module in walk_packages(pae_verifiers.__path__, "pae_verifiers.")
    if not module.name.endswith("__main__")
)


def operations(parsed: object) -> Iterator[tuple[str, object]]:
    """The operations of a parsed pattern, at any depth, each with its argument."""
    if isinstance(parsed, parser.SubPattern):
        for name, argument in parsed:
            yield str(name), argument
            yield from operations(argument)
    elif isinstance(parsed, tuple | list):
        for part in parsed:
            yield from operations(part)


def goes_wrong(pattern: str) -> bool:
    return any(
        name == "POSSESSIVE_REPEAT" and any("REPEAT" in inner for inner, _ in operations(argument))
        for name, argument in operations(parser.parse(pattern))
    )


@pytest.mark.parametrize(
    "pattern", [r"[0-9]++(?:[.,][0-9]++)*+", r"(?:a|(?:b+c)?+)", r"(x(y?)z)++"]
)
def test_a_possessive_repeat_of_a_repeat_is_seen(pattern: str) -> None:
    assert goes_wrong(pattern)


@pytest.mark.parametrize("pattern", [r"[0-9]++(?>(?:[.,][0-9]++)*)", r"\d++", r"(?:ab)?+"])
def test_what_is_read_alike_passes(pattern: str) -> None:
    assert not goes_wrong(pattern)


@pytest.mark.parametrize("module", MODULES)
def test_no_pattern_of_the_package_goes_wrong(module: str) -> None:
    patterns = [p for p in vars(import_module(module)).values() if isinstance(p, re.Pattern)]
    assert [p.pattern for p in patterns if goes_wrong(p.pattern)] == []
