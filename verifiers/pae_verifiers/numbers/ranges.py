"""Ranges and lists share their unit and scale: "$4.8–5.1 billion", "between 18 and 22%"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pae_verifiers.numbers.found import Found
from pae_verifiers.numbers.lexicon import CURRENCY_CODES

_DASH = re.compile(r"\s?(?:-|–|—|~)\s?[-+]?")
_ARROW = re.compile(r"\s?(?:→|⟶|➔|=>|->|-->)\s?[-+]?")
_TO = re.compile(r"\s(?:to|through|up\sto|down\sto)\s|\s?[至到]\s?")
_AND = re.compile(r"\s(?:and|or)\s")
_BETWEEN = re.compile(
    r"\b(?:between|both|either|from)\s(?:[-+±~≈]|about\s|roughly\s|around\s)?$", re.IGNORECASE
)
_LIST = re.compile(r"(?:,|,?\s(?:and|or)|\s?/|;)\s")
_RATES = frozenset({"percent", "bps", "pp"})
# Beyond this ratio "from $500 to $1.2 million" means five hundred dollars.
_SAME_SIZE = 100
_JOINTS = frozenset("-–—~→⟶➔=至到")  # what a joint without white space begins with
_LONGEST = 9  # of what stands between the numbers of a range or a list


def spread(text: str, numbers: Sequence[Found]) -> None:
    """Give each end of a range, among the numbers of a block, the unit and scale of the other."""
    listed = False  # whether the number to the right has its unit from a list's last
    ends: list[tuple[Found, Found]] = []
    for i in range(len(numbers) - 1, 0, -1):
        left, right = numbers[i - 1], numbers[i]
        if left.exempt or right.exempt:
            continue
        if right.at - left.until > _LONGEST:
            listed = False
            continue
        gap = text[left.until : right.at]
        is_range = _is_range(text, left, gap)
        if is_range:
            ends.append((left, right))
        listed = right.unit in _RATES and _shares_unit(text, left, right, listed, gap)
        if listed:
            left.unit = right.unit
        elif is_range:
            _from_right(left, right)
    for left, right in reversed(ends):
        _from_left(left, right)


def _shares_unit(text: str, left: Found, right: Found, listed: bool, gap: str) -> bool:
    """ "12.1, 9.8 and 7.5 percent": a unit in words is written once, a sign with every number."""
    plain = left.bare and left.kind == "quantity" and left.quantum < 1
    written = text[right.stop : right.until]
    worded = listed or (bool(written) and "%" not in written)
    return plain and worded and _LIST.fullmatch(gap) is not None


def _is_range(text: str, left: Found, gap: str) -> bool:
    if not (gap[:1].isspace() or gap[:1] in _JOINTS):
        return False
    if _DASH.fullmatch(gap) or _ARROW.fullmatch(gap) or _TO.fullmatch(gap):
        return True
    return bool(_AND.fullmatch(gap) and _BETWEEN.search(text[max(0, left.at - 24) : left.at]))


def _from_right(left: Found, right: Found) -> None:
    if right.bare or not (left.unit is None or right.unit in (None, left.unit)):
        return
    if left.scale == 1 and right.scale != 1 and _similar(left, right):
        left.scale = right.scale
    if left.unit is None:
        left.unit = right.unit


def _from_left(left: Found, right: Found) -> None:
    if (
        right.unit is None
        and left.unit is not None
        and (left.unit in _RATES or left.unit in CURRENCY_CODES)
    ):
        right.unit = left.unit
        if right.scale == 1 and left.scale != 1 and _similar(left, right) and not left.prefixed:
            right.scale = left.scale


def _similar(left: Found, right: Found) -> bool:
    low, high = sorted((left.value, right.value))
    return low * _SAME_SIZE >= high
