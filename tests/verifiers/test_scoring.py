"""The public function: pae_verifiers.score."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.fake_model import fake_model, said

from pae_verifiers import score
from pae_verifiers.errors import RubricError, SourcesError
from pae_verifiers.judge.rules import load as load_rules
from pae_verifiers.numbers.facts import load as load_facts
from pae_verifiers.rubric.load import load as load_rubric

if TYPE_CHECKING:
    from pathlib import Path

    from tests.verifiers.conftest import Case

RESULTS = {"cost_usd": 1234.56, "volatility_pct": 9.41}
GOOD = "The cost was $1,234.56, and volatility is 9.4%.\n"
BAD = "The cost was $999.99, and volatility is 9.4%.\n"


def results_path(case: Case) -> Path:
    return case.fixtures / "app/output/results.json"


def test_numbers_alone() -> None:
    good = score(GOOD, RESULTS)
    assert (good.reward, good.metrics) == (1.0, {"numeric_consistency": 1.0})
    assert score(BAD, RESULTS).reward == 0.0


def test_bytes_and_text_are_the_same() -> None:
    assert score(GOOD.encode(), RESULTS) == score(GOOD, RESULTS)


def test_facts_may_be_loaded_once() -> None:
    facts = load_facts(json.dumps(RESULTS))
    assert score(GOOD, facts).reward == 1.0


def test_facts_may_be_a_path(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text(json.dumps(RESULTS))
    assert score(GOOD, path) == score(GOOD, str(path)) == score(GOOD, RESULTS)


def test_a_rubric_s_path_brings_its_rules(case: Case) -> None:
    text = case.memo.read_text()
    result = score(
        text,
        results_path(case),
        case.tests / "rubric.yaml",
        facts_config=case.tests / "facts.yaml",
    )
    assert (result.reward, result.metrics["judge_rubric"]) == (1.0, 1.0)


def test_a_loaded_rubric_takes_a_judge(case: Case) -> None:
    rubric = load_rubric((case.tests / "rubric.yaml").read_text())
    judge = load_rules(case.tests / "rules.py")
    text = case.memo.read_text().replace("because", "as")
    result = score(text, results_path(case), rubric, judge, facts_config=case.tests / "facts.yaml")
    assert (result.reward, result.metrics["judge_rubric"]) == (0.707106781187, 0.5)


def test_weights_and_combination_can_be_set(case: Case) -> None:
    text = case.memo.read_text().replace("because", "as")
    result = score(
        text,
        results_path(case),
        case.tests / "rubric.yaml",
        facts_config=case.tests / "facts.yaml",
        combine="product",
        numbers_weight=0.9,
    )
    assert result.reward == 0.5


def test_an_unusable_document_scores_zero_and_says_why() -> None:
    result = score("   ", RESULTS)
    assert (result.reward, result.status, result.reason) == (
        0.0,
        "not_evaluable",
        "the document is empty",
    )


def test_a_lone_surrogate_is_no_utf_8() -> None:
    assert score("cost \ud800", RESULTS).reason == "the document is not UTF-8 text (byte 5)"


def test_a_judged_rubric_needs_the_results_themselves(case: Case) -> None:
    with pytest.raises(SourcesError, match=r"needs results\.json itself"):
        score(GOOD, load_facts(json.dumps(RESULTS)), case.tests / "rubric.yaml")


def test_a_loaded_rubric_has_no_rules_of_its_own(case: Case) -> None:
    rubric = load_rubric((case.tests / "rubric.yaml").read_text())
    with pytest.raises(RubricError, match="needs another judge"):
        score(GOOD, RESULTS, rubric)


@pytest.mark.parametrize("weight", [0.0, 1.0, -1.0])
def test_a_weight_outside_its_range_is_refused(case: Case, weight: float) -> None:
    with pytest.raises(ValueError, match="not between 0 and 1"):
        score(GOOD, results_path(case), case.tests / "rubric.yaml", numbers_weight=weight)


@pytest.mark.parametrize("results", [{"a": float("nan")}, {"a": {1, 2}}])
def test_what_is_not_json_is_refused(results: dict[str, object]) -> None:
    with pytest.raises(SourcesError, match="not plain JSON data"):
        score(GOOD, results)


REPLY = {
    "criteria": [
        {"rubricId": "says_why", "passed": False, "rationale": "No.", "evidence": []},
        {"rubricId": "polite", "passed": False, "rationale": "No.", "evidence": []},
        {"rubricId": "forecast", "passed": True, "rationale": "None.", "evidence": []},
    ]
}


def test_a_model_is_named_as_provider_or_address(case: Case) -> None:
    rubric = load_rubric((case.tests / "rubric.yaml").read_text())
    with fake_model(said(REPLY)) as model:
        scores = [
            score(
                case.memo.read_text(),
                results_path(case),
                given,
                f"gm@{model.url}",
                facts_config=case.tests / "facts.yaml",
                reference={"answer": "An expert's."},
            )
            for given in (case.tests / "rubric.yaml", rubric)
        ]
    assert [result.metrics["judge_rubric"] for result in scores] == [0.5, 0.5]
    assert "An expert's." in model.seen[0].json["messages"][1]["content"]


def test_a_model_without_a_reply_of_use_leaves_no_reward(case: Case) -> None:
    with fake_model(said("Fine!")) as model:
        result = score(
            case.memo.read_text(),
            results_path(case),
            case.tests / "rubric.yaml",
            f"gm@{model.url}",
        )
    assert (result.status, result.reward, result.metrics) == ("quarantined", None, {})
