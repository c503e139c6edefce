"""What two judgements must share to have been asked in the same way."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.judge.fingerprint import fingerprint, rubric_digest
from pae_verifiers.judge.prompts import Prompt
from pae_verifiers.judge.prompts import load as load_prompt
from pae_verifiers.numbers.markdown import render
from pae_verifiers.rubric.item import Item
from pae_verifiers.rubric.items import ItemsRubric
from pae_verifiers.rubric.model import Case

ITEM = Item("says_why", "required", "It says why.", weight=Fraction(1))
RUBRIC = ItemsRubric((ITEM,))


def made(
    *,
    prompt: Prompt | None = None,
    rubric: ItemsRubric = RUBRIC,
    text: str = "A memo.",
    **changed: Any,
) -> dict[str, Any]:
    prompt = prompt or load_prompt()
    request = prompt.request(rubric, Case(Candidate(render(text))))
    told = {"dropped": (), "requested": "gm", "resolved": "gm-2026-11-01", **changed}
    return fingerprint(prompt, rubric, request, **told).to_json()


def test_its_parts_are_prompt_rubric_parameters_and_models() -> None:
    parts = made()
    assert parts == {
        "digest": parts["digest"],
        "prompt": {"name": "hardened", "digest": load_prompt().digest},
        "rubric": rubric_digest(RUBRIC),
        "parameters": {
            "max_tokens": 2048,
            "temperature": 0.0,
            "response_format": {"type": "json_object"},
        },
        "dropped": [],
        "model": {"requested": "gm", "resolved": "gm-2026-11-01"},
    }
    assert len(parts["digest"]) == 64


def test_the_document_is_no_part_of_it() -> None:
    assert made(text="Another memo.") == made()


@pytest.mark.parametrize(
    "changed",
    [
        {"prompt": load_prompt("hardened", "Be strict.")},
        {"rubric": ItemsRubric((replace(ITEM, text="It says why not."),))},
        {"requested": "other"},
        {"resolved": "gm-2026-12-01"},
        {"dropped": ("temperature",)},
    ],
)
def test_whatever_else_changes_changes_the_digest(changed: dict[str, Any]) -> None:
    assert made(**changed)["digest"] != made()["digest"]


def test_what_was_refused_is_no_parameter_any_more() -> None:
    parts = made(dropped=("temperature", "max_tokens (sent as max_completion_tokens)"))
    assert parts["parameters"] == {
        "max_tokens": 2048,
        "response_format": {"type": "json_object"},
    }
