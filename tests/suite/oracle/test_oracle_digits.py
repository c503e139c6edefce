"""Changing a digit of a number in the oracle's memo costs credit."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pae_verifiers.numbers.markdown import render
from pae_verifiers.numbers.model import Fact, Facts, Tie
from pae_verifiers.numbers.scanner import scan
from pae_verifiers.numbers.tie import tie

SEEDS = 10
CHANGES = 20  # of each seed's, drawn at random but always the same


@pytest.mark.slow
def test_changing_a_digit_costs_credit(
    rebalance_seeds: Any,
    oracle_memo: Callable[[str], str],
    known_facts: Callable[[str, str], Facts],
    capsys: pytest.CaptureFixture[str],
) -> None:
    total = 0
    free: list[str] = []
    strange: list[str] = []
    for seed in rebalance_seeds[:SEEDS]:
        facts = known_facts(seed.text, seed.policy_text)
        memo = oracle_memo(seed.text)
        changes = list(_changes(memo, tie(scan(render(memo)), facts)))
        for at, digit, fact in random.Random(seed.seed).sample(changes, CHANGES):
            total += 1
            changed = tie(scan(render(memo[:at] + digit + memo[at + 1 :])), facts)
            if changed.numeric_consistency < 1:
                continue
            line = f"seed {seed.seed}: {_describe(memo, at, digit)}: {fact and fact.pointer}"
            free.append(line)
            if not _same_subject(fact, _fact_at(changed, at)):
                strange.append(line)
    with capsys.disabled():
        print("", f"{len(free)} of {total} changes of a digit cost nothing:", *free, sep="\n  ")  # noqa: T201
    assert strange == []
    assert len(free) <= 0.04 * total


def _changes(memo: str, tied: Tie) -> Iterator[tuple[int, str, Fact | None]]:
    """Every place of a digit of a matched number, with every other digit and the fact."""
    for number in tied.numbers:
        if number.verdict != "matched":
            continue
        for at in range(number.quantity.start, number.quantity.end):
            for digit in "0123456789" if memo[at].isdigit() else "":
                if digit != memo[at]:
                    yield at, digit, number.fact


def _fact_at(tied: Tie, at: int) -> Fact | None:
    """The fact that the number at a place of the source ties out to."""
    found = (n for n in tied.numbers if n.quantity.start <= at < n.quantity.end)
    number = next(found, None)
    return number.fact if number is not None and number.verdict == "matched" else None


def _same_subject(before: Fact | None, after: Fact | None) -> bool:
    """One fact (another rounding of it), or two whose first alias groups share a word."""
    if before is None or after is None:
        return False
    if before.pointer == after.pointer:
        return True
    first, second = ({a.casefold() for a in fact.aliases[0]} for fact in (before, after))
    return not first.isdisjoint(second)


def _describe(memo: str, at: int, digit: str) -> str:
    return repr(f"{memo[max(0, at - 30) : at]}[{memo[at]}→{digit}]{memo[at + 1 : at + 12]}")
