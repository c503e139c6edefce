"""What a number is in its place: a year, part of a name, a ratio, or a quantity after all."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache

from pae_verifiers.numbers.found import EXACT, Found
from pae_verifiers.numbers.lexicon import CURRENCY_CODES

_YEAR_BEFORE = re.compile(r"\b(?:[Ii]n|[Ss]ince|[Dd]uring|By|[Uu]ntil|[Tt]hrough)\s$")
_NAME_BEFORE = re.compile(
    r"(?<![A-Za-z])(?!(?:mid|pre|post|sub|non|early|late|about|in|of|to|and|by|at|per|a)-)"
    r"(?:[A-Za-z]*[A-Z][A-Za-z]*|lot|step|level|phase|tier|type|class|top|form|fund|item|box|seed|"
    r"covid|part|option)-$"
)
# A unit before the number: "%9", "in percent: 9", "a return (in %) of 9".
_RATE_BEFORE = re.compile(
    r"(?<![\d.,])(?<![\d.,] )(?:%|%\)?\s?[:=]|\bper\s?cent\)?\s?[:=]|\((?:in\s)?(?:%|per\s?cent)\)"
    r"\s(?:of|is|was))\s?$",
    re.IGNORECASE,
)
_OUT_OF = re.compile(
    r"[\s-](?:(?:parts?|cases?|times?)\s)?(?:out[\s-]of(?:[\s-](?:the|every|each))?|"
    r"in(?:[\s-](?:every|each))?|(?:of|for|per)\s(?:every|each)|per)[\s-]"
)
# "3:1"; a time of day is a date before it comes here.
_COLON = re.compile(r"\s?:\s?")
_AND_CENTS = re.compile(r",?\s(?:and\s)?")
_FACTOR = re.compile(r"\bfactor\sof\s(?:about\s|around\s|almost\s)?$", re.IGNORECASE)
_WORD_BEFORE = re.compile(r"(?<![A-Za-z])[a-z]{3,}$")
# The digits before it belong to an amount.
_GOES_ON = re.compile(r"[.,]\d|\s?%")
_WORD_AFTER = re.compile(r"[a-z]{4}")
_UNIT_BEFORE = frozenset({"of", "about", "around", "almost", "is", "was", "%", ":", "="})
_SHORTEST_OUT_OF = 4  # " in "
_LONGEST_JOINT = 32  # of what joins two numbers to one
_CENT = Decimal("0.01")
_MILLIONTH = Decimal("0.000001")
_YEARS = range(1900, 2100)
_APART = frozenset(("", *" \n()[]|,;:%$*"))  # beside a number that is no part of a name
_TIMES = frozenset({"day", "week", "month", "year"})


@cache
def _rate_of() -> re.Pattern[str]:
    """ "Percent of 10", where nothing before it says of how many."""
    return re.compile(
        r"(?:^|[.,;:!?(]\s?|\b(?:at|by|to|is|was|of|than|need|about)\s)"
        r"(?P<rate>(?:per\s?cents?|percentages?)\sof\s)$",
        re.IGNORECASE,
    )


@cache
def _clause_end() -> re.Pattern[str]:
    return re.compile(r"\s*(?:$|[.,;:!?)](?!\d))")


@cache
def _cents_end() -> re.Pattern[str]:
    """Nothing that the fifty in "15 dollars 50" could count."""
    return re.compile(
        rf"{_clause_end().pattern}|"
        r"\s(?:more|less|each|apiece|an?|per|for|in|at|and|or|to|on|by)\b"
    )


def kind(text: str, found: Found, floor: int) -> None:
    """Make the number a date or a label where its place says so: "2026", "TZLC-3", "T+2"."""
    if found.unit is None and found.kind == "quantity" and _in_name(text, found, floor):
        _take_whole_name(text, found, floor)
    elif found.stop - found.body == 4 and found.scale == 1 and _is_year(text, found):
        found.until, found.unit, found.kind, found.exempt = found.stop, None, "date", True


def _is_year(text: str, found: Found) -> bool:
    written = text[found.body : found.stop]
    if not written.isdigit() or int(written) not in _YEARS:
        return False
    if found.unit is None:
        return True
    counts = found.unit == "share" or found.unit in _TIMES
    return counts and bool(_YEAR_BEFORE.search(text, max(0, found.at - 10), found.at))


def _in_name(text: str, found: Found, floor: int) -> bool:
    before = text[found.at - 1] if found.at > floor else ""
    if before in _APART and text[found.until : found.until + 1] in _APART:
        return False
    if (
        (_is_letter(before) and not _runs_into_word(text, found))
        or before in ("_", "&")
        or (before == "+" and found.at > 1 and text[found.at - 2].isalpha())
    ):
        return True
    if before == "-" and _NAME_BEFORE.search(text, max(floor, found.at - 24), found.at):
        return True
    if found.until >= len(text) or not _is_letter(text[found.until]):
        return False
    return not _WORD_AFTER.match(text, found.until)


def _runs_into_word(text: str, found: Found) -> bool:
    """ "cost4500" is a word and a number that lack a space, "Q3" and "file12" are names."""
    large = found.quantum < 1 or found.value >= 1000
    return large and bool(_WORD_BEFORE.search(text, max(0, found.at - 16), found.at))


def _is_letter(char: str) -> bool:
    """A letter of an alphabet; Chinese and its like put no space between a number and a word."""
    return char.isalpha() and char < "\u2e80"


def _take_whole_name(text: str, found: Found, floor: int) -> None:
    at, until = found.at, found.until
    while until < len(text) and text[until].isalnum():
        until += 1
    if _GOES_ON.match(text, until) and any(c.isdigit() for c in text[found.stop : until]):
        return  # "31m7.7%": the second number is not part of any name
    while at > floor and (text[at - 1].isalnum() or text[at - 1] in "_-+&"):
        at -= 1
    found.at, found.until, found.unit = at, until, None
    found.kind, found.exempt = "label", True


def unit(text: str, found: Found, word: str) -> None:
    """Give the number the unit that only its place shows: decimals and fractions are ratios.

    ``word`` is the last one before the number.
    """
    if found.unit is not None:
        if found.kind == "spelled" and found.unit == "pp" and _are_topics(text, found):
            found.unit, found.until = None, found.stop
        return
    if word in _UNIT_BEFORE:
        if _FACTOR.search(text, max(0, found.at - 24), found.at):
            found.unit = "multiple"
            return
        if _RATE_BEFORE.search(text, max(0, found.at - 24), found.at):
            found.unit = "percent"
            return
    if found.scale != 1:
        return
    if text.endswith("of ", 0, found.at):
        before = _rate_of().search(text, max(0, found.at - 24), found.at)
        if before and _clause_end().match(text, found.until):
            found.at, found.unit = before.start("rate"), "percent"
            return
    if found.quantum < 1:
        found.unit = "ratio"


def _are_topics(text: str, found: Found) -> bool:
    """ "three points to note" are no percentage points; "by three points" are."""
    word = text[found.stop : found.until].strip(" -").casefold()
    moved = found.negative or re.search(r"\bby\s$", text[max(0, found.at - 4) : found.at])
    distance = re.match(
        r"\s(?:above|over|higher|up|away|off|overweight)\b", text[found.until : found.until + 16]
    )
    return word.startswith("point") and found.quantum == 1 and not (moved or distance)


def ratios(text: str, numbers: list[Found]) -> list[Found]:
    """The numbers of a block with "three out of four" and "3 in 4" joined into one ratio."""
    result: list[Found] = []
    for found in numbers:
        near = result and found.at - result[-1].until <= _LONGEST_JOINT
        last = result[-1] if near and not found.exempt else None
        if last and (
            _joined_by_colon(text, last, found)
            or _joined_with_cents(text, last, found)
            or _joined_by_words(text, last, found)
        ):
            last.until = last.stop = found.until
        else:
            result.append(found)
    return result


def _joined_by_colon(text: str, left: Found, right: Found) -> bool:
    """Take "3:1" as the multiple, and "1:3" as the ratio, that they are."""
    if text[left.stop] != ":" or left.exempt or left.kind != "quantity" or not right.value:
        return False
    if left.unit not in (None, "ratio") or right.unit is not None:
        return False
    if not _COLON.fullmatch(text, left.until, right.at):
        return False
    left.value = EXACT.divide(left.value, right.value).quantize(_MILLIONTH, context=EXACT)
    left.unit = "multiple" if right.value == 1 else "ratio"
    left.quantum = left.quantum if right.value == 1 else Decimal("0.1")
    return True


def _joined_with_cents(text: str, left: Found, right: Found) -> bool:
    """Take "15 dollars and 50 cents" and "15 dollars 50" as one amount."""
    if left.unit not in CURRENCY_CODES or left.scale != 1 or left.quantum != 1:
        return False
    if right.value >= 100 or right.quantum != 1:
        return False
    word = text[right.stop : right.until].strip(" -\u00a0").casefold()
    cents = right.scale == _CENT and (right.unit == left.unit or word in ("cent", "cents"))
    if not (cents or _are_bare_cents(text, left, right)):
        return False
    if not _AND_CENTS.fullmatch(text, left.until, right.at):
        return False
    left.value, left.quantum = left.value + right.value * _CENT, _CENT
    return True


def _are_bare_cents(text: str, left: Found, right: Found) -> bool:
    """Whether a currency's name parts two numbers, of which the second has two digits alone."""
    named = not left.prefixed and text[left.until - 1].isalpha() and text[left.until - 1].isascii()
    apart = text[left.until : right.at] == " " and right.at == right.body
    return (
        named
        and apart
        and right.bare
        and not right.sign_from_word
        and right.value >= 10
        and _cents_end().match(text, right.until) is not None
    )


def _joined_by_words(text: str, left: Found, right: Found) -> bool:
    """Take "three out of four", "3 in 4", "one month in twenty" and "1 in 20 times" as ratios."""
    if right.at - left.until < _SHORTEST_OUT_OF or left.exempt:
        return False
    if not _is_whole(left) or not _is_whole(right):
        return False
    gap = _OUT_OF.fullmatch(text, left.until, right.at)
    if not gap or not 0 < left.value <= right.value:
        return False
    if left.unit not in (None, *_TIMES, "share") or not _same_things(left, right):
        return False
    if not ("out" in gap.group() or (right.value <= 100 and left.value < right.value)):
        return False
    left.value = round(EXACT.divide(left.value, right.value), 6)
    left.quantum = min(Decimal("0.1"), round(1 / right.value, 6))
    left.unit = "ratio"
    return True


def _same_things(left: Found, right: Found) -> bool:
    """Whether the second number counts what the first does; "20 times" are read as a multiple."""
    return right.unit is None or (left.unit is None and right.unit in ("multiple", *_TIMES))


def _is_whole(found: Found) -> bool:
    return found.quantum == 1 and found.scale == 1
