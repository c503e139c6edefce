"""Dates: which parts they state, and whether the sources know them."""

from __future__ import annotations

import pytest

from pae_verifiers.numbers.dates import Calendar, DateParts, dates_in

IN_NOVEMBER = DateParts(2026, 2, 4, 11, None)
ON_THE_30TH = DateParts(2026, 2, 4, 11, 30)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("2026-11-30", ON_THE_30TH),
        ("2026/11/30", ON_THE_30TH),
        ("30 November 2026", ON_THE_30TH),
        ("30th of November, 2026", ON_THE_30TH),
        ("November 30, 2026", ON_THE_30TH),
        ("Nov. 30 2026", ON_THE_30TH),
        ("30 Nov 26", ON_THE_30TH),
        ("Aprıl 2026", DateParts(2026, 1, 2, 4, None)),
        ("the fİrst quarter of 2026", DateParts(2026, 1, 1, None, None)),
        ("30.11.2026", ON_THE_30TH),
        ("the thirty-first of March 2026", DateParts(2026, 1, 1, 3, 31)),
        ("March twenty-first", DateParts(None, 1, 1, 3, 21)),
        ("2026年11月30日", ON_THE_30TH),
        ("2026-11-30T16:00:00Z", ON_THE_30TH),
        ("November 2026", IN_NOVEMBER),
        ("2026-11", IN_NOVEMBER),
        ("30 November", DateParts(None, 2, 4, 11, 30)),
        ("November", DateParts(None, 2, 4, 11, None)),
        ("Q3 2026", DateParts(2026, 2, 3)),
        ("3Q26", DateParts(2026, 2, 3)),
        ("2026Q3", DateParts(2026, 2, 3)),
        ("the third quarter of 2026", DateParts(2026, 2, 3)),
        ("H1 2026", DateParts(2026, 1)),
        ("FY25", DateParts(2025)),
        ("2026", DateParts(2026)),
    ],
)
def test_parts(text: str, parts: DateParts) -> None:
    assert dates_in(text) == ((parts,),)


def test_a_date_in_figures_may_be_read_either_way() -> None:
    assert dates_in("11/12/2026") == (
        (DateParts(2026, 2, 4, 12, 11), DateParts(2026, 2, 4, 11, 12)),
    )


@pytest.mark.parametrize("text", ["may", "16:00", "12.5", "1,234", "2.5-3.5", "0.2026"])
def test_no_date(text: str) -> None:
    assert dates_in(text) == ()


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("30 November 2026", True),
        ("30 November", True),
        ("November 2026", True),
        ("Q4 2026", True),
        ("2026", True),
        ("11/30/2026", True),
        ("29 November 2026", False),
        ("December 2026", False),
        ("Q3 2026", False),
        ("2025", False),
        ("16:00", True),
        ("30 November – 31 December 2026", False),
    ],
)
def test_a_date_agrees_in_the_parts_that_it_states(text: str, known: bool) -> None:
    assert Calendar(["as of 2026-11-30"]).knows(text) is known


def test_a_source_that_knows_the_month_only_does_not_know_the_day() -> None:
    assert not Calendar(["November 2026"]).knows("30 November 2026")


def test_sources_without_dates_contradict_none() -> None:
    assert Calendar(["no dates here"]).knows("30 November 2026")
