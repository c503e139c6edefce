"""A megabyte of anything is read to its end; how fast, benchmarks/scanning.py says."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pae_verifiers.numbers import markdown, scanner
from pae_verifiers.numbers.numerals import HUGE

MEGABYTE = 10**6
TEXTS = {
    "digits": "1" * MEGABYTE,
    "brackets": "(" * MEGABYTE,
    "powers": "9**9**9%" * (MEGABYTE // 8),
    "invisible": "\u200b" * MEGABYTE,
    "nested": "[(" * (MEGABYTE // 4) + ")]" * (MEGABYTE // 4),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_megabyte_is_read_to_its_end(name: str) -> None:
    found = scanner.scan(markdown.render(f"{TEXTS[name]} and then 77.7% more")).quantities
    assert found[-1].value == Decimal("77.7")


def test_a_word_too_long_to_read_is_one_number_that_nothing_states() -> None:
    (number,) = scanner.scan(markdown.render("9/8%" * 1200)).quantities
    assert (number.value, number.unit, number.end) == (HUGE, None, 4800)


def test_a_word_as_long_without_a_digit_is_none() -> None:
    assert scanner.scan(markdown.render("half" * 1200)).quantities == ()


def test_chinese_without_a_space_is_no_such_word() -> None:
    found = scanner.scan(markdown.render("下跌百分之三點五，" * 500)).quantities
    assert {number.value for number in found} == {Decimal("-3.5")}


@pytest.mark.parametrize("text", ["9" * 40 + ":3", "三分之二億", "1:" + "9" * 40])
def test_a_ratio_beyond_28_digits_is_a_number_and_no_error(text: str) -> None:
    (number,) = scanner.scan(markdown.render(text)).quantities
    assert number.unit == "ratio"


def test_any_white_space_may_stand_in_a_number_in_words() -> None:
    (number,) = scanner.scan(markdown.render("It rose two and\u00a0a half percent.")).quantities
    assert (number.value, number.unit) == (Decimal("2.5"), "percent")
