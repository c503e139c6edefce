"""Rubrics of the kind ``items``: reading them, and their metric."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from tests.verifiers.rubric.cases import DROPPED, case, edited, fits

from pae_verifiers.errors import RubricError
from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.numbers.markdown import render
from pae_verifiers.rubric.item import Item
from pae_verifiers.rubric.items import ItemsRubric
from pae_verifiers.rubric.load import load
from pae_verifiers.rubric.model import Case, Grade

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


def items(text: str) -> ItemsRubric:
    rubric = load(text)
    assert isinstance(rubric, ItemsRubric)
    return rubric


@pytest.fixture
def rubric() -> ItemsRubric:
    return items(FULL)


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


# The required items weigh 0.1, 0.2 and 0.7, the penalties are 1/2 and 1/4. What failed (of a
# disallowed item: what was triggered), the metric, and the metric under the strict gate.
ARITHMETIC = [
    ("", Fraction(1), Fraction(1)),
    ("word_limit", Fraction(9, 10), Fraction(0)),
    ("sections_present", Fraction(8, 10), Fraction(0)),
    ("explains_why", Fraction(3, 10), Fraction(0)),
    ("word_limit sections_present", Fraction(7, 10), Fraction(0)),
    ("word_limit explains_why", Fraction(2, 10), Fraction(0)),
    ("sections_present explains_why", Fraction(1, 10), Fraction(0)),
    ("word_limit sections_present explains_why", Fraction(0), Fraction(0)),
    # optional items are reported only
    ("warm", Fraction(1), Fraction(1)),
    ("warm word_limit", Fraction(9, 10), Fraction(0)),
    ("warm explains_why", Fraction(3, 10), Fraction(0)),
    ("warm word_limit sections_present explains_why", Fraction(0), Fraction(0)),
    ("warm forecast", Fraction(1, 2), Fraction(1, 2)),
    ("warm advice", Fraction(3, 4), Fraction(3, 4)),
    ("warm forecast advice", Fraction(3, 8), Fraction(3, 8)),
    # one penalty
    ("forecast", Fraction(1, 2), Fraction(1, 2)),
    ("advice", Fraction(3, 4), Fraction(3, 4)),
    ("forecast word_limit", Fraction(9, 20), Fraction(0)),
    ("forecast sections_present", Fraction(8, 20), Fraction(0)),
    ("forecast explains_why", Fraction(3, 20), Fraction(0)),
    ("forecast word_limit sections_present", Fraction(7, 20), Fraction(0)),
    ("forecast word_limit sections_present explains_why", Fraction(0), Fraction(0)),
    ("advice word_limit", Fraction(27, 40), Fraction(0)),
    ("advice sections_present", Fraction(24, 40), Fraction(0)),
    ("advice explains_why", Fraction(9, 40), Fraction(0)),
    ("advice word_limit explains_why", Fraction(6, 40), Fraction(0)),
    ("advice word_limit sections_present explains_why", Fraction(0), Fraction(0)),
    # penalties multiply
    ("forecast advice", Fraction(3, 8), Fraction(3, 8)),
    ("forecast advice word_limit", Fraction(27, 80), Fraction(0)),
    ("forecast advice sections_present", Fraction(24, 80), Fraction(0)),
    ("forecast advice explains_why", Fraction(9, 80), Fraction(0)),
    ("forecast advice warm explains_why", Fraction(9, 80), Fraction(0)),
    ("forecast advice word_limit explains_why", Fraction(6, 80), Fraction(0)),
    ("forecast advice word_limit sections_present explains_why warm", Fraction(0), Fraction(0)),
]


@pytest.mark.parametrize(("failed", "metric", "strict"), ARITHMETIC)
def test_the_metric_is_the_share_passed_times_what_the_penalties_leave(
    rubric: ItemsRubric, failed: str, metric: Fraction, strict: Fraction
) -> None:
    passed = ALL_GOOD | dict.fromkeys(failed.split(), False)
    assert rubric.metric(passed) == metric
    assert replace(rubric, all_required=True).metric(passed) == strict


@pytest.mark.parametrize(
    ("penalty", "metric"),
    [("1", Fraction(0)), ("0.1", Fraction(9, 10)), ("0.01", Fraction(99, 100))],
)
def test_a_penalty_is_as_exact_as_it_is_written(penalty: str, metric: Fraction) -> None:
    rubric = items(FULL.replace("penalty: 0.25", f"penalty: {penalty}"))
    assert rubric.metric(ALL_GOOD | {"advice": False}) == metric


def test_weights_are_summed_as_they_are_written() -> None:
    tenths = "".join(
        f"  - {{id: item_{n}, role: required, weight: 0.1, text: Tenth.}}\n" for n in range(10)
    )
    rubric = items(f"kind: items\nitems:\n{tenths}")
    passed = {f"item_{n}": n < 3 for n in range(10)}
    assert rubric.metric(passed) == Fraction(3, 10)


def test_the_strict_gate_is_a_key_of_the_rubric() -> None:
    strict = items(f"all_required: true\n{FULL}")
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


def answer(name: str, passed: bool, evidence: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "rubricId": name,
        "passed": passed,
        "rationale": f"{name}: {passed}",
        "evidence": list(evidence),
    }


NOTE = """\
# What changed and why

