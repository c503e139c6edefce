"""Caps on what a model may answer and on what it is shown again."""

from __future__ import annotations

import pytest

from pae_verifiers.judge.prompts.limits import cut, output_cap, shown_faults


@pytest.mark.parametrize(
    ("questions", "tokens"), [(1, 2048), (2, 2048), (3, 2400), (20, 16000), (40, 16000)]
)
def test_the_output_cap(questions: int, tokens: int) -> None:
    assert output_cap(questions) == tokens


def test_a_long_text_keeps_its_two_ends() -> None:
    assert cut("short", 5) == "short"
    assert cut("a" * 50 + "b" * 50, 8) == "aaaaaa [...] bb"


def test_faults_are_cut_in_length_and_number() -> None:
    assert shown_faults(["one", "two"]) == ["one", "two"]
    shown = shown_faults(["x" * 1000] * 23)
    assert shown[0] == "x" * 300 + " [...] " + "x" * 100
    assert (len(shown), shown[-1]) == (21, "and 3 more of the kind")
