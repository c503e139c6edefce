"""facts.yaml against the data: every pointer leads somewhere, every trap finds its material."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml

from pae_verifiers.numbers import facts as facts_module
from pae_verifiers.numbers.model import Facts

GROUPS = {
    "portfolio_value", "drift", "amount_traded", "trading_cost", "realised_gain", "tax_estimate",
    "volatility_before", "volatility_after", "var_after", "drawdown_after", "band_limit",
    "other_trigger",
}  # fmt: skip


@pytest.fixture(scope="module")
def config(rebalance_task: Path) -> Mapping[str, Any]:
    text = (rebalance_task / "tests" / "facts.yaml").read_text(encoding="utf-8")
    parsed: Mapping[str, Any] = yaml.safe_load(text)
    return parsed


@pytest.fixture(scope="module")
def known(rebalance_seeds: Sequence[Any], config: Mapping[str, Any]) -> tuple[Facts, ...]:
    """The facts of the first ten seeds, as the verifier loads them."""
    return tuple(
        facts_module.load(fixtures.text, config, texts=[fixtures.policy_text])
        for fixtures in rebalance_seeds[:10]
    )


@pytest.fixture(scope="module")
def pointers(rebalance_seeds: Sequence[Any]) -> tuple[frozenset[str], ...]:
    """By seed, the pointers of all numbers and array lengths."""
    return tuple(frozenset(walk(fixtures.results)) for fixtures in rebalance_seeds)


@pytest.fixture(scope="module")
def patterns(config: Mapping[str, Any]) -> Mapping[str, re.Pattern[str]]:
    return {key: re.compile(re.escape(key).replace(r"\*", "[^/]+")) for key in config["facts"]}


def walk(tree: object, pointer: str = "") -> Iterator[str]:
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from walk(value, f"{pointer}/{key}")
    elif isinstance(tree, list):
        yield f"{pointer}#"
        for index, value in enumerate(tree):
            yield from walk(value, f"{pointer}/{index}")
    elif isinstance(tree, Fraction):
        yield pointer


def test_every_seed_has_at_least_sixty_facts(pointers: Sequence[frozenset[str]]) -> None:
    sizes = [sum(not pointer.endswith("#") for pointer in seed) for seed in pointers]
    assert min(sizes) >= 150
    assert max(sizes) <= 400


def test_every_required_group_exists_on_every_seed(
    pointers: Sequence[frozenset[str]],
    patterns: Mapping[str, re.Pattern[str]],
    config: Mapping[str, Any],
) -> None:
    for seed in pointers:
        found = {
            config["facts"][key]["required"]
            for key, pattern in patterns.items()
            if "required" in config["facts"][key] and any(map(pattern.fullmatch, seed))
        }
        assert found == GROUPS


def test_the_verifier_sees_the_same_groups(known: Sequence[Facts]) -> None:
    for facts in known:
        assert set(facts.required) == GROUPS


def test_every_pointer_resolves_on_some_seed(
    pointers: Sequence[frozenset[str]], patterns: Mapping[str, re.Pattern[str]]
) -> None:
    # An array that is empty on a seed has no items there; its pattern holds on another seed.
    every = frozenset().union(*pointers)
    assert [
        key for key, pattern in patterns.items() if not any(map(pattern.fullmatch, every))
    ] == []


def test_every_number_has_words_of_its_own(
    pointers: Sequence[frozenset[str]], patterns: Mapping[str, re.Pattern[str]]
) -> None:
    numbers = {p for p in frozenset().union(*pointers) if not p.endswith("#")}
    unnamed = [p for p in numbers if not any(q.fullmatch(p) for q in patterns.values())]
    assert unnamed == []


def test_every_fact_has_a_unit(known: Sequence[Facts]) -> None:
    for facts in known:
        assert [fact.pointer for fact in facts.facts if fact.unit is None] == []


def test_every_sleeve_has_synonyms(
    rebalance_seeds: Sequence[Any], config: Mapping[str, Any]
) -> None:
    sleeves = {name for fixtures in rebalance_seeds for name in fixtures.results["sleeves"]}
    assert sleeves <= set(config["names"])
    assert len(sleeves) == 10


def test_the_instruction_names_the_headings(rebalance_task: Path) -> None:
    text = (rebalance_task / "instruction.md").read_text(encoding="utf-8")
    rubric = yaml.safe_load((rebalance_task / "tests" / "rubric.yaml").read_text(encoding="utf-8"))
    for section in rubric["sections"]:
        assert f"## {section['heading']}`" in text


def test_facts_know_signs(known: Sequence[Facts]) -> None:
    signs = {fact.pointer: fact.sign for fact in known[0].facts}
    assert signs["/gains/net_usd"] == "signed"
    assert signs["/risk/change/var_usd"] == "signed"
    assert signs["/risk/after/var_usd"] == "magnitude"
    assert signs["/costs/total/amount_usd"] == "magnitude"


def test_a_cost_reads_differently_in_bps_and_in_percent(rebalance_seeds: Sequence[Any]) -> None:
    for fixtures in rebalance_seeds:
        total = fixtures.results["costs"]["total"]
        assert total["of_portfolio_bps"] == total["of_portfolio_pct"] * 100
        assert total["of_turnover_bps"] >= 1


def test_a_small_negative_change_can_be_rounded_away(rebalance_seeds: Sequence[Any]) -> None:
    for fixtures in rebalance_seeds:
        change = fixtures.results["portfolio"]["value_change_pct"]
        assert Fraction(-5, 100) < change < 0
        assert fixtures.results["risk"]["change"]["tracking_error_pp"] < 0


def test_cost_and_tax_are_different_amounts(rebalance_seeds: Sequence[Any]) -> None:
    for fixtures in rebalance_seeds:
        cost = fixtures.results["costs"]["total"]["amount_usd"]
        tax = fixtures.results["tax"]["estimate_usd"]
        assert cost > 0
        assert abs(cost - tax) > cost / 50


def test_there_is_a_figure_in_percentage_points(known: Sequence[Facts]) -> None:
    for facts in known:
        values = {fact.pointer: fact.value for fact in facts.facts}
        assert abs(values["/risk/change/volatility_pp"]) >= Decimal("0.05")
        assert abs(values["/drift/largest/drift_pp"]) > Decimal("1.5")


def test_something_was_left_alone(rebalance_seeds: Sequence[Any]) -> None:
    for fixtures in rebalance_seeds:
        assert fixtures.results["not_done"]["left_alone_count"] >= 1
