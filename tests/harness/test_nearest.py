"""Which valid name an unknown one was meant to be, and how a message says so."""

from __future__ import annotations

import pytest

from pae_harness.nearest import did_you_mean, nearest, one_of


@pytest.mark.parametrize(
    ("name", "meant"), [("oracel", "oracle"), ("oracle", "oracle"), ("gpt", None), ("", None)]
)
def test_the_nearest_name(name: str, meant: str | None) -> None:
    assert nearest(name, ["nop", "oracle"]) == meant


def test_nothing_is_near_where_nothing_is_valid() -> None:
    assert nearest("oracle", []) is None


def test_a_near_name_is_asked_for() -> None:
    assert did_you_mean("sead", ["seeds", "judge"]) == "; did you mean 'seeds'?"


def test_few_names_are_listed_where_none_is_near() -> None:
    assert did_you_mean("x", ["seeds", "judge"]) == "; known: judge, seeds"


def test_many_names_are_not_listed() -> None:
    assert did_you_mean("x", [f"name_{number}" for number in range(13)]) == ""


@pytest.mark.parametrize(
    ("values", "sentence"),
    [(["a"], "'a'"), (["a", "b"], "'a' or 'b'"), (["a", "b", 3], "'a', 'b' or 3")],
)
def test_a_choice_in_words(values: list[object], sentence: str) -> None:
    assert one_of(values) == sentence
