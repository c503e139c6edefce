"""Where words begin: patterns that can begin nowhere else are tried only there.

A pattern that begins with a condition on what stands before it is tried at every character by
``finditer``; most characters are inside a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate

from pae_verifiers.numbers import chinese

_WORDS = re.compile(r"([a-z]+)")
_LONGEST = 24  # of a word that a unit, a bound or a sign is in


@dataclass(frozen=True)
class Starts:
    """The words of one block's text in lower case, and where each begins, in order."""

    lower: str
    chinese: bool  # whether there is anything that ``chinese`` reads
    words: list[str]
    places: list[int]
    vocabulary: frozenset[str]

    def at(self, words: frozenset[str]) -> list[int]:
        """The places of ``words``, in order."""
        if self.vocabulary.isdisjoint(words):
            return []
        return [at for at, word in zip(self.places, self.words, strict=True) if word in words]


def starts(text: str) -> Starts:
    """The places in one block's text, already read by ``reading.read``."""
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(char.lower()[:1] for char in text)
    # Gaps and words in turn, added up: places without a match object for each word.
    pieces = _WORDS.split(lower)
    ends = list(accumulate(map(len, pieces)))
    words = pieces[1::2]
    return Starts(lower, chinese.has_chinese(text), words, ends[:-1:2], frozenset(words))


def last_word(text: str, end: int) -> str:
    """The word before ``end``, in lower case, or the one other character; white space aside."""
    floor = max(0, end - _LONGEST)
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


def matches(pattern: re.Pattern[str], text: str, places: Iterable[int]) -> Iterator[re.Match[str]]:
    """As ``finditer``, tried at ``places`` only."""
    floor = 0
    for at in places:
        if at >= floor and (match := pattern.match(text, at)):
            yield match
            floor = max(match.end(), at + 1)
