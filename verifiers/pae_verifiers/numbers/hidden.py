"""Rules on numbers that no reader sees: they must tie out as well, and earn nothing."""

from __future__ import annotations

from pae_verifiers.numbers.book import Book
from pae_verifiers.numbers.counting import is_small
from pae_verifiers.numbers.matcher import matches
from pae_verifiers.numbers.measure import shown
from pae_verifiers.numbers.model import EXEMPT_KINDS, Document, NumberVerdict, Quantity
from pae_verifiers.numbers.rulings import Names, rule_on


def rule_on_hidden(
    quantity: Quantity, document: Document, book: Book, names: Names
) -> NumberVerdict:
    """A hidden number has no place, so it is held against every fact by value alone."""
    text = next((h.text for h in document.hidden if h.start <= quantity.start < h.end), "")
    if quantity.kind in EXEMPT_KINDS:
        ruling = rule_on(quantity, names)
        return NumberVerdict(quantity, *ruling, sentence=text, hidden=True)
    size = shown(quantity)
    equal = [e for e in book.comparable(size) if matches(size, e.known, is_bound=False)]
    if equal:
        return NumberVerdict(quantity, "matched", "hidden", equal[0].fact, text, hidden=True)
    if is_small(quantity):
        return NumberVerdict(quantity, "exempt", "small_integer", sentence=text, hidden=True)
    return NumberVerdict(quantity, "fabricated", "hidden", sentence=text, hidden=True)
