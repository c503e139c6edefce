"""The facts, prepared for look-up: sizes in base units, aliases as numbers in one index."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pae_verifiers.numbers.aliases import AliasIndex, Occurrence
from pae_verifiers.numbers.measure import Known, Shown, known
from pae_verifiers.numbers.model import Fact, Facts
from pae_verifiers.numbers.words import stem

_BEFORE_WORDS = """
    before beforehand prior previous previously old earlier former formerly initial initially start
    starting opening original originally pre was were
"""
_AFTER_WORDS = """
    after afterwards afterward now new current currently present today post final end ending closing
    following resulting is are
"""
# Aliases that nearly every sentence has: they may bind, but they make nothing clear.
_SMALL_WORDS = """
    a an the is are was were be been has have had will would could may do does did and or of in on
    at to from by for with as that which it its they their this these more less than up down all
    about around part total
"""
BEFORE = frozenset(map(stem, _BEFORE_WORDS.split()))
AFTER = frozenset(map(stem, _AFTER_WORDS.split()))

OTHER_ROLE = 200  # the distance, in words, of "after" to a number that is the one before


@dataclass(frozen=True)
class Entry:
    """A fact with its alias groups: as sets of alias numbers, and as numbers in the book.

    ``roles`` is "before", "after" or "" for each group, where its aliases say which of two states
    the fact is.
    """

    known: Known
    groups: tuple[frozenset[int], ...]
    roles: tuple[str, ...]
    numbers: tuple[int, ...]
    number_set: frozenset[int]

    @property
    def fact(self) -> Fact:
        return self.known.fact

    @property
    def subject(self) -> frozenset[int]:
        """The first group; empty for a fact that has no aliases."""
        return self.groups[0] if self.groups else frozenset()


class Book:
    """All entries, and the index of their aliases."""

    def __init__(self, facts: Facts) -> None:
        self.index = AliasIndex()
        self.strings = facts.strings
        self.required = facts.required
        self._groups: dict[tuple[str, ...], int] = {}
        self._aliases: list[frozenset[int]] = []
        self._roles: list[str] = []
        self._groups_with: dict[int, list[int]] = {}
        self.entries = tuple(self._entry(fact) for fact in facts.facts)
        sized = sorted((abs(entry.known.rough), at) for at, entry in enumerate(self.entries))
        self._sizes = [size for size, _ in sized]
        self._by_size = [at for _, at in sized]
        self.subjects = frozenset(alias for entry in self.entries for alias in entry.subject)
        small = (self.index.add(word) for word in _SMALL_WORDS.split())
        self.small_words = frozenset(alias for alias in small if alias is not None)
        self._siblings: dict[str, list[Entry]] = {}
        self._own: dict[str, frozenset[int]] = {}
        self._kin = self._families()
        self._found: dict[str, tuple[Occurrence, ...]] = {}
        self._spoken: dict[tuple[frozenset[int], frozenset[int], str], tuple[Entry, ...]] = {}

    def find(self, text: str) -> tuple[Occurrence, ...]:
        """The aliases in a heading, row or column, remembered: cells share them."""
        if text not in self._found:
            self._found[text] = self.index.find(text)
        return self._found[text]

    def spoken(
        self, present: frozenset[int], mentioned: frozenset[int], role: str
    ) -> tuple[Entry, ...]:
        """The entries of which every alias group occurs, in words or by the number's role.

        The subject must be ``present``; for the other groups it is enough to be ``mentioned``.
        """
        key = present, mentioned, role
        if key not in self._spoken:
            subjects = self.reaches(dict.fromkeys(present, 0), role).keys()
            heard = self.reaches(dict.fromkeys(mentioned, 0), role).keys()
            self._spoken[key] = tuple(
                entry
                for entry in self.entries
                if entry.number_set <= heard
                and (not entry.numbers or entry.numbers[0] in subjects)
                and ((role and role in entry.roles) or _in_words_of_their_own(entry, mentioned))
            )
        return self._spoken[key]

    def reaches(self, far: Mapping[int, int], role: str) -> dict[int, int]:
        """Group -> distance of its nearest alias, given the aliases' distances.

        The groups of the number's role are at 0, those of the other role far off.
        """
        nearest: dict[int, int] = {}
        for alias, distance in far.items():
            for group in self._groups_with.get(alias, ()):
                if distance < nearest.get(group, distance + 1):
                    nearest[group] = distance
        if role:
            for group, own in enumerate(self._roles):
                if own == role:
                    nearest[group] = 0
                elif own and group in nearest:
                    nearest[group] = OTHER_ROLE
        return nearest

    def kin(self, entry: Entry) -> Sequence[Entry]:
        """The same figure of other things: the pointers differ in one step before the last."""
        return self._kin.get(entry.fact.pointer, ())

    def siblings(self, entry: Entry) -> Sequence[Entry]:
        """The facts of the same kind that share a word for their subject, itself included."""
        return self._siblings.get(entry.fact.pointer, ())

    def own_words(self, entry: Entry) -> frozenset[int]:
        """The subject's aliases that no other of the fact's kind has: "gold", and not "sold"."""
        pointer = entry.fact.pointer
        if pointer not in self._own:
            others = (s.subject for s in self._siblings.get(pointer, ()) if s is not entry)
            self._own[pointer] = entry.subject.difference(*others)
        return self._own[pointer]

    def is_another_ones(self, entry: Entry, heard: frozenset[int], near: frozenset[int]) -> bool:
        """Whether one of the fact's kind is named, and the fact only by what the two share.

        "Sold" names every sale: beside one fund's name it speaks of that fund's. ``heard`` are the
        aliases that may name the fact, ``near`` those that may name the other.
        """
        named = entry.subject & heard
        return any(
            named < sibling.subject & near for sibling in self._siblings.get(entry.fact.pointer, ())
        )

    def comparable(self, shown: Shown) -> tuple[Entry, ...]:
        """The entries that the number could be a display of, at a first, generous look."""
        value, reach = abs(float(shown.value)), float(shown.quantum)
        reach = max(reach, float(shown.zeros) / 2) * 1.0001
        low = bisect_left(self._sizes, min(value - reach, value / 1.2001))
        high = bisect_right(self._sizes, max(value + reach, value / 0.7999))
        return tuple(
            self.entries[at]
            for at in sorted(self._by_size[low:high])
            if not shown.dimensions.isdisjoint(self.entries[at].known.dimensions)
        )

    def _entry(self, fact: Fact) -> Entry:
        numbers = [n for group in fact.aliases if self._aliases[n := self._group(group)]]
        return Entry(
            known=known(fact),
            groups=tuple(self._aliases[n] for n in numbers),
            roles=tuple(self._roles[n] for n in numbers),
            numbers=tuple(numbers),
            number_set=frozenset(numbers),
        )

    def _families(self) -> dict[str, list[Entry]]:
        """Pointer -> entries of the same kind that speak of another subject.

        Those that share a word for it become siblings.
        """
        shapes: dict[tuple[str, ...], list[Entry]] = {}
        for entry in self.entries:
            for shape in _shapes(entry.fact.pointer):
                shapes.setdefault(shape, []).append(entry)
        kin: dict[str, list[Entry]] = {}
        for family in shapes.values():
            for entry in family if len(family) > 1 else ():
                for other in family:
                    apart = other.subject.isdisjoint(entry.subject)
                    into = kin if apart else self._siblings
                    into.setdefault(entry.fact.pointer, []).append(other)
        return kin

    def _group(self, group: tuple[str, ...]) -> int:
        if group not in self._groups:
            number = self._groups[group] = len(self._aliases)
            self._aliases.append(self.index.add_group(group))
            self._roles.append(_role(group))
            for alias in self._aliases[number]:
                self._groups_with.setdefault(alias, []).append(number)
        return self._groups[group]


def _in_words_of_their_own(entry: Entry, mentioned: frozenset[int]) -> bool:
    """Whether more than one word satisfies the groups: "limit" alone is no "limit of the band"."""
    if len(entry.groups) < 2:
        return True
    first = entry.groups[0] & mentioned
    return len(first) > 1 or any(group & mentioned != first for group in entry.groups[1:])


def _shapes(pointer: str) -> Iterator[tuple[str, ...]]:
    """The pointer's steps with each but the last, in turn, left open."""
    steps = pointer.split("/")[1:]
    for index in range(len(steps) - 1):
        yield (*steps[:index], "*", *steps[index + 1 :])


def _role(group: Iterable[str]) -> str:
    firsts = {stem(word) for alias in group for word in alias.split()[:1]}
    if firsts & BEFORE and not firsts & AFTER:
        return "before"
    return "after" if firsts & AFTER and not firsts & BEFORE else ""
