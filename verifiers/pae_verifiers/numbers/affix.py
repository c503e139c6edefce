"""What stands around a numeral: scale and unit after it, and the currency before it."""

from __future__ import annotations

import re
from decimal import Decimal

from pae_verifiers.numbers import chinese, lexicon, money_before
from pae_verifiers.numbers.found import ONE, Found
from pae_verifiers.numbers.lexicon import key, words
from pae_verifiers.numbers.money_before import CODE_ENDS, ISO, MEGA, PLAIN_SYMBOL, SYMBOLS
from pae_verifiers.numbers.starts import Starts

_GAP = r"(?:[ \t\u00a0]{0,2}|\n|-)"
# "Nine full percent", "nine more dollars".
_FILLER = r"(?:(?:more|additional|full|whole|further|extra|odd|mere|or\sso)[\s-])?"
_SCALES = {**lexicon.SCALE_WORDS, **lexicon.SCALE_SLANG, "dozen": Decimal(12)}
_SCALE = re.compile(
    rf"{_GAP}(?P<word>{words(_SCALES)})s?(?![A-Za-z])"
    rf"|(?P<letter>{words(lexicon.SCALE_LETTERS)})(?![A-Za-z\d])",
    re.IGNORECASE,
)
_SPACED_LETTER = re.compile(
    rf"[ \u00a0](?P<letter>{words(lexicon.SCALE_LETTERS)})(?![A-Za-z\d])", re.IGNORECASE
)
_RATE = re.compile(
    rf"(?:(?:st|nd|rd|th)(?=\s?%|\s(?:percent|per\scent)(?!ile)))?"
    rf"\.?{_GAP}{_FILLER}(?P<open>[(\[](?=%|per\s?cent|basis))?"
    rf"(?:[\^{{}}]{{0,4}}\\{{0,2}}(?P<sign>%)(?!\d|[- ]?points?\b)|"
    rf"(?P<rate>{words(lexicon.RATE_WORDS)})(?![A-Za-z]))(?(open)[)\]]?)",
    re.IGNORECASE,
)
_CURRENCY = re.compile(
    rf"{_GAP}{_FILLER}(?:(?P<mega>[MK])?(?P<code>{ISO})(?![A-Za-z\d])|"
    rf"(?P<word>{words(lexicon.CURRENCY_WORDS)})s?"
    rf"(?![A-Za-z])|(?P<cent>{words(lexicon.CENTS)})s?(?![A-Za-z])|"
    rf"(?P<symbol>{PLAIN_SYMBOL})(?!\s?\d|\d)|"
    rf"(?<=\s)(?P<listed>{PLAIN_SYMBOL})(?=\s\d[\d.,]{{0,20}}\s?(?:{PLAIN_SYMBOL}(?!\s?\d)|"
    r"cents?\b|pence\b)))",
    re.IGNORECASE,
)
# "Two share funds" are funds of shares; "a 12-share lot" and "a 450 share sale" are of so many.
_SHARE = re.compile(
    r"(?P<gap>[ \u00a0\n]|-)(?:(?:more|additional|new|fewer|of\sthe|"
    r"[A-Z]{2,6})\s){0,2}share(?P<plural>s?)(?![A-Za-z])"
)
_SHARE_AS_ADJECTIVE = re.compile(
    r"[\s-](?:(?:index|bond|tracker|income|growth)\s)?"
    r"(?:funds?|class(?:es)?|prices?|portfolios?|markets?|sleeves?|index(?:es)?|indices|ETFs?|"
    r"holdings?|positions?|trackers?|capital|types?|groups?|weights?|targets?|returns?|of)\b",
    re.IGNORECASE,
)
_SHARE_DEAL = re.compile(r"\s(?:lots?|sales?|orders?|blocks?|purchases?|trades?|buys?|sells?)\b")
_TIME = re.compile(
    r"(?P<gap>[ \u00a0\n]|-|)(?:(?:trading|business|calendar|working|consecutive|full|more)[\s-])?"
    rf"(?P<time>{words(lexicon.TIME_WORDS)})(?![A-Za-z])",
    re.IGNORECASE,
)
_MULTIPLE = re.compile(
    r"(?:[xX×](?![A-Za-z\d]|\s?\d)|\sx(?=[.,;)]|$)|-?fold(?![A-Za-z])|-to-(?:one|1)(?![\w-])"
    r"|[\s-]times(?![A-Za-z])(?!\s(?:a|an|per|each|every|in|during|over|already|since)\b))"
)
_PART = re.compile(
    rf"[\s-](?P<part>{words(lexicon.PART_WORDS)}|quarters(?=\sof\b))(?![A-Za-z])", re.IGNORECASE
)
_TO_ONE = re.compile(r"\sto\s(?:one|1)(?![\w-])")
_RATIO_BEFORE = re.compile(
    r"\b(?:ratio|odds|by|split|proportion|outnumber\w*)(?:\s(?:of|was|is|them|it|about))?\s$", re.I
)
_PER_ANNUM = re.compile(
    r",?\s?(?:p\.\s?a\.?|per\sannum|pa\b|annually|annualised|annualized|(?:a|per)\syear)"
)
# What begins no unit and no scale, so that there is nothing to look for.
_NOTHING = re.compile(
    r"\Z|[),;:!?\]|][ \n]|\.[ \n](?=[A-Z\d])|[ ](?:and|of|on|at|from|for|the|is|was|were|by|with|"
    r"as|than|before|after|against|which|that|below|above|under)\b"
)
# "5%", and whether it is a year's: most rates are written so.
_PERCENT = re.compile(rf"%(?!\d|[- ]?(?i:points?)\b)(?=({_PER_ANNUM.pattern})?)")
_NO_UNIT = frozenset(("", *",;:!?)]|*/\"'"))
_FIRST_WORD = re.compile(r"[a-z]+")
_UNIT_WORDS = (
    *lexicon.RATE_WORDS, *_SCALES, *lexicon.SCALE_LETTERS, *lexicon.CURRENCY_WORDS, *lexicon.CENTS,
    *lexicon.PART_WORDS, *lexicon.TIME_WORDS, "quarters", "share", "x", "fold", "to", "times",
    "more", "additional", "full", "whole", "further", "extra", "odd", "mere", "or", "new", "fewer",
    "of", "trading", "business", "calendar", "working", "consecutive", "st", "nd", "rd", "th",
)  # fmt: skip
# The first word of all that may follow a numeral as its unit or scale, singular and plural.
_UNIT_BEGINNINGS = CODE_ENDS | frozenset(
    match.group() + plural
    for word in _UNIT_WORDS
    if (match := _FIRST_WORD.match(word))
    for plural in ("", "s")
)
_AHEAD = re.compile(r"\.?[\s-]{0,2}(?:([A-Za-z]+)|[%‰؉⁒‱×(\[{}^\\$£€¥₹₩₽₪₺฿₫₱])")
_CENT = Decimal("0.01")


