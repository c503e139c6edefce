"""Numbers in Chinese numerals, where a unit makes them amounts: 三萬五千港元, 百分之十二."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from pae_verifiers.numbers.found import Found

_DIGITS = {char: value for value, chars in enumerate(
    ("〇零", "一壹", "二兩两貳", "三叁", "四肆", "五伍", "六陸", "七柒", "八捌", "九玖")
) for char in chars}  # fmt: skip
_SMALL = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_LARGE = {"萬": 10**4, "万": 10**4, "億": 10**8, "亿": 10**8}
_CHARS = "".join((*_DIGITS, *_SMALL, *_LARGE))
_NUMBER = rf"[{_CHARS}]{{1,24}}(?:[點点][{''.join(_DIGITS)}]{{1,12}})?"
_UNIT = (
    r"[ \u00a0]?(?:[%‰‱]|[個个]?(?:百分[點点]|基[點点])|美[元金]|[港歐欧日]元|[港台]幣|港币|"
    r"新[台臺]幣|英[鎊镑]|日圓|人民[幣币]|瑞士法郎|元|股)"
)
_AMOUNT = re.compile(rf"(?P<of>百分之)(?P<part>{_NUMBER})|(?P<whole>{_NUMBER})(?={_UNIT})")


def find(text: str) -> Iterator[Found]:
    """Every amount in Chinese numerals, in order; without a unit they are words like others."""
    if text.isascii():
        return
    for match in _AMOUNT.finditer(text):
        at, until = match.span()
        whole, _, decimals = (match["part"] or match["whole"]).replace("点", "點").partition("點")
        value = _value(whole)
        if decimals:
            value += Decimal("0." + "".join(str(_DIGITS[char]) for char in decimals))
        quantum = Decimal(1).scaleb(-len(decimals))
        unit = "percent" if match["of"] else None
        yield Found(at, until, at, until, value, quantum, "spelled", unit)


def _value(written: str) -> Decimal:
    if all(char in _DIGITS for char in written):
        return Decimal("".join(str(_DIGITS[char]) for char in written))
    total = group = digit = 0
    for char in written:
        if char in _DIGITS:
            digit = digit * 10 + _DIGITS[char]
        elif char in _SMALL:
            group, digit = group + (digit or 1) * _SMALL[char], 0
        else:
            total, group, digit = (total + (group + digit or 1)) * _LARGE[char], 0, 0
    return Decimal(total + group + digit)
