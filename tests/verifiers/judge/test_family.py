"""Which family a model is of."""

from __future__ import annotations

import pytest

from pae_verifiers.judge.family import family, kinship


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("gpt-5.1", "gpt"),
        ("gpt-4o-mini-2024-07-18", "gpt"),
        ("chatgpt-4o-latest", "gpt"),
        ("o3-mini", "gpt"),
        ("openai/gpt-oss-120b", "gpt"),
        ("gpt-5@openai", "gpt"),
        ("gpt-5@http://127.0.0.1:8000/v1", "gpt"),
        ("claude-sonnet-4-5-20250929", "claude"),
        ("us.anthropic.claude-3-5-sonnet-20241022-v2:0", "claude"),
        ("claude-3-5-sonnet@20240620", "claude"),
        ("google/gemini-3.7-flash", "gemini"),
        ("gemma-3-27b-it", "gemini"),
        ("meta-llama/Llama-3.3-70B-Instruct", "llama"),
        ("@cf/meta/llama-3.1-8b-instruct", "llama"),
        ("codellama:13b", "llama"),
        ("Qwen2.5-Coder-0.5B-Instruct", "qwen"),
        ("qwq-32b", "qwen"),
        ("mistral-large-latest", "mistral"),
        ("open-mixtral-8x22b", "mistral"),
        ("codestral-2501", "mistral"),
        ("deepseek-chat", "deepseek"),
        ("deepseek-r1-distill-qwen-32b", "qwen"),
        ("x-ai/grok-4", "grok"),
        ("cohere/command-r-plus", "command"),
        ("phi-4", "phi"),
        ("my-own-model", None),
        ("olmo-2", None),
        ("", None),
    ],
)
def test_a_name_tells_the_family(model: str, expected: str | None) -> None:
    assert family(model) == expected


def test_judge_and_candidate_of_one_family_are_warned_of() -> None:
    assert kinship("gpt-5@openai", "openai/o3-mini") == (
        "the judge gpt-5@openai and the candidate openai/o3-mini are both of the family gpt: "
        "a judge tends to favour its own kind"
    )


@pytest.mark.parametrize(
    ("judge", "candidate"),
    [("gpt-5", "claude-opus"), ("mine", "mine"), ("gpt-5", "mine"), ("", "")],
)
def test_others_are_not(judge: str, candidate: str) -> None:
    assert kinship(judge, candidate) == ""
