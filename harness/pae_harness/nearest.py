"""The nearest valid name, for messages about an unknown one."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: str, valid: Iterable[str]) -> str | None:
    """The valid name that ``name`` was meant to be, if one is near enough."""
    return next(iter(get_close_matches(name, sorted(valid), n=1, cutoff=0.5)), None)


def did_you_mean(name: str, valid: Iterable[str]) -> str:
    """``"; did you mean 'x'?"``, else the valid names where they are few, else nothing."""
    names = sorted(valid)
    near = nearest(name, names)
    if near is not None:
        return f"; did you mean '{near}'?"
    if 0 < len(names) <= 12:
        return f"; known: {', '.join(names)}"
    return ""


def one_of(values: Iterable[object]) -> str:
    """``'a', 'b' or 'c'``."""
    shown = [repr(value) for value in values]
    return " or ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
