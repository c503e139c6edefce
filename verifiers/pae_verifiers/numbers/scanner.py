"""Document → Scan: every number that a reader sees, with unit, sign, precision and bound.

One pass over each block: what is exempt first, then digits and words, then what stands around
them. Nothing here backtracks over more than a few dozen characters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple

from pae_verifiers.numbers import (
    affix,
    beside,
    chinese,
    columns,
    coordination,
    exempt,
    numerals,
    overlong,
    plain,
    ranges,
    reading,
    settle,
    signs,
    spelled,
    vague,
)  # fmt: skip
from pae_verifiers.numbers.found import EXACT, Found
from pae_verifiers.numbers.model import Block, Document, HiddenText, Quantity, Scan, Vague, made
from pae_verifiers.numbers.starts import Starts, starts

# The words that the stages look for.
_KNOWN = exempt.WORDS | spelled.WORDS | vague.WORDS | signs.WORDS


class _Part(NamedTuple):
    """A block with its text as written and as it is read, and where its words begin."""

    block: Block
    original: str
    text: str
    unread: list[Found]
    places: Starts
    yen_is_yuan: bool


def scan(document: Document) -> Scan:
    """All quantities, vague amounts and hidden numbers of a document. Never raises; linear time."""
    yen_is_yuan = chinese.is_written(document.text)
    parts = [_part(document, block, yen_is_yuan) for block in document.blocks]
    numbers: list[list[Found]] = [[] for _ in parts]
    # Stage after stage and not block after block: the patterns of one stage fill the processor's
    # nearest cache, those of all do not fit into it.
    for stage in _STAGES:
        numbers = [stage(part, found) for part, found in zip(parts, numbers, strict=True)]
    quantities = [
        quantity
        for part, some in zip(parts, numbers, strict=True)
        for quantity in _quantities(document, part, some)
    ]
    unclear = [
        _vague(document, part, span)
        for part in parts
        for span in vague.find(part.text, part.places)
    ]
    hidden = tuple(item for part in document.hidden for item in _hidden(part))
    return Scan(document, tuple(quantities), tuple(unclear), hidden)


def _part(document: Document, block: Block, yen_is_yuan: bool) -> _Part:
    original = document.text[block.span.at : block.span.until]
    text, unread = overlong.cut(reading.read(original))
    return _Part(block, original, text, unread, starts(text, _KNOWN), yen_is_yuan)


def _exempt(part: _Part, numbers: list[Found]) -> list[Found]:
    return [*numbers, *exempt.find(part.text, part.block.kind, part.places)]


def _in_chinese(part: _Part, numbers: list[Found]) -> list[Found]:
    return [*numbers, *chinese.find(part.text)] if part.places.chinese else numbers


def _in_digits(part: _Part, numbers: list[Found]) -> list[Found]:
    return [*numbers, *numerals.find(part.text, part.places)]


def _in_words(part: _Part, numbers: list[Found]) -> list[Found]:
    return [*numbers, *spelled.find(part.text, part.places), *part.unread]


def _attached(part: _Part, candidates: list[Found]) -> list[Found]:
    """Exempt forms, digits and words merged in order, each number with its unit and scale."""
    if not candidates:
        return candidates
    text, places = part.text, part.places
    candidates.sort(key=lambda found: (found.at, not found.exempt))
    numbers: list[Found] = []
    floor = 0
    for found in candidates:
        if found.at < floor:
            continue
        if not found.exempt:
            if found.unit is None:
                affix.attach(text, places, found, floor)
            settle.kind(text, found, floor)
        numbers.append(found)
        floor = found.until
    return numbers


def _in_ranges(part: _Part, numbers: list[Found]) -> list[Found]:
    if part.places.chinese:
        numbers = chinese.join(part.text, numbers)
    if part.yen_is_yuan:
        for found in numbers:
            chinese.yuan(part.text, found)
    if len(numbers) > 1:
        ranges.spread(part.text, numbers)
    return numbers


def _placed(part: _Part, numbers: list[Found]) -> list[Found]:
    """The numbers, given the signs, bounds and units that what is around them says."""
    if not numbers:
        return numbers
    block = part.block
    stated = bool(block.column or block.lead_in)
    around = beside.surroundings(part.text, part.original, part.places, _sentences(part))
    floor = 0
    for found in numbers:
        if not found.exempt:
            word = beside.give_sign(around, found, floor)
            if stated:
                _give_stated(part, found)
            if found.unit is None or found.kind == "spelled":
                settle.unit(part.text, found, word)
            if found.unit == "pp" and block.kind == "paragraph" and not (stated or block.headings):
                chinese.alone(part.text, found)
        floor = found.until
    return numbers


def _joined(part: _Part, numbers: list[Found]) -> list[Found]:
    if len(numbers) < 2:
        return numbers
    coordination.spread(part.text, numbers, _sentences(part))
    return settle.ratios(part.text, numbers)


_STAGES = (
    _exempt, _in_chinese, _in_digits, _in_words, _attached, _in_ranges, _placed, _joined
)  # fmt: skip


def _sentences(part: _Part) -> list[int]:
    """Where the block's sentences begin in its text."""
    base = part.block.span.at
    return [sentence.at - base for sentence in part.block.sentences] or [0]