def attach(text: str, places: Starts, found: Found, floor: int) -> None:
    """Give the numeral its currency, scale and unit; it takes nothing before ``floor``."""
    money_before.attach(text, places, found, floor)
    until = found.until
    following = text[until : until + 1]
    if following in _NO_UNIT and not places.chinese:
        return
    percent = _PERCENT.match(text, until) if following == "%" and not found.prefixed else None
    if percent:
        found.until, found.unit, found.per_annum = until + 1, "percent", percent[1] is not None
        return
    if (
        following != "%"
        and following < chinese.FIRST
        and (not (places.chinese or _may_have_unit(text, until)) or _NOTHING.match(text, until))
    ):
        return
    _after(text, places, found)
    if found.unit is None and found.scale != 1:
        money_before.attach_name(text, found, floor)
    if found.unit in ("percent", "bps") and _PER_ANNUM.match(text, found.until):
        found.per_annum = True


def _may_have_unit(text: str, until: int) -> bool:
    """Whether the first sign or word after a numeral can begin a unit or a scale."""
    match = _AHEAD.match(text, until)
    word = match.group(1) if match else ""
    return word is None or word.lower() in _UNIT_BEGINNINGS or (word.isupper() and len(word) > 1)


def _after(text: str, places: Starts, found: Found) -> None:
    if text[found.until : found.until + 1] < chinese.FIRST:
        rate = _RATE.match(text, found.until)
        if rate:
            _with_rate(found, rate)
            return
        _scaled(text, found)
    if places.chinese and chinese.has_chinese(text[found.until : found.until + 5]):
        until = found.until
        chinese.after(text, found)
        known = found.exempt or (found.until > until and found.unit is not None)
        if known or not _may_have_unit(text, found.until):
            return
    currency = _CURRENCY.match(text, found.until)
    if found.prefixed:
        if currency and currency["word"]:
            found.until = currency.end()
    elif currency:
        _with_currency(found, currency)
        _scaled(text, found)
    else:
        _counted(text, found)


