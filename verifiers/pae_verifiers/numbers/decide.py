"""Turns one bound number into a verdict: value rule first, then slips, then where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from pae_verifiers.numbers.binding import (
    Bound,
    bind,
    grounded,
    names_kin,
    placed,
    with_subject,
    with_subject_around,
)
from pae_verifiers.numbers.book import Book, Entry
from pae_verifiers.numbers.counting import counts, is_small
from pae_verifiers.numbers.matcher import NEAR, pair, within
from pae_verifiers.numbers.measure import is_bare
from pae_verifiers.numbers.model import Fact, Quantity, Verdict
from pae_verifiers.numbers.odds import as_odds
from pae_verifiers.numbers.parts import says_the_whole, whole_meant
from pae_verifiers.numbers.place import Place
from pae_verifiers.numbers.slips import name_slip

# Slips that a number may show by chance against one fact, where it is a display of another.
_WEAK = frozenset({"misrounded", "overprecise", "loose_bound"})
_PERIODS = frozenset({"day", "week", "month", "year"})


class Decision(NamedTuple):
    """A verdict on a number in its place; ``unsettled`` where another fact is bound to it.

    ``entry`` is the fact that it is held against, ``instead`` the one whose figure it is.
    """

    bound: Bound
    verdict: Verdict
    reason: str = ""
    entry: Entry | None = None
    unsettled: bool = False
    instead: Entry | None = None

    @property
    def fact(self) -> Fact | None:
        return self.entry.fact if self.entry else None


def decide(quantity: Quantity, place: Place, book: Book, taken: frozenset[int]) -> Decision:
    """The verdict on a number that is of no exempt kind.

    ``taken`` are the subjects, as heard, of the other numbers of the place that tie out. A bare
    number that says nothing as it stands is read again in a unit before it, one after "once in"
    as a ratio.
    """
    decision = _decide(bind(quantity, place, book), book, taken)
    if decision.verdict != "matched" and quantity.at in place.definitions:
        return Decision(decision.bound, "exempt", "definition")
    if decision.verdict in ("matched", "exempt"):
        return decision
    for other in _read_again(quantity, place):
        again = _decide(bind(other, place, book), book, taken)
        if again.verdict == "matched" and again.bound.candidates:
            return again
    period = _is_a_period(quantity) and not decision.bound.candidates
    return Decision(decision.bound, "exempt", "period") if period else decision


def _is_a_period(quantity: Quantity) -> bool:
    """Whether this is "one year" and the like, which says no more than "a year"."""
    return quantity.kind == "spelled" and quantity.value == 1 and quantity.unit in _PERIODS


def _read_again(quantity: Quantity, place: Place) -> Iterable[Quantity]:
    """The other readings of a number that has some."""
    odds = as_odds(quantity, place.text, place.span.at)
    if odds:
        return (odds,)
    units = _units_before(quantity, place) if is_bare(quantity) else ()
    return (replace(quantity, unit=unit) for unit in units)


def _decide(bound: Bound, book: Book, taken: frozenset[int]) -> Decision:
    if is_small(bound.quantity):
        counted = counts(bound)
        if not counted:
            fitting = bound.matching()
            return (
                _matched(bound, fitting) if fitting else Decision(bound, "exempt", "small_integer")
            )
        bound = replace(bound, candidates=tuple(counted))
        part = None if bound.matching() else _part(bound, counted, book)
        if part:
            return Decision(bound, "matched", "", part, unsettled=True)
    meant = _clearly_meant(bound, taken)
    fitting = bound.matching()
    other = bound.of_the_other_time(fitting)
    if other:
        return Decision(bound, "mismatch", "wrong_fact", other, instead=fitting[0])
    if meant and fitting and not bound.ties(meant):
        fitting = grounded(bound, fitting, meant, book)
    whole = whole_meant(bound, fitting, book)
    if whole:
        return Decision(bound, "mismatch", "wrong_fact", whole, instead=fitting[0])
    fitting = bound.without_loose(fitting)
    lost = None if bound.shown.value else _rounded_away(bound, fitting)
    if lost:
        return Decision(bound, "mismatch", "rounded_to_zero", lost)
    if fitting:
        return _matched(bound, fitting)
    if bound.target is not None:
        return _bound_elsewhere(bound, bound.target, meant, book)
    return _unbound(bound, book)


def _part(bound: Bound, counted: Sequence[Entry], book: Book) -> Entry | None:
    """Another count that the number is, where it may count a part ("two sleeves" of six)."""
    if any(bound.shown.value > entry.known.value for entry in counted):
        return None
    return next((e for e in _equal(bound, book) if e.fact.unit == "count"), None)


def _rounded_away(bound: Bound, fitting: Sequence[Entry]) -> Entry | None:
    """What a zero stands for in its own sentence, where only something further off is zero.

    Many facts may be zero, so a zero alone says little of which one is meant.
    """
    near = bound.place.near
    if any(not entry.subject.isdisjoint(near) for entry in fitting):
        return None
    own = (e for e in bound.candidates if not e.subject.isdisjoint(near))
    return next((e for e in own if name_slip(bound.shown, e.known) == "rounded_to_zero"), None)


def _matched(bound: Bound, entries: Sequence[Entry]) -> Decision:
    """Matched with the nearest.

    Of several as near, or as large and of one subject, with one that the task requires.
    """
    first = entries[0]
    alike = (
        entry
        for entry in entries
        if entry.fact.required
        and (
            bound.subject_reach(entry) == bound.subject_reach(first)
            or (
                entry.known.value == first.known.value
                and not entry.subject.isdisjoint(first.subject)
            )
        )
    )
    return Decision(bound, "matched", "", first if first.fact.required else next(alike, first))


def _bound_elsewhere(bound: Bound, target: Entry, meant: Entry | None, book: Book) -> Decision:
    """The number is bound to a fact, and is no display of it or of another candidate.

    ``meant`` is the fact that it clearly speaks of, if there is one.
    """
    slip = _slip(bound)
    if slip and slip.reason not in _WEAK:
        return Decision(bound, "mismatch", slip.reason, slip.entry)
    equal = _equal(bound, book)
    here = with_subject(bound, equal, book)
    if meant:
        here = [
            entry
            for entry in grounded(bound, here, meant, book)
            if not says_the_whole(bound, entry, meant)
        ]
    other = bound.of_the_other_time(here)
    if other:
        return Decision(bound, "mismatch", "wrong_fact", other, instead=here[0])
    if here:
        return Decision(bound, "matched", "", _best(bound, here), unsettled=True)
    if slip:
        return Decision(bound, "mismatch", slip.reason, slip.entry)
    if not equal:
        return Decision(bound, "fabricated", "", target)
    if meant:
        return Decision(bound, "mismatch", "wrong_fact", meant, instead=_best(bound, equal))
    around = with_subject_around(bound, equal, book)
    if around:
        return Decision(bound, "matched", "", _best(bound, around), unsettled=True)
    if any(names_kin(bound, entry, book) for entry in equal):
        return Decision(bound, "mismatch", "wrong_fact", target, instead=_best(bound, equal))
    return Decision(bound, "mismatch", "unplaced", _best(bound, equal))


def _unbound(bound: Bound, book: Book) -> Decision:
    """No fact of the number's dimension is spoken of where it stands."""
    equal = [e for e in _equal(bound, book) if not bound.shown.fraction or _is_near(bound, e)]
    around = placed(bound, equal, book)
    if around:
        return Decision(bound, "matched", "", _best(bound, around))
    slip = next((s for cousin in bound.cousins if (s := _named(bound, cousin))), None)
    if slip:
        return Decision(bound, "mismatch", slip.reason, slip.entry)
    if equal:
        return Decision(bound, "mismatch", "unplaced", _best(bound, equal))
    comparable = placed(bound, book.comparable(bound.shown), book)
    near = [s for entry in comparable if (s := _named(bound, entry))]
    if len(near) == 1:
        return Decision(bound, "mismatch", near[0].reason, near[0].entry)
    return Decision(bound, "fabricated")


