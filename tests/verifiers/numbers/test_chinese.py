"""Chinese numerals → values, and the words around them that make no number."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pae_verifiers.numbers import markdown, scanner
from pae_verifiers.numbers.chinese import numerals
from pae_verifiers.numbers.model import EXEMPT_KINDS


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("十", 10),
        ("十二", 12),
        ("廿五", 25),
        ("兩百", 200),
        ("一百零五", 105),
        ("三百五", 350),
        ("一千零一十", 1010),
        ("一萬", 10_000),
        ("一万五", 15_000),
        ("一萬零五十", 10_050),
        ("二〇二六", 2026),
        ("三千五百萬", 35_000_000),
        ("一亿二千万", 120_000_000),
        ("一万亿", 10**12),
        ("四十九兆九千五百九十二億", 49_959_200_000_000),
        ("壹佰壹拾万贰仟陆佰壹拾肆", 1_102_614),
        ("一 百 五 十", 150),
        ("一點二億", 120_000_000),
    ],
)
def test_value(written: str, value: int) -> None:
    size = numerals.read(written)
    assert size is not None
    assert size.value == value


def test_decimals_have_their_quantum() -> None:
    assert numerals.read("一百二十点五六") == (Decimal("120.56"), Decimal("0.01"))


@pytest.mark.parametrize("written", ["二三十", "七八", "十百", "百千", "三點十", "", "一" * 41])
def test_no_single_number(written: str) -> None:
    assert numerals.read(written) is None


@pytest.mark.parametrize(
    "text",
    ["五角大樓", "三成本", "分成三份", "一年一度", "數億元", "二三十個百分點", "第三個百分點",
     "對折", "十折", "人民币美元", "一元月", "標普500", "第三季度", "5月份", "表3"],
)  # fmt: skip
def test_no_amount(text: str) -> None:
    found = scanner.scan(markdown.render(f"這是{text}的事。")).quantities
    assert [q.text for q in found if q.kind not in EXEMPT_KINDS] == []


def test_yen_is_yuan_in_chinese_and_yen_elsewhere() -> None:
    units = [
        scanner.scan(markdown.render(text)).quantities[0].unit
        for text in ("成本為¥300。", "It cost ¥300.", "コストは¥300です。")
    ]
    assert units == ["CNY", "JPY", "JPY"]


def test_points_with_nothing_around_them_to_have_changed_are_percent() -> None:
    units = [
        scanner.scan(markdown.render(text)).quantities[0].unit
        for text in ("十二個百分點", "上升十二個百分點", "# 概要\n\n十二個百分點", "- 十二個百分點")
    ]
    assert units == ["percent", "pp", "pp", "pp"]
