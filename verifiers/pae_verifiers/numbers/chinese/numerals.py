"""The value of Chinese numerals, everyday and formal, traditional and simplified."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

_DIGITS = "〇零○ 一壹弌 二贰貳弍兩两 三叁叄参參 四肆 五伍 六陸陆 七柒 八捌 九玖"
DIGITS = {char: value for value, chars in enumerate(_DIGITS.split()) for char in chars}
SMALL = {"十": 10, "拾": 10, "廿": 20, "卅": 30, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
LARGE = {"萬": 10**4, "万": 10**4, "億": 10**8, "亿": 10**8, "兆": 10**12}
POINT = "點点"
ALL = "".join((*DIGITS, *SMALL, *LARGE))
_ZEROS = "〇零○"
_LONGEST = 40


class Size(NamedTuple):
    """A number and the size of its last digit, 1 for whole numbers."""

    value: Decimal
    quantum: Decimal


@lru_cache(maxsize=4096)
def read(written: str) -> Size | None:
    """The number that the numerals are, spaces aside; None for what is no single one (二三十)."""
    text = written.replace(" ", "").replace("点", "點")
    if not text or len(text) > _LONGEST:
        return None
    whole, point, decimals = text.partition("點")
    value = _whole(whole)
    if value is None or not point:
        return None if value is None else Size(Decimal(value), Decimal(1))
    digits = decimals.rstrip("".join((*SMALL, *LARGE)))
    if not digits or any(char not in DIGITS for char in digits):
        return None
    scale = scaling(decimals[len(digits) :])
    places = "".join(str(DIGITS[char]) for char in digits)
    return Size(Decimal(f"{value}.{places}") * scale, Decimal(1).scaleb(-len(places)) * scale)


def scaling(written: str) -> int:
    """The product of scales that follow each other: 百萬 is a million, 1 for none."""
    product = 1
    for char in written:
        product *= SMALL.get(char) or LARGE[char]
    return product


def is_scale(written: str) -> bool:
    """Whether there are only scales, which count nothing by themselves."""
    return bool(written) and all(char in SMALL or char in LARGE or char == " " for char in written)


def positional(written: str) -> Decimal | None:
    """Digits read one after the other, as in 二〇二六; None where there is anything else."""
    if not all(char in DIGITS for char in written):
        return None
    return Decimal("".join(str(DIGITS[char]) for char in written))


def _whole(written: str) -> int | None:
    digits = positional(written)
    if digits is not None:
        return None if _is_vague(written) else int(digits)
    total = section = 0
    digit: int | None = None
    unit, large = 10**4, 0  # the scale last read, within the section and beyond it
    for char in written:
        if char in DIGITS:
            if digit:
                return None
            digit = DIGITS[char]
            continue
        if char in SMALL:
            size = SMALL[char]
            if size >= unit or (size in (20, 30) and digit):
                return None
            section += size if size in (20, 30) else (digit or 1) * size
            unit, digit = min(size, 10) if size < 100 else size, None
            continue
        size = LARGE[char]
        section += digit or 0
        if not total or size >= large:
            total = (total + section or 1) * size
        else:
            total += (section or 1) * size
        section, digit, unit, large = 0, None, 10**4, size
    return total + section + _last(written, digit, unit, large, section)


def _last(written: str, digit: int | None, unit: int, large: int, section: int) -> int:
    """What the last digit counts: 三百五 is 350 and 一萬五 15000, but 一百零五 is 105."""
    if not digit or written[-2] in _ZEROS:
        return digit or 0
    return digit * ((unit if section else large) // 10 or 1)


def _is_vague(written: str) -> bool:
    """二三, 七八: one or the other."""
    return len(written) == 2 and 0 < DIGITS[written[0]] == DIGITS[written[1]] - 1