class _Slip(NamedTuple):
    reason: str
    entry: Entry


def _slip(bound: Bound) -> _Slip | None:
    """The slip against the bound fact, or against one that a wrong unit hides."""
    for target in bound.targets:
        reason = name_slip(bound.shown, target.known, apart=bound.apart)
        if reason:
            return _Slip(reason, target)
    return next((s for cousin in bound.cousins if (s := _named(bound, cousin))), None)


def _named(bound: Bound, entry: Entry) -> _Slip | None:
    reason = name_slip(bound.shown, entry.known, apart=bound.apart, is_bound=False)
    return _Slip(reason, entry) if reason else None


def _equal(bound: Bound, book: Book) -> list[Entry]:
    return [e for e in book.comparable(bound.shown) if bound.ties(e, is_bound=False)]


def _is_near(bound: Bound, entry: Entry) -> bool:
    """Whether a spelled fraction is near the fact: it is coarse, and hits one of many by chance."""
    return within(pair(bound.shown, entry.known, apart=bound.apart), NEAR)


def _best(bound: Bound, entries: Sequence[Entry]) -> Entry:
    return min(entries, key=bound.reach)


def _clearly_meant(bound: Bound, taken: frozenset[int]) -> Entry | None:
    """The nearest candidate of which it is clear that the number means it, if there is one.

    Its subject stands in the number's own sentence, row or column; no other number there gives it,
    or this one goes on from that ("28.1% against 25%"); and more than a "was" or "at" says that it
    is this fact of the subject.
    """
    near = bound.place.near
    goes_on = bound.place.goes_on(bound.quantity)
    for entry in bound.candidates:
        here = not entry.groups or not entry.subject.isdisjoint(near)
        free = goes_on or not bound.heard(entry) <= taken
        if here and free and bound.is_clear(entry):
            return entry
    return None


def _units_before(quantity: Quantity, place: Place) -> Iterable[str]:
    """The units of the numbers with one before this, nearest first, each once.

    Looked for in its sentence, in the one before and in the list item before.
    """
    before = (*place.before(quantity), *reversed(place.earlier))
    return dict.fromkeys(n.unit for n in before if n.unit and not is_bare(n))
