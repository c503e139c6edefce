"""Numbers in words: "three", "twenty-five", "twelve point five", "one-third", "half a million"."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from decimal import Decimal

from pae_verifiers.numbers.found import Found
from pae_verifiers.numbers.lexicon import SCALE_WORDS
from pae_verifiers.numbers.starts import Starts, matches

_ONE_WORDS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen
"""
_TEN_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ONES = {word: number for number, word in enumerate(_ONE_WORDS.split())}
_TENS = {word: 10 * number for number, word in enumerate(_TEN_WORDS.split(), 2)}
_TENS.update(fourty=40, ninty=90)
_CLOSED = {ten + one: _TENS[ten] + _ONES[one] for ten in _TENS for one in _ONE_WORDS.split()[1:10]}
_SMALL = {**_ONES, **_TENS, **_CLOSED}
_SCALES = {**SCALE_WORDS, "dozen": Decimal(12)}
_PARTS = {
    "half": 2, "halves": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6,
    "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "fifteenth": 15,
    "sixteenth": 16, "twentieth": 20, "twenty-fifth": 25, "thirtieth": 30, "fortieth": 40,
    "fiftieth": 50, "hundredth": 100, "thousandth": 1000,
}  # fmt: skip
# Tens with a digit behind them as two choices: all of them one by one take long to compile.
_DIGIT = "|".join(_ONE_WORDS.split()[1:10])
_TEN = rf"(?:{'|'.join(_TENS)})(?:{_DIGIT})?"
_UNIT_WORD = "|".join((_TEN, *sorted(_ONES, key=len, reverse=True)))
_WORD = "|".join((_UNIT_WORD, *sorted(_SCALES, key=len, reverse=True)))
_PART = "|".join(sorted(_PARTS, key=len, reverse=True))
_SCALE = "|".join(_SCALES)
_RATE = r"(?:per\s?cent|percent|percentage|pct|basis|bps?|points?|%)"
_MONEY = r"(?:(?:US\s)?dollars?|euros?|pounds?|francs?|yen|cents?|bucks)"

# A number in words starts with a small number, or with "a hundred"; "a" alone is no number.
_NUMBER = re.compile(
    rf"(?<![\w-])(?:(?P<a>an?)\s(?=(?:{_SCALE})\b(?!s)))?"
    rf"(?P<words>(?:{_WORD})(?![a-z])(?:[\s-]+(?:and[\s-]+)?(?:{_WORD})(?![a-z]))*)"
    rf"(?P<point>[\s-]+point(?:[\s-]+(?:{_UNIT_WORD})(?![a-z]))+)?"
    rf"(?P<mixed>[\s-]+and[\s-]+(?:a|an|one|two|three)[\s-](?:{_PART})s?(?![a-z]))?",
    re.IGNORECASE,
)
_WORDS = re.compile(rf"(?:{_WORD})(?![a-z])", re.IGNORECASE)
# Scale words alone are a number where a unit follows: "hundred percent", not "several hundred".
_NO_SCALE_ALONE = re.compile(r"(?:several|many|few|some|hundred|couple\sof|multi)[\s-]$", re.I)
_UNIT_AFTER = re.compile(rf"[\s-](?:{_RATE}|{_MONEY})(?![a-z])", re.IGNORECASE)
# "XII%", and "a percentage point", which is one.
_ROMAN = re.compile(
    r"[IVXLCDM](?:[IVXLCDM]{1,9}|(?<=[IVX]))"  # begins with one set, which is quick to search for
    rf"(?=[\s-]?(?:%|(?i:{_RATE})(?![A-Za-z])))"
)
_CHAINED = re.compile(r"[\w.,-]")
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
# "A 12th of it".
_NTH = re.compile(
    r"(?<![\w-])(?:an?|one)\s(\d{1,3})(?:st|nd|rd|th)(?=\sof\b|[.,;)]|\s*$)", re.IGNORECASE
)
_A_POINT = re.compile(
    r"(?:(?<=\bby\s)|(?<=\bthan\s)|(?<=\babout\s)|(?<=\bnearly\s)|(?<=\balmost\s))a(?=\s"
    r"(?:percentage[\s-]point|percent|per\scent)(?![\w-]))"
    r"|(?<![\w-])a\s(?:full|single|whole|further)(?=\s(?:percentage[\s-]point|percent|per\scent)\b)",
    re.IGNORECASE,
)
_FRACTION = re.compile(
    rf"(?<![\w-])(?:(?P<top>an?|{_UNIT_WORD})[\s-])?(?P<part>{_PART})(?P<plural>s?)(?![\w])"
    rf"(?:(?P<of>\s(?:of\s)?(?:an?|one)\s(?=per|basis|point|{_SCALE}))"
    rf"|(?P<rate>(?=[\s-]{_RATE}(?![a-z]))))?",
    re.IGNORECASE,
)
_PERIOD_BEFORE = re.compile(
    r"\b(?:first|second|third|fourth|last|next|this|each|every|per|prior|previous|latest|"
    r"current|that|"
    r"same|a|the|fiscal|calendar|past|final|following|coming)\s$",
    re.IGNORECASE,
)
_BY_BEFORE = re.compile(r"\b(?:by|about|nearly|almost|roughly|than|around)\s$", re.IGNORECASE)
_ORDINAL_AFTER = re.compile(r"[\s-](?:part(?:y|ies)|person|time|fund|sleeve|option|way|end)|'")
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
# "One time in twenty", "one case out of 8".
_ODDS_AFTER = re.compile(
    rf"\s(?:time|case|part)\s(?:in|out\sof)\s(?:every\s|each\s)?(?:\d|(?:{_WORD})(?![a-z]))", re.I
)
_QUANTUM = Decimal("0.1")
_ARTICLES = frozenset({"a", "an", "one"})
_A_POINT_WORDS = (
    "a percent",
    "a per cent",
    "a per\n",
    "a full",
    "a single",
    "a whole",
    "a further",
)
_PERCENT_WORDS = frozenset({"percentage", "percent", "per"})
_NTH_ENDINGS = frozenset({"st", "nd", "rd", "th"})
_NUMBER_WORDS = frozenset({*_SMALL, *_SCALES})
_OPENERS = _ARTICLES | frozenset(_SMALL)
_PART_WORDS = frozenset({*_PARTS, *(f"{part}s" for part in _PARTS)})
_ROMAN_ENDS = frozenset(_ROMAN_DIGITS)
_RATE_WORDS = frozenset({*_PERCENT_WORDS, "pct", "basis", "bp", "bps", "point", "points"})
_NUMERAL_WORDS = _NUMBER_WORDS | _PART_WORDS
WORDS = _RATE_WORDS | _NUMBER_WORDS | _PART_WORDS | _ARTICLES | _NTH_ENDINGS


