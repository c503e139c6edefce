"""``pae judge`` with the rubrics that come with pae: what each kind shows, and its exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.fake_model import fake_model, said

import pae_schemas
from pae_harness.main import main
from pae_verifiers.rubric.load import shipped

Captured = pytest.CaptureFixture[str]
QUOTES = ("fidelity_score", "evidence_grounding", "discrepancy_explanation")


@pytest.fixture(autouse=True)
def files(own_place: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PAE_JUDGE", raising=False)
    for kind in ("quote-fidelity", "structured-products"):
        inputs: Any = shipped(kind).described().get("inputs", ())
        given = {i["name"]: "The fee is 35 bps." for i in inputs if i["from"] == "context"}
        Path(f"{kind}.json").write_text(json.dumps(given))
    Path("expert.md").write_text("An expert's answer.\n")
    Path("answer.md").write_text("The fee is 35 bps, so it costs $35 on $10,000.\n")
    Path("answer.json").write_text('{"fidelity": "The fee is 35 bps."}\n')


def judge(rubric: str, file: str, reply: object, *arguments: str) -> int:
    given = ["--context", f"{rubric}.json", "--reference", "expert.md", *arguments]
    with fake_model(said(reply)) as model:
        return main(["judge", rubric, file, "--judge", f"gm@{model.url}", *given])


def likert(*scores: int, **more: object) -> dict[str, Any]:
    answers = {
        name: {"score": score, "rationale": f"{name} it is."}
        for name, score in zip(QUOTES, scores, strict=True)
    }
    return {"scores": answers, "overall_rationale": "All in all.", **more}


def data(capsys: Captured) -> Any:
    found = json.loads(capsys.readouterr().out)
    Draft202012Validator(pae_schemas.load("judge")).validate(found)
    return found


@pytest.mark.parametrize(
    ("scores", "code", "judgment", "score"),
    [((5, 4, 4), 0, "PASS", 1.0), ((5, 4, 3), 1, "FAIL", 0.375), ((1, 1, 1), 1, "FAIL", 0.0)],
)
def test_a_likert_rubric_s_judgment_is_the_exit_code(
    capsys: Captured, scores: tuple[int, int, int], code: int, judgment: str, score: float
) -> None:
    assert judge("quote-fidelity", "answer.json", likert(*scores), "--json") == code
    found = data(capsys)
    assert (found["kind"], found["judgment"], found["score"]) == ("likert", judgment, score)


def test_its_dimensions_are_shown_with_what_the_model_added_up_wrongly(capsys: Captured) -> None:
    reply = likert(5, 4, 3, overall_judgment="PASS")
    assert judge("quote-fidelity", "answer.json", reply) == 1
    first, *lines = capsys.readouterr().out.splitlines()
    assert first.startswith("scored 0.375, FAIL (judge gm@http://127.0.0.1:")
    assert lines == [
        "  5/5 fidelity_score: fidelity_score it is.",
        "  4/5 evidence_grounding: evidence_grounding it is.",
        "  3/5 discrepancy_explanation: discrepancy_explanation it is.",
        "  All in all.",
        "  disagreement: the judge's overall_judgment is PASS, its scores make a FAIL",
        "  asked gm, fake-1-2026-11-01 answered; 1 reply; 100 + 20 tokens",
    ]


@pytest.mark.parametrize("score", [0, 6, 3.5, "4", None, True])
def test_a_score_out_of_its_range_is_no_score(capsys: Captured, score: Any) -> None:
    reply = likert(5, 5, 5)
    reply["scores"]["fidelity_score"]["score"] = score
    assert judge("quote-fidelity", "answer.json", reply, "--json") == 3
    found = data(capsys)
    assert (found["status"], found["score"]) == ("quarantined", None)
    assert "scores.fidelity_score.score: " in found["reason"]


def test_native_is_the_kind_s_own_output_and_nothing_else(capsys: Captured) -> None:
    reply = likert(5, 4, 3, overall_judgment="PASS")
    assert judge("quote-fidelity", "answer.json", reply, "--native") == 1
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["evaluation_id", "scores", "overall_judgment", "overall_rationale"]
    assert found["overall_judgment"] == "FAIL"


def test_native_prints_nothing_where_there_is_no_reply_of_use(capsys: Captured) -> None:
    assert judge("quote-fidelity", "answer.json", "Fine!", "--native") == 3
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("pae: quarantined: the judge's reply cannot be used")


def test_what_is_malformed_is_scored_without_a_call(capsys: Captured) -> None:
    Path("answer.json").write_text("not json")
    with fake_model(said("unused")) as model:
        given = ["--context", "quote-fidelity.json", "--reference", "expert.md", "--json"]
        where = f"gm@{model.url}"
        assert main(["judge", "quote-fidelity", "answer.json", "--judge", where, *given]) == 1
    found = data(capsys)
    assert (found["judge"], found["score"], model.seen) == ("code", 0.0, [])


def test_points_are_shown_with_their_bonus_and_flags(capsys: Captured) -> None:
    rubric = shipped("structured-products")
    reply = smallest(rubric.reply_schema())
    assert judge("structured-products", "answer.md", reply) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("scored 0.000 (judge gm@")
    assert lines[1:-1] == [
        "  0/2 factual_accuracy: x",
        "  0/3 causal_reasoning: x",
        "  0/2 sign_directionality: x",
        "  0/1 edge_case_awareness: x",
        "  bonus 0/2 cross_domain_bonus: x",
        "  not raised self_contradictory_chain: x",
        "  not raised product_identity: x",
    ]


def two_judges(first: object, second: object, *arguments: str) -> int:
    with fake_model(said(first), said(second)) as model:
        judges = ["--judge", f"gm@{model.url}", "--second", f"other@{model.url}"]
        given = ["--context", "structured-products.json", "--reference", "expert.md", *arguments]
        return main(["judge", "structured-products", "answer.md", *judges, *given])


def points(*scores: int) -> Any:
    reply = smallest(shipped("structured-products").reply_schema())
    for name, score in zip(reply["scores"], scores, strict=True):
        reply["scores"][name]["score"] = score
    return reply


def test_of_two_judges_each_is_reported_and_the_mean(capsys: Captured) -> None:
    assert two_judges(points(2, 3, 2, 1), points(2, 2, 1, 0), "--json") == 0
    found = data(capsys)
    assert found["score"] == 0.8125
    assert [judge["total"] for judge in found["judges"]] == [8, 5]
    assert found["mean"]["total"] == 6.5
    assert found["mean"]["dimensions"] == {
        "factual_accuracy": 2.0,
        "causal_reasoning": 2.5,
        "sign_directionality": 1.5,
        "edge_case_awareness": 0.5,
    }


def test_two_judges_are_shown_one_after_the_other(capsys: Captured) -> None:
    assert two_judges(points(2, 3, 2, 1), points(2, 2, 1, 0)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("scored 0.812 (judge gm@http://127.0.0.1:")
    assert [line.partition("@")[0] for line in lines if "@" in line[:12]] == ["  gm", "  other"]
    assert lines.count("    2/2 factual_accuracy: x") == 2


def test_one_judge_s_score_is_no_mean(capsys: Captured) -> None:
    with fake_model(said(points(2, 3, 2, 1)), said("no"), said("no")) as model:
        judges = ["--judge", f"gm@{model.url}", "--second", f"other@{model.url}"]
        given = ["--context", "structured-products.json", "--reference", "expert.md", "--json"]
        assert main(["judge", "structured-products", "answer.md", *judges, *given]) == 3
    found = data(capsys)
    assert (found["status"], found["score"]) == ("quarantined", None)
    assert [judge["score"] for judge in found["judges"]] == [1.0, None]
    assert "mean" not in found


def test_two_judges_are_for_points_alone(capsys: Captured) -> None:
    reply = likert(5, 5, 5)
    assert judge("quote-fidelity", "answer.json", reply, "--second", "gm@ollama") == 2
    assert capsys.readouterr().err == (
        "pae: --second: two judges are for the kind 'points', not 'likert'\n"
    )


def test_an_input_that_is_missing_is_one_sentence(capsys: Captured) -> None:
    assert main(["judge", "quote-fidelity", "answer.json", "--judge", "gm@ollama"]) == 2
    assert capsys.readouterr().err.startswith("pae: the rubric needs a context with the key ")


def test_a_misspelt_name_is_answered_with_the_nearest(capsys: Captured) -> None:
    assert main(["judge", "quote-fidelty", "answer.json", "--judge", "gm@ollama"]) == 2
    assert capsys.readouterr().err.endswith("did you mean quote-fidelity?\n")


# The checklist

NOTE = """\
[VERIFICATION]
| claim | source | grade |
|---|---|---|
| A trades at 5x | x.pdf | DIRECT |

