"""Where a number stands, and which aliases are spoken there, how far from it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pae_verifiers.numbers.aliases import Occurrence
from pae_verifiers.numbers.definitions import definitions
from pae_verifiers.numbers.model import Block, Quantity, Span
from pae_verifiers.numbers.respective import partners
from pae_verifiers.numbers.roles import Role, roles
from pae_verifiers.numbers.words import Word

# Distances, in words, of what is spoken outside the sentence itself.
OWN_CELL, ROW, LEAD_IN, CARRIED, HEADING = 2, 8, 10, 25, 40
ABSENT = 1000
REACH = 40  # words; what is further off in the sentence is OUT_OF_REACH
OUT_OF_REACH = 500
APART = 200  # characters to either side in which words of distance and comparison are looked for
ANOTHERS = 20  # words to a name that a list tells off to another of its numbers
FOLLOWING = 10  # words more to a name that follows in a clause of its own
FEW = 8  # numbers before one that may share its unit

_BREAK = re.compile(
    r"[;:—–()]|\s-\s|\b(?:while|but|whereas|and|or|versus|against|compared)\b", re.I
)
_COMPARISON = 60  # characters that a comparison of two numbers takes at most
_NEW_CLAUSE = re.compile(r"[;:.]|\b(?:or|and|while|but|whereas)\b", re.IGNORECASE)
_PRONOUN = re.compile(
    r"\W*(?:(?:so|and|but|now|today|together|here|of)\W+)?(?:it|its|they|their|them|this|that|these|those|"
    r"both|each|the\s+(?:former|latter|first|second|same))\b",
    re.IGNORECASE,
)
_PRONOUN_WITHIN = re.compile(
    r"\b(?:it|its|they|their|theirs|them|this|that|these|those|such|same)\b", re.IGNORECASE
)
_THEN = re.compile(r"\W*(?:and\s+)?(?:then|thereafter|afterwards|after\s+that)\b", re.IGNORECASE)
_THEIRS = re.compile(r"\b(?:theirs|hers|the\s+same\s+(?:as|of))\b", re.IGNORECASE)
_OF_IT = re.compile(r"\s*(?:of|in|for|on|to|into|as)\b", re.IGNORECASE)


def _count(places: Sequence[int], low: int, high: int) -> int:
    return max(0, bisect_left(places, high) - bisect_left(places, low))


def refers_back(text: str) -> bool:
    """Whether a sentence takes up the subject of the one before by a pronoun."""
    return bool(_PRONOUN.match(text))


def takes_up_the_item_before(text: str) -> bool:
    """Whether an item of a list can be read only with the one before it: "less than theirs"."""
    return bool(_THEIRS.search(text))


def keeps_on(text: str) -> bool:
    """Whether a sentence has a pronoun that may stand for the subject of the one before."""
    return refers_back(text) or bool(_PRONOUN_WITHIN.search(text) or _THEN.match(text))


@dataclass(frozen=True)
class Place:
    """A sentence of a block with everything that can tell what its numbers speak of.

    ``around`` maps the aliases of row, column, headings, lead-in and carried subject to their
    distance, ``inside`` those of row and column that are part of a longer one; ``carried`` are
    those that only the sentence before speaks of; ``paragraph`` holds every alias of the paragraph
    or table and its headings.
    """

    block: Block
    span: Span
    text: str
    spoken: tuple[Occurrence, ...]
    around: Mapping[int, int]
    inside: Mapping[int, int]
    carried: frozenset[int]
    paragraph: frozenset[int]
    words: tuple[Word, ...]
    numbers: tuple[Quantity, ...]
    earlier: tuple[Quantity, ...] = ()  # the last few numbers before the sentence
    small: frozenset[int] = frozenset()  # aliases that name nothing by themselves

    @cached_property
    def present(self) -> frozenset[int]:
        """The aliases that bind here, one inside a longer one left out."""
        own = {found.alias for found in self.spoken if not found.inside}
        told = {alias for alias, _ in self._partners.values()}
        return frozenset(own | told | self.around.keys())

    @cached_property
    def mentioned(self) -> frozenset[int]:
        """All those, and the ones inside longer ones in sentence, row and column.

        They do not name a subject, but they may say more of one.
        """
        own = (found.alias for found in self.spoken)
        return self.present.union(self.inside, own)

    @cached_property
    def near(self) -> frozenset[int]:
        """Those of sentence, row label and column: what the number's own clause can mean."""
        own = {found.alias for found in self.spoken if not found.inside}
        return frozenset(own | {a for a, far in self.around.items() if far <= ROW})

    @cached_property
    def names_in_words(self) -> bool:
        """Whether the sentence itself has words that name something."""
        return any(found.alias not in self.small for found in self.spoken)

    @cached_property
    def roles(self) -> dict[int, Role]:
        label = f"{self.block.row_label} | {self.block.column}"
        return roles(self.text, self.span.at, self.numbers, label)

    @cached_property
    def definitions(self) -> frozenset[int]:
        """Where the numbers stand that only explain a unit."""
        return definitions(self.text, self.span.at, self.numbers)

    @cached_property
    def grounds(self) -> frozenset[int]:
        """The aliases that can hold a number against what its own sentence clearly speaks of.

        A lead-in cannot, and the sentence before only where a pronoun takes it up.
        """
        dropped = self.introduced if keeps_on(self.text) else self.introduced | self.carried
        return self.present - dropped

    @cached_property
    def introduced(self) -> frozenset[int]:
        """The aliases that only the lead-in speaks of."""
        own = {found.alias for found in self.spoken}
        return frozenset({a for a, far in self.around.items() if far == LEAD_IN} - own)

    @cached_property
    def headed(self) -> frozenset[int]:
        """The aliases that only the headings speak of."""
        own = {found.alias for found in self.spoken}
        return frozenset({a for a, far in self.around.items() if far >= HEADING} - own)

    def distances(self, quantity: Quantity) -> tuple[dict[int, int], dict[int, int]]:
        """Alias -> distance in words, breaks and numbers between counted as several words.

        First of all aliases, then without those that are part of a longer one.
        """
        every = {**self._far_all, **self.around}
        own = {**self._far_own, **self.around}
        for found in self._in_reach(quantity):
            gap = self._gap(quantity, found)
            every[found.alias] = min(gap, every.get(found.alias, ABSENT))
            if not found.inside:
                own[found.alias] = min(gap, own.get(found.alias, ABSENT))
        if quantity.at in self._partners:
            mine, others = self._partners[quantity.at]
            for far in (every, own):
                far.update({alias: max(far[alias], ANOTHERS) for alias in others & far.keys()})
                far[mine] = 0
        return every, own

    @cached_property
    def _partners(self) -> Mapping[int, tuple[int, frozenset[int]]]:
        names = [found for found in self.spoken if found.alias not in self.small]
        return partners(self.text, self.span.at, self.numbers, names)

    @cached_property
    def _far_own(self) -> dict[int, int]:
        return {found.alias: OUT_OF_REACH for found in self.spoken if not found.inside}

    @cached_property
    def _far_all(self) -> dict[int, int]:
        return {**{found.alias: OUT_OF_REACH for found in self.spoken}, **self.inside}

    def _in_reach(self, quantity: Quantity) -> Sequence[Occurrence]:
        """The aliases within REACH words of the number, so that a long sentence costs no square."""
        word = bisect_left(self._starts, quantity.at)
        low = bisect_left(self._first_words, word - REACH)
        return self.spoken[low : bisect_right(self._first_words, word + REACH)]

    def within(self, quantity: Quantity) -> frozenset[int]:
        """The aliases in the number itself: the unit in "6 months" names no month."""
        near = self._in_reach(quantity)
        return frozenset(f.alias for f in near if quantity.at <= f.at and f.until <= quantity.until)

    @cached_property
    def _first_words(self) -> list[int]:
        return [found.first_word for found in self.spoken]

    def before(self, quantity: Quantity) -> Iterable[Quantity]:
        """The few numbers of the sentence before this one, nearest first."""
        index = bisect_left(self._number_starts, quantity.at)
        return reversed(self.numbers[max(0, index - FEW) : index])

    def context(self, quantity: Quantity) -> str:
        """The text of the sentence that can tell what the number speaks of.

        Two equal numbers of one sentence, in equal contexts, speak of the same.
        """
        word = bisect_left(self._starts, quantity.at)
        first, last = max(0, word - REACH - 1), min(len(self._starts), word + REACH + 1) - 1
        low = min(self._starts[first] if self._starts else quantity.at, quantity.at - APART)
        high = max(self._starts[last] if self._starts else quantity.at, quantity.until + APART)
        return self.text[max(0, low - self.span.at) : high - self.span.at]

    def goes_on(self, quantity: Quantity) -> bool:
        """Whether only words of comparison stand between this number and the one before it."""
        previous = next(iter(self.before(quantity)), None)
        if previous is None:
            return False
        start, end = previous.until - self.span.at, quantity.at - self.span.at
        return end - start <= _COMPARISON and not _NEW_CLAUSE.search(self.text[start:end])

    def between(self, quantity: Quantity, found: Occurrence) -> str:
        """The text between the number and an alias of its sentence."""
        start, end = (
            (quantity.until, found.at) if found.at >= quantity.until else (found.until, quantity.at)
        )
        return self.text[max(0, start - self.span.at) : max(0, end - self.span.at)]

    def _gap(self, quantity: Quantity, found: Occurrence) -> int:
        first = bisect_left(self._starts, quantity.at)
        last = bisect_right(self._starts, quantity.until - 1) - 1
        follows = found.first_word > last
        steps = found.first_word - last - 1 if follows else first - found.last_word - 1
        low, high = (quantity.until, found.at) if follows else (found.until, quantity.at)
        crossed = self._numbers_between(quantity, found)
        parted = _count(self._breaks, low, high)
        commas = _count(self._commas, low, high)
        cost = max(0, steps) + 3 * parted + 2 * commas + 3 * crossed
        if follows and not _OF_IT.match(self.text, low - self.span.at):
            cost += FOLLOWING if parted else 1
        return cost

    @cached_property
    def _breaks(self) -> list[int]:
        return [self.span.at + match.start() for match in _BREAK.finditer(self.text)]

    @cached_property
    def _commas(self) -> list[int]:
        return [self.span.at + at for at, char in enumerate(self.text) if char == ","]

    def _numbers_between(self, quantity: Quantity, found: Occurrence) -> int:
        low, high = sorted((quantity.at, found.at))
        return bisect_left(self._number_starts, high) - bisect_right(self._number_starts, low)

    @cached_property
    def _starts(self) -> list[int]:
        return [word.at for word in self.words]

    @cached_property
    def _number_starts(self) -> list[int]:
        return [number.at for number in self.numbers]
