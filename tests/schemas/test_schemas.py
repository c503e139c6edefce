"""The schemas themselves, and that what this project writes is as they say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator

import pae_schemas
from pae_harness.result import TrialKey, TrialResult
from pae_verifiers.judge import machine
from pae_verifiers.judge.steering import KINDS as STEERING_KINDS
from pae_verifiers.numbers.model import Bound, QuantityKind, Verdict
from pae_verifiers.reward import COMBINES
from pae_verifiers.rubric.item import By, EvidenceRule, Role
from pae_verifiers.rubric.load import KINDS

NAMES = (
    "details",
    "facts",
    "harbor",
    "judge",
    "reward",
    "rubric",
    "rubric_checklist",
    "rubric_items",
    "rubric_likert",
    "rubric_parts",
    "rubric_points",
    "run",
    "scan",
    "task",
    "tie",
    "traps",
    "trial",
    "validate",
    "verifier",
)


def schema(name: str) -> dict[str, Any]:
    return pae_schemas.load(name)


def validator(name: str) -> Draft202012Validator:
    return pae_schemas.validator(name)


def accepts(name: str, value: object) -> bool:
    return bool(validator(name).is_valid(json.loads(json.dumps(value))))


def test_the_names() -> None:
    assert pae_schemas.names() == NAMES


def test_an_unknown_name() -> None:
    with pytest.raises(KeyError, match="no schema 'tasks'; there are details, facts"):
        pae_schemas.load("tasks")


def test_each_load_is_a_copy() -> None:
    pae_schemas.load("reward").clear()
    assert pae_schemas.load("reward")


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_valid_and_says_what_it_is(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))
    assert schema(name)["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema(name)["$id"] == f"urn:portfolio-agent-evals:schema:{name}"
    assert schema(name)["title"] and schema(name)["description"]


AUTHORED = [
    name for name in NAMES if name.startswith(("task", "verifier", "rubric", "facts", "traps"))
]


def rules(value: object) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for child in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from rules(child)


@pytest.mark.parametrize("name", AUTHORED)
def test_what_an_author_writes_is_described_and_closed(name: str) -> None:
    for rule in rules(schema(name)):
        assert "pattern" not in rule or "x-must-be" in rule
        assert "not" not in rule or "x-refused" in rule
        if "additionalProperties" in rule and "description" in rule:
            for key, inner in rule.get("properties", {}).items():
                assert "description" in inner or "$ref" in inner or "x-refused" in inner, key


def enum(name: str, *path: str) -> list[object]:
    found: Any = schema(name)
    for key in path:
        found = found[key]
    return list(found["enum"])


def test_the_names_of_the_verifier_are_those_of_the_schemas() -> None:
    item = ("$defs", "item", "properties")
    assert enum("rubric_items", *item, "check") == list(machine.CHECKS)
    assert enum("rubric_items", *item, "role") == list(get_args(Role))
    assert enum("rubric_items", *item, "by") == list(get_args(By))
    assert enum("rubric_items", *item, "evidence") == list(get_args(EvidenceRule))
    assert enum("rubric", "properties", "kind") == list(KINDS)
    assert enum("verifier", "properties", "combine") == list(COMBINES)
    steering = ("$defs", "attempt", "properties", "kind")
    assert enum("details", *steering) == list(STEERING_KINDS)
    quantity = ("$defs", "quantity", "properties")
    assert enum("scan", *quantity, "kind") == list(get_args(QuantityKind))
    assert enum("scan", *quantity, "bound") == [*get_args(Bound), None]
    assert enum("tie", "$defs", "number", "properties", "verdict") == list(get_args(Verdict))


@pytest.mark.parametrize(
    ("reward", "good"),
    [
        ({"reward": 0.5, "numeric_consistency": 0.25, "judge_rubric": 1}, True),
        ({"reward": 0}, True),
        ({"numeric_consistency": 1}, False),
        ({"reward": 1.01}, False),
        ({"reward": -0.01}, False),
        ({"reward": None}, False),
        ({"reward": True}, False),
        ({"reward": "1"}, False),
        ({"reward": 1, "detail": {"a": 1}}, False),
        ([], False),
    ],
)
def test_reward(reward: object, good: bool) -> None:
    assert accepts("reward", reward) == good


KEY = TrialKey("sample-note", 7, "oracle")


@pytest.mark.parametrize(
    "result",
    [
        TrialResult(KEY, "scored", 1.0, {"numeric_consistency": 1.0}, timings={"agent": 0.5}),
        TrialResult(KEY, "agent_failed", 0.0, reason="ran into its time limit of 60 s"),
        TrialResult(KEY, "unscored", None, reason="the sandbox failed"),
    ],
)
def test_a_trial_that_the_harness_writes(result: TrialResult) -> None:
    assert accepts("trial", result.to_json())


@pytest.mark.parametrize(
    "changed",
    [
        {"outcome": "unscored", "reward": 0, "reason": "why"},
        {"outcome": "unscored", "reward": None, "reason": ""},
        {"outcome": "agent_failed", "reward": 0.5, "reason": "why"},
        {"outcome": "agent_failed", "reward": 0, "reason": ""},
        {"outcome": "scored", "reward": None},
        {"outcome": "won"},
        {"reward": 1.5},
        {"metrics": {"m": 2}},
        {"attempt": 0},
    ],
)
def test_a_trial_that_contradicts_itself(changed: dict[str, object]) -> None:
    good = TrialResult(KEY, "scored", 1.0).to_json()
    assert accepts("trial", good)
    assert not accepts("trial", {**good, **changed})


QUANTITY = {
    "text": "$4.5bn",
    "start": 3,
    "end": 9,
    "value": "4500000000",
    "unit": "USD",
    "kind": "quantity",
    "sign_from_word": False,
    "quantum": "100000000",
    "bound": None,
    "lookalike": False,
}
NUMBER = {
    **{key: QUANTITY[key] for key in ("text", "start", "end", "value", "unit", "kind")},
    "verdict": "mismatch",
    "reason": "unit_slip",
    "fact": "/costs/total",
    "source": "4.5",
    "note": "×10",
    "sentence": "It is worth $4.5bn.",
}
TIE = {
    "numeric_consistency": 0.95,
    "counts": {"matched": 0, "mismatch": 1},
    "numbers": [NUMBER],
    "missing_facts": ["cost"],
}


def test_scan() -> None:
    vague = {"text": "a handful", "start": 0, "end": 9}
    assert accepts("scan", {"quantities": [QUANTITY], "vague": [vague], "hidden": [QUANTITY]})
    for changed in ({"value": 4.5}, {"value": "4.5bn"}, {"bound": "="}, {"start": -1}):
        quantity = {**QUANTITY, **changed}
        assert not accepts("scan", {"quantities": [quantity], "vague": [], "hidden": []})


def test_tie() -> None:
    assert accepts("tie", TIE)
    assert accepts("tie", {**TIE, "numbers": [{**NUMBER, "fact": None, "source": None}]})
    assert not accepts("tie", {**TIE, "numeric_consistency": 2})
    assert not accepts("tie", {**TIE, "numbers": [{**NUMBER, "verdict": "wrong"}]})


ITEM = {
    "id": "word_limit",
    "role": "required",
    "passed": True,
    "rationale": "12 words",
    "evidence": [{"text": "a", "start": 0, "end": 1}],
    "by": "code",
}


def test_details() -> None:
    rubric = {"judge": "rules", "kind": "items", "score": 0.5, "items": [ITEM]}
    numbers = {**TIE, "vague": [], "unsettled": []}
    assert accepts("details", {"numbers": numbers, "rubric": rubric, "not_measured": []})
    assert accepts("details", {"not_measured": ["judge_rubric"], "reason": "no document"})
    attempt = {"text": "a", "start": 0, "end": 1, "kind": "hidden"}
    assert accepts("details", {"rubric": {**rubric, "steering": [attempt]}, "not_measured": []})
    assert not accepts("details", {"rubric": {**rubric, "steering": []}, "not_measured": []})
    assert not accepts("details", {"numbers": numbers})
    assert not accepts("details", {"numbers": {}, "not_measured": []})
    assert not accepts(
        "details", {"rubric": {**rubric, "items": [{**ITEM, "passed": 1}]}, "not_measured": []}
    )


def test_validate() -> None:
    row = {
        "task": "sample-note",
        "seed": 1,
        "solution": "nop",
        "outcome": "agent_failed",
        "reward": 0.0,
        "metrics": {},
        "ok": True,
        "why": "",
    }
    assert accepts("validate", {"ok": True, "results": [row]})
    assert not accepts("validate", {"ok": True, "results": [{**row, "reward": 3}]})
    assert not accepts("validate", {"results": [row]})


def test_run() -> None:
    run = {
        "config": {"seeds": "1-5"},
        "config_sources": {"seeds": "default"},
        "sandbox": "local",
        "versions": {"portfolio-agent-evals": "0.1.0"},
        "digests": {"verifier": "ab", "tasks": {"sample-note": "cd"}},
        "judge": {"name": "rules", "stand_in": True},
        "trials": ["sample-note/seed-1/oracle"],
    }
    assert accepts("run", run)
    assert not accepts("run", {**run, "digests": {"tasks": {}}})
    assert not accepts("run", {**run, "config_sources": {"seeds": "guess"}})
