"""docs/rubrics.md: what it shows can be used as it stands, and earns what it says."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

from tests.verifiers.rubric.cases import case

import pae_schemas
from pae_verifiers.rubric.items import ItemsRubric
from pae_verifiers.rubric.likert import LikertRubric
from pae_verifiers.rubric.load import load
from pae_verifiers.rubric.points import PointsRubric
from pae_verifiers.yamlfile import parse

PAGE = (Path(__file__).parents[3] / "docs" / "rubrics.md").read_text(encoding="utf-8")
ITEMS, LIKERT, POINTS = re.findall(r"```yaml\n(.*?)```", PAGE, re.S)


def test_the_rubrics_are_as_their_schemas_say() -> None:
    for text in (ITEMS, LIKERT, POINTS):
        value = parse(text, "rubrics.md").plain()
        assert list(pae_schemas.validator("rubric").iter_errors(value)) == []


def test_the_items() -> None:
    rubric = load(ITEMS)
    assert isinstance(rubric, ItemsRubric)
    passed = dict.fromkeys((item.id for item in rubric.items), True)
    assert rubric.metric(passed | {"break_even": False, "promise": False}) == Fraction(2, 10)


def test_the_scores() -> None:
    rubric = load(LIKERT)
    assert isinstance(rubric, LikertRubric)
    assert rubric.metric([5, 5, 3]) == Fraction(10, 24)
    assert "= 0.417" in PAGE and round(10 / 24, 3) == 0.417


def test_the_points() -> None:
    rubric = load(POINTS)
    assert isinstance(rubric, PointsRubric)
    reply = {
        "scores": {
            "factual_accuracy": {"score": 2, "rationale": "right"},
            "causal_reasoning": {"score": 3, "rationale": "complete"},
        },
        "bonus": {"cross_domain_bonus": {"score": 1, "rationale": "tax"}},
        "flags": {
            "self_contradictory_chain": {"raised": True, "rationale": "denied", "evidence": []}
        },
    }
    assert rubric.grade(reply, case()).score == Fraction(3, 5)


def test_the_python() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    names: dict[str, object] = {}
    setup, _, shown = code.partition("\n\n")
    exec(setup, names)
    for line in shown.splitlines():
        expression, _, value = line.partition("  # ")
        assert repr(eval(expression, names)) == value
