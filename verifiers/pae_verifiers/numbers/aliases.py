"""Finds the facts' aliases in text: whole words, case-folded, with plural and -ed/-ing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from pae_verifiers.numbers.words import Word, stems, words

Stems = tuple[str, ...]


class Occurrence(NamedTuple):
    """An alias (by number) where it stands: rendered offsets, and indices of its words.

    ``inside`` says that it is part of a longer alias, which wins over it.
    """

    alias: int
    at: int
    until: int
    first_word: int
    last_word: int
    inside: bool = False


class AliasIndex:
    """All aliases of a set of facts, numbered; finds them in one pass over a text's words."""

    def __init__(self) -> None:
        self._numbers: dict[Stems, int] = {}
        self._by_text: dict[str, int | None] = {}
        self._by_first: dict[str, list[tuple[Stems, int]]] = defaultdict(list)

    def add(self, alias: str) -> int | None:
        """The alias's number; None for one without any word."""
        if alias not in self._by_text:
            self._by_text[alias] = self._number(alias)
        return self._by_text[alias]

    def _number(self, alias: str) -> int | None:
        found = stems(alias)
        if not found:
            return None
        if found not in self._numbers:
            self._numbers[found] = len(self._numbers)
            self._by_first[found[0]].append((found, self._numbers[found]))
            self._by_first[found[0]].sort(key=lambda entry: -len(entry[0]))
        return self._numbers[found]

    def add_group(self, aliases: Iterable[str]) -> frozenset[int]:
        return frozenset(number for alias in aliases if (number := self.add(alias)) is not None)

    def find(self, text: str, offset: int = 0) -> tuple[Occurrence, ...]:
        """Where the aliases stand in ``text``, positions counted from ``offset``."""
        return self.find_words(words(text, offset))

    def find_words(self, row: tuple[Word, ...]) -> tuple[Occurrence, ...]:
        """The same, in words already cut."""
        found: list[Occurrence] = []
        reach = -1  # last word of the furthest-reaching occurrence so far
        for index, word in enumerate(row):
            for alias, number in self._by_first.get(word.stem, ()):
                last = index + len(alias) - 1
                if last >= len(row) or tuple(w.stem for w in row[index : last + 1]) != alias:
                    continue
                if any(w.parted for w in row[index + 1 : last + 1]):
                    continue
                inside = last <= reach
                reach = max(reach, last)
                until = row[last].until
                found.append(Occurrence(number, word.at, until, index, last, inside))
        return tuple(found)
