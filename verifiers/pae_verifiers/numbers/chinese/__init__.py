"""Numbers as Chinese text writes them: 三萬五千港元, 百分之十二, 3.5億, 七成六, 五元三毛.

``find`` gives the numbers written in Chinese numerals, ``after`` and ``before`` the units around a
number; words of sign, bound and date are in ``words``. None of it is loaded before a text needs it:
ask ``has_chinese`` first.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pae_verifiers.numbers.chinese import words as words
    from pae_verifiers.numbers.chinese.amounts import find as find
    from pae_verifiers.numbers.chinese.amounts import join as join
    from pae_verifiers.numbers.chinese.units import after as after
    from pae_verifiers.numbers.chinese.units import alone as alone
    from pae_verifiers.numbers.chinese.units import before as before
    from pae_verifiers.numbers.chinese.units import stated_in as stated_in
    from pae_verifiers.numbers.chinese.units import yuan as yuan

# Characters from here on are what this package reads.
FIRST = "\u3007"
_CHINESE = re.compile(f"[{FIRST}-\U0010ffff]")
_HOMES = {
    "find": "amounts", "join": "amounts", "after": "units", "alone": "units", "before": "units",
    "stated_in": "units", "yuan": "units", "words": "words",
}  # fmt: skip


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(name)
    module = import_module(f"{__name__}.{_HOMES[name]}")
    # Kept, so that this is asked once for each name.
    globals()[name] = found = module if name == _HOMES[name] else getattr(module, name)
    return found


def has_chinese(text: str) -> bool:
    """Whether there is anything in ``text`` that this package reads."""
    return not text.isascii() and _CHINESE.search(text) is not None


def is_written(text: str) -> bool:
    """Whether a document is Chinese: its characters outnumber letters, and none are kana."""
    if "¥" not in text and "￥" not in text:
        return False
    characters = sum("\u4e00" <= char <= "\u9fff" for char in text)
    letters = sum(char.isascii() and char.isalpha() for char in text)
    return 4 * characters > letters and not any("\u3040" <= char <= "\u30ff" for char in text)
