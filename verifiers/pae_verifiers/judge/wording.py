"""Signs of a statement in a sentence: vocabularies, and patterns that wait for their words.

A sign is called with a sentence as :func:`pae_verifiers.judge.prose.plain` gives it (lower case,
single spaces) and says whether the sentence shows it. Making one costs nothing: a vocabulary is
expanded when it is first asked, and a pattern compiled when a sentence has the words it needs.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property, lru_cache
from itertools import product
from operator import methodcaller

Sign = Callable[[str], bool]

_AS_PATTERN = str.maketrans(
    {"{": "(?:", ",": "|", "}": ")", "*": r"\w*", "_": " ", "(": r"\(", ")": r"\)"}
)


class Words:
    """Whole words and phrases, of which a sentence shows at least one.

    ``vocabulary`` lists them between white space: ``{a,b}`` is either, ``_`` a space, and a ``*``
    at the end any ending.
    """

    def __init__(self, vocabulary: str) -> None:
        self._vocabulary = vocabulary

    def __call__(self, sentence: str) -> bool:
        words, stems, phrases = self._expanded
        found = _words(sentence)
        if not words.isdisjoint(found):
            return True
        if stems and any(map(methodcaller("startswith", stems), found)):
            return True
        if phrases.keys().isdisjoint(found):
            return False
        return any(
            _stands(sentence, phrase) for head in phrases.keys() & found for phrase in phrases[head]
        )

    @cached_property
    def pattern(self) -> str:
        """The source of a regular expression for any of them; word boundaries are left out."""
        return f"(?:{'|'.join(self._vocabulary.split()).translate(_AS_PATTERN)})"

    @cached_property
    def _expanded(self) -> tuple[frozenset[str], tuple[str, ...], dict[str, list[str]]]:
        """Words, beginnings of words, and phrases by their first word."""
        words: set[str] = set()
        stems: list[str] = []
        phrases: dict[str, list[str]] = {}
        for form in self._vocabulary.split():
            for entry in _either(form):
                word = entry.removesuffix("*")
                if not word.isalnum():
                    head = re.findall(r"[^\W_]+", entry)[0]
                    phrases.setdefault(head, []).append(entry.replace("_", " "))
                elif word != entry:
                    stems.append(word)
                else:
                    words.add(word)
        return frozenset(words), tuple(stems), phrases


class Wording:
    """A regular expression that a sentence matches somewhere.

    Each of ``needs`` shows in every sentence that matches: where one does not, there is no use in
    looking, and the expression is never compiled.
    """

    def __init__(self, pattern: str, *needs: Sign) -> None:
        self.pattern = pattern
        self.needs = needs

    def __call__(self, sentence: str) -> bool:
        return self.search(sentence) is not None

    def search(self, sentence: str) -> re.Match[str] | None:
        """The first match, if there is one."""
        for need in self.needs:
            if not need(sentence):
                return None
        return self.compiled.search(sentence)

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern)


def _either(form: str) -> list[str]:
    """``{a,b}_c`` → ``a_c``, ``b_c``."""
    parts = [part.split(",") for part in re.split(r"[{}]", form)]
    return ["".join(choice) for choice in product(*parts)]


@lru_cache(maxsize=1024)
def _words(sentence: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", sentence))


def _stands(sentence: str, phrase: str) -> bool:
    """Whether the phrase stands somewhere in the sentence and cuts no word at its edges."""
    stem = phrase.removesuffix("*")
    at = sentence.find(stem)
    while at >= 0:
        until = at + len(stem)
        if not (_joined(sentence, at) or (stem == phrase and _joined(sentence, until))):
            return True
        at = sentence.find(stem, at + 1)
    return False


def _joined(sentence: str, at: int) -> bool:
    """Whether a word runs on across ``at``."""
    both = sentence[at - 1 : at + 1] if at else ""
    return len(both) == 2 and all(mark.isalnum() or mark == "_" for mark in both)