def find(text: str, places: Starts) -> Iterator[Found]:
    """Every number in words, in order; fractions and whole numbers never overlap."""
    known = not places.vocabulary.isdisjoint(WORDS)
    for match in _ROMAN.finditer(text) if _may_be_roman(text, places) else ():
        if not _CHAINED.match(text, match.start() - 1) or not match.start():
            yield _roman(match)
    if not known:
        return
    if not places.vocabulary.isdisjoint(_PERCENT_WORDS) and any(
        words in places.lower for words in _A_POINT_WORDS
    ):
        for match in _A_POINT.finditer(text):
            at, until = match.span()
            yield Found(at, until, at, until, Decimal(1), Decimal(1), "spelled")
    nth = not places.vocabulary.isdisjoint(_NTH_ENDINGS)
    for match in matches(_NTH, text, places.at(_ARTICLES)) if nth else ():
        at, until = match.span()
        part = Decimal(1) / max(Decimal(match.group(1)), Decimal(1))
        yield Found(at, until, at, until, part, _QUANTUM, "spelled")
    if not places.vocabulary.isdisjoint(_NUMERAL_WORDS):
        yield from _merged(text, places)


def _may_be_roman(text: str, places: Starts) -> bool:
    """Whether a rate in words stands in the text, or a percent sign behind a Roman digit."""
    if not places.vocabulary.isdisjoint(_RATE_WORDS):
        return True
    *before, _ = text.split("%") if "%" in text else ("",)
    return any(not _ROMAN_ENDS.isdisjoint(part[-2:]) for part in before)


def _merged(text: str, places: Starts) -> Iterator[Found]:
    taken = 0
    fractions = deque(_fractions(text, places.at_phrases(_PART_WORDS, _OPENERS)))
    for match in matches(_NUMBER, text, places.at_phrases(_NUMBER_WORDS, _OPENERS)):
        while fractions and fractions[0].at <= match.start():
            found = fractions.popleft()
            if found.at >= taken:
                yield found
                taken = found.until
        if match.start() < taken:
            continue
        for number in _whole(text, match):
            yield number
            taken = number.until
    for found in fractions:
        if found.at >= taken:
            yield found


