"""Signs that one direction word gives to several numbers: "fell by 22.2% and 11.1%"."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from pae_verifiers.numbers.found import Found

_LONGEST = 80
_OTHER_VERB = re.compile(
    r"\b(?:rose|ris(?:e|es|ing|en)|gain\w*|up|gr[eo]w\w*|increas\w*|add(?:s|ed|ing)?|higher|climb\w*|"
    r"while|whil?st|but|whereas|to|was|were|is|are|has|have|had|will|would|remain\w*|now|with|"
    r"rais\w*|leav\w*|cost(?:s|ing)?)\b",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"(?:,|,?\s(?:and|or)|\s?[-–—]|\s?/)\s?(?:by\s|of\s)?", re.IGNORECASE)
_POSSESSIVE = re.compile(r"(?:,|,?\sand|;)\s[\w\s-]{1,50}(?:'s?|’s?)\s(?:by\s)?", re.IGNORECASE)
_ASSETS = (
    r"(?:funds?|shares?|stocks?|equit(?:y|ies)|bonds?|gold|cash|bills?|treasur(?:y|ies)|sleeves?|"
    r"markets?|property|ones?|commodities|securities|credit|portfolio)"
)
_GAPPED = re.compile(
    rf"(?:,|,?\sand|;)\s(?:[\w-]+\s){{0,4}}{_ASSETS}\s(?:by\s)?(?:about\s|around\s)?", re.IGNORECASE
)
_PREPOSITION = re.compile(r"\s(on|in|for|at|from)\s[^.;:!?]{1,60}?(?:,|,?\sand)\s", re.IGNORECASE)
_REPEATED = re.compile(
    r"\s(?:on|in|for|at|from)\s[^.;:!?]{1,60}?,?\sand\s(?:one\s|another\s|a\sfurther\s)?(?:of|by)\s",
    re.IGNORECASE,
)
_OWN_VERB = re.compile(
    r"[\s-](?:was|were|is|are|rose|gain\w*|higher|more|above|went|remain\w*|came|up|over)\b",
    re.IGNORECASE,
)


def spread(text: str, numbers: Sequence[Found], starts: Sequence[int]) -> None:
    """Give the numbers of a block the sign of a neighbour whose direction word they share.

    ``starts`` are where the block's sentences begin: no sign crosses from one to the next.
    """
    last: Found | None = None
    for found in numbers:
        if found.exempt:
            continue
        if last and _shares(text, last, found, starts):
            found.negative = found.sign_from_word = True
        last = found


def _shares(text: str, left: Found, right: Found, starts: Sequence[int]) -> bool:
    """Whether ``right`` is said to have moved by the same word as ``left``."""
    signed = left.negative and left.sign_from_word
    if not signed or right.negative or right.bound == "+-" or left.unit != right.unit:
        return False
    gap = text[left.until : right.at]
    if len(gap) > _LONGEST or gap.endswith("+") or text.startswith("+", right.at):
        return False
    if left.unit is None or bisect_right(starts, left.at) != bisect_right(starts, right.at):
        return False
    if _OTHER_VERB.search(gap) or _OWN_VERB.match(text, right.until):
        return False
    if any(form.fullmatch(gap) for form in (_PLAIN, _POSSESSIVE, _GAPPED, _REPEATED)):
        return True
    again = _PREPOSITION.fullmatch(gap)
    return bool(
        again and re.match(rf"\s{again.group(1)}\b", text[right.until : right.until + 8], re.I)
    )
