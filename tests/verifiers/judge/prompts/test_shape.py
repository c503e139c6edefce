"""A reply schema as the form that a model fills in."""

from __future__ import annotations

from typing import Any

import pytest

from pae_verifiers.judge.prompts.shape import shape
from pae_verifiers.rubric.model import Rubric


def test_the_form_of_items(rubric: Rubric) -> None:
    answer = '"passed": true|false, "rationale": "...", "evidence": ["...", ...]'
    assert shape(rubric.reply_schema()) == (
        f'{{"criteria": [{{"rubricId": "says_why", {answer}}}, '
        f'{{"rubricId": "greets", {answer}}}, {{"rubricId": "forecast", {answer}}}]}}'
    )


@pytest.mark.parametrize(
    ("schema", "form"),
    [
        ({"type": "integer", "minimum": 1, "maximum": 5}, "1|2|3|4|5"),
        (
            {"type": "integer", "minimum": 0, "maximum": 90},
            "whole number at least 0 and at most 90",
        ),
        ({"type": "integer", "minimum": 0}, "whole number at least 0"),
        ({"type": "number"}, "number"),
        ({"enum": ["PASS", "FAIL", "N/A"]}, '"PASS"|"FAIL"|"N/A"'),
        ({"const": "a<b"}, r'"a\u003cb"'),
        ({"type": ["string", "null"]}, '"..."|null'),
        ({"anyOf": [{"type": "boolean"}, {"type": "null"}]}, "true|false or null"),
        ({"type": "array"}, "[...]"),
        (
            {"type": "array", "items": {"$ref": "#/$defs/n"}, "$defs": {"n": {"const": 1}}},
            "[1, ...]",
        ),
        ({"type": "array", "prefixItems": [{"const": 1}, {"const": 2}], "items": False}, "[1, 2]"),
        (
            {"type": "object", "properties": {"a": {}, "b": {"type": "null"}}},
            '{"a": ..., "b": null}',
        ),
    ],
)
def test_each_kind_of_blank(schema: dict[str, Any], form: str) -> None:
    assert shape(schema) == form
