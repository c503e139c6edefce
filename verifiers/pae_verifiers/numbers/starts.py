"""A text's words and runs of digits, found once for all stages of the scanner.

A pattern that can begin only with certain words, or at digits, is tried only there: most of a text
is other words.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

from pae_verifiers.numbers import chinese
from pae_verifiers.numbers.reading import NBSP

# Begins with one set of characters, which is quick to search for: a letter, or else a digit.
_TOKENS = re.compile(rf"([a-z0-9](?:(?<![0-9])[a-z]*+|[0-9]*+(?>(?:[.,'{NBSP}][0-9]++)*)))")
_LONGEST = 24  # of a word that a unit, a bound or a sign is in


class Starts(NamedTuple):
    """The tokens of one block's text: its words in lower case and its runs of digits, in order.

    A run has the separators that may stand inside a number. ``known`` are the indexes of words
    that some pattern begins with, ``vocabulary`` those words.
    """

    lower: str
    chinese: bool  # whether there is anything that the package ``chinese`` reads
    tokens: list[str]
    places: list[int]  # where each token begins
    gaps: list[str]  # what stands before each token, and after the last
    runs: list[int]  # indexes of runs of digits
    known: list[int]
    vocabulary: frozenset[str]

    def at(self, words: frozenset[str]) -> list[int]:
        """The places of ``words``, which must be known, in order."""
        return [self.places[index] for index in self.known if self.tokens[index] in words]

    def at_phrases(self, words: frozenset[str], openers: frozenset[str]) -> list[int]:
        """The places of ``words``, and of each opener right before one: "a hundred"."""
        found: list[int] = []
        if self.vocabulary.isdisjoint(words):
            return found
        taken = -1  # index of the last word whose place is in ``found``
        for index in self.known:
            if self.tokens[index] in words:
                before = index - 1
                if before > taken and self.tokens[before] in openers:
                    found.append(self.places[before])
                found.append(self.places[index])
                taken = index
        return found

    def word_before(self, end: int, floor: int, skipped: frozenset[str]) -> tuple[str, int]:
        """The last word between ``floor`` and ``end`` that is not skipped, and its place."""
        index = bisect_left(self.places, end) - 1
        while index >= 0 and self.places[index] >= floor:
            word = self.tokens[index]
            if word not in skipped and not word < ":":
                return word, self.places[index]
            index -= 1
        return "", floor


def starts(text: str, known: frozenset[str]) -> Starts:
    """The tokens of one block's text, already read by ``reading.read``."""
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(char.lower()[:1] for char in text)
    # Gaps and tokens in turn, added up: places without a match object for each token.
    pieces = _TOKENS.split(lower)
    places = list(accumulate(map(len, pieces)))[:-1:2]
    tokens = pieces[1::2]
    vocabulary = known.intersection(tokens)
    runs: list[int] = []
    found: list[int] = []
    for index, token in enumerate(tokens):
        if token < ":":  # digits come before it in the order of characters, letters after it
            runs.append(index)
        elif token in vocabulary:
            found.append(index)
    return Starts(
        lower, chinese.has_chinese(text), tokens, places, pieces[::2], runs, found, vocabulary
    )


def last_word(text: str, end: int) -> str:
    """The word before ``end``, in lower case, or the one other character; white space aside."""
    before = text[end - 1 : end]
    if before and not (before.isalpha() or before.isspace()):
        return before
    floor = end - _LONGEST if end > _LONGEST else 0
    if before == " ":
        word = text[floor : end - 1].rpartition(" ")[2]
        if word.isalpha():
            return word.lower()
    tail = text[floor:end].rstrip()
    if not tail:
        return text[max(0, floor - 1) : floor]
    if not tail[-1].isalpha():
        return tail[-1]
    word = tail.rsplit(None, 1)[-1]
    if not word.isalpha():
        start = len(word)
        while word[start - 1].isalpha():
            start -= 1
        word = word[start:]
    return word.lower()


def matches(pattern: re.Pattern[str], text: str, places: Iterable[int]) -> list[re.Match[str]]:
    """As ``finditer``, tried at ``places`` only."""
    found: list[re.Match[str]] = []
    floor = 0
    for at in places:
        if at >= floor and (match := pattern.match(text, at)):
            found.append(match)
            floor = max(match.end(), at + 1)
    return found
