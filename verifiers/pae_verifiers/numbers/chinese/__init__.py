"""Numbers as Chinese text writes them: 三萬五千港元, 百分之十二, 3.5億, 七成六, 五元三毛.

``find`` gives the numbers written in Chinese numerals, ``after`` and ``before`` the units around a
number; words of sign, bound and date are in ``words``. Nothing here is compiled before a text
needs it.
"""

from __future__ import annotations

from pae_verifiers.numbers.chinese import words
from pae_verifiers.numbers.chinese.amounts import find, join
from pae_verifiers.numbers.chinese.units import after, alone, before, yuan

__all__ = ["after", "alone", "before", "find", "has_chinese", "is_written", "join", "words", "yuan"]

_FIRST = "\u3007"


def has_chinese(text: str) -> bool:
    """Whether there is anything in ``text`` that this package reads."""
    return not text.isascii() and max(text) >= _FIRST


def is_written(text: str) -> bool:
    """Whether a document is Chinese: its characters outnumber letters, and none are kana."""
    if "¥" not in text and "￥" not in text:
        return False
    characters = sum("\u4e00" <= char <= "\u9fff" for char in text)
    letters = sum(char.isascii() and char.isalpha() for char in text)
    return 4 * characters > letters and not any("\u3040" <= char <= "\u30ff" for char in text)
