"""Decides which facts a number speaks of: alias groups, distance and the grammar of comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from pae_verifiers.numbers.apart import is_distance
from pae_verifiers.numbers.book import Book, Entry
from pae_verifiers.numbers.matcher import comparable, displays, distance, matches, pair
from pae_verifiers.numbers.measure import Shown, shown
from pae_verifiers.numbers.model import Quantity
from pae_verifiers.numbers.place import ABSENT, OWN_CELL, ROW, Place, refers_back
from pae_verifiers.numbers.roles import Role

CLEAR = 12  # words from which on a word no longer makes clear what a number means
PARTICULAR = 8  # words within which a further alias group makes a fact the more particular one
CLOSE = 4  # words within which a fact is meant whatever the headings speak of
CLEARLY = 2  # words by which one fact must stand nearer than another to be meant instead
FURTHER = 6  # words by which a fact may stand further off and still be the other of a swapped pair


class Rival(NamedTuple):
    """A fact that a number does not match: by how many words it stands nearer than the number's
    own, and whether more than small words say that it is this one."""

    entry: Entry
    gain: int
    clear: bool


@dataclass(frozen=True)
class Bound:
    """A number in its place, with the facts it may speak of.

    ``candidates`` are of its dimension, ``cousins`` of one that it could be mistaken for (percent
    and percentage points, two currencies); all their alias groups occur. Nearest first. ``far``
    maps alias groups to their distance in words, ``subjects`` the same without what is part of a
    longer alias; ``loud`` are the aliases heard nearby
    that are no small words.
    """

    quantity: Quantity
    shown: Shown
    place: Place
    role: Role
    apart: bool
    loud: frozenset[int] = field(repr=False)
    far: Mapping[int, int] = field(repr=False)
    subjects: Mapping[int, int] = field(repr=False)
    candidates: tuple[Entry, ...] = ()
    cousins: tuple[Entry, ...] = ()
    gaps: Mapping[int, int] = field(default_factory=dict, repr=False)
    names: Mapping[str, Sequence[int]] = field(default_factory=dict, repr=False)

    @property
    def target(self) -> Entry | None:
        """The fact that the number is bound to, whatever its value."""
        return self.candidates[0] if self.candidates else None

    @property
    def targets(self) -> tuple[Entry, ...]:
        """The candidates whose subject stands as near as the nearest one's."""
        if not self.candidates:
            return ()
        nearest = self.subject_reach(self.candidates[0])
        return tuple(e for e in self.candidates if self.subject_reach(e) == nearest)

    def matching(self) -> list[Entry]:
        """The candidates that the number ties out to, nearest first.

        Those that it displays go before those that it only bounds.
        """
        fitting = [entry for entry in self.candidates if self.ties(entry)]
        return sorted(fitting, key=lambda entry: not self.shows(entry))

    def shows(self, entry: Entry) -> bool:
        """Whether the number, its bound left aside, is a display of the fact."""
        return displays(self.shown, entry.known, pair(self.shown, entry.known, apart=self.apart))

    def subject_reach(self, entry: Entry) -> int:
        """How far, in words, the fact's subject stands from the number."""
        return self.subjects.get(entry.numbers[0], ABSENT) if entry.numbers else ABSENT

    def ties(self, entry: Entry, *, is_bound: bool = True) -> bool:
        return matches(self.shown, entry.known, apart=self.apart, is_bound=is_bound)

    def without_loose(self, fitting: Sequence[Entry]) -> list[Entry]:
        """Those that it displays, and those that it bounds where no other fact of one subject with
        them is clearly nearer.

        "Above 17.8%" is true of a lower limit of 18.5%; but it is the upper one that is spoken of.
        """
        return [
            entry
            for entry in fitting
            if self.shows(entry)
            or not any(
                rival.clear
                and rival.gain >= CLEARLY
                and not rival.entry.subject.isdisjoint(entry.subject)
                for rival in self.rivals(entry)
            )
        ]

    def rivals(self, own: Entry) -> list[Rival]:
        """The candidates that it does not match, if not much further off than ``own``."""
        limit = self._reach_by_name(own)
        every = ((entry, limit - self._reach_by_name(entry)) for entry in self.candidates)
        return [
            Rival(entry, gain, self.is_clear(entry))
            for entry, gain in every
            if gain >= -FURTHER and not self.ties(entry)
        ]

    def _reach_by_name(self, entry: Entry) -> int:
        """``reach``, from the subject's own name where it is heard, and not from what it shares."""
        gaps = [self.gaps[alias] for alias in self.names.get(entry.fact.pointer, ())]
        return (
            self.reach(entry) - self.subject_reach(entry) + min(gaps) if gaps else self.reach(entry)
        )

    def of_the_other_time(self, fitting: Sequence[Entry]) -> Entry | None:
        """The fact that should stand here, where all that fit are the same one of the other time.

        "Volatility is now 12.1%" of what it was before: the words beside the number say which of
        two states is meant, and the sources have that state too.
        """
        if not self.role or not fitting or not all(self._is_of_other_time(e) for e in fitting):
            return None
        mine = (e for e in self.candidates if self.role in e.roles and not self.ties(e))
        subject = fitting[0].subject
        return next((e for e in mine if not e.subject.isdisjoint(subject)), None)

    def _is_of_other_time(self, entry: Entry) -> bool:
        return self.role not in entry.roles and any(entry.roles)

    def heard(self, entry: Entry) -> frozenset[int]:
        """The aliases by which the fact's subject is spoken of here."""
        return entry.subject & self.place.present

    def is_clear(self, entry: Entry) -> bool:
        """Whether every alias group after the subject's is heard nearby, in no small word."""
        return all(
            own == self.role if self.role and own else not self.loud.isdisjoint(group)
            for group, own in zip(entry.groups[1:], entry.roles[1:], strict=True)
        )

    def reach(self, entry: Entry) -> int:
        """How far, in words, the fact's alias groups stand from the number, taken together."""
        others = (self.far.get(group, ABSENT) for group in entry.numbers[1:])
        return self.subject_reach(entry) + sum(others)


