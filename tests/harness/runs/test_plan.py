"""Seeds and selections."""

from __future__ import annotations

import pytest

from pae_harness.errors import UsageError
from pae_harness.runs.plan import parse_seeds


@pytest.mark.parametrize(
    ("text", "seeds"),
    [
        ("1-5", (1, 2, 3, 4, 5)),
        ("7", (7,)),
        ("0", (0,)),
        ("7001-7003", (7001, 7002, 7003)),
        ("3,1,2-4", (3, 1, 2, 4)),
        (" 1 , 2 - 3 ", (1, 2, 3)),
    ],
)
def test_seeds(text: str, seeds: tuple[int, ...]) -> None:
    assert parse_seeds(text) == seeds


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "'' is neither N nor N-M"),
        ("one", "'one' is neither N nor N-M"),
        ("1,", "'' is neither N nor N-M"),
        ("-3", "'-3' is neither N nor N-M"),
        ("1-", "'1-' is neither N nor N-M; say where it ends, e.g. 1-5"),
        ("5-1", "'5-1' counts down"),
        ("1-999999999", "at most 100000 in one range"),
    ],
)
def test_what_is_no_seeds(text: str, why: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_seeds(text)
    assert str(caught.value) == f"seeds {text!r}: {why}"
