"""Finds numbers written in Chinese numerals, and joins the parts of compound amounts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache

from pae_verifiers.numbers.chinese import numerals, units
from pae_verifiers.numbers.found import EXACT, ONE, Found
from pae_verifiers.numbers.model import QuantityKind

_LONGEST = 60
_FRACTION_QUANTUM = Decimal("0.1")
_FINEST = Decimal(1).scaleb(-28)
_HALF = Decimal("0.5")
_NO_NUMBER_BEFORE = "第數数幾几"
_WORDS_WITH_ONE = frozenset({"share", "day", "week", "month", "year", "multiple"})


@cache
def _run() -> re.Pattern[str]:
    """Numerals, with the spaces that some texts put between them."""
    return re.compile(rf"[{numerals.ALL}](?: {{0,3}}[{numerals.ALL}{numerals.POINT}])*")


@cache
def _of() -> re.Pattern[str]:
    return re.compile(r" {0,3}分 {0,3}之 {0,3}(?P<sign>[負负-])? {0,3}")


@cache
def _digits() -> re.Pattern[str]:
    return re.compile(
        r"(?:\d{1,3}(?:,\d{3}){1,12}|\d{1,40})(?:\.\d{1,40})?(?!\d)"
        r"(?P<scale> {0,2}[kK](?![A-Za-z\d])|(?:[十百千萬万億亿](?! {0,3}分)){1,3})?"
    )


@cache
def _tenths() -> re.Pattern[str]:
    """What may stand between a numeral and 成 or 折, and behind them."""
    digit = "".join(numerals.DIGITS)
    return re.compile(
        r" {0,2}(?:(?P<cheng>成)"
        rf"(?:(?P<half>半)| ?(?P<more>[{digit}])(?![{numerals.ALL}個个元]))?"
        r"(?![本為为功立員员績绩果長长分交份熟就型都千])"
        r"|(?P<zhe>折)(?![線线疊叠舊旧合現现磨返算價价]))"
    )


@cache
def _halves() -> re.Pattern[str]:
    """半成, 半折, 打對折 and prices written digit by digit: 7 2 折."""
    return re.compile(
        r"半(?P<cheng>成)(?![本功])|半(?P<zhe>折)|(?<=打)[對对](?P<even>折)"
        r"|(?<![\d.,])(?P<tens>\d) (?P<ones>\d) {0,2}折"
    )


def find(text: str) -> Iterator[Found]:
    """Every amount in Chinese numerals, in order; without a unit they are words like others."""
    at = 0
    if "半" in text or "折" in text:
        for match in _halves().finditer(text):
            yield _half(match)
    for match in _run().finditer(text):
        if match.start() < at or len(match.group()) > _LONGEST:
            continue
        for found in _read(text, match, at):
            yield found
            at = found.until


def _half(match: re.Match[str]) -> Found:
    value = Decimal(5) if match["cheng"] else Decimal(50)
    if match["tens"]:
        value = Decimal(match["tens"] + match["ones"])
    start, end = match.span()
    kind: QuantityKind = "quantity" if match["tens"] else "spelled"
    return Found(start, end, start, end, value, Decimal(1), kind, "percent")


def _read(text: str, match: re.Match[str], floor: int) -> Iterator[Found]:
    start, written = match.start(), match.group().rstrip(f" {numerals.POINT}")
    before = text[max(0, start - 2) : start].rstrip(" ")[-1:]
    if before.isdigit() and before.isascii():
        return
    of = _of().match(text, start + len(written))
    if of:
        yield from _fraction(text, start, written, of)
        return
    if before and before in _NO_NUMBER_BEFORE:
        return
    for cut in _cuts(written):
        found = _tenth(text, start, cut) or _amount(text, start, cut, floor)
        if found:
            yield found
            return


def _cuts(written: str) -> Iterator[str]:
    """The run, and without a 百 or 千 that belongs to the unit after it (百分點)."""
    yield written
    if written[-1] == "百" and len(written) > 1:
        yield written[:-1].rstrip(" ")


def _tenth(text: str, start: int, written: str) -> Found | None:
    """七成六 as 76 %, 八點五折 and 八五折 as 85 %."""
    match = _tenths().match(text, start + len(written))
    if not match:
        return None
    bare = written.replace(" ", "")
    digits = numerals.positional(bare) if match["zhe"] and len(bare) == 2 else None
    size = numerals.read(written)
    if digits is not None:
        value, quantum = digits, Decimal(1)
    elif size and size.value <= 10 and not (match["zhe"] and size.value == 10):
        value, quantum = size.value * 10, size.quantum * 10
    else:
        return None
    if match["half"] or match["more"]:
        value += 10 * _HALF if match["half"] else numerals.DIGITS[match["more"]]
        quantum = Decimal(1)
    end = match.end()
    return Found(start, end, start, end, value, quantum, "spelled", "percent")


def _amount(text: str, start: int, written: str, floor: int) -> Found | None:
    """Numerals with the unit that makes them an amount; 一年 and 一股 are words like others."""
    end = start + len(written)
    size = numerals.read(written)
    if size is None or (numerals.is_scale(written) and written[0] not in "十拾廿卅"):
        return None
    found = Found(start, end, start, end, *size, "spelled")
    units.before(text, found, floor)
    units.after(text, found)
    if found.unit is None and not found.exempt:
        return found if text.startswith(("%", "‰", " %"), end) else None
    return None if written == "一" and found.unit in _WORDS_WITH_ONE else found


def _fraction(text: str, start: int, written: str, of: re.Match[str]) -> Iterator[Found]:
    """百分之十二 and 千分之2.4 as percent, 三分之二 as the ratio that it is."""
    whole = numerals.read(written)
    part = _numerator(text, of.end())
    if whole is None or not whole.value or part is None:
        return
    end, value, quantum, kind = part
    negative = of["sign"] is not None
    from_word = negative and of["sign"] != "-"
    found = Found(
        start, end, start, end, value, quantum, kind, negative=negative, sign_from_word=from_word
    )
    if numerals.is_scale(written) and whole.value >= 100:
        found.unit, found.scale = "percent", EXACT.divide(Decimal(100), whole.value)
    else:
        value = EXACT.divide(value, whole.value) if whole.value < 10**6 else Decimal(0)
        found.value, found.quantum = value.quantize(_FINEST, context=EXACT), _FRACTION_QUANTUM
        found.kind, found.unit = "spelled", "ratio"
    yield found


def _numerator(text: str, at: int) -> tuple[int, Decimal, Decimal, QuantityKind] | None:
    digits = _digits().match(text, at)
    if digits:
        scale = digits["scale"] or ""
        plain = digits.group()[: len(digits.group()) - len(scale)].replace(",", "")
        size = Decimal(1000) if scale.strip() in ("k", "K") else numerals.scaling(scale.strip())
        quantum = Decimal(1).scaleb(-len(plain.partition(".")[2]))
        return digits.end(), Decimal(plain) * size, quantum * size, "quantity"
    run = _run().match(text, at)
    if not run or len(run.group()) > _LONGEST:
        return None
    written = run.group().rstrip(f" {numerals.POINT}")
    if written[-1] == "百" and len(written) > 1 and text.startswith("分", at + len(written)):
        written = written[:-1]
    size_read = numerals.read(written)
    if size_read is None:
        return None
    return at + len(written), *size_read, "spelled"


def join(text: str, numbers: list[Found]) -> list[Found]:
    """The numbers with 3億5,000萬 as one, and 五元三毛 as one amount."""
    result: list[Found] = []
    for found in numbers:
        last = result[-1] if result else None
        if last and (_joined_by_scale(text, last, found) or _joined_as_part(text, last, found)):
            last.until, last.stop = found.until, found.stop
        else:
            result.append(found)
    return result


def _joined_by_scale(text: str, left: Found, right: Found) -> bool:
    """Take 3億5,000萬元 as one amount; the currency may stand before it as well."""
    if left.until != right.at or left.exempt or right.exempt or right.prefixed:
        return False
    if left.scale == 1 or text[left.until - 1] not in numerals.LARGE:
        return False
    plain = text[right.until - 1] in "元圓圆"
    same = right.unit in (None, left.unit) or plain
    if not (same if left.prefixed else left.unit is None):
        return False
    if right.kind != "quantity" or right.value * right.scale >= left.scale:
        return False
    left.value = left.value * left.scale + right.value * right.scale
    left.quantum, left.scale = right.quantum * right.scale, ONE
    left.unit = left.unit if left.prefixed else right.unit
    left.kind = "quantity"
    return True


_PART_GAP = re.compile(r"[ \u00a0]?[又零]?[ \u00a0]?")


def _joined_as_part(text: str, left: Found, right: Found) -> bool:
    """Take 五元三毛 as one amount."""
    if left.exempt or right.exempt or left.unit is None or left.unit != right.unit:
        return False
    smaller = right.scale in (Decimal("0.1"), Decimal("0.01")) and right.scale < left.scale
    if not smaller or right.prefixed or right.value >= 100 or left.unit in ("percent", "bps"):
        return False
    if not _PART_GAP.fullmatch(text, left.until, right.at) or text[right.until - 1].isascii():
        return False
    left.value = left.value * left.scale + right.value * right.scale
    left.quantum, left.scale = right.scale, ONE
    return True
