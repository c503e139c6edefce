"""Every number of results.json, worked out again; INPUTS are the only ones taken as given."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest

Leaves = dict[str, object]
Expected = Callable[[dict[str, Any]], dict[str, Any]]
INPUTS = re.compile(
    r"/policy/.*|/sleeves/[a-z_]+/(target_pct|band_pp)"
    r"|/portfolio/cash_before_usd|/tax/losses_brought_forward_usd"
)


def leaves(tree: object, pointer: str = "") -> Iterator[tuple[str, object]]:
    if isinstance(tree, Mapping):
        for key, value in tree.items():
            yield from leaves(value, f"{pointer}/{key}")
    elif isinstance(tree, list):
        yield f"{pointer}#", Fraction(len(tree))
        for index, value in enumerate(tree):
            yield from leaves(value, f"{pointer}/{index}")
    else:
        yield pointer, tree


@pytest.fixture(scope="module")
def compared(
    rebalance_seeds: Sequence[Any], rebalance_expected: Expected
) -> tuple[tuple[int, Leaves, Leaves], ...]:
    """By seed, what results.json states and what was worked out, by pointer."""
    return tuple(
        (seed.seed, dict(leaves(seed.results)), dict(leaves(rebalance_expected(seed.results))))
        for seed in rebalance_seeds
    )


def test_every_number_follows_from_the_inputs(
    compared: Sequence[tuple[int, Leaves, Leaves]],
) -> None:
    for seed, stated, worked_out in compared:
        wrong = {p: (v, stated.get(p)) for p, v in worked_out.items() if stated.get(p) != v}
        assert not wrong, f"seed {seed}: {wrong}"


def test_no_number_is_left_out_of_the_recomputation(
    compared: Sequence[tuple[int, Leaves, Leaves]],
) -> None:
    for seed, stated, worked_out in compared:
        numbers = [p for p, v in stated.items() if isinstance(v, Fraction) and p[-1] != "#"]
        unexplained = [p for p in numbers if p not in worked_out and not INPUTS.fullmatch(p)]
        assert not unexplained, f"seed {seed}: {unexplained}"
