"""``--judge``: what can be named, and one sentence for what cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from pae_harness.errors import UsageError
from pae_harness.judges import PROMPTS, key_of, parse
from pae_verifiers.judge import models, prompts


def test_each_kind_has_its_spelling(tmp_path: Path) -> None:
    assert [parse(name).kind for name in ("rules", "off", "m@openai", "m@http://h/v1")] == [
        *("rules", "off", "model", "model"),
    ]
    replayed = parse(f"replay:{tmp_path}")
    assert (replayed.kind, replayed.records) == ("replay", tmp_path)


def test_what_is_replayed_stays_when_the_link_to_it_moves(tmp_path: Path) -> None:
    (tmp_path / "first").mkdir()
    (tmp_path / "latest").symlink_to("first")
    assert parse(f"replay:{tmp_path / 'latest'}").records == tmp_path / "first"


def test_a_model_is_asked_in_the_ways_that_the_verifier_knows() -> None:
    assert tuple(prompts.PROMPTS) == PROMPTS
    assert parse("m@openai").prompt == "hardened"


def test_only_the_embedded_one_is_a_stand_in() -> None:
    assert [parse(name).stand_in for name in ("rules", "off", "m@openai")] == [True, False, False]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("rule", "unknown judge 'rule'; did you mean 'rules'?"),
        (
            "gpt",
            "unknown judge 'gpt'; use rules, off, MODEL@PROVIDER, MODEL@BASE_URL or replay:DIR",
        ),
        ("replay:", "judge 'replay:': '' is no folder; give a run's folder"),
        ("replay:none", "judge 'replay:none': 'none' is no folder; give a run's folder"),
        ("m@nobody", "'nobody' is neither a provider"),
    ],
)
def test_what_is_no_judge_is_said(name: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(name)
    assert str(caught.value).startswith(message)


def test_the_first_variable_that_is_set_holds_the_key() -> None:
    model = models.parse("m@openai")
    both = {"JUDGE_API_KEY": "", "OPENAI_API_KEY": " sk-own\n"}
    assert key_of(model, both) == "sk-own"
    assert key_of(model, {**both, "JUDGE_API_KEY": "sk-judge"}) == "sk-judge"


def test_a_server_of_one_s_own_needs_none() -> None:
    assert key_of(models.parse("m@ollama"), {}) == ""
    assert key_of(models.parse("m@http://127.0.0.1:1/v1"), {"JUDGE_API_KEY": "k"}) == "k"
