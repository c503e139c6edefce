"""What docs/rubric-checklist.md shows is what there is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from tests.verifiers.rubric.checklist.samples import FixedJudge

import pae_schemas
from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.numbers.markdown import render
from pae_verifiers.rubric.grade import grade
from pae_verifiers.rubric.load import load
from pae_verifiers.rubric.model import Case

PAGE = (Path(__file__).parents[4] / "docs" / "rubric-checklist.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def memo(*words: int) -> str:
    """A title of two words, a slogan of six, and paragraphs of so many words."""
    paragraphs = ["word " * count for count in words]
    parts = ["[MEMO]", "Leverage covenant", "A strong team stands behind it.", *paragraphs]
    return "\n\n".join([*parts, "[SOURCES]", "The loan agreement."])


def graded(reply: dict[str, Any], source: str) -> dict[str, Any]:
    found = grade(load(block("yaml")), FixedJudge(reply), Case(Candidate(render(source))))
    return found.details["dimensions"][0]  # type: ignore[no-any-return]


def test_the_rubric_fits_its_schema_and_the_reply_the_rubric() -> None:
    jsonschema.validate(yaml.safe_load(block("yaml")), pae_schemas.load("rubric_checklist"))
    jsonschema.validate(json.loads(block("json")), load(block("yaml")).reply_schema())


def test_the_feedback_is_that_of_the_reply() -> None:
    dimension = graded(json.loads(block("json")), memo(80, 80, 44))
    assert dimension["feedback"] + "\n" == block("text")


@pytest.mark.parametrize(
    ("verdict", "line"),
    [
        ("PASS", "- Slogan: -0 — It shouts. (capped at 15 in all)"),
        ("FAIL", "- Slogan: -0 — It shouts. (not applied: hard fail)"),
    ],
)
def test_the_remarks(verdict: str, line: str) -> None:
    assert f"| `{line}` |" in PAGE
    reply = json.loads(block("json"))
    reply["dimensions"][0]["checks"][0]["verdict"] = verdict
    slogan = {"specific": "It shouts.", "evidence": ["A strong team stands behind it."]}
    reply["dimensions"][0]["deductions"][0]["instances"] = [slogan] * 4
    source = memo() + "\n[MEMO]\n" + "A strong team stands behind it. " * 3
    assert graded(reply, source)["feedback"].splitlines()[-3] == line
