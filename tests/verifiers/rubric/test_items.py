"""Rubrics of the kind ``items``: reading them, and their metric."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pae_verifiers.errors import RubricError
from pae_verifiers.rubric.item import Item
from pae_verifiers.rubric.items import ItemsRubric
from pae_verifiers.rubric.load import load

FULL = """\
kind: items
sections: [{heading: What changed and why}, {heading: Cost and tax impact}]
items:
  - id: word_limit
    role: required
    weight: 0.1
    by: code
    check: max_words
    params: {max: 600}
    text: The memo has at most 600 words.
  - id: sections_present
    role: required
    weight: 0.2
    by: code
    check: sections
    text: The sections are there.
  - {id: explains_why, role: required, weight: 0.7, text: It says why.}
  - {id: warm, role: optional, text: It is warm.}
  - {id: forecast, role: disallowed, text: It forecasts., evidence: optional}
  - {id: advice, role: disallowed, penalty: 0.25, text: It advises.}
"""

ALL_GOOD = dict.fromkeys(
    ["word_limit", "sections_present", "explains_why", "warm", "forecast", "advice"], True
)


@pytest.fixture
def rubric() -> ItemsRubric:
    rubric = load(FULL)
    assert isinstance(rubric, ItemsRubric)
    return rubric


def test_a_required_item_keeps_its_exact_weight(rubric: ItemsRubric) -> None:
    assert rubric.items[2] == Item(
        "explains_why", "required", "It says why.", weight=Fraction(7, 10)
    )


def test_a_disallowed_item_has_a_penalty_of_one_half_unless_stated(rubric: ItemsRubric) -> None:
    assert [item.penalty for item in rubric.items[4:]] == [Fraction(1, 2), Fraction(1, 4)]


def test_a_code_item_names_its_check(rubric: ItemsRubric) -> None:
    assert (rubric.items[0].check, rubric.items[0].params) == ("max_words", {"max": 600})


def test_the_sections_check_gets_the_rubric_s_headings(rubric: ItemsRubric) -> None:
    headings = ("What changed and why", "Cost and tax impact")
    assert rubric.items[1].params == {"headings": headings}


@pytest.mark.parametrize(
    ("failed", "metric"),
    [
        ((), Fraction(1)),
        (("word_limit",), Fraction(9, 10)),
        (("explains_why", "word_limit"), Fraction(2, 10)),
        (("warm",), Fraction(1)),
        (("forecast",), Fraction(1, 2)),
        (("forecast", "advice"), Fraction(3, 8)),
        (("forecast", "advice", "word_limit"), Fraction(27, 80)),
        (("word_limit", "sections_present", "explains_why"), Fraction(0)),
    ],
)
def test_the_metric_is_the_share_passed_times_what_the_penalties_leave(
    rubric: ItemsRubric, failed: tuple[str, ...], metric: Fraction
) -> None:
    assert rubric.metric(ALL_GOOD | dict.fromkeys(failed, False)) == metric


def test_under_the_strict_gate_one_failed_item_leaves_nothing() -> None:
    strict = load(f"all_required: true\n{FULL}")
    assert isinstance(strict, ItemsRubric)
    assert strict.metric(ALL_GOOD | {"word_limit": False}) == 0
    assert strict.metric(ALL_GOOD | {"advice": False}) == Fraction(3, 4)


def test_only_some_answers_need_evidence(rubric: ItemsRubric) -> None:
    word_limit, _, explains_why, warm, forecast, advice = rubric.items
    assert explains_why.wants_evidence(True)
    assert not explains_why.wants_evidence(False)
    assert advice.wants_evidence(False)
    assert not advice.wants_evidence(True)
    assert not forecast.wants_evidence(False)  # evidence: optional
    assert not warm.wants_evidence(True)
    assert not word_limit.wants_evidence(True)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("weight: 0.7", "weight: 0.6", "3: the weights of the required items sum to 0.9, not 1"),
        ("weight: 0.7", "weight: 0", "17: expected a number above 0"),
        ("weight: 0.7, ", "", "17: a required item needs a weight"),
        ("id: warm", "id: explains_why", "18: the id 'explains_why' occurs twice"),
        ("id: warm", "id: is warm", "18: the id 'is warm' is not a Python identifier"),
        ("id: warm", "id: class", "18: the id 'class' is not a Python identifier"),
        ("role: optional", "role: desired", "18: 'desired' is not one of required, optional, "
         "disallowed"),
        ("role: optional", "role: optional, weight: 0.1", "18: only a required item has a weight"),
        ("role: optional", "role: optional, penalty: 0.1", "18: only a disallowed item has a "
         "penalty"),
        ("penalty: 0.25", "penalty: 2", "20: expected a number from 0 to 1, not 2"),
        ("text: It is warm.", "wieght: 1", "18: unknown key 'wieght'; did you mean 'weight'?"),
        (", text: It is warm.", "", "18: the key 'text' is missing"),
        ("check: max_words", "check: max_word", "8: 'max_word' is not one of max_words, sections, "
         "files; did you mean 'max_words'?"),
        ("    check: max_words\n", "", "4: an item with 'by: code' names a check: max_words, "
         "sections, files"),
        ("text: It is warm.", "text: x, check: files", "18: only an item with 'by: code' has a "
         "'check'"),
        ("{max: 600}", "{max: 0}", "9: max must be at least 1"),
        ("{max: 600}", "{max: '600'}", "9: expected a whole number"),
        ("    params: {max: 600}\n", "", "4: the key 'max' is missing"),
        ("sections: [{heading: What changed and why}, {heading: Cost and tax impact}]\n", "",
         "10: the check 'sections' needs the rubric's list 'sections'"),
        ("kind: items", "kind: item", "1: 'item' is not one of items"),
        ("kind: items\n", "", "1: the key 'kind' is missing (one of items"),
    ],
)  # fmt: skip
def test_a_wrong_rubric_is_refused_with_its_line(old: str, new: str, message: str) -> None:
    assert old in FULL
    with pytest.raises(RubricError) as caught:
        load(FULL.replace(old, new, 1))
    assert str(caught.value).startswith(f"rubric.yaml:{message}")
