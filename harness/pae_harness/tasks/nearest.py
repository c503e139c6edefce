"""The nearest valid name, for messages about an unknown one."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: str, valid: Iterable[str]) -> str:
    """``"; did you mean 'x'?"``, else the valid names where they are few, else nothing."""
    names = sorted(valid)
    close = get_close_matches(name, names, n=1, cutoff=0.5)
    if close:
        return f"; did you mean '{close[0]}'?"
    if 0 < len(names) <= 12:
        return f"; known: {', '.join(names)}"
    return ""


def one_of(values: Iterable[object]) -> str:
    """``'a', 'b' or 'c'``."""
    shown = [repr(value) for value in values]
    return " or ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
