"""The rebalance keeps the policy, and the two inputs agree on what the policy is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any


def numbers(tree: object) -> Iterator[tuple[str, Fraction]]:
    """The numbers of a YAML tree with the key that each stands under."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            if isinstance(value, int | float):
                yield key, Fraction(str(value))
            yield from numbers(value)


def test_shown_weights_sum_to_one_hundred(rebalance_seeds: Sequence[Any]) -> None:
    for fixtures in rebalance_seeds:
        for parts in (fixtures.results["sleeves"], fixtures.results["mix"]):
            before = "weight_before_pct" if parts is fixtures.results["sleeves"] else "before_pct"
            after = before.replace("before", "after")
            assert sum(row[before] for row in parts.values()) == 100
            assert sum(row[after] for row in parts.values()) == 100
            assert sum(row["target_pct"] for row in parts.values()) == 100


def test_shown_parts_sum_to_shown_totals(rebalance_seeds: Sequence[Any]) -> None:
    for fixtures in rebalance_seeds:
        costs = dict(fixtures.results["costs"])
        total = costs.pop("total")
        for key in ("amount_usd", "of_turnover_bps", "of_portfolio_bps"):
            assert sum(row[key] for row in costs.values()) == total[key]
        gains = fixtures.results["gains"]
        assert sum(lot["gain_usd"] for lot in fixtures.results["lots_sold"]) == gains["net_usd"]
        assert gains["short_term_usd"] + gains["long_term_usd"] == gains["net_usd"]


def test_values_add_up_to_the_portfolio(rebalance_seeds: Sequence[Any]) -> None:
    for fixtures in rebalance_seeds:
        for key in ("value_before_usd", "value_after_usd"):
            total = sum(row[key] for row in fixtures.results["sleeves"].values())
            assert total == fixtures.results["portfolio"][key]


def test_something_was_outside_its_band_and_nothing_is_any_more(
    rebalance_seeds: Sequence[Any],
) -> None:
    for fixtures in rebalance_seeds:
        drift = fixtures.results["drift"]
        assert drift["outside_band_count"] >= 1
        assert drift["outside_band_after_count"] == 0


def test_every_sleeve_ends_within_half_of_its_band(rebalance_seeds: Sequence[Any]) -> None:
    for fixtures in rebalance_seeds:
        for sleeve in fixtures.results["sleeves"].values():
            assert abs(sleeve["drift_after_pp"]) <= sleeve["band_pp"] / 2


def test_the_rebalance_keeps_every_limit(rebalance_seeds: Sequence[Any]) -> None:
    for fixtures in rebalance_seeds:
        results = fixtures.results
        policy, after = results["policy"], results["risk"]["after"]
        sleeves = results["sleeves"].values()
        assert results["sleeves"]["cash"]["weight_after_pct"] >= policy["cash_floor_pct"]
        assert max(row["weight_after_pct"] for row in sleeves) < policy["single_fund_limit_pct"]
        assert results["trading"]["turnover_pct"] <= policy["turnover_limit_pct"]
        smallest = min(trade["amount_usd"] for trade in results["trades"])
        assert smallest >= policy["minimum_trade_usd"]
        assert results["tax"]["budget_left_usd"] >= 0
        assert after["var_pct"] < policy["var_limit_pct"]
        assert after["drawdown_pct"] < policy["drawdown_limit_pct"]
        assert after["tracking_error_pct"] < policy["tracking_error_limit_pct"]


def test_trades_are_whole_shares_of_funds_sold_or_bought_not_both(
    rebalance_seeds: Sequence[Any],
) -> None:
    for fixtures in rebalance_seeds:
        trades = fixtures.results["trades"]
        assert all(trade["shares"].denominator == 1 and trade["shares"] > 0 for trade in trades)
        assert len({trade["ticker"] for trade in trades}) == len(trades)


def test_every_number_of_the_policy_statement_is_in_the_results(
    rebalance_seeds: Sequence[Any],
) -> None:
    for fixtures in rebalance_seeds:
        stated = dict(fixtures.policy)
        for name, sleeve in stated.pop("sleeves").items():
            echoed = fixtures.results["sleeves"][name]
            assert Fraction(str(sleeve["target_pct"])) == echoed["target_pct"]
            assert Fraction(str(sleeve["band_pp"])) == echoed["band_pp"]
        policy = dict(fixtures.results["policy"])
        for key, value in numbers(stated):
            assert policy.pop(key) == value, key
        assert set(policy) == {"var_multiplier_x", "var_tail_pct"}  # in its text, 100 less 95


def test_both_inputs_name_the_client_and_the_dates(rebalance_seeds: Sequence[Any]) -> None:
    for fixtures in rebalance_seeds:
        stated, results = fixtures.policy, fixtures.results
        assert stated["client"] == results["client"]["name"]
        assert stated["adviser"] == results["client"]["adviser"]
        last, following = (stated["rebalancing"][key] for key in ("last_done", "next_review"))
        assert last.isoformat() == results["dates"]["last_rebalance"]
        assert following.isoformat() == results["dates"]["next_review"]
