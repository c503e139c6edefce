"""The rubrics that come with the package: complete, well-formed, each with its own numbers."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from tests.verifiers.rubric.cases import case, fits

import pae_schemas
from pae_verifiers.errors import RubricError
from pae_verifiers.rubric.examples import example
from pae_verifiers.rubric.items import ItemsRubric
from pae_verifiers.rubric.likert import LikertRubric
from pae_verifiers.rubric.load import shipped, shipped_names, shipped_path
from pae_verifiers.rubric.model import Case, Rubric
from pae_verifiers.rubric.points import PointsRubric
from pae_verifiers.yamlfile import parse

OWN = ("quote-fidelity", "research-answer", "structured-products")


def likert() -> LikertRubric:
    rubric = shipped("quote-fidelity")
    assert isinstance(rubric, LikertRubric)
    return rubric


def points() -> PointsRubric:
    rubric = shipped("structured-products")
    assert isinstance(rubric, PointsRubric)
    return rubric


def items() -> ItemsRubric:
    rubric = shipped("research-answer")
    assert isinstance(rubric, ItemsRubric)
    return rubric


def test_the_names() -> None:
    assert set(OWN) <= set(shipped_names())


def test_an_unknown_name() -> None:
    with pytest.raises(RubricError, match=r"^there is no rubric 'quotes'; there are .*research-a"):
        shipped("quotes")
    with pytest.raises(RubricError, match=r"^there is no example of the rubric 'quotes'$"):
        example("quotes")


@pytest.mark.parametrize("name", shipped_names())
def test_each_is_as_its_schema_says(name: str) -> None:
    value = parse(shipped_path(name).read_text(), name).plain()
    assert list(pae_schemas.validator("rubric").iter_errors(value)) == []
    assert shipped(name).size > 0


@pytest.mark.parametrize("name", shipped_names())
def test_no_list_of_a_reply_is_closed_in_a_way_that_guided_decoding_refuses(name: str) -> None:
    assert '"items": false' not in json.dumps(shipped(name).reply_schema())


@pytest.mark.parametrize("name", OWN)
def test_each_has_a_case_that_it_can_judge(name: str) -> None:
    assert shipped(name).before(example(name)) is None


# Quote fidelity


def test_quote_fidelity_has_three_dimensions_from_1_to_5_and_passes_from_4() -> None:
    assert [(d.id, d.least, d.most) for d in likert().dimensions] == [
        ("fidelity_score", 1, 5),
        ("evidence_grounding", 1, 5),
        ("discrepancy_explanation", 1, 5),
    ]
    assert likert().threshold == 4


def test_quote_fidelity_has_anchors_at_1_3_and_5_each_with_an_example() -> None:
    for dimension in likert().dimensions:
        assert [anchor.score for anchor in dimension.anchors] == [5, 3, 1]
        assert all(anchor.examples for anchor in dimension.anchors)


def test_quote_fidelity_names_what_it_is_given() -> None:
    assert [(given.name, given.place) for given in likert().setting.inputs] == [
        ("QUOTE", "context"),
        ("SOURCE_TEXT", "context"),
        ("SYSTEM_VERIFICATION_OUTPUT", "candidate"),
        ("HUMAN_GROUND_TRUTH", "reference"),
    ]


def given(text: str) -> Case:
    context = {"QUOTE": "a", "SOURCE_TEXT": "b"}
    return case(text, context, {"status": "Accurate"})


@pytest.mark.parametrize("text", ["", "  \n", '{"status": "Accur', "All is well."])
def test_quote_fidelity_gives_1_to_empty_and_malformed_output(text: str) -> None:
    grade = likert().before(given(text))
    assert grade is not None and grade.score == 0
    assert [answer["score"] for answer in grade.details["dimensions"]] == [1, 1, 1]
    native = likert().native({}, given(text))
    assert list(native) == ["evaluation_id", "scores", "overall_judgment", "overall_rationale"]
    assert native["overall_judgment"] == "FAIL"


def test_quote_fidelity_in_the_form_that_its_judge_writes() -> None:
    reply = {
        "scores": {
            d.id: {"score": 4, "rationale": "It names the changed verb."}
            for d in likert().dimensions
        },
        "overall_judgment": "PASS",
        "overall_rationale": "All three dimensions reach 4.",
    }
    shown = example("quote-fidelity")
    assert fits(likert(), reply)
    assert likert().faults(reply, shown) == ()
    assert likert().grade(reply, shown).score == 1
    native = likert().native(reply, shown)
    assert list(native["scores"]) == [
        "fidelity_score",
        "evidence_grounding",
        "discrepancy_explanation",
    ]
    assert native["scores"]["fidelity_score"] == {
        "score": 4,
        "rationale": "It names the changed verb.",
    }


# Structured products


def test_structured_products_has_four_dimensions_that_make_8_points() -> None:
    assert [(d.id, d.least, d.most) for d in points().dimensions] == [
        ("factual_accuracy", 0, 2),
        ("causal_reasoning", 0, 3),
        ("sign_directionality", 0, 2),
        ("edge_case_awareness", 0, 1),
    ]
    assert points().most == 8


def test_structured_products_has_a_bonus_of_2_apart() -> None:
    assert [(d.id, d.least, d.most) for d in points().bonus] == [("cross_domain_bonus", 0, 2)]


def test_structured_products_has_an_example_for_every_point() -> None:
    for dimension in (*points().dimensions, *points().bonus):
        assert [a.score for a in dimension.anchors] == list(range(dimension.most, -1, -1))
        assert all(anchor.examples for anchor in dimension.anchors)


def test_structured_products_caps_contradictions_and_mistaken_products_at_1() -> None:
    assert {flag.id: dict(flag.caps) for flag in points().flags} == {
        "self_contradictory_chain": {"causal_reasoning": 1},
        "product_identity": {"factual_accuracy": 1},
    }
    (identity,) = (flag for flag in points().flags if flag.id == "product_identity")
    assert identity.exempt.startswith("A legitimate illustration is exempt")


def test_structured_products_is_told_question_and_reference() -> None:
    assert [(given.name, given.place) for given in points().setting.inputs] == [
        ("QUESTION", "context"),
        ("REFERENCE_ANSWER", "reference"),
        ("ANSWER", "candidate"),
    ]


def test_structured_products_scores_its_example() -> None:
    shown = example("structured-products")
    answers: dict[str, Any] = {
        "scores": {
            d.id: {"score": d.most, "rationale": "As the anchor says."} for d in points().dimensions
        },
        "bonus": {"cross_domain_bonus": {"score": 1, "rationale": "Mentioned."}},
        "flags": {
            flag.id: {"raised": False, "rationale": "Not found.", "evidence": []}
            for flag in points().flags
        },
    }
    answers["scores"]["edge_case_awareness"]["evidence"] = ["the holder is an unsecured creditor"]
    assert fits(points(), answers)
    assert points().faults(answers, shown) == ()
    assert points().grade(answers, shown).score == Fraction(8, 8)


# Research answer


def test_a_research_answer_has_required_optional_and_disallowed_items() -> None:
    roles = [item.role for item in items().items]
    assert (roles.count("required"), roles.count("optional"), roles.count("disallowed")) == (
        8,
        2,
        3,
    )
    assert sum(item.weight for item in items().items) == 1
    assert {item.id: item.penalty for item in items().items if item.role == "disallowed"} == {
        "promised_advantage": Fraction(1, 2),
        "invented_figure": Fraction(1, 2),
        "tax_ruling": Fraction(1, 4),
    }


def test_what_a_research_answer_must_not_do_has_safe_harbours() -> None:
    disallowed = [item.text for item in items().items if item.role == "disallowed"]
    assert all("allowed" in text for text in disallowed)


def test_the_figures_of_the_research_question_follow_from_its_context() -> None:
    data: Any = example("research-answer").context
    value = data["holding"]["value_eur"]
    ahead = (
        data["funds"]["B"]["tracking_difference_pct"]
        - data["funds"]["A"]["tracking_difference_pct"]
    )
    cost = sum(data["trading_cost_bps"].values())
    tax = data["tax_on_realised_gains_pct"] * data["holding"]["unrealised_gain_eur"] / 100
    assert round(ahead, 9) == 0.20
    assert round(value * ahead / 100, 6) == 800
    assert (cost, value * cost / 10_000) == (12, 480)
    assert 480 / 800 == 0.6
    assert tax == 7500
    assert 9 < 7500 / 800 < 10


EVIDENCE = {
    "annual_advantage": "0.20 percentage points a year",
    "tracking_difference": "which already includes the ongoing charge",
    "trading_cost": "12 basis points in trading, EUR 480",
    "break_even": "roughly seven months",
    "tax": "It is not lost, only brought forward",
    "conclusion": "I would keep the existing holding in A",
    "new_money": "put new money into B",
    "past_differences": "varies from year to year",
}


def test_the_example_of_a_research_answer_earns_everything() -> None:
    shown = example("research-answer")
    criteria = [
        {
            "rubricId": item.id,
            "passed": True,
            "rationale": "As it says.",
            "evidence": [EVIDENCE[item.id]] if item.id in EVIDENCE else [],
        }
        for item in items().asked
    ]
    reply = {"criteria": criteria}
    assert fits(items(), reply)
    assert items().faults(reply, shown) == ()
    assert items().grade(reply, shown).score == 1


@pytest.mark.parametrize("name", OWN)
def test_nothing_of_the_judge_s_questions_is_left_to_guess(name: str) -> None:
    rubric: Rubric = shipped(name)
    told = str(rubric.described())
    assert all(word not in told for word in ("TODO", "None", "..."))