def _whole(text: str, match: re.Match[str]) -> Iterator[Found]:
    """The number that a run of number words is, or each of several ("twenty thirty")."""
    words = re.split(r"[\s-]+", match["words"].casefold())
    at, until = match.span()
    if words == ["one"] and not (match["point"] or match["mixed"]) and _is_pronoun(text, at, until):
        return
    alone = not match["a"] and words[0] in _SCALES
    if alone and (
        _NO_SCALE_ALONE.search(text[max(0, at - 10) : at]) or not _UNIT_AFTER.match(text, until)
    ):
        return
    value = _value(words)
    if value is None:
        yield from _several(text, match.start("words"), match.end("words"))
        return
    quantum = Decimal(1)
    if match["point"]:
        decimals = "".join(
            str(_SMALL[word]) for word in re.findall("[a-z]+", match["point"].casefold())[1:]
        )
        value, quantum = value + Decimal(f"0.{decimals}"), Decimal(1).scaleb(-len(decimals))
    elif match["mixed"]:
        value, quantum = value + _mixed(match["mixed"]), _QUANTUM
    yield Found(at, until, at, until, value, quantum, "spelled")


def _several(text: str, at: int, until: int) -> Iterator[Found]:
    """Number words that make no single number, cut into as few numbers as they are."""
    group: list[re.Match[str]] = []
    for word in _WORDS.finditer(text, at, until):
        if group and _value([one.group().casefold() for one in (*group, word)]) is None:
            yield _joined(group)
            group = []
        group.append(word)
    if group:
        yield _joined(group)


def _joined(group: list[re.Match[str]]) -> Found:
    value = _value([word.group().casefold() for word in group])
    at, until = group[0].start(), group[-1].end()
    return Found(at, until, at, until, value or Decimal(0), Decimal(1), "spelled")


def _roman(match: re.Match[str]) -> Found:
    digits = [_ROMAN_DIGITS[char] for char in match.group()]
    pairs = zip(digits, [*digits[1:], 0], strict=True)
    value = sum(-one if one < later else one for one, later in pairs)
    at, until = match.span()
    return Found(at, until, at, until, Decimal(abs(value)), Decimal(1), "spelled")


def _is_pronoun(text: str, at: int, until: int) -> bool:
    before = text[max(0, at - 12) : at]
    if _ODDS_AFTER.match(text, until):
        return False
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
        if word in _SCALES:
            scale = _SCALES[word]
            if scale == 12 and last in (12, 100):
                return None
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
    _, top, part = re.split(r"[\s-]+", written.casefold().split("and", 1)[1], maxsplit=2)
    return Decimal(_SMALL.get(top, 1)) / Decimal(
        _PARTS[part.rstrip("s") if part != "halves" else part]
    )


def _fractions(text: str, places: list[int]) -> Iterator[Found]:
    for match in matches(_FRACTION, text, places):
        top, part = (match["top"] or "").casefold(), match["part"].casefold()
        if _is_fraction(text, match, top, part):
            count = Decimal(_SMALL.get(top, 1))
            at, until = match.span()
            stop = until
            yield Found(at, until, at, stop, count / _PARTS[part], _QUANTUM, "spelled")


def _is_fraction(text: str, match: re.Match[str], top: str, part: str) -> bool:
    after = text[match.end() : match.end() + 12]
    before = text[max(0, match.start() - 12) : match.start()]
    if match["of"] or match["rate"] is not None:
        return True
    if part == "half":
        later = re.match(r"(?:-|\s)(?:year|yearly|way|hour|time|day|life|baked|hearted)", after)
        return not later and not _PERIOD_BEFORE.search(before)
    if _SMALL.get(top, 1) >= _PARTS[part]:
        return False
    if re.match(rf"\s(?:{_SCALE})\b", after):
        return True
    if top in ("a", "an") and _BY_BEFORE.search(before):
        return not _ORDINAL_AFTER.match(after)
    if top in ("", "a", "an"):
        period = part == "quarter" and not re.match(r"\sof\s", after)
        return (
            top != ""
            and not period
            and bool(re.match(r"\sof\b|[.,;)]|\s(?:lower|higher|less|more)|\s*$", after))
        )
    if part == "quarter" and " " in match.group() and top == "one":
        return bool(re.match(r"\sof\b", after))
    hyphened = (
        "-" in match.group() and top not in ("a", "an") and (part != "quarter" or top == "three")
    )
    return bool(match["plural"] or top == "one" or hyphened)
