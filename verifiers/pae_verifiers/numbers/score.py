"""The score: in exact fractions over distinct pairs of fact and shown value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction

from pae_verifiers.numbers.measure import EXACT
from pae_verifiers.numbers.model import NumberVerdict
from pae_verifiers.numbers.units import factor

TOLERATED = Fraction(1, 20)  # the share of numbers that may be slips
PENALTY = Fraction(1, 20)  # what each slip costs

Pair = tuple[str, Decimal | str]


def score(verdicts: Sequence[NumberVerdict], required: Sequence[str]) -> Fraction:
    """The numeric consistency of a document, from 0 to 1.

    ``verdicts`` are those on its numbers, hidden ones included; ``required`` are the groups of
    facts of which one each must be cited.
    """
    if any(verdict.verdict == "fabricated" for verdict in verdicts):
        return Fraction(0)
    if any(verdict.hidden and verdict.verdict == "mismatch" for verdict in verdicts):
        return Fraction(0)
    slips = _pairs(verdicts, "mismatch")
    cited = _pairs(verdicts, "matched") | slips
    if not cited or Fraction(len(slips), len(cited)) > TOLERATED:
        return Fraction(0)
    base = max(Fraction(0), 1 - PENALTY * len(slips))
    if not required:
        return base
    return base * Fraction(len(required) - len(missing(verdicts, required)), len(required))


def missing(verdicts: Iterable[NumberVerdict], required: Sequence[str]) -> tuple[str, ...]:
    """The required groups that no matched number in view cites."""
    covered = {
        verdict.fact.required
        for verdict in verdicts
        if verdict.verdict == "matched" and not verdict.hidden and verdict.fact
    }
    return tuple(group for group in required if group not in covered)


def _pairs(verdicts: Iterable[NumberVerdict], wanted: str) -> set[Pair]:
    return {_pair(v) for v in verdicts if v.verdict == wanted and not v.hidden}


def _pair(verdict: NumberVerdict) -> Pair:
    """(pointer, value in base units): 35 bps and 0.35 % of one fact are one citation."""
    quantity = verdict.quantity
    if verdict.fact is None:
        return "", f"{verdict.reason} {quantity.text}"
    return verdict.fact.pointer, EXACT.multiply(quantity.value, factor(quantity.unit))
