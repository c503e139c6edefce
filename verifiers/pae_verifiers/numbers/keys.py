"""What the keys of a JSON pointer say of its number: unit, sign, and words to speak of it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pae_verifiers.numbers.leaves import Leaf
from pae_verifiers.numbers.model import Sign
from pae_verifiers.numbers.units import UNITS

_SUFFIXES: Mapping[str, str] = {
    "pct": "percent",
    "percent": "percent",
    "percentage": "percent",
    "bps": "bps",
    "bp": "bps",
    "pp": "pp",
    "ppt": "pp",
    "x": "multiple",
    "multiple": "multiple",
    "ratio": "ratio",
    "fraction": "ratio",
    "count": "count",
    "shares": "share",
    "day": "day",
    "days": "day",
    "week": "week",
    "weeks": "week",
    "month": "month",
    "months": "month",
    "year": "year",
    "years": "year",
}
# Words that stay in an alias although they end a key, because a reader sees them as well.
_SPOKEN = frozenset({"ratio", "multiple", "fraction", "shares"})
_MAGNITUDE_WORDS = "loss losses drawdown drawdowns var cost costs tax taxes"
_MAGNITUDES = frozenset(_MAGNITUDE_WORDS.split())
_NAME_KEYS = "name label title sleeve asset instrument ticker symbol id key"
_NAMES = tuple(_NAME_KEYS.split())
_SILENT_WORDS = "of in the per to and at by for a an is on or with"
_SILENT = frozenset(_SILENT_WORDS.split())
_GENERIC_WORDS = """
    total sum value amount level number before after old new prior current now previous target min
    max minimum maximum mean median average limit low high start end from this last next net gross
    change difference weight usd eur gbp
"""
_GENERIC = frozenset(_GENERIC_WORDS.split())
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")


def unit_of(leaf: Leaf) -> str | None:
    """The unit that a key's last word names (``total_usd``), its own key's or a container's."""
    if leaf.is_length:
        return "count"
    *containers, key = leaf.steps or ("",)
    own = _unit_word(_words(key))
    if own:
        return own
    # A container's single word ("years") names what it holds, not the unit of it.
    compound = (words for words in map(_words, reversed(containers)) if len(words) > 1)
    return next((unit for unit in map(_unit_word, compound) if unit), None)


def sign_of(leaf: Leaf) -> Sign:
    """``magnitude`` where the pointer speaks of loss, drawdown, VaR, cost or tax."""
    spoken = {word for step in leaf.steps for word in _words(step)}
    return "magnitude" if spoken & _MAGNITUDES else "signed"


def groups_of(leaf: Leaf) -> tuple[tuple[str, ...], ...]:
    """Alias groups from the keys and the names beside the number, the subject's group first."""
    names = tuple(leaf.siblings[key] for key in _NAMES if key in leaf.siblings)
    words: list[str] = []
    subject: list[str] = []
    for step in reversed(leaf.steps):
        if step.isdigit():
            continue
        spoken = _words(step)
        if _unit_word(spoken) and spoken[-1] not in _SPOKEN:
            spoken = spoken[:-1]
        spoken = [word for word in spoken if not word.isdigit() and word not in _SILENT]
        words.extend(word for word in spoken if word not in words)
        # A compound's last word is its head: trading_cost speaks of a cost.
        subject = subject or [word for word in spoken if word not in _GENERIC][-1:]
    ordered = [*subject, *(word for word in words if word not in subject)]
    return (*((names,) if names else ()), *((word,) for word in ordered))


def _unit_word(words: list[str]) -> str | None:
    if not words:
        return None
    last = words[-1]
    if last in _SUFFIXES and (len(words) > 1 or last not in {"x", "day", "month", "year", "week"}):
        return _SUFFIXES[last]
    code = last.upper()
    return code if len(code) == 3 and code in UNITS and UNITS[code].name == code else None


def _words(step: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(step)]
