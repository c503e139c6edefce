"""What an option is, and how its value is found: from the flag, else from ``PAE_<NAME>``, else from
``pae.toml``, else it is the default.
"""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pae_harness.errors import UsageError
from pae_harness.nearest import nearest

CONFIG_FILE = "pae.toml"
PRICES = "prices"  # its one table: what a model's tokens cost


@dataclass(frozen=True)
class Option:
    """One option. ``parse`` turns text, from wherever it came, into its value."""

    name: str
    flags: tuple[str, ...]
    help: str
    parse: Callable[[str], Any]
    default: Any = None
    metavar: str | None = None
    choices: tuple[str, ...] = ()

    @property
    def switch(self) -> bool:
        return self.parse is truth


@dataclass(frozen=True)
class Resolved:
    """The values in force, and for each the place it came from: flag, env, file or default.

    ``prices`` is the table of that name in pae.toml, as it stands there.
    """

    values: Mapping[str, Any]
    sources: Mapping[str, str]
    prices: Mapping[str, Any] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Any:
        return self.values[name]


def truth(text: str) -> bool:
    """``1/true/yes/on`` or ``0/false/no/off``."""
    if text.lower() in ("1", "true", "yes", "on"):
        return True
    if text.lower() in ("0", "false", "no", "off", ""):
        return False
    raise ValueError("use true or false")


def positive(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise ValueError("must be a whole number of at least 1")
    return value


def count(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ValueError("must be a whole number of at least 0")
    return int(text)


def positive_float(text: str) -> float:
    value = _float(text)
    if not 0 < value < math.inf:
        raise ValueError("must be a finite number above 0")
    return value


def unit_interval(text: str) -> float:
    value = _float(text)
    if not 0 <= value <= 1:
        raise ValueError("must be a number from 0 to 1")
    return value


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def add(parser: argparse.ArgumentParser, options: Sequence[Option]) -> None:
    """Declare ``options`` on ``parser``; values stay text until :func:`resolve`."""
    for option in options:
        if option.switch:
            parser.add_argument(
                *option.flags,
                dest=option.name,
                action="store_const",
                const="true",
                help=option.help,
            )
        else:
            parser.add_argument(
                *option.flags, dest=option.name, metavar=option.metavar, help=option.help
            )


def resolve(
    options: Sequence[Option],
    args: argparse.Namespace,
    environ: Mapping[str, str] = os.environ,
    config: Mapping[str, Any] | None = None,
) -> Resolved:
    """The values of ``options``. Raises UsageError, naming the place, for a value of no use."""
    values: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for option in options:
        text, place, source = _find(option, args, environ, config or {})
        sources[option.name] = source
        values[option.name] = option.default if text is None else _parse(option, text, place)
    return Resolved(values, sources, (config or {}).get(PRICES, {}))


def _find(
    option: Option, args: argparse.Namespace, environ: Mapping[str, str], config: Mapping[str, Any]
) -> tuple[str | None, str, str]:
    variable = f"PAE_{option.name.upper()}"
    if (flag := getattr(args, option.name, None)) is not None:
        return str(flag), option.flags[-1], "flag"
    if variable in environ:
        return environ[variable], variable, "env"
    if option.name in config:
        return str(config[option.name]), f"{CONFIG_FILE}: {option.name}", "file"
    return None, "", "default"


def _parse(option: Option, text: str, place: str) -> Any:
    if option.choices and text not in option.choices:
        near = nearest(text, option.choices)
        hint = f"did you mean {near!r}?" if near else f"use {' or '.join(option.choices)}"
        raise UsageError(f"{place}: {text!r} is not known here; {hint}")
    try:
        return option.parse(text)
    except ValueError as error:
        raise UsageError(f"{place}: {text!r} is of no use: {error}") from error
