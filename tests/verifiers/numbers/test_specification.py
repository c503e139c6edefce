"""The rules of scanning as at least 300 sentences: ``specification.txt`` says how each is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from pae_verifiers.numbers import markdown, scanner
from pae_verifiers.numbers.model import EXEMPT_KINDS, Quantity

TABLE = Path(__file__).with_name("specification.txt")


def rows() -> list[tuple[str, str]]:
    """(sentence, reading) of each row."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    parted = [line.partition(" =>") for line in lines if " =>" in line]
    return [(sentence.replace("\\n", "\n"), reading.strip()) for sentence, _, reading in parted]


def described(quantity: Quantity) -> str:
    if quantity.kind in EXEMPT_KINDS:
        return quantity.kind
    words = (
        quantity.bound,
        "spelled" if quantity.kind == "spelled" else None,
        format(quantity.value.normalize(), "f"),
        quantity.unit or "bare",
        "word" if quantity.sign_from_word else None,
        "lookalike" if quantity.lookalike else None,
        "p.a." if quantity.per_annum else None,
    )
    return " ".join(word for word in words if word)


def read(sentence: str) -> str:
    result = scanner.scan(markdown.render(sentence))
    found = [described(quantity) for quantity in result.quantities]
    found += [f"vague {vague.text}" for vague in result.vague]
    found += [f"hidden {described(quantity)}" for quantity in result.hidden]
    return ", ".join(found)


@pytest.mark.parametrize(("sentence", "reading"), rows())
def test_sentence_is_read_as_written_out(sentence: str, reading: str) -> None:
    assert read(sentence) == reading


def test_there_are_at_least_300_sentences() -> None:
    assert len({sentence for sentence, _ in rows()}) >= 300
