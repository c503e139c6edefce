"""Right figures in the wrong place: two swapped, or one replaced by another fact of its unit."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pae_verifiers.numbers.markdown import render
from pae_verifiers.numbers.matcher import matches
from pae_verifiers.numbers.measure import known, shown
from pae_verifiers.numbers.model import Fact, Facts, NumberVerdict, Quantity, Tie
from pae_verifiers.numbers.scanner import scan
from pae_verifiers.numbers.tie import tie

SEEDS = 20
TRIED = 10  # swaps of each memo, drawn at random but always the same
LEAST = 0.95  # of them that must cost credit
REPLACED = 0.9  # the same of replacements, where no second number gives the mistake away
HONEST = sorted((Path(__file__).parents[1] / "honest").iterdir())

Known = Callable[[str, str], Facts]


class Memo(NamedTuple):
    """A memo that ties out, with its facts."""

    name: str
    text: str
    facts: Facts

    def tied(self, text: str) -> Tie:
        return tie(scan(render(text)), self.facts)


@pytest.fixture(scope="module")
def oracles(
    rebalance_seeds: Any, oracle_memo: Callable[[str], str], known_facts: Known
) -> list[Memo]:
    return [
        Memo(f"seed {s.seed}", oracle_memo(s.text), known_facts(s.text, s.policy_text))
        for s in rebalance_seeds[:SEEDS]
    ]


@pytest.fixture(scope="module")
def honest(known_facts: Known) -> list[Memo]:
    return [
        Memo(
            folder.name,
            (folder / "memo.md").read_text("utf-8"),
            known_facts(
                (folder / "results.json").read_text("utf-8"),
                (folder / "ips.yaml").read_text("utf-8"),
            ),
        )
        for folder in HONEST
    ]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["oracles", "honest"])
def test_swapping_two_numbers_costs_credit(
    kind: str, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    total, free = _tried(request.getfixturevalue(kind), _swaps)
    with capsys.disabled():
        print("", f"{len(free)} of {total} swaps in {kind} cost nothing:", *free, sep="\n  ")  # noqa: T201
    assert len(free) <= (1 - LEAST) * total


@pytest.mark.slow
def test_giving_another_fact_of_the_unit_costs_credit(
    oracles: list[Memo], capsys: pytest.CaptureFixture[str]
) -> None:
    total, free = _tried(oracles, _replacements)
    with capsys.disabled():
        print("", f"{len(free)} of {total} replacements cost nothing:", *free, sep="\n  ")  # noqa: T201
    assert len(free) <= (1 - REPLACED) * total


def _tried(
    memos: list[Memo], edits: Callable[[Memo, list[NumberVerdict]], Iterator[tuple[str, str]]]
) -> tuple[int, list[str]]:
    """How many edits were tried, and those that cost nothing; the memos themselves tie out."""
    total, free = 0, []
    for memo in memos:
        tied = memo.tied(memo.text)
        assert tied.numeric_consistency == 1, memo.name
        every = list(edits(memo, [n for n in tied.numbers if _is_a_figure(n)]))
        for label, text in random.Random(memo.name).sample(every, min(TRIED, len(every))):
            total += 1
            if memo.tied(text).numeric_consistency == 1:
                free.append(f"{memo.name}: {label}")
    return total, free


def _is_a_figure(number: NumberVerdict) -> bool:
    digits = number.verdict == "matched" and number.quantity.kind == "quantity"
    return digits and number.fact is not None and not number.hidden


def _swaps(memo: Memo, numbers: list[NumberVerdict]) -> Iterator[tuple[str, str]]:
    """Every pair of one unit in each other's place, unless both are then right as well."""
    for one, two in combinations(numbers, 2):
        first, second = one.quantity, two.quantity
        if first.unit != second.unit or abs(first.value) == abs(second.value):
            continue
        assert one.fact
        assert two.fact
        if _is_right(first, two.fact) and _is_right(second, one.fact):
            continue
        between = memo.text[first.end : second.start]
        start, end = memo.text[: first.start], memo.text[second.end :]
        left, right = _written(memo.text, first), _written(memo.text, second)
        label = f"{left} {one.fact.pointer} <-> {right} {two.fact.pointer}"
        yield label, f"{start}{right}{between}{left}{end}"


def _replacements(memo: Memo, numbers: list[NumberVerdict]) -> Iterator[tuple[str, str]]:
    """Every figure with every other fact of its unit in its place, which it is not."""
    for number in numbers:
        quantity, own = number.quantity, number.fact
        assert own
        written = _written(memo.text, quantity)
        digits = [at for at, char in enumerate(written) if char.isdigit()]
        first, last = digits[0], digits[-1] + 1
        for fact in memo.facts.facts:
            size = abs(fact.value)
            if fact.unit != own.unit or quantity.unit != own.unit or not size:
                continue
            if quantity.scale != 1 or _is_right(_with_value(quantity, fact), own):
                continue
            text = f"{written[:first]}{size:,}{written[last:]}"
            label = f"{written} {own.pointer} <- {size:,} {fact.pointer}"
            yield label, memo.text[: quantity.start] + text + memo.text[quantity.end :]


def _with_value(quantity: Quantity, fact: Fact) -> Quantity:
    from dataclasses import replace

    return replace(quantity, value=fact.value, quantum=abs(fact.value) / 1000)


def _is_right(quantity: Quantity, fact: Fact) -> bool:
    return matches(shown(quantity), known(fact), apart=True)


def _written(text: str, quantity: Quantity) -> str:
    return text[quantity.start : quantity.end]
