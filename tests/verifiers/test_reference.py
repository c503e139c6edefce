"""What a document may be held against beside the facts."""

from __future__ import annotations

from pathlib import Path

import pytest

from pae_verifiers.errors import VerifierInputError
from pae_verifiers.reference import find, from_text


def test_a_task_need_not_have_one(tmp_path: Path) -> None:
    assert find(tmp_path) is None


def test_it_may_be_text_or_data(tmp_path: Path) -> None:
    (tmp_path / "reference.json").write_text('{"answer": [1, 2.5, null]}')
    assert find(tmp_path) == {"answer": [1, 2.5, None]}
    assert from_text("answer: [1, 2.5, null]\n", "reference.yaml") == {"answer": [1, 2.5, None]}
    assert from_text("# An answer\n", "reference.md") == "# An answer\n"
    assert from_text("{not: data", "reference.txt") == "{not: data"


def test_dates_in_yaml_are_text() -> None:
    assert from_text("day: 2026-11-30\n", "a.yml") == {"day": "2026-11-30"}


@pytest.mark.parametrize(
    ("text", "file", "message"),
    [
        ("{", "reference.json", "reference.json: not plain JSON data: Expecting"),
        ('{"a": NaN}', "reference.json", "reference.json: not plain JSON data: Out of range"),
        ("a: .inf", "reference.yaml", "reference.yaml: not plain JSON data: Out of range"),
        ("a: [", "reference.yaml", "reference.yaml:2: not valid YAML: "),
    ],
)
def test_data_of_no_use_is_refused(text: str, file: str, message: str) -> None:
    with pytest.raises(VerifierInputError) as caught:
        from_text(text, file)
    assert str(caught.value).startswith(message)


def test_a_reference_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "reference.md").write_bytes(b"\xff")
    with pytest.raises(VerifierInputError, match=r"reference\.md: not UTF-8 text \(byte 0\)"):
        find(tmp_path)
