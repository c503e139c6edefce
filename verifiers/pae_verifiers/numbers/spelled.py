"""Numbers in words: "three", "twenty-five", "twelve point five", "one-third", "half a million"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from pae_verifiers.numbers.found import Found
from pae_verifiers.numbers.lexicon import SCALE_WORDS

_ONE_WORDS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen
"""
_TEN_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ONES = {word: number for number, word in enumerate(_ONE_WORDS.split())}
_TENS = {word: 10 * number for number, word in enumerate(_TEN_WORDS.split(), 2)}
_SMALL = {**_ONES, **_TENS, "dozen": 12}
_PARTS = {
    "half": 2, "halves": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6,
    "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "twentieth": 20, "hundredth": 100,
}  # fmt: skip
_WORD = "|".join(sorted((*_SMALL, *SCALE_WORDS), key=len, reverse=True))
_UNIT_WORD = "|".join(sorted(_SMALL, key=len, reverse=True))
_PART = "|".join(sorted(_PARTS, key=len, reverse=True))
_SCALE = "|".join(SCALE_WORDS)

# A number in words starts with a small number, or with "a hundred"; "a" alone is no number.
_NUMBER = re.compile(
    rf"(?<![\w-])(?:(?P<a>an?)\s(?=(?:{_SCALE}|dozen)\b(?!s)))?"
    rf"(?P<words>(?:{_WORD})(?![a-z])(?:(?:\s+|-|\s+and\s+)(?:{_WORD})(?![a-z]))*)"
    rf"(?P<point>\s+point(?:\s+(?:{_UNIT_WORD})(?![a-z]))+)?"
    rf"(?P<mixed>\s+and\s+(?:a|an|one|two|three)[\s-](?:{_PART})s?(?![a-z]))?",
    re.IGNORECASE,
)
_FRACTION = re.compile(
    rf"(?<![\w-])(?:(?P<top>an?|{_UNIT_WORD})[\s-])?(?P<part>{_PART})(?P<plural>s?)(?![\w])"
    rf"(?P<of>\s(?:of\s)?(?:an?|one)\s(?=per|basis|point|{_SCALE}))?",
    re.IGNORECASE,
)
_PERIOD_BEFORE = re.compile(
    r"\b(?:first|second|third|fourth|last|next|this|each|every|per|prior|previous|latest|"
    r"current|that|"
    r"same|a|the|fiscal|calendar|past|final|following|coming)\s$",
    re.IGNORECASE,
)
_ONE_PRONOUN_BEFORE = re.compile(
    r"\b(?:no|any|every|each|some|this|that|which|the|another|only|not|other|by|new|last|"
    r"first)[\s-]$",
    re.IGNORECASE,
)
_ONE_PRONOUN_AFTER = re.compile(
    r"[\s-](?:of|another|can|could|should|would|may|might|must|or|is|was|has|by|that|who|which|"
    r"and|to|on|"
    r"off|time|way|side|side's|more|thing|hand|after|such|in\sparticular)\b|\s?[.,;:)!?]|'|$",
    re.IGNORECASE,
)
_QUANTUM = Decimal("0.1")


def find(text: str) -> Iterator[Found]:
    """Every number in words, in order; fractions and whole numbers never overlap."""
    taken = 0
    fractions = {found.at: found for found in _fractions(text)}
    for match in _NUMBER.finditer(text):
        for at in [at for at in fractions if at <= match.start()]:
            found = fractions.pop(at)
            if found.at >= taken:
                yield found
                taken = found.until
        if match.start() < taken:
            continue
        number = _whole(text, match)
        if number:
            yield number
            taken = number.until
    for found in fractions.values():
        if found.at >= taken:
            yield found


def _whole(text: str, match: re.Match[str]) -> Found | None:
    words = re.split(r"[\s-]+", match["words"].casefold())
    at, until = match.span()
    if words == ["one"] and not (match["point"] or match["mixed"]) and _is_pronoun(text, at, until):
        return None
    if not match["a"] and words[0] in SCALE_WORDS:
        return None
    value = _value(words)
    if value is None:
        return None
    quantum = Decimal(1)
    if match["point"]:
        decimals = "".join(str(_SMALL[word]) for word in match["point"].casefold().split()[1:])
        value, quantum = value + Decimal(f"0.{decimals}"), Decimal(1).scaleb(-len(decimals))
    elif match["mixed"]:
        value, quantum = value + _mixed(match["mixed"]), _QUANTUM
    return Found(at, until, at, until, value, quantum, "spelled")


def _is_pronoun(text: str, at: int, until: int) -> bool:
    before = text[max(0, at - 12) : at]
    if re.match(r"\s(?:in|out\sof)\s\w", text[until : until + 10]) and not before.endswith("no "):
        return False
    return bool(_ONE_PRONOUN_BEFORE.search(before) or _ONE_PRONOUN_AFTER.match(text, until))


def _value(words: list[str]) -> Decimal | None:
    """The value of number words; None where they are several numbers ("two three")."""
    total = group = Decimal(0)
    last = Decimal(10**15)
    for word in words:
        if word == "and":
            continue
        if word in SCALE_WORDS:
            scale = SCALE_WORDS[word]
            group = (group or Decimal(1)) * scale
            if scale > 100:
                total, group = total + group, Decimal(0)
            last = scale
            continue
        number = Decimal(_SMALL[word])
        fits = last >= 100 or (last in range(20, 100, 10) and number < 10)
        if not fits:
            return None
        group, last = group + number, number
    return total + group


def _mixed(written: str) -> Decimal:
    top, part = re.split(r"[\s-]", written.casefold().split("and", 1)[1].strip(), maxsplit=1)
    return Decimal(_SMALL.get(top, 1)) / Decimal(
        _PARTS[part.rstrip("s") if part != "halves" else part]
    )


def _fractions(text: str) -> Iterator[Found]:
    for match in _FRACTION.finditer(text):
        top, part = (match["top"] or "").casefold(), match["part"].casefold()
        if _is_fraction(text, match, top, part):
            count = Decimal(_SMALL.get(top, 1))
            at, until = match.span()
            stop = until
            yield Found(at, until, at, stop, count / _PARTS[part], _QUANTUM, "spelled")


def _is_fraction(text: str, match: re.Match[str], top: str, part: str) -> bool:
    after = text[match.end() : match.end() + 12]
    before = text[max(0, match.start() - 12) : match.start()]
    if match["of"]:
        return True
    if part == "half":
        later = re.match(r"(?:-|\s)(?:year|yearly|way|hour|time|day|life|baked|hearted)", after)
        return not later and not _PERIOD_BEFORE.search(before)
    if _SMALL.get(top, 1) >= _PARTS[part]:
        return False
    if re.match(rf"\s(?:{_SCALE})\b", after):
        return True
    if top in ("", "a", "an"):
        period = part == "quarter" and not re.match(r"\sof\s", after)
        return (
            top != ""
            and not period
            and bool(re.match(r"\sof\b|[.,;)]|\s(?:lower|higher|less|more)", after))
        )
    if part == "quarter" and " " in match.group() and top == "one":
        return bool(re.match(r"\sof\b", after))
    return bool(match["plural"] or top == "one")
