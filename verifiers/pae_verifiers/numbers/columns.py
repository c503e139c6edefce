"""Units that a table states once, in a column's header or a row's label."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache

from pae_verifiers.numbers import chinese, lexicon
from pae_verifiers.numbers.found import Found
from pae_verifiers.numbers.lexicon import key, words
from pae_verifiers.numbers.model import Block
from pae_verifiers.numbers.reading import read

_STATED = re.compile(r"[$€£¥]?\d[\d.,]*\s?(?:%|percent\b|bps?\b)?(?!\d)|'?000s?\b(?<!\d000)")
_ISO = "|".join(sorted((*lexicon.CURRENCY_CODES, *lexicon.CODE_SYNONYMS)))
_RATE = re.compile(rf"(?<![A-Za-z])(?:{words(lexicon.RATE_WORDS)})(?![A-Za-z])", re.IGNORECASE)
# "Drift, in points", "Drift (points)"; but not "Points to note".
_POINTS = re.compile(r"(?:\bin\s|[(\[,/]\s?)(?:points|pts)\s?(?:$|[)\],/;:])", re.IGNORECASE)
_NOTE = re.compile(r"\[\^[^\]]*\]")
_LETTERS = re.compile(r"[a-z]+")
_THOUSANDS = re.compile(r"(?<![\d,.])'?000s?\b|\bthousands?\b|[$€£¥(\s]k\b", re.IGNORECASE)
_MILLIONS = re.compile(
    r"\bmillions?\b|(?<=[$€£¥(])m{1,2}\b|\b(?:mn|mm|mln)\b|(?<=[A-Z]{3}\s)m\b", re.IGNORECASE
)
_BILLIONS = re.compile(r"\bbillions?\b|(?<=[$€£¥(])bn?\b|\bbn\b", re.IGNORECASE)
_OTHER = (
    ("share", re.compile(r"\bshares\b|\bno\. of shares\b", re.IGNORECASE)),
    ("day", re.compile(r"\bdays\b", re.IGNORECASE)),
    ("week", re.compile(r"\bweeks\b", re.IGNORECASE)),
    ("month", re.compile(r"\bmonths\b", re.IGNORECASE)),
    ("year", re.compile(r"\byears\b|\byrs\b", re.IGNORECASE)),
    ("multiple", re.compile(r"\bmultiple\b|\(x\)", re.IGNORECASE)),
)


@dataclass(frozen=True)
class Stated:
    """The unit and scale that a header states; None where it states none, or several."""

    unit: str | None
    scale: Decimal


def apply(found: Found, column: str, row_label: str) -> None:
    """Give a cell's number what its column states, else what its row states."""
    stated = stated_in(column)
    if stated.unit is None and row_label and found.unit is None:
        row = stated_in(row_label)
        stated = row if row.unit is not None else Stated(None, stated.scale)
    if found.unit is not None:
        money = found.unit in lexicon.CURRENCY_CODES
        same = stated.unit in (None, found.unit)
        if money and same and found.scale == 1:
            found.scale = stated.scale
    elif stated.unit is not None:
        found.unit = stated.unit
        scaled = stated.unit in lexicon.CURRENCY_CODES or stated.scale < 1
        if found.scale == 1 and scaled:
            found.scale = stated.scale


# "All amounts in US dollars.", "Weights, in percent:"
_INTRODUCED = re.compile(
    r"\b(?:in|as(?:\san?)?)\s((?:US\s|millions?\sof\s|thousands?\sof\s)?[\w%$€£¥‰-]+(?:\s(?:points?|cent))?)"
    r"(?:\sof\s[\w\s]{1,30})?\s?(?:[.:;)]|$)"
)


_LAST = 40  # punctuation and white space after a number that ends its block


def introduced(text: str, found: Found, block: Block) -> None:
    """Give a number that ends a cell or a list item the unit that the lead-in states for all."""
    if len(text) - found.until > _LAST:
        return
    whole = block.kind == "table_cell" and not stated_in(block.column).unit
    if text[found.until :].strip(" .;,)") or not (whole or block.kind == "list_item"):
        return
    if text[: found.at].strip(" (-+") and block.kind == "table_cell":
        return
    stated = _introduction(block.lead_in)
    if stated.unit is None or stated.unit in ("share", "day", "week", "month", "year"):
        return
    found.unit = stated.unit
    if found.scale == 1:
        found.scale = stated.scale


@lru_cache(maxsize=256)
def _introduction(lead_in: str) -> Stated:
    phrases = _INTRODUCED.findall(read(lead_in[-400:]))
    return stated_in(phrases[-1]) if phrases else Stated(None, Decimal(1))


@lru_cache(maxsize=1024)
def stated_in(header: str) -> Stated:
    """The unit and scale in a header such as "Cost (USD)", "Weight, %" or "$ thousand"."""
    text = _NOTE.sub("", read(header))
    scale = _scale(text)
    text = _STATED.sub(" ", _THOUSANDS.sub(" ", text))
    units: dict[str, None] = {}
    for match in _RATE.finditer(text):
        word = key(match.group())
        if word not in ("point", "points"):
            units[lexicon.RATE_WORDS[word]] = None
            scale = Decimal("0.1") if word in lexicon.PER_MILLE else scale
    if _may_state_money(text):
        for match in _money().finditer(text):
            units[_currency(match)] = None
    if chinese.has_chinese(text):
        unit, chinese_scale = chinese.stated_in(text)
        units.update(((unit, None),) if unit else ())
        scale = scale if scale != 1 else chinese_scale
    if not units and _POINTS.search(text):
        units["pp"] = None
    if not units:
        units.update((unit, None) for unit, pattern in _OTHER if pattern.search(text))
    return Stated(next(iter(units)) if len(units) == 1 else None, scale)


def _may_state_money(text: str) -> bool:
    """Whether there is anything to look for: most headers name no currency."""
    if not text.isascii() or "$" in text:
        return True
    return any(
        word in _money_words() or word[:2] == "rs" for word in _LETTERS.findall(text.lower())
    )


@cache
def _money_words() -> frozenset[str]:
    """The codes, and the last word of each currency's name, in lower case."""
    last = {_LETTERS.findall(name)[-1] for name in lexicon.CURRENCY_WORDS if name.isascii()}
    codes = {code.lower() for code in (*lexicon.CURRENCY_CODES, *lexicon.CODE_SYNONYMS)}
    return frozenset(last | {word + "s" for word in last} | codes)


@cache
def _money() -> re.Pattern[str]:
    return re.compile(
        rf"(?<![A-Za-z])(?P<symbol>{words(lexicon.CURRENCY_SYMBOLS)})|"
        rf"(?<![A-Za-z])(?P<code>{_ISO})(?![A-Za-z])"
        rf"|(?<![A-Za-z])(?P<word>{words(lexicon.CURRENCY_WORDS)})s?(?![A-Za-z])",
        re.IGNORECASE,
    )


def _scale(text: str) -> Decimal:
    for pattern, scale in ((_THOUSANDS, 10**3), (_MILLIONS, 10**6), (_BILLIONS, 10**9)):
        if pattern.search(text):
            return Decimal(scale)
    return Decimal(1)


def _currency(match: re.Match[str]) -> str:
    if match["code"]:
        code = match["code"].upper()
        return lexicon.CODE_SYNONYMS.get(code, code)
    if match["word"]:
        return lexicon.CURRENCY_WORDS[key(match["word"])]
    return next(
        unit
        for symbol, unit in lexicon.CURRENCY_SYMBOLS.items()
        if key(symbol) == key(match["symbol"])
    )
