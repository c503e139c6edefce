"""Dates, labels and other numbers that are no claim of their own, in a document."""

from __future__ import annotations

import pytest

from pae_verifiers.numbers.facts import load
from pae_verifiers.numbers.markdown import render
from pae_verifiers.numbers.scanner import scan
from pae_verifiers.numbers.tie import tie

RESULTS = """
{"as_of": "2026-11-30", "mix": "60/40 benchmark", "note": "VaR 95% over one month",
 "policy": {"var_confidence_pct": 99}, "cost_usd": 1284.53}
"""


def ruling(text: str) -> list[tuple[str, str]]:
    result = tie(scan(render(text)), load(RESULTS, {}))
    return [(number.verdict, number.reason) for number in result.numbers]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("As of 30 November 2026 it is done.", ("exempt", "date")),
        ("As of 30 October 2026 it is done.", ("mismatch", "unknown_date")),
        ("The S&P 500 rose.", ("exempt", "label")),
        ("A 10-year bond.", ("exempt", "label")),
        ("The VaR 95% is a loss.", ("exempt", "label")),
        ("The VaR 99% is a loss.", ("exempt", "label")),  # a fact
        ("The VaR 97% is a loss.", ("fabricated", "unknown_label")),
        ("A 60/40 mix.", ("exempt", "label")),
        ("A 70/30 mix.", ("fabricated", "unknown_label")),
        ("This is the 3rd memo.", ("exempt", "ordinal")),
        ("For three reasons.", ("exempt", "small_integer")),
        ("For 12 reasons.", ("exempt", "small_integer")),
        ("For 13 reasons.", ("fabricated", "")),
    ],
)
def test_ruling(text: str, expected: tuple[str, str]) -> None:
    assert ruling(text) == [expected]


def test_a_list_marker_is_exempt() -> None:
    assert {verdict for verdict, _ in ruling("1. The cost\n2. The tax")} <= {"exempt"}


@pytest.mark.parametrize(
    ("comment", "verdict"),
    [
        ("the cost is $1,284.53", "matched"),
        ("the cost is $41,137", "fabricated"),
        ("the cost is $1,284.527", "fabricated"),
        ("checked on 30 November 2026", "exempt"),
        ("checked on 3 May 2026", "mismatch"),
        ("step 3", "exempt"),
    ],
)
def test_a_number_in_a_comment(comment: str, verdict: str) -> None:
    result = tie(scan(render(f"The cost was $1,285.\n\n<!-- {comment} -->")), load(RESULTS, {}))
    shown, hidden = result.numbers
    assert (shown.verdict, shown.hidden) == ("matched", False)
    assert (hidden.verdict, hidden.hidden) == (verdict, True)
    assert result.numeric_consistency == (1 if verdict in ("matched", "exempt") else 0)
