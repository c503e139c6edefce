"""A measure told for then and for now, in sentences and in tables."""

from __future__ import annotations

import pytest

from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.judge.prose import statements
from pae_verifiers.judge.then_and_now import told_twice
from pae_verifiers.judge.wording import Words
from pae_verifiers.numbers.markdown import render

MEASURES = {"volatility": Words("volatility swings"), "loss": Words("bad_month drawdown")}
TABLE = "| Measure | Before | After |\n|---|---|---|\n"


def told(memo: str) -> tuple[str, ...]:
    candidate = Candidate(render(memo))
    return told_twice([*statements(candidate), *candidate.columns], MEASURES, Words("risk"))


@pytest.mark.parametrize(
    "sentence",
    [
        "The swings fell from 11.2% to 9.8%.",
        "The swings shrank to 9.8%, from 11.2%.",
        "Volatility is 9.8%, against 11.2% before.",
        "Volatility was 11.2% and is now 9.8%.",
        "Volatility: 11.2% → 9.8%.",
        "On 30 June volatility was 11.2%, on 1 July 9.8%.",
        "The risk, 11.2% before, is 9.8%.",
    ],
)
def test_in_one_sentence(sentence: str) -> None:
    assert told(sentence) == (sentence,)


def test_in_two_sentences_of_which_the_second_takes_up_the_first() -> None:
    assert told("Volatility stood at 11.2%. It now stands at 9.8%.") == (
        "Volatility stood at 11.2%.",
        "It now stands at 9.8%.",
    )


def test_in_two_sentences_after_one_that_names_the_measure() -> None:
    memo = "Volatility is how much the value swings. It was ten percent. Now it is nine percent."
    assert len(told(memo)) == 3


def test_in_a_list() -> None:
    assert len(told("- Volatility before: 11.2%\n- Volatility after: 9.8%\n")) == 2


def test_below_a_heading_that_names_the_measure() -> None:
    assert told("### Volatility\n\nBefore: 11.2%. After: 9.8%.\n") == (
        "Before: 11.2%.",
        "After: 9.8%.",
    )


def test_in_a_table_s_row_wherever_it_stands() -> None:
    memo = TABLE + "| Value | $10 | $9 |\n| Gold | 5% | 4% |\n| Volatility | 11.2% | 9.8% |\n"
    assert told(memo) == ("Volatility | 11.2% | 9.8%",)


def test_in_a_table_s_column() -> None:
    memo = "| | Drawdown |\n|---|---|\n| Then | 27% |\n| Now | 24% |\n"
    (quote,) = told(memo)
    assert quote in memo
    assert "27%" in quote
    assert "24%" in quote


@pytest.mark.parametrize(
    "memo",
    [
        "Volatility is 9.8% after the trades. The loss in a bad month is 4%.",
        "Volatility was 11.2%. The loss in a bad month is 4%.",
        "Volatility is 9.8%, against a limit of 12%.",
        "Shares were 41% of the portfolio. Volatility is 9.8%.",
        "Volatility fell by 0.45 percentage points, to 9.8%.",
        "Value before: $10. Value after: $9.",
        "| Measure | After | Limit |\n|---|---|---|\n| Volatility | 9.8% | 12% |\n",
    ],
)
def test_one_time_alone_or_two_measures_are_not_enough(memo: str) -> None:
    assert told(memo) == ()


def test_sentences_of_two_sections_do_not_go_together() -> None:
    assert told("# A\n\nVolatility was 11.2%.\n\n# B\n\nVolatility is 9.8%.\n") == ()
