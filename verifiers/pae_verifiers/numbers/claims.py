"""Claims without a figure, "the cost doubled", "it cost you nothing": do the sources bear them out?

A doubling is a number, 2, and nothing is one, 0: where the word speaks of a fact, they have to be
what the sources say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from pae_verifiers.numbers.book import Book, Entry
from pae_verifiers.numbers.measure import EXACT
from pae_verifiers.numbers.model import Document, Vague
from pae_verifiers.numbers.place import Place
from pae_verifiers.numbers.vagueness import as_quantity

_FOLD = {
    "halv": Decimal("0.5"), "doubl": Decimal(2), "twofold": Decimal(2), "tripl": Decimal(3),
    "trebl": Decimal(3), "threefold": Decimal(3), "quadrupl": Decimal(4), "fourfold": Decimal(4),
    "fivefold": Decimal(5), "tenfold": Decimal(10),
}  # fmt: skip
_SLACK = Decimal("0.1")  # how far a doubling may be from 2, as a share of it
_CLAUSE = 8  # words in which what is doubled stands
_DOUBLES = re.compile(
    r"(?:halv|doubl|tripl|trebl|quadrupl)(?:e[ds]|ing)|(?:two|three|four|five|ten)[\s-]?fold",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"\b(?:cost(?:s|ing)?|owe[sd]?|lo(?:se|ses|st)|pa(?:y|ys|id))\s+(?:(?:you|us|him|her|them|the\s+\w+|absolutely|next\s+to)\s+)?"
    r"(?P<verb>nothing|nil)\b"
    r"|\b(?:is|are|was|were|be|been|comes?\s+to|came\s+to|amounts?\s+to|amounted\s+to)\s+(?:exactly\s+|absolutely\s+)?"
    r"(?P<is>nothing|nil|naught)(?=\s*(?:[.,;:)]|$|and\b|at\s+all\b))"
    r"|\b(?P<free>free\s+of\s+(?:charge|cost|tax))\b",
    re.IGNORECASE,
)
_NOTHING_WORD = re.compile(r"nothing|nil|naught|free\s+of\s+\w+", re.IGNORECASE)


def nothings(document: Document) -> Iterator[Vague]:
    """Where the document says that something is nothing."""
    for found in _NOTHING.finditer(document.text):
        at, until = found.span(found.lastgroup or 0)
        start, end = document.offsets[at], document.ends[until - 1]
        yield Vague(found[found.lastgroup or 0], start, end, at, until)


def is_denied(vague: Vague, place: Place, book: Book) -> bool:
    """Whether a word of doubling, or of nothing, speaks of facts that do not bear it out."""
    if _DOUBLES.fullmatch(vague.text):
        spoken = _spoken(vague, place, book)
        return bool(spoken) and not _is_multiplied(_fold(vague.text), spoken)
    spoken = [entry for entry in _spoken(vague, place, book) if _is_money(entry)]
    return bool(spoken) and all(entry.known.value for entry in spoken)


def is_claim(vague: Vague) -> bool:
    return bool(_DOUBLES.fullmatch(vague.text) or _NOTHING_WORD.fullmatch(vague.text))


def _fold(text: str) -> Decimal:
    word = re.sub(r"[\s-]", "", text.casefold())
    return next(size for name, size in _FOLD.items() if word.startswith(name))


def _spoken(vague: Vague, place: Place, book: Book) -> list[Entry]:
    """The facts whose subject stands nearest to the word in its clause."""
    _, far = place.distances(as_quantity(vague))
    own = {found.alias for found in place.spoken}
    near = {a: gap for a, gap in far.items() if gap <= _CLAUSE and a in own - book.small_words}
    reach: dict[str, int] = {}
    for entry in book.entries:
        gaps = [near[alias] for alias in entry.subject if alias in near]
        if gaps and entry.fact.unit not in (None, "count"):
            reach[entry.fact.pointer] = min(gaps)
    nearest = min(reach.values(), default=0)
    return [e for e in book.entries if reach.get(e.fact.pointer) == nearest]


def _is_multiplied(fold: Decimal, spoken: Sequence[Entry]) -> bool:
    """Whether one of the facts is, after, ``fold`` times what it was before."""
    befores = [entry for entry in spoken if "before" in entry.roles]
    afters = [entry for entry in spoken if "after" in entry.roles]
    return any(
        _name(before) == _name(after)
        and before.known.value
        and abs(EXACT.divide(after.known.value, before.known.value) - fold) <= fold * _SLACK
        for before in befores
        for after in afters
    )


def _name(entry: Entry) -> str:
    """The pointer, the same of both states."""
    return re.sub(r"before|after", "", entry.fact.pointer)


def _is_money(entry: Entry) -> bool:
    return len(entry.fact.unit or "") == 3 and (entry.fact.unit or "").isupper()
