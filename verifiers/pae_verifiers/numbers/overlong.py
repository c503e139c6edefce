"""Words too long for anyone to read: each counts as one number that no source states.

So a megabyte of ``9**9**9%`` costs no more than its length, and cannot hide a number either.
Chinese has no spaces between words and is not meant.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache

from pae_verifiers.numbers.found import Found
from pae_verifiers.numbers.numerals import HUGE

LONGEST = 4096
_DIGIT = re.compile(r"\d")
_BLANK = "\u25a1"


@cache
def _word() -> re.Pattern[str]:
    return re.compile(rf"[^\s\u3000-\uffff]{{{LONGEST},}}")


def cut(text: str) -> tuple[str, list[Found]]:
    """The text with such words blanked out, and a number for each that has a digit."""
    found: list[Found] = []
    if len(text) < LONGEST:
        return text, found
    for match in _word().finditer(text):
        at, until = match.span()
        if _DIGIT.search(text, at, until):
            found.append(Found(at, until, at, until, HUGE, Decimal(1)))
    return _word().sub(lambda match: _BLANK * len(match.group()), text), found