[NOTE]
Switch from A to B

Sell A, which trades at 5x.

Buy B.
"""
SENTENCE = (
    "Please input both the analyst's original message and a complete equity switching response "
    "containing both [VERIFICATION] and [NOTE] sections to get started."
)


def switch(text: str, *arguments: str) -> int:
    Path("note.md").write_text(text)
    Path("equity-switch-note.json").write_text('"Switch from A to B."')
    reply = smallest(shipped("equity-switch-note").reply_schema())
    return judge("equity-switch-note", "note.md", reply, *arguments)


def test_a_checklist_s_own_output_has_the_specified_keys_and_nothing_else(
    capsys: Captured,
) -> None:
    assert switch(NOTE, "--native") == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == [
        "stock_switch_from",
        "stock_switch_to",
        "format",
        "bear_thesis_quality",
        "bull_thesis_quality",
        "evidence_alignment",
        "general_comments",
    ]
    assert found["bear_thesis_quality"]["score"] == 90
    assert found["bear_thesis_quality"]["feedback"].splitlines()[-3:] == [
        "Deductions: none.",
        "Score: 90 - 0 = 90.",
        "Summary: x",
    ]


def test_a_response_without_its_sections_is_answered_by_the_fixed_sentence(
    capsys: Captured,
) -> None:
    assert switch("Sell A.\n", "--native") == 1
    assert capsys.readouterr().out == f"{SENTENCE}\n"
    assert switch("Sell A.\n", "--json") == 1
    found = data(capsys)
    assert (found["status"], found["score"], found["judge"]) == ("not_evaluable", None, "code")
    assert found["reason"] == SENTENCE


def test_a_checklist_is_shown_with_its_feedback(capsys: Captured) -> None:
    assert switch(NOTE) == 0
    lines = capsys.readouterr().out.splitlines()
    start = lines.index("  90/90 evidence_alignment")
    assert lines[start + 1].startswith("    - No silent fabrication: PASS")
    assert "    Score: 90 - 0 = 90." in lines[start:]


def smallest(schema: Any) -> Any:
    """A reply of the schema: the first or least that may stand in each place."""
    for key in ("const", "enum"):
        if key in schema:
            return schema[key] if key == "const" else schema[key][0]
    if "properties" in schema:
        return {key: smallest(schema["properties"][key]) for key in schema["required"]}
    if schema["type"] == "array":
        return [smallest(part) for part in schema.get("prefixItems", ())]
    least = {"boolean": False, "string": "x"}
    return least.get(schema["type"], schema.get("minimum", 0))
