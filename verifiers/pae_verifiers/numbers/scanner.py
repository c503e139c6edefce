"""Document → Scan: every number that a reader sees, with unit, sign, precision and bound.

One pass over each block: what is exempt first, then digits and words, then what stands around
them. Nothing here backtracks over more than a few dozen characters.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from pae_verifiers.numbers import (
    affix,
    bounds,
    columns,
    exempt,
    numerals,
    plain,
    ranges,
    reading,
    signs,
    spelled,
    vague,
)  # fmt: skip
from pae_verifiers.numbers.found import EXACT, Found
from pae_verifiers.numbers.model import Block, Document, HiddenText, Quantity, Scan, Vague

_YEAR_BEFORE = re.compile(r"\b(?:in|since|during|of|by|until|through|for)\s$", re.IGNORECASE)
_GLUED = re.compile(r"[A-Za-z_&]")
_OUT_OF = re.compile(r"\s(?:out\sof(?:\s(?:the|every))?|in(?:\severy)?)\s")
_YEARS = range(1900, 2100)


def scan(document: Document) -> Scan:
    """All quantities, vague amounts and hidden numbers of a document. Never raises; linear time."""
    quantities: list[Quantity] = []
    unclear: list[Vague] = []
    for block in document.blocks:
        text = document.text[block.span.at : block.span.until]
        read = reading.read(text)
        for found in _block(text, read, block):
            quantities.append(_quantity(document, block.span.at, found))
        for at, until in vague.find(read):
            unclear.append(_vague(document, block.span.at + at, block.span.at + until))
    hidden = tuple(item for part in document.hidden for item in _hidden(part))
    return Scan(document, tuple(quantities), tuple(unclear), hidden)


def _block(original: str, text: str, block: Block) -> list[Found]:
    """The numbers of one block, in order, with offsets in the block's text."""
    starts = [sentence.at - block.span.at for sentence in block.sentences] or [0]
    numbers = ranges.spread(text, list(_attached(text, block)))
    finished: list[Found] = []
    floor = 0
    for found in numbers:
        if not found.exempt:
            sentence = starts[max(0, bisect_right(starts, found.at) - 1)]
            found = _signed(original, text, found, floor, sentence)
            if block.kind == "table_cell":
                found = columns.apply(found, block.column, _row_label(block))
            found = _settled(text, found)
        finished.append(found)
        floor = found.until
    return _ratios(text, finished)


def _attached(text: str, block: Block) -> Iterator[Found]:
    """Exempt forms, digits and words merged in order, each number with its unit and scale."""
    excluded = list(exempt.find(text, block.kind))
    candidates = [*excluded, *numerals.find(text), *spelled.find(text)]
    candidates.sort(key=lambda found: (found.at, not found.exempt))
    floor = 0
    for found in candidates:
        if found.at < floor:
            continue
        if not found.exempt:
            found = _in_place(text, affix.attach(text, found, floor), floor)
        yield found
        floor = found.until


def _in_place(text: str, found: Found, floor: int) -> Found:
    """A year in its place is a date; digits that are part of a word are a label."""
    glued_before = (
        found.at > floor and bool(_GLUED.match(text[found.at - 1])) and found.kind == "quantity"
    )
    glued_after = (
        found.until < len(text) and text[found.until].isalpha() and found.kind == "quantity"
    )
    if (glued_before and found.unit is None) or (glued_after and found.unit is None):
        until = found.until
        while until < len(text) and text[until].isalnum():
            until += 1
        at = found.at
        while at > floor and (text[at - 1].isalnum() or text[at - 1] in "_-+&"):
            at -= 1
        return replace(found, at=at, until=until, kind="label", exempt=True, unit=None)
    written = text[found.body : found.stop]
    is_year = len(written) == 4 and written.isdigit() and int(written) in _YEARS
    in_place = found.unit in ("share", "day", "week", "month", "year") and _YEAR_BEFORE.search(
        text[max(0, found.at - 10) : found.at]
    )
    if is_year and found.scale == 1 and (found.unit is None or in_place):
        return replace(found, until=found.stop, unit=None, kind="date", exempt=True)
    return found


