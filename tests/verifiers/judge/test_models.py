"""Which model a name stands for."""

from __future__ import annotations

import pytest

from pae_verifiers.errors import VerifierInputError
from pae_verifiers.judge.models import PRESETS, Model, parse


def test_a_provider_s_name_gives_its_endpoint_and_its_key() -> None:
    assert parse("gpt-9@openai") == Model(
        "gpt-9", "https://api.openai.com/v1", "openai", ("JUDGE_API_KEY", "OPENAI_API_KEY")
    )


def test_the_last_at_sign_divides() -> None:
    assert parse("vendor/model@2026@openrouter").name == "vendor/model@2026"


def test_any_endpoint_can_be_named() -> None:
    model = parse("small@http://127.0.0.1:8080/v1/")
    assert (model.base_url, model.provider) == ("http://127.0.0.1:8080/v1", "")
    assert model.key_variables == ("JUDGE_API_KEY",)


@pytest.mark.parametrize(("name", "needed"), [("openai", True), ("ollama", False)])
def test_a_local_server_needs_no_key(name: str, needed: bool) -> None:
    assert parse(f"m@{name}").needs_key is needed


def test_every_preset_is_spoken_to_in_private_or_on_this_machine() -> None:
    assert all(
        preset.base_url.startswith(("https://", "http://127.0.0.1:")) for preset in PRESETS.values()
    )


@pytest.mark.parametrize(
    "text",
    ["gpt-9", "@openai", "gpt-9@", "gpt-9@opnai", "gpt-9@ftp://host/v1", "m@http://", "a b@openai",
     "m@http://host:port/v1"],
)  # fmt: skip
def test_what_names_no_endpoint_is_refused(text: str) -> None:
    with pytest.raises(VerifierInputError, match=r"PROVIDER|provider"):
        parse(text)


@pytest.mark.parametrize("tail", ["user:sk-secret@host/v1", "host/v1?key=sk-secret"])
def test_a_key_in_an_address_is_refused_and_not_repeated(tail: str) -> None:
    with pytest.raises(VerifierInputError) as caught:
        parse(f"m@https://{tail}")
    assert "secret" not in str(caught.value)
