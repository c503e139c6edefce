"""Digests of JSON data."""

from __future__ import annotations

import json

import pytest

from pae_verifiers.canonical import canonical, digest


def test_the_digest_is_of_the_data_and_not_of_its_spelling() -> None:
    assert canonical({"b": 1, "a": "é"}) == b'{"a":"\\u00e9","b":1}'
    assert digest({"b": 1, "a": [1, 2]}) == digest(json.loads('{ "a" : [1,2], "b":1 }'))
    with pytest.raises(ValueError, match="JSON"):
        canonical(float("nan"))
