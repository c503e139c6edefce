"""Cuts text into words and takes off the endings that do not change what a word speaks of."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import NamedTuple

_WORD = re.compile(r"(?:[A-Za-z]\.){2,}|\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?")
_FIRST_CJK = "\u3040"
_VOWEL = re.compile(r"[aeiouy]")
_PARTING = frozenset(":;.!?()[]|")
_DOUBLED = re.compile(r"([bdgmnprt])\1$")


class Word(NamedTuple):
    """A word's stem and where it stands in the text it was cut from.

    ``parted`` says that a stop or a bracket stands before it: no phrase goes on across that.
    """

    stem: str
    at: int
    until: int
    parted: bool = False


def words(text: str, offset: int = 0) -> tuple[Word, ...]:
    """The words of ``text``, positions counted from ``offset``."""
    found: list[Word] = []
    last = 0
    for match in _word(text).finditer(text):
        at, until = match.span()
        parted = at - last > 1 and not _PARTING.isdisjoint(text[last:at])
        found.append(Word(stem(match.group()), offset + at, offset + until, parted))
        last = until
    return tuple(found)


def stems(text: str) -> tuple[str, ...]:
    """The stems of the words of ``text``, in order."""
    return tuple(map(stem, _word(text).findall(text)))


def _word(text: str) -> re.Pattern[str]:
    return _WORD if text.isascii() or max(text) < _FIRST_CJK else _word_or_character()


@cache
def _word_or_character() -> re.Pattern[str]:
    """A CJK character is a word by itself: there are no spaces to cut at."""
    return re.compile(rf"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|{_WORD.pattern}")


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Case-folded, without possessive, plural, -ed, -ing and final e: trade, traded, trading."""
    base = unicodedata.normalize("NFKC", word).casefold().replace("’", "'").replace(".", "")
    base = base.removesuffix("'s").rstrip("'")
    return _without_e(_without_verb_ending(_singular(base)))


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    if len(word) > 2 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _without_verb_ending(word: str) -> str:
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) > 2 and _VOWEL.search(rest) and not rest.endswith("e"):
            return rest[:-1] if _DOUBLED.search(rest) else rest
    return word


def _without_e(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("e") and not word.endswith("ee") else word
