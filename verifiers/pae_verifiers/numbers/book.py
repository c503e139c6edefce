"""The facts, prepared for look-up: sizes in base units, aliases as numbers in one index."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

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
BEFORE = frozenset(map(stem, _BEFORE_WORDS.split()))
AFTER = frozenset(map(stem, _AFTER_WORDS.split()))


@dataclass(frozen=True)
class Entry:
    """A fact with its alias groups as sets of alias numbers; ``role`` is "before", "after" or ""
    for each group, where one of its aliases says which of two states the fact is."""

    known: Known
    groups: tuple[frozenset[int], ...]
    roles: tuple[str, ...]

    @property
    def fact(self) -> Fact:
        return self.known.fact

    @property
    def subject(self) -> frozenset[int]:
        """The first group; empty for a fact that has no aliases."""
        return self.groups[0] if self.groups else frozenset()

    def satisfied(self, present: Iterable[int], role: str) -> bool:
        """Whether every alias group occurs, in words or by the number's role."""
        here = present if isinstance(present, (set, frozenset, dict)) else set(present)
        return all(
            (role and own == role) or any(alias in here for alias in group)
            for group, own in zip(self.groups, self.roles, strict=True)
        )


@dataclass(frozen=True)
class Book:
    """All entries, and the index of their aliases."""

    entries: tuple[Entry, ...]
    index: AliasIndex
    subjects: frozenset[int]
    strings: tuple[str, ...]
    required: tuple[str, ...]
    _found: dict[str, tuple[Occurrence, ...]] = field(default_factory=dict)

    def find(self, text: str) -> tuple[Occurrence, ...]:
        """The aliases in a heading, row or column, remembered: cells share them."""
        if text not in self._found:
            self._found[text] = self.index.find(text)
        return self._found[text]

    def comparable(self, shown: Shown) -> tuple[Entry, ...]:
        """The entries that the number could be a display of, at a first, generous look."""
        value, reach = abs(float(shown.value)), float(shown.quantum)
        reach = max(reach, float(shown.zeros) / 2) * 1.0001
        return tuple(
            entry
            for entry in self.entries
            if abs(abs(entry.known.rough) - value) <= max(reach, 0.2 * abs(entry.known.rough))
            and not shown.dimensions.isdisjoint(entry.known.dimensions)
        )


def book(facts: Facts) -> Book:
    """Prepare the facts."""
    index = AliasIndex()
    entries = tuple(_entry(fact, index) for fact in facts.facts)
    subjects = frozenset(alias for entry in entries for alias in entry.subject)
    return Book(entries, index, subjects, facts.strings, facts.required)


def _entry(fact: Fact, index: AliasIndex) -> Entry:
    pairs = [(index.add_group(group), _role(group)) for group in fact.aliases]
    kept = [(numbers, role) for numbers, role in pairs if numbers]
    return Entry(
        known(fact), tuple(numbers for numbers, _ in kept), tuple(role for _, role in kept)
    )


def _role(group: Iterable[str]) -> str:
    firsts = {stem(word) for alias in group for word in alias.split()[:1]}
    if firsts & BEFORE and not firsts & AFTER:
        return "before"
    return "after" if firsts & AFTER and not firsts & BEFORE else ""