def _signed(original: str, text: str, found: Found, floor: int, sentence: int) -> Found:
    found = signs.minus(text, original, found, floor)
    found, start, level = bounds.apply(text, found, floor)
    return signs.direction(text, found, start, max(sentence, floor), level)


def _row_label(block: Block) -> str:
    return "" if block.row.startswith(block.row_label) and block.column == "" else block.row_label


def _settled(text: str, found: Found) -> Found:
    """A number without a unit: fractions and decimals are ratios, the rest is bare."""
    spelled_point = found.kind == "spelled" and found.unit == "pp" and found.quantum == 1
    if spelled_point and text[found.stop : found.until].strip(" -").casefold().startswith("point"):
        if not (found.negative or re.search(r"\bby\s$", text[max(0, found.at - 4) : found.at])):
            return replace(found, unit=None, until=found.stop)
    if found.unit is None and found.quantum < 1 and found.scale == 1:
        return replace(found, unit="ratio")
    return found


def _ratios(text: str, numbers: list[Found]) -> list[Found]:
    """ "three out of four" and "3 in 4" are one ratio."""
    result: list[Found] = []
    for found in numbers:
        last = result[-1] if result else None
        if last and _is_ratio(text, last, found):
            value = round(EXACT.divide(last.value, found.value), 6)
            quantum = min(Decimal("0.1"), round(1 / found.value, 6))
            result[-1] = replace(
                last,
                until=found.until,
                stop=found.until,
                value=value,
                quantum=quantum,
                unit="ratio",
            )
        else:
            result.append(found)
    return result


def _is_ratio(text: str, left: Found, right: Found) -> bool:
    if (
        left.exempt
        or right.exempt
        or right.unit is not None
        or right.quantum != 1
        or right.scale != 1
    ):
        return False
    gap = _OUT_OF.fullmatch(text, left.until, right.at)
    if not gap or not 0 < left.value <= right.value or left.quantum != 1 or left.scale != 1:
        return False
    if "out" in gap.group():
        return left.unit in (None, "day", "week", "month", "year", "share")
    return left.unit is None and right.value <= 100 and left.value < right.value


def _quantity(document: Document, base: int, found: Found) -> Quantity:
    at, until = base + found.at, base + found.until
    start, end = document.offsets[at], document.ends[until - 1]
    value = EXACT.multiply(found.value, found.scale)
    if found.scale != 1 and value == value.to_integral_value():
        value = value.to_integral_value()
    return Quantity(
        text=document.source[start:end],
        start=start,
        end=end,
        value=-value if found.negative else value,
        unit=found.unit,
        kind=found.kind,
        quantum=EXACT.multiply(found.quantum, found.scale),
        at=at,
        until=until,
        scale=found.scale,
        bound=found.bound,
        sign_from_word=found.sign_from_word,
        lookalike=_disguised(document, base + found.body, base + found.stop),
        per_annum=found.per_annum,
    )


def _disguised(document: Document, at: int, until: int) -> bool:
    """Whether the source writes the digits otherwise than a reader reads them."""
    start, end = document.offsets[at], document.ends[until - 1]
    body = document.text[at:until]
    if document.source[start:end] != body:
        return True
    return any(
        (not char.isascii() and reading.read(char).isdigit()) or char in "．，" for char in body
    )


def _vague(document: Document, at: int, until: int) -> Vague:
    start, end = document.offsets[at], document.ends[until - 1]
    return Vague(document.source[start:end], start, end, at, until)


def _hidden(part: HiddenText) -> Iterator[Quantity]:
    """The numbers in text that no reader sees; their rendered span is empty."""
    for item in scan(plain.render(part.text)).quantities:
        yield replace(item, start=item.start + part.start, end=item.end + part.start, at=0, until=0)