def bind(quantity: Quantity, place: Place, book: Book) -> Bound:
    """The number with its candidates."""
    size = shown(quantity)
    role = place.roles.get(quantity.at, "")
    apart = is_distance(place.text, place.span.at, quantity, place.block.row_label)
    gaps, own = place.distances(quantity)
    far, subjects = book.reaches(gaps, role), book.reaches(own, role)
    spoken = book.spoken(place.present, place.mentioned, role)
    spoken = tuple(entry for entry in spoken if not _is_left(entry, place, book))
    ranked = _ranked(spoken, subjects, far, size, apart=apart)
    names = {e.fact.pointer: book.own_words(e) & own.keys() for e in ranked if e.groups}
    return Bound(
        quantity=quantity,
        shown=size,
        place=place,
        role=role,
        apart=apart,
        loud=frozenset(alias for alias, gap in gaps.items() if gap <= CLEAR) - book.small_words,
        far=far,
        subjects=subjects,
        candidates=tuple(entry for entry in ranked if comparable(size, entry.known)),
        cousins=tuple(entry for entry in ranked if not comparable(size, entry.known)),
        gaps=own,
        names={pointer: tuple(heard) for pointer, heard in names.items() if heard},
    )


def _is_left(entry: Entry, place: Place, book: Book) -> bool:
    """Whether the sentence speaks of another of the fact's kind, and not of the fact."""
    return _is_passed_on(entry, place, book) or (
        bool(entry.groups) and book.is_another_ones(entry, place.mentioned, place.near)
    )


