"""Loading results.json and facts.yaml."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pae_verifiers.errors import SourcesError
from pae_verifiers.numbers.facts import load
from pae_verifiers.numbers.model import Fact, Facts

RESULTS = """
{
  "as_of": "2026-11-30",
  "costs": {"total_usd": 1284.50, "of_turnover_bps": 4.27, "items_count": 3},
  "sleeves": {"intl": {"name": "International shares", "weight_pct": 12.10, "drift_pp": -1.2e-1}},
  "trades": [{"ticker": "ABC", "shares": 100}, {"ticker": "XYZ", "shares": 250}],
  "flags": {"done": true, "note": null},
  "score": 7
}
"""


def by_pointer(facts: Facts) -> dict[str, Fact]:
    return {fact.pointer: fact for fact in facts.facts}


def test_every_numeric_leaf_is_a_fact_with_its_literal() -> None:
    facts = by_pointer(load(RESULTS, {}))
    assert {pointer: fact.literal for pointer, fact in facts.items()} == {
        "/costs/total_usd": "1284.50",
        "/costs/of_turnover_bps": "4.27",
        "/costs/items_count": "3",
        "/sleeves/intl/weight_pct": "12.10",
        "/sleeves/intl/drift_pp": "-1.2e-1",
        "/trades/0/shares": "100",
        "/trades/1/shares": "250",
        "/score": "7",
    }
    assert facts["/sleeves/intl/drift_pp"].value == Decimal("-0.12")


def test_units_come_from_the_suffix_of_the_key() -> None:
    facts = by_pointer(load(RESULTS, {}))
    assert {pointer: fact.unit for pointer, fact in facts.items()} == {
        "/costs/total_usd": "USD",
        "/costs/of_turnover_bps": "bps",
        "/costs/items_count": "count",
        "/sleeves/intl/weight_pct": "percent",
        "/sleeves/intl/drift_pp": "pp",
        "/trades/0/shares": "share",
        "/trades/1/shares": "share",
        "/score": None,
    }


@pytest.mark.parametrize(
    ("key", "unit"),
    [
        ("x_usd", "USD"),
        ("x_eur", "EUR"),
        ("x_pct", "percent"),
        ("x_percent", "percent"),
        ("x_bps", "bps"),
        ("x_pp", "pp"),
        ("multiplier_x", "multiple"),
        ("x_ratio", "ratio"),
        ("x_days", "day"),
        ("x_months", "month"),
        ("x_count", "count"),
        ("x_shares", "share"),
        ("weightPct", "percent"),
        ("x", None),
        ("spread", None),
        ("corps", None),
    ],
)
def test_suffix(key: str, unit: str | None) -> None:
    assert load(f'{{"{key}": 1}}', {}).facts[0].unit == unit


def test_a_container_may_name_the_unit() -> None:
    assert load('{"weights_pct": {"us": 1}}', {}).facts[0].unit == "percent"


def test_facts_yaml_overrides_the_unit() -> None:
    config = {"facts": {"/costs/total_usd": {"unit": "EUR"}, "/score": {"unit": "percent"}}}
    facts = by_pointer(load(RESULTS, config))
    assert facts["/costs/total_usd"].unit == "EUR"
    assert facts["/score"].unit == "percent"


def test_a_star_stands_for_one_step_and_fills_the_aliases() -> None:
    config = {
        "names": {"intl": ["overseas equities"]},
        "facts": {
            "/sleeves/*/weight_pct": {"aliases": [["{1}", "{name}"], ["weight"]]},
            "/trades/*/shares": {"aliases": [["{ticker}"]]},
        },
    }
    facts = by_pointer(load(RESULTS, config))
    assert facts["/sleeves/intl/weight_pct"].aliases == (
        ("intl", "International shares", "overseas equities"),
        ("weight",),
    )
    assert facts["/trades/0/shares"].aliases == (("ABC",),)
    assert facts["/trades/1/shares"].aliases == (("XYZ",),)


def test_the_more_particular_pointer_wins() -> None:
    config = {
        "facts": {
            "/sleeves/*/weight_pct": {"aliases": [["weight"]]},
            "/sleeves/intl/weight_pct": {"aliases": [["share"]]},
        }
    }
    facts = by_pointer(load(RESULTS, config))
    assert facts["/sleeves/intl/weight_pct"].aliases == (("share",),)


def test_an_arrays_length_is_a_count_where_asked_for() -> None:
    facts = by_pointer(load(RESULTS, {"facts": {"/trades#": {"aliases": [["trades"]]}}}))
    assert facts["/trades#"].value == 2
    assert facts["/trades#"].unit == "count"


def test_without_facts_yaml_aliases_come_from_the_keys() -> None:
    facts = by_pointer(load(RESULTS))
    assert facts["/costs/total_usd"].aliases == (("costs",), ("total",))
    assert facts["/sleeves/intl/weight_pct"].aliases[0] == ("International shares",)
    assert facts["/trades#"].aliases == (("trades",),)


@pytest.mark.parametrize(
    ("key", "sign"),
    [
        ("loss_usd", "magnitude"),
        ("max_drawdown_pct", "magnitude"),
        ("var_95_pct", "magnitude"),
        ("total_cost_usd", "magnitude"),
        ("tax_estimate_usd", "magnitude"),
        ("change_pct", "signed"),
        ("variance", "signed"),
        ("syntax_count", "signed"),
    ],
)
def test_losses_costs_and_taxes_are_magnitudes(key: str, sign: str) -> None:
    assert load(f'{{"{key}": 1}}', {}).facts[0].sign == sign


def test_facts_yaml_overrides_the_sign() -> None:
    config = {"facts": {"/loss_usd": {"sign": "signed"}}}
    assert load('{"loss_usd": 1}', config).facts[0].sign == "signed"


def test_required_groups_are_listed_once_each() -> None:
    config = {
        "facts": {
            "/costs/total_usd": {"required": "cost"},
            "/costs/of_turnover_bps": {"required": "cost"},
            "/score": {"required": "score"},
        }
    }
    assert load(RESULTS, config).required == ("cost", "score")


def test_strings_and_other_sources_are_known() -> None:
    strings = load(RESULTS, {}, texts=["review: 2027-01-15"]).strings
    assert strings == ("2026-11-30", "International shares", "ABC", "XYZ", "review: 2027-01-15")


def test_keys_with_slash_and_tilde_are_escaped() -> None:
    facts = load('{"a/b": {"c~d": 1}}', {"facts": {"/a~1b/c~0d": {"unit": "percent"}}})
    assert (facts.facts[0].pointer, facts.facts[0].unit) == ("/a~1b/c~0d", "percent")


@pytest.mark.parametrize(
    ("results", "config", "message"),
    [
        ("{", {}, "not JSON"),
        ('{"a": NaN}', {}, "NaN"),
        ('{"a": 1}', {"fact": {}}, r"no key is called fact \(nearest: facts\)"),
        ('{"a": 1}', {"facts": {"/a": {"units": "USD"}}}, r"/a: no key is called units"),
        ('{"a": 1}', {"facts": {"/a": {"unit": "percnt"}}}, r"percnt \(nearest: percent\)"),
        ('{"a": 1}', {"facts": {"/a": {"sign": "plus"}}}, "magnitude or signed"),
        ('{"a": 1}', {"facts": {"a": {}}}, "starts with /"),
        ('{"a": 1}', {"facts": {"/a": {"aliases": ["cost"]}}}, "list of words"),
        ('{"a": {"name": "x", "v": 1}}', {"facts": {"/a/v": {"aliases": [["{nane}"]]}}}, "nane"),
    ],
)
def test_what_cannot_be_used_is_refused(
    results: str, config: dict[str, object], message: str
) -> None:
    with pytest.raises(SourcesError, match=message):
        load(results, config)


def test_a_required_group_that_no_number_can_meet_is_the_tasks_fault() -> None:
    config = {"facts": {"/totl_fee_usd": {"unit": "USD", "required": "total"}}}
    with pytest.raises(SourcesError, match="requires 'total', but none of its pointers"):
        load('{"total_fee_usd": 12.5}', config)


def test_fields_beside_a_name_are_further_names_of_it() -> None:
    results = """{"funds": [{"name": "Gold", "ticker": "XGLD", "weight_pct": 5}],
                  "limits": {"gold": {"name": "Gold", "below_pct": 4}}}"""
    config = {
        "name_fields": ["ticker"],
        "facts": {"/limits/*/below_pct": {"aliases": [["{name}"], ["below"]]}},
    }
    fact = by_pointer(load(results, config))["/limits/gold/below_pct"]
    assert fact.aliases == (("Gold", "XGLD"), ("below",))
