"""The scanner on cases that others wrote: Microsoft Recognizers-Text, in English and Chinese.

A quantity is right where value and unit both are; extra is a quantity of the file's own kind
(money, or rates) that is not expected. Run as a script, it prints each miss.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

import pytest

from pae_verifiers.numbers import markdown, plain, scanner
from pae_verifiers.numbers.lexicon import CURRENCY_CODES
from pae_verifiers.numbers.model import EXEMPT_KINDS, Document, Quantity

DATA = Path(__file__).parent / "recognizers"
RATES = frozenset({"percent", "pp", "bps"})
FILES = {"currency_en": "0.97", "percent_en": "0.97", "currency_zh": "0.90", "percent_zh": "0.90"}


@dataclass
class Score:
    """Counts over one file, and a line for each case that is not as expected."""

    expected: int = 0
    right: int = 0
    cases: int = 0
    without_extra: int = 0
    misses: list[str] = field(default_factory=list)


def stated(document: Document, units: frozenset[str]) -> list[Quantity]:
    found = scanner.scan(document).quantities
    return [q for q in found if q.kind not in EXEMPT_KINDS and q.unit in units]


def cases(name: str) -> Iterator[tuple[str, list[tuple[Decimal, str]]]]:
    """(text, [(value, unit)]) of each line."""
    for line in (DATA / f"recognizers_{name}.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        yield case["text"], [(Decimal(one["value"]), one["unit"]) for one in case["expected"]]


def measure(name: str, *, as_markdown: bool = True) -> Score:
    score = Score()
    units = CURRENCY_CODES if name.startswith("currency") else RATES
    for text, expected in cases(name):
        document = markdown.render(text) if as_markdown else plain.render(text)
        found = [(q.value, q.unit) for q in stated(document, units)]
        missed = []
        for one in expected:
            if one in found:
                found.remove(one)
            else:
                missed.append(one)
        score.cases += 1
        score.expected += len(expected)
        score.right += len(expected) - len(missed)
        score.without_extra += not found
        if missed or found:
            score.misses.append(f"{text!r}: missed {missed}, extra {found}")
    return score


@pytest.mark.parametrize("as_markdown", [True, False])
@pytest.mark.parametrize(("name", "least"), FILES.items())
def test_value_and_unit_are_right_and_nothing_is_extra(
    name: str, least: str, as_markdown: bool
) -> None:
    score = measure(name, as_markdown=as_markdown)
    report = "\n".join(score.misses)
    assert Decimal(score.right) / score.expected >= Decimal(least), report
    assert Decimal(score.without_extra) / score.cases >= Decimal(least), report


if __name__ == "__main__":
    for file in FILES:
        result = measure(file)
        print(*result.misses, sep="\n")  # noqa: T201
        print(  # noqa: T201
            f"{file}: right {result.right} of {result.expected}, "
            f"no extra in {result.without_extra} of {result.cases}"
        )