def _is_passed_on(entry: Entry, place: Place, book: Book) -> bool:
    """Whether the sentence has left the subject of the one before for another of its kind."""
    here = place.present - place.carried
    if not entry.groups or not entry.subject.isdisjoint(here) or refers_back(place.text):
        return False
    return any(not kin.subject.isdisjoint(place.near) for kin in book.kin(entry))


def _ranked(
    entries: Iterable[Entry],
    subjects: Mapping[int, int],
    far: Mapping[int, int],
    size: Shown,
    *,
    apart: bool,
) -> list[Entry]:
    """Nearest subject first; then the more particular fact, the nearer words, the nearer value.

    A fact of which some word stands far from the number is not the more particular one.
    """

    def key(entry: Entry) -> tuple[int, bool, int, int, Decimal, bool]:
        reaches = [far.get(group, ABSENT) for group in entry.numbers[1:]]
        subject = subjects.get(entry.numbers[0], ABSENT) if entry.numbers else ABSENT
        stray = any(reach > PARTICULAR for reach in reaches)
        off = distance(pair(size, entry.known, apart=apart))
        return subject, stray, -len(reaches), sum(reaches), off, entry.fact.required is None

    return sorted(entries, key=key)


def placed(bound: Bound, entries: Sequence[Entry], book: Book) -> list[Entry]:
    """Those of which one alias group at least occurs in paragraph, table or heading.

    A small word ("and", "is") places nothing: nearly every paragraph has it.
    """
    here = (bound.place.paragraph | bound.place.around.keys()) - book.small_words
    return [
        entry
        for entry in entries
        if not entry.groups or any(not here.isdisjoint(group) for group in entry.groups)
    ]


def with_subject_around(bound: Bound, entries: Sequence[Entry], book: Book) -> list[Entry]:
    """Those whose subject occurs in paragraph, table or heading, and that the sentence has not
    left for another of their kind."""
    here = bound.place.paragraph | bound.place.around.keys()
    return [
        entry
        for entry in entries
        if not entry.groups
        or (
            not here.isdisjoint(entry.subject)
            and not names_kin(bound, entry, book)
            and not book.is_another_ones(entry, here, bound.place.near)
        )
    ]


def with_subject(bound: Bound, entries: Sequence[Entry], book: Book) -> list[Entry]:
    """Those whose subject occurs in sentence, row, column, headings or carried subject."""
    place = bound.place
    return [
        entry
        for entry in entries
        if not entry.groups
        or (not entry.subject.isdisjoint(place.mentioned) and not _is_left(entry, place, book))
    ]


def grounded(bound: Bound, entries: Sequence[Entry], meant: Entry, book: Book) -> list[Entry]:
    """Those that stand although the sentence clearly speaks of another fact, ``meant``.

    Either they share a word for their subject with it; or sentence, headings or pronoun speak of
    them, or a lead-in that picks one thing out from others of its kind. In a cell that holds but
    the number, and of which row and column say all that ``meant`` needs, they must say all that the
    other needs as well.
    """
    place = bound.place
    if (
        place.block.kind == "table_cell"
        and not place.names_in_words
        and bound.reach(meant) <= 2 * OWN_CELL
    ):
        spoken = {e.fact.pointer for e in bound.candidates if bound.reach(e) <= OWN_CELL + ROW}
        return [e for e in entries if not e.groups or e.fact.pointer in spoken]
    grounds = place.grounds - book.small_words
    if bound.reach(meant) <= CLOSE:
        grounds -= place.headed
    return [
        entry
        for entry in entries
        if not entry.groups
        or not entry.subject.isdisjoint(grounds)
        or not entry.subject.isdisjoint(meant.subject)
        or (book.kin(entry) and not entry.subject.isdisjoint(place.introduced))
    ]


def names_kin(bound: Bound, entry: Entry, book: Book) -> bool:
    """Whether the sentence names another of the fact's kind, and not the fact's own subject."""
    near = bound.place.near
    if not entry.subject.isdisjoint(near):
        return False
    return any(not kin.subject.isdisjoint(near) for kin in book.kin(entry))
