"""The frozen prompt for research answers, byte for byte."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.verifiers.judge.steering_documents import DOCUMENTS, INNOCENT, ORDER

from pae_verifiers.errors import RubricError
from pae_verifiers.judge import prompts
from pae_verifiers.judge.prompts import seed
from pae_verifiers.rubric.item import Item
from pae_verifiers.rubric.items import ItemsRubric
from pae_verifiers.rubric.model import Case, Rubric

GOLDEN = Path(__file__).parent / "golden"
CONTEXT = {"question": "Wie hoch?\nIn €, 以歐元計", "sources": [1, 2.5, None]}
REFERENCE = 'About "935.44" €: <b>\u200b'
CANDIDATE = 'Der Betrag ist 935,44 €.\n\n再平衡 "fertig"\\ \u200b<b>\n'

MakeCase = Callable[..., Case]


@pytest.mark.parametrize(
    ("golden", "system"),
    [("seed.json", None), ("seed-system.json", "Frozen:\r\n judge – only.\u2028 {x}\n")],
)
def test_the_whole_request(golden: str, system: str | None, rubric: Rubric, case: MakeCase) -> None:
    judged = case(CANDIDATE, context=CONTEXT, reference=REFERENCE)
    body = prompts.load("seed", system).request(rubric, judged).body("google/gemini-3.7-flash")
    sent = json.dumps(body, ensure_ascii=False, indent=1) + "\n"
    assert sent.encode() == (GOLDEN / golden).read_bytes()


def test_four_blocks_with_an_empty_line_between(rubric: Rubric, case: MakeCase) -> None:
    judged = case(CANDIDATE, context=CONTEXT, reference=REFERENCE)
    user = prompts.load("seed").request(rubric, judged).messages[1].content
    assert user == (
        '{"question": "Wie hoch?\\nIn €, 以歐元計", "sources": [1, 2.5, null]}\n\n'
        '"About \\"935.44\\" €: <b>\u200b"\n\n'
        '[{"rubricId":"says_why","role":"required",'
        '"criterion":"The memo says why <it> traded: “drift” – 偏離."},'
        '{"rubricId":"greets","role":"optional","criterion":"The memo greets the client."},'
        '{"rubricId":"forecast","role":"disallowed","criterion":"The memo forecasts."}]\n\n'
        '"Der Betrag ist 935,44 \\u20ac.\\n\\n\\u518d\\u5e73\\u8861 \\"fertig\\"\\\\ '
        '\\u200b<b>\\n"'
    )


@pytest.mark.parametrize(
    ("given", "first"),
    [
        ({}, "null"),
        ({"context": "the task"}, '"the task"'),
        ({"facts": {"a": 1}}, '{"a": 1}'),
        ({"context": [], "facts": {"a": 1}}, '{"context": [], "facts": {"a": 1}}'),
    ],
)
def test_the_task_context(
    given: dict[str, Any], first: str, rubric: Rubric, case: MakeCase
) -> None:
    user = prompts.load("seed").request(rubric, case(CANDIDATE, **given)).messages[1].content
    assert user.startswith(f"{first}\n\nnull\n\n[")


@pytest.mark.parametrize(("n", "cap"), [(1, 2048), (2, 2048), (3, 2400), (20, 16000), (40, 16000)])
def test_the_settings(n: int, cap: int, case: MakeCase) -> None:
    items = tuple(Item(f"i{i}", "required", "It.", weight=Fraction(1, n)) for i in range(n))
    code = Item("code", "optional", "It.", by="code")
    body = prompts.load("seed").request(ItemsRubric((*items, code)), case(CANDIDATE)).body("m")
    assert {key: body[key] for key in body if key != "messages"} == {
        "model": "m",
        "max_tokens": cap,
        "temperature": 0.0,
        "reasoning_effort": "high",
        "response_format": {"type": "json_object"},
    }


def test_another_kind_of_rubric_is_refused(rubric: Rubric, case: MakeCase) -> None:
    assert isinstance(rubric, ItemsRubric)
    likert = replace(rubric, kind="likert")
    with pytest.raises(RubricError, match="asks about rubrics of the kind 'items', not 'likert'"):
        prompts.load("seed").request(likert, case(CANDIDATE))


def test_the_system_message_holds_nothing_of_the_task(rubric: Rubric, case: MakeCase) -> None:
    judged = case(CANDIDATE, context=CONTEXT, reference=REFERENCE)
    assert prompts.load("seed").request(rubric, judged).messages[0].content == seed.SYSTEM


@pytest.mark.parametrize("name", DOCUMENTS)
def test_whoever_tries_to_steer_changes_no_byte_outside_the_candidate(
    name: str, rubric: Rubric, case: MakeCase
) -> None:
    document = DOCUMENTS[name].document
    system, user = prompts.load("seed").request(rubric, case(document, reference=ORDER)).messages
    expected = prompts.load("seed").request(rubric, case(INNOCENT, reference=ORDER)).messages
    *before, candidate = user.content.split("\n\n")
    assert (system.role, user.role) == ("system", "user")
    assert (system, before) == (expected[0], expected[1].content.split("\n\n")[:-1])
    assert json.loads(candidate) == document


def test_a_repair_appends_the_reply_and_its_faults(rubric: Rubric, case: MakeCase) -> None:
    asked = prompts.load("seed").request(rubric, case(CANDIDATE))
    again = prompts.load("seed").repair(asked, '{"criteria":\n[]}', ("no item é",))
    assert again == replace(asked, messages=again.messages)
    assert again.messages[0] == asked.messages[0]
    assert again.messages[1].content == (
        f"{asked.messages[1].content}\n\n{seed.REPAIR}\n\n"
        '"{\\"criteria\\":\\n[]}"\n\n["no item \\u00e9"]'
    )


def test_a_lone_surrogate_can_be_sent(rubric: Rubric, case: MakeCase) -> None:
    user = prompts.load("seed").request(rubric, case("x", context="a\ud83d")).messages[1].content
    assert user.startswith('"a\\ud83d"\n\n')
    user.encode()


def test_the_digest_is_that_of_the_wording() -> None:
    digests = {
        prompts.load("seed").digest,
        prompts.load("seed", "").digest,
        prompts.load("hardened").digest,
        prompts.load("hardened", "").digest,
    }
    assert len(digests) == 4
