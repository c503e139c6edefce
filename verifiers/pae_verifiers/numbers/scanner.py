"""Document → Scan: every number that a reader sees, with unit, sign, precision and bound.

One pass over each block: what is exempt first, then digits and words, then what stands around
them. Nothing here backtracks over more than a few dozen characters.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from pae_verifiers.numbers import (
    affix,
    bounds,
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
from pae_verifiers.numbers.model import Block, Document, HiddenText, Quantity, Scan, Vague
from pae_verifiers.numbers.starts import Starts, last_word, starts

# The words that the stages look for.
_KNOWN = exempt.WORDS | spelled.WORDS | vague.WORDS


@dataclass(frozen=True)
class _Reading:
    """A block's text as written and as it is read, and where its words begin."""

    original: str
    text: str
    unread: list[Found]
    places: Starts


def scan(document: Document) -> Scan:
    """All quantities, vague amounts and hidden numbers of a document. Never raises; linear time."""
    quantities: list[Quantity] = []
    unclear: list[Vague] = []
    yen_is_yuan = chinese.is_written(document.text)
    for block in document.blocks:
        original = document.text[block.span.at : block.span.until]
        text, unread = overlong.cut(reading.read(original))
        read = _Reading(original, text, unread, starts(text, _KNOWN))
        for found in _block(read, block, yen_is_yuan):
            quantities.append(_quantity(document, block.span.at, found, original, text))
        for at, until in vague.find(text, read.places):
            unclear.append(_vague(document, block.span.at + at, block.span.at + until))
    hidden = tuple(item for part in document.hidden for item in _hidden(part))
    return Scan(document, tuple(quantities), tuple(unclear), hidden)


def _block(read: _Reading, block: Block, yen_is_yuan: bool) -> list[Found]:
    """The numbers of one block, in order, with offsets in the block's text."""
    text = read.text
    sentences = [sentence.at - block.span.at for sentence in block.sentences] or [0]
    numbers = list(_attached(read, block))
    if read.places.chinese:
        numbers = chinese.join(text, numbers)
    if yen_is_yuan:
        numbers = [chinese.yuan(text, found) for found in numbers]
    numbers = ranges.spread(text, numbers)
    finished: list[Found] = []
    floor = 0
    for found in numbers:
        if not found.exempt:
            sentence = sentences[max(0, bisect_right(sentences, found.at) - 1)]
            found = _signed(read, found, floor, sentence)
            found = _in_place(read, found, block)
        finished.append(found)
        floor = found.until
    return settle.ratios(text, coordination.spread(text, finished, sentences))


def _in_place(read: _Reading, found: Found, block: Block) -> Found:
    """The number with the unit that its table, list or sentence gives it."""
    if block.column:
        own_label = read.original.strip() == block.row_label
        found = columns.apply(found, block.column, "" if own_label else block.row_label)
    if block.lead_in and found.bare:
        found = columns.introduced(read.text, found, block)
    found = settle.unit(read.text, found)
    if found.unit == "pp" and block.kind == "paragraph" and not (block.lead_in or block.headings):
        return chinese.alone(read.text, found)
    return found


def _attached(read: _Reading, block: Block) -> Iterator[Found]:
    """Exempt forms, digits and words merged in order, each number with its unit and scale."""
    text = read.text
    candidates = [
        *exempt.find(text, block.kind, read.places),
        *(chinese.find(text) if read.places.chinese else ()),
        *numerals.find(text, read.places),
        *spelled.find(text, read.places),
        *read.unread,
    ]
    candidates.sort(key=lambda found: (found.at, not found.exempt))
    floor = 0
    for found in candidates:
        if found.at < floor:
            continue
        if not found.exempt:
            if found.unit is None:
                found = affix.attach(text, read.places, found, floor)
            found = settle.kind(text, found, floor)
        yield found
        floor = found.until


def _signed(read: _Reading, found: Found, floor: int, sentence: int) -> Found:
    text, places, at = read.text, read.places, found.at
    last = last_word(text, at)
    found = signs.minus(text, read.original, places, found, floor, last)
    if found.at != at:
        last = last_word(text, found.at)
    found, start, level = bounds.apply(text, places, found, floor, last)
    return signs.direction(text, places, found, start, max(sentence, floor), level)


def _quantity(document: Document, base: int, found: Found, original: str, text: str) -> Quantity:
    """The number with its place in the source; ``original`` and ``text`` are its block's."""
    at, until = base + found.at, base + found.until
    start, end = document.offsets[at], document.ends[until - 1]
    value = _scaled(found.value, found.scale)
    # As the constructor does it, which takes several times as long for so many frozen fields.
    quantity = object.__new__(Quantity)
    quantity.__dict__.update(
        text=document.source[start:end],
        start=start,
        end=end,
        value=value.copy_negate() if found.negative and value else value,
        unit=found.unit,
        kind=found.kind,
        quantum=_scaled(found.quantum, found.scale),
        at=at,
        until=until,
        scale=found.scale,
        bound=found.bound,
        sign_from_word=found.sign_from_word,
        lookalike=found.lookalike or _disguised(document, base, found, original, text),
        per_annum=found.per_annum,
    )
    return quantity


def _scaled(value: Decimal, scale: Decimal) -> Decimal:
    """The product, exact; without decimals where a scale word has used them up."""
    if scale == 1:
        return value
    product = EXACT.multiply(value, scale)
    whole = product.to_integral_value()
    return whole if whole == product else product


def _disguised(document: Document, base: int, found: Found, original: str, text: str) -> bool:
    """Whether the source writes the digits otherwise than a reader reads them."""
    at, until = base + found.body, base + found.stop
    body = original[found.body : found.stop]
    if document.source[document.offsets[at] : document.ends[until - 1]] != body:
        return True
    read = text[found.body : found.stop]
    return body != read and any(
        was != now and (now.isdigit() or now in ".,") for was, now in zip(body, read, strict=True)
    )


def _vague(document: Document, at: int, until: int) -> Vague:
    start, end = document.offsets[at], document.ends[until - 1]
    return Vague(document.source[start:end], start, end, at, until)


def _hidden(part: HiddenText) -> Iterator[Quantity]:
    """The numbers in text that no reader sees; their rendered span is empty."""
    for item in scan(plain.render(part.text)).quantities:
        yield replace(item, start=item.start + part.start, end=item.end + part.start, at=0, until=0)