def _counted(text: str, found: Found) -> None:
    """Give the number what it counts, where that is a unit: shares, parts, multiples, time."""
    until = found.until
    share = _SHARE.match(text, until)
    if share and _counts_shares(text, found, share):
        found.until, found.unit = share.end(), "share"
        return
    part = _PART.match(text, until) if found.kind == "quantity" and found.bare else None
    if part:
        _with_part(found, part)
        return
    multiple = _MULTIPLE.match(text, until)
    if multiple and not (found.kind == "spelled" and "fold" in multiple.group()):
        found.until, found.unit = multiple.end(), "multiple"
        return
    to_one = _TO_ONE.match(text, until)
    if to_one and _RATIO_BEFORE.search(text, max(0, found.at - 24), found.at):
        found.until, found.unit = to_one.end(), "multiple"
        return
    time = _TIME.match(text, until)
    if time:
        _with_time(found, time)
        return
    rate = _RATE.match(text, until)
    if rate:
        _with_rate(found, rate)


def _counts_shares(text: str, found: Found, share: re.Match[str]) -> bool:
    """Whether shares are what is counted, and no adjective of what is."""
    if share["plural"]:
        return True
    if share["gap"] == "-" or found.value == 1:
        return not _SHARE_AS_ADJECTIVE.match(text, share.end())
    return bool(_SHARE_DEAL.match(text, share.end()))


def _with_part(found: Found, part: re.Match[str]) -> None:
    """ "2 thirds" and "12 hundredths" as the ratios that they are."""
    size = lexicon.PART_WORDS.get(part["part"].casefold(), Decimal(4))
    found.value /= size
    found.until, found.quantum, found.unit = part.end(), Decimal("0.1"), "ratio"


def _with_rate(found: Found, rate: re.Match[str]) -> None:
    word = key(rate["rate"] or "%")
    if found.prefixed:
        # "$12.5\%$" is mathematics, not money.
        if not rate["sign"]:
            return
        found.at, found.prefixed, found.scale = found.body, False, ONE
    if word in lexicon.PER_MILLE:
        found.scale *= Decimal("0.1")
    found.until, found.unit = rate.end(), lexicon.RATE_WORDS[word]


def _scaled(text: str, found: Found) -> None:
    match = _SCALE.match(text, found.until) or _spaced_letter(text, found)
    if not match:
        return
    word = match.groupdict().get("word")
    size = _SCALES[key(word)] if word else lexicon.SCALE_LETTERS[match["letter"].casefold()]
    second = _SCALE.match(text, match.end()) if word else None
    found.until, found.scale = match.end(), found.scale * size
    if second and second["word"]:
        found.until, found.scale = second.end(), found.scale * _SCALES[key(second["word"])]


def _spaced_letter(text: str, found: Found) -> re.Match[str] | None:
    """The scale in "$4.5 bn", or in "4.5 m dollars"; elsewhere a letter apart is no scale."""
    match = _SPACED_LETTER.match(text, found.until)
    if match and found.unit not in lexicon.CURRENCY_CODES:
        return match if _CURRENCY.match(text, match.end()) else None
    return match


def _with_currency(found: Found, match: re.Match[str]) -> None:
    found.until = match.end()
    if match["code"]:
        code = match["code"].upper()
        found.unit = lexicon.CODE_SYNONYMS.get(code, code)
        if match["mega"]:
            found.scale *= MEGA[match["mega"].upper()]
    elif match["word"]:
        found.unit = lexicon.CURRENCY_WORDS[key(match["word"])]
    elif match["cent"]:
        found.unit = lexicon.CENTS[key(match["cent"])]
        found.scale *= _CENT
    else:
        found.unit = SYMBOLS[key(match["symbol"] or match["listed"])]


def _with_time(found: Found, time: re.Match[str]) -> None:
    word = time["time"].casefold()
    found.until, found.unit = time.end(), lexicon.TIME_WORDS[word]
    if time["gap"] == "-" and not word.endswith("s"):
        # "10-day" names a horizon or an instrument.
        found.kind, found.exempt = "label", True