We sold because the fund had drifted. It will rise.

# Cost and tax impact

None.
"""
REPLY = {
    "criteria": [
        answer("explains_why", True, ("because the fund had drifted",)),
        answer("warm", False),
        answer("forecast", False, ("It will rise.",)),
        answer("advice", True),
    ]
}


def test_a_judge_is_asked_what_code_does_not_decide(rubric: ItemsRubric) -> None:
    assert rubric.size == 4
    assert rubric.described() == [
        {"rubricId": "explains_why", "role": "required", "criterion": "It says why."},
        {"rubricId": "warm", "role": "optional", "criterion": "It is warm."},
        {
            "rubricId": "forecast",
            "role": "disallowed",
            "criterion": "It forecasts.",
            "evidence": "optional",
        },
        {"rubricId": "advice", "role": "disallowed", "criterion": "It advises."},
    ]


def test_a_reply_is_scored_and_its_evidence_located(rubric: ItemsRubric) -> None:
    assert fits(rubric, REPLY)
    assert rubric.faults(REPLY, case(NOTE)) == ()
    grade = rubric.grade(REPLY, case(NOTE))
    assert grade.score == Fraction(1, 2)
    assert grade.details["required"] == 1.0
    assert grade.details["left_by_penalties"] == 0.5
    assert grade.details["optional"] == {"passed": 0, "of": 1}
    assert [
        (detail["id"], detail["by"], detail["passed"]) for detail in grade.details["items"]
    ] == [
        ("word_limit", "code", True),
        ("sections_present", "code", True),
        ("explains_why", "judge", True),
        ("warm", "judge", False),
        ("forecast", "judge", False),
        ("advice", "judge", True),
    ]
    assert grade.details["items"][4]["evidence"] == [
        {"text": "It will rise.", "start": 62, "end": 75}
    ]


def test_code_decides_its_items_whatever_the_judge_says(rubric: ItemsRubric) -> None:
    grade = rubric.grade(REPLY, case(NOTE.replace("# Cost and tax impact\n\nNone.\n", "")))
    assert grade.score == Fraction(8, 20)


UNSEEN = NOTE.replace("because the fund had drifted", "<!-- because the fund had drifted -->")


@pytest.mark.parametrize("evidence", [(), ("It will rise.",)])
def test_evidence_that_no_reader_sees_earns_nothing(
    rubric: ItemsRubric, evidence: tuple[str, ...]
) -> None:
    hidden = ("because the fund had drifted", *evidence)
    reply = edited(REPLY, ("criteria", 0), answer("explains_why", True, hidden))
    grade = rubric.grade(reply, case(UNSEEN))
    assert grade.score == Fraction(3, 20)
    assert not grade.details["items"][2]["passed"]
    assert grade.details["items"][2]["rationale"] == (
        "explains_why: True (not counted: no reader sees 'because the fund had drifted')"
    )


def test_evidence_that_stands_in_the_open_too_counts(rubric: ItemsRubric) -> None:
    source = f"<!-- because the fund had drifted -->\n\n{NOTE}"
    assert rubric.grade(REPLY, case(source)).score == Fraction(1, 2)


def test_a_comment_within_an_excerpt_does_not_hide_it(rubric: ItemsRubric) -> None:
    source = NOTE.replace("because the", "because <!-- so --> the")
    reply = edited(REPLY, ("criteria", 0, "evidence"), ["because <!-- so --> the fund had drifted"])
    assert rubric.grade(reply, case(source)).score == Fraction(1, 2)


def test_a_fault_that_no_reader_sees_costs_the_same(rubric: ItemsRubric) -> None:
    source = NOTE.replace("It will rise.", "<!-- It will rise. -->")
    assert rubric.grade(REPLY, case(source)).score == Fraction(1, 2)


def test_no_judge_is_asked_where_code_has_made_it_a_zero() -> None:
    """Nobody gets away from it by a document that no judge can answer."""
    strict = items(f"all_required: true\n{FULL}")
    assert strict.before(case(NOTE)) is None
    grade = strict.before(case("Too little."))
    assert grade is not None
    assert (grade.score, grade.status) == (Fraction(0), "scored")
    assert [(item["id"], item["by"], item["passed"]) for item in grade.details["items"]] == [
        ("word_limit", "code", True),
        ("sections_present", "code", False),
        ("explains_why", "judge", False),
        ("warm", "judge", False),
        ("forecast", "judge", True),
        ("advice", "judge", True),
    ]
    assert grade.details["items"][2]["rationale"] == (
        "No judge was asked: the rubric comes to 0 whatever the answer."
    )


def test_a_judge_is_asked_while_there_is_something_to_gain(rubric: ItemsRubric) -> None:
    assert rubric.before(case("Too little.")) is None


def first(key: str) -> tuple[str | int, ...]:
    return ("criteria", 0, key)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (first("passed"), "true"),
        (first("passed"), 1),
        (first("passed"), None),
        (first("passed"), DROPPED),
        (first("rationale"), ""),
        (first("rationale"), " \n "),
        (first("rationale"), DROPPED),
        (first("evidence"), DROPPED),
        (first("evidence"), "because the fund had drifted"),
        (first("evidence"), [""]),
        (first("evidence"), [None]),
        (first("rubricId"), "explain_why"),
        (first("rubricId"), DROPPED),
        (first("score"), 1),
        (("criteria", 3), DROPPED),
        (("criteria",), []),
        (("criteria",), [*REPLY["criteria"], answer("advice", True)]),
        (("criteria",), [*REPLY["criteria"], answer("word_limit", True)]),
        (("criteria",), [REPLY["criteria"][n] for n in (1, 0, 2, 3)]),
        (("criteria",), [REPLY["criteria"][n] for n in (0, 0, 2, 3)]),
        (("criteria",), {"explains_why": True}),
        (("criteria",), DROPPED),
        (("overall",), True),
    ],
)
def test_the_reply_schema_refuses_a_reply_with_one_thing_wrong(
    rubric: ItemsRubric, path: tuple[str | int, ...], value: object
) -> None:
    assert not fits(rubric, edited(REPLY, path, value))


@pytest.mark.parametrize(
    ("place", "passed", "evidence", "faults"),
    [
        (0, True, [], ("explains_why: this answer needs evidence, an exact excerpt of the "
                       "document",)),
        (0, False, [], ()),
        (0, True, ["because the funds had drifted"], (
            "explains_why: evidence 'because the funds had drifted' does not stand in the "
            "document",)),
        (0, False, ["It will fall."], (
            "explains_why: evidence 'It will fall.' does not stand in the document",)),
        (0, True, ["because the fund had drifted", "it will rise."], (
            "explains_why: evidence 'it will rise.' does not stand in the document",)),
        (1, True, [], ()),  # optional items count for nothing and need none
        (1, True, ["warm"], ("warm: evidence 'warm' does not stand in the document",)),
        (2, False, [], ()),  # evidence: optional
        (3, False, [], ("advice: this answer needs evidence, an exact excerpt of the document",)),
        (3, True, [], ()),
        (3, False, ["It will rise."], ()),
    ],
)  # fmt: skip
def test_evidence_is_exact_and_there_where_it_counts(
    rubric: ItemsRubric, place: int, passed: bool, evidence: list[str], faults: tuple[str, ...]
) -> None:
    reply = edited(REPLY, ("criteria", place, "passed"), passed)
    reply = edited(reply, ("criteria", place, "evidence"), evidence)
    assert fits(rubric, reply)
    assert rubric.faults(reply, case(NOTE)) == faults


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
        ("kind: items", "kind: item", "1: 'item' is not one of items, checklist, likert, "
         "points; did you mean 'items'?"),
        ("kind: items\n", "", "1: the key 'kind' is missing (one of items, checklist, likert, "
         "points)"),
    ],
)  # fmt: skip
def test_a_wrong_rubric_is_refused_with_its_line(old: str, new: str, message: str) -> None:
    assert old in FULL
    with pytest.raises(RubricError) as caught:
        load(FULL.replace(old, new, 1))
    assert str(caught.value).startswith(f"rubric.yaml:{message}")


@pytest.mark.parametrize("text", ["", " \n", "<!-- a comment -->"])
def test_a_document_without_text_is_not_evaluable_and_nobody_is_asked(
    rubric: ItemsRubric, text: str
) -> None:
    early = rubric.before(Case(Candidate(render(text))))
    assert early == Grade(None, "not_evaluable", "the document is empty")
