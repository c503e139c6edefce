"""What an endpoint asks for, and what is waited."""

from __future__ import annotations

import time
from email.utils import formatdate

import pytest

from pae_verifiers.judge.backoff import wait, wanted_wait


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("7", 7.0), ("0.5", 0.5), ("-3", 0.0), (formatdate(0, usegmt=True), 0.0)],
)
def test_retry_after_is_seconds_or_a_date(header: str, seconds: float) -> None:
    assert wanted_wait({"retry-after": header}) == seconds


def test_a_date_is_that_far_away() -> None:
    later = {"retry-after": formatdate(time.time() + 100, usegmt=True)}
    assert 90 < (wanted_wait(later) or 0) <= 100


@pytest.mark.parametrize(
    "header", ["", "soon", "nan", "inf", "1e999", f"Mon, 01 Jan {'9' * 20} 00:00:00 GMT"]
)
def test_another_retry_after_says_nothing(header: str) -> None:
    assert wanted_wait({"retry-after": header}) is None


def test_without_the_header_nothing_is_asked_for() -> None:
    assert wanted_wait({}) is None


def test_waits_double_up_to_the_longest_and_differ() -> None:
    steps = [1, 2, 4, 4]
    waits = [[wait(n + 1, None, first=1, longest=4) for n in range(4)] for _ in range(50)]
    assert all(s / 2 <= w <= s for row in waits for w, s in zip(row, steps, strict=True))
    assert len({row[0] for row in waits}) > 1


def test_no_less_is_waited_than_asked_for() -> None:
    assert 7 <= wait(1, 7.0, first=1, longest=4) <= 7.5
