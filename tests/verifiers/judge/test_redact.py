"""A key, taken out of what comes back."""

from __future__ import annotations

from pae_verifiers.judge.redact import Redactor


def test_a_key_too_short_to_be_one_is_left_alone() -> None:
    assert Redactor("none").clean(b"none of it") == b"none of it"
    assert Redactor("").split(b"text") == (b"text", b"")
