"""Says of a number that misses what is wrong with it, in a few words, and where it stands."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from pae_verifiers.numbers.measure import EXACT, known, shown
from pae_verifiers.numbers.model import Fact, Quantity
from pae_verifiers.numbers.units import UNITS, dimension, factor

LONGEST = 600  # characters of a sentence that are given whole
_AROUND = 120  # characters to either side of the number in a longer one
_FACTORS = {100: "×100", 10000: "×10000"}
_NAMES = {"percent": "percent", "pp": "percentage points"}


def note(quantity: Quantity, reason: str, fact: Fact | None, instead: Fact | None = None) -> str:
    """What there is to say of a miss beyond its reason; "" where that says all.

    ``fact`` is what the number was held against, ``instead`` the fact whose figure it is.
    """
    if reason == "wrong_fact" and instead is not None:
        return f"this is {instead.pointer}"
    if fact is None:
        return ""
    if reason == "unit_slip":
        return _unit(quantity, fact)
    if reason == "misrounded":
        return _rounded(quantity, fact)
    if reason == "overprecise":
        return f"no more digits than {fact.literal}"
    if reason == "sign_flipped":
        return f"the source is {'negative' if fact.value < 0 else 'positive'}"
    if reason == "loose_bound":
        return f"{_share_off(quantity, fact)} off"
    return ""


def excerpt(sentence: str, text: str) -> str:
    """The sentence, or of a very long one what stands around ``text`` in it."""
    if len(sentence) <= LONGEST:
        return sentence
    at = max(0, sentence.find(text))
    start, end = max(0, at - _AROUND), at + len(text) + _AROUND
    return ("…" if start else "") + sentence[start:end] + ("…" if end < len(sentence) else "")


def _unit(quantity: Quantity, fact: Fact) -> str:
    """ "×100" where the number must be multiplied by that; else the two units."""
    d, v = abs(shown(quantity).value), abs(known(fact).value)
    for size, name in _FACTORS.items():
        if d and _is_near(EXACT.multiply(d, Decimal(size)), v):
            return name
        if v and _is_near(EXACT.multiply(v, Decimal(size)), d):
            return name.replace("×", "÷")
    if dimension(quantity.unit) != dimension(fact.unit):
        return f"{_name(quantity.unit)} for {_name(fact.unit)}"
    return ""


def _is_near(one: Decimal, other: Decimal) -> bool:
    return abs(EXACT.subtract(one, other)) * 10 <= abs(other)


def _name(unit: str | None) -> str:
    return _NAMES.get(unit or "", unit if unit in UNITS and unit else "no unit")


def _rounded(quantity: Quantity, fact: Fact) -> str:
    """What the fact is, rounded as far as the number is, in the number's unit."""
    step = quantity.quantum
    size = factor(quantity.unit)
    if not step or not size or fact.unit == "count":
        return ""
    value = EXACT.divide(known(fact).value, size)
    steps = EXACT.divide(value, step).to_integral_value(rounding=ROUND_HALF_UP, context=EXACT)
    nearest = EXACT.multiply(steps, step)
    exponent = nearest.as_tuple().exponent
    if not isinstance(exponent, int) or abs(exponent) > 20 or nearest == quantity.value:
        return ""
    return f"rounds to {nearest:,f}"


def _share_off(quantity: Quantity, fact: Fact) -> str:
    d, v = abs(shown(quantity).value), abs(known(fact).value)
    share = EXACT.divide(abs(EXACT.subtract(d, v)), v) * 100 if v else Decimal(100)
    return f"{share:.0f}%"
