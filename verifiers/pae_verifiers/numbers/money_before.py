"""The currency before a numeral: "$5", "EUR 5", "US $5", "dollar 5 million"."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache

from pae_verifiers.numbers import chinese, lexicon
from pae_verifiers.numbers.found import Found
from pae_verifiers.numbers.lexicon import key, words
from pae_verifiers.numbers.starts import Starts, last_word

ISO = "|".join(sorted((*lexicon.CURRENCY_CODES, *lexicon.CODE_SYNONYMS)))
SYMBOLS = {key(symbol): unit for symbol, unit in lexicon.CURRENCY_SYMBOLS.items()}
PLAIN_SYMBOL = r"[$£€¥₹₩₽₪₺฿₫₱]"

_BEFORE = re.compile(
    rf"(?:(?P<symbol>(?<![A-Za-z])(?:{words(lexicon.CURRENCY_SYMBOLS)})|{PLAIN_SYMBOL})"
    rf"|(?<![A-Za-z])(?P<mega>[MK])?(?P<code>{ISO}))"
    r"(?P<gap>[\s]?)(?P<sign>[-+(]?)$",
    re.IGNORECASE,
)
_SIGNS = ("-", "+", "(")
_SYMBOL_ENDS = frozenset(symbol[-1] for symbol in lexicon.CURRENCY_SYMBOLS)
_PLAIN_SYMBOLS = frozenset("$£€¥₹₩₽₪₺฿₫₱")
# What stands before the space in "US $" and its like.
_OWNERS = frozenset("SsKkTtCc.")
CODE_ENDS = frozenset(
    f"{mega}{code}".lower()
    for mega in ("", "m", "k")
    for code in (*lexicon.CURRENCY_CODES, *lexicon.CODE_SYNONYMS, "RS", "ZŁ")
)
MEGA = {"M": Decimal(10**6), "K": Decimal(1000)}


def attach(text: str, places: Starts, found: Found, floor: int) -> None:
    """Give the numeral the currency before it, where there is one; nothing before ``floor``."""
    at = found.at - 1
    if at - 1 > floor and text[at] in _PLAIN_SYMBOLS and _is_plain_symbol(text, found.at):
        found.at, found.unit, found.prefixed, found.negative = at, SYMBOLS[text[at]], True, False
        return
    money = _may_be_money(text, found.at)
    if not (money or places.chinese):
        return
    start = max(floor, found.at - 8)
    match = _BEFORE.search(text[start : found.at]) if money else None
    if not match:
        if places.chinese:
            chinese.before(text, found, floor)
        return
    if match["code"]:
        code = match["code"].upper()
        if code == "TRY" and match["code"] != "TRY":
            return
        found.unit = lexicon.CODE_SYNONYMS.get(code, code)
    else:
        found.unit = SYMBOLS[key(match["symbol"])]
    if match["mega"]:
        found.scale = MEGA[match["mega"].upper()]
    found.at, found.prefixed, found.negative = start + match.start(), True, match["sign"] == "-"


def _may_be_money(text: str, at: int) -> bool:
    """Whether what stands before a numeral, and before its sign, can be a currency."""
    near = text[max(0, at - 5) : at]
    if near[-1:] in _SIGNS:
        at -= 1
        near = text[max(0, at - 5) : at]
    near = near.rstrip()
    if not near[-1:].isalpha():
        return near[-1:] in _SYMBOL_ENDS
    near = near[-3:].lower()
    return (near in CODE_ENDS or near[-2:] in CODE_ENDS) and last_word(text, at) in CODE_ENDS


def _is_plain_symbol(text: str, at: int) -> bool:
    """Whether the symbol before a numeral is a whole one, and not the end of "HK$" or "US $"."""
    if text[at - 2 : at - 1] == ".":
        return False
    owner = text[max(0, at - 8) : at - 1]
    near = owner.replace("-", " ").rstrip()
    return near[-1:] not in _OWNERS if len(near) < len(owner) else not near[-1:].isalpha()


@cache
def _word_before() -> re.Pattern[str]:
    """A currency's name; "the dollar 5" is another thing."""
    return re.compile(
        rf"(?<![A-Za-z])(?<!the )(?<!a )(?P<word>{words(lexicon.CURRENCY_WORDS)})s?\s$", re.I
    )


def attach_name(text: str, found: Found, floor: int) -> None:
    """ "Dollar 22.5 million": a currency's name before an amount that has a scale."""
    match = _word_before().search(text, max(floor, found.at - 24), found.at)
    if match:
        found.at, found.prefixed = match.start(), True
        found.unit = lexicon.CURRENCY_WORDS[key(match["word"])]