def _give_stated(part: _Part, found: Found) -> None:
    """Give the number the unit that its table or list states."""
    block = part.block
    if block.column:
        own_label = part.original.strip() == block.row_label
        columns.apply(found, block.column, "" if own_label else block.row_label)
    if block.lead_in and found.bare:
        columns.introduced(part.text, found, block)


def _quantities(document: Document, part: _Part, numbers: Sequence[Found]) -> Iterator[Quantity]:
    """The numbers of a block with their places in the source."""
    source, offsets, ends = document.source, document.offsets, document.ends
    base = part.block.span.at
    undisguised = document.text is source and part.text is part.original
    for found in numbers:
        at, until = base + found.at, base + found.until
        start, end = offsets[at], ends[until - 1]
        value, quantum, scale = found.value, found.quantum, found.scale
        if scale != 1:
            value, quantum = _scaled(value, scale), _scaled(quantum, scale)
        fields = {
            "text": source[start:end],
            "start": start,
            "end": end,
            "value": value.copy_negate() if found.negative and value else value,
            "unit": found.unit,
            "kind": found.kind,
            "quantum": quantum,
            "at": at,
            "until": until,
            "scale": scale,
            "bound": found.bound,
            "sign_from_word": found.sign_from_word,
            "lookalike": found.lookalike or not (undisguised or _as_written(document, part, found)),
            "per_annum": found.per_annum,
        }
        yield made(Quantity, fields)


def _scaled(value: Decimal, scale: Decimal) -> Decimal:
    """The product, exact; without decimals where a scale word has used them up."""
    product = EXACT.multiply(value, scale)
    whole = product.to_integral_value()
    return whole if whole == product else product


def _as_written(document: Document, part: _Part, found: Found) -> bool:
    """Whether the source writes the digits as a reader reads them."""
    base = part.block.span.at
    at, until = base + found.body, base + found.stop
    body = part.original[found.body : found.stop]
    if document.source[document.offsets[at] : document.ends[until - 1]] != body:
        return False
    read = part.text[found.body : found.stop]
    return body == read or all(
        was == now or not (now.isdigit() or now in ".,")
        for was, now in zip(body, read, strict=True)
    )


def _vague(document: Document, part: _Part, span: tuple[int, int]) -> Vague:
    at, until = (part.block.span.at + place for place in span)
    start, end = document.offsets[at], document.ends[until - 1]
    return Vague(document.source[start:end], start, end, at, until)


def _hidden(part: HiddenText) -> Iterator[Quantity]:
    """The numbers in text that no reader sees; their rendered span is empty."""
    for item in scan(plain.render(part.text)).quantities:
        yield replace(item, start=item.start + part.start, end=item.end + part.start, at=0, until=0)
