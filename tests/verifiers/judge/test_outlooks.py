"""Phrases that announce a view of markets, and what only sounds like one."""

from __future__ import annotations

import pytest

from pae_verifiers.judge.outlooks import announces


@pytest.mark.parametrize(
    "clause",
    [
        "the path of least resistance is up",
        "our base case",
        "shares have room to rise",
        "a recovery is overdue",
        "yields have peaked",
        "it should give you about 5%",
        "the second half will be better",
    ],
)
def test_announces_a_view(clause: str) -> None:
    assert announces(clause)


@pytest.mark.parametrize(
    "clause",
    [
        "shares have room to rise by 2 points before their limit",
        "a review is due",
        "the outlook for your tax is unchanged",
        "shares had peaked in may",
        "the second half of the tax is due in june",
    ],
)
def test_announces_none(clause: str) -> None:
    assert not announces(clause)
