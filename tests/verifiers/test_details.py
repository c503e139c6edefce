"""What the verifier writes, held against the schemas that other programs rely on."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

import pae_schemas
from pae_verifiers.__main__ import run
from pae_verifiers.details import check_size, dump
from pae_verifiers.errors import DocumentError

if TYPE_CHECKING:
    from tests.verifiers.conftest import Case

Edit = Callable[[str, str], None]


def check(name: str, text: str) -> None:
    """Validate JSON text against the schema called ``name``, references between them resolved."""
    resources = [Resource.from_contents(pae_schemas.load(other)) for other in pae_schemas.names()]
    registry: Registry[Any] = resources @ Registry()
    schema = pae_schemas.load(name)
    Draft202012Validator(schema, registry=registry).validate(json.loads(text))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Dear", "Dear"),
        ("$1,234.56", "$1,234.567"),
        ("9.4%", "9.5%"),
        ("9.4%", "17.3% <!-- 5% -->, a double-digit return"),
        ("Volatility is", "Shares will rise. Volatility is"),
        ("Volatility is now 9.4%.", ""),
    ],
)
def test_details_and_reward_follow_their_schemas(
    case: Case, edit: Edit, old: str, new: str
) -> None:
    if old != new:
        edit(old, new)
    score = run(case.tests, case.fixtures, case.outputs)
    check("details", dump(score.details))
    check("reward", dump(score.reward_json()))


def test_a_document_that_is_not_there_follows_them_too(case: Case) -> None:
    case.memo.unlink()
    score = run(case.tests, case.fixtures, case.outputs)
    check("details", dump(score.details))
    check("reward", dump(score.reward_json()))


def test_json_is_readable_and_keeps_its_order() -> None:
    assert dump({"b": 1.0, "a": "5 – 7 %"}) == '{\n "b": 1.0,\n "a": "5 – 7 %"\n}\n'


def test_what_is_not_a_number_is_refused() -> None:
    with pytest.raises(ValueError, match="Out of range float values"):
        dump({"reward": float("nan")})


def test_details_that_nobody_could_keep_are_a_bad_documents() -> None:
    check_size({"sentence": "x" * ((12 << 20) - 100)})
    with pytest.raises(DocumentError, match="12 MB of details"):
        check_size({"sentence": "x" * (12 << 20)})
