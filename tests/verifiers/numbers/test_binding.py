"""NUMBERS.md §5, sentence by sentence: which fact does the number speak of?"""

from __future__ import annotations

import pytest

from pae_verifiers.numbers.facts import load
from pae_verifiers.numbers.markdown import render
from pae_verifiers.numbers.model import Facts, Tie
from pae_verifiers.numbers.scanner import scan
from pae_verifiers.numbers.tie import tie

RESULTS = """
{
  "sleeves": [
    {"name": "US shares", "before_pct": 42.13, "after_pct": 38.02, "target_pct": 37.5,
     "drift_pp": 4.63},
    {"name": "intl", "before_pct": 12.04, "after_pct": 16.11, "target_pct": 17.5,
     "drift_pp": -5.46}
  ],
  "costs": {"total_usd": 1284.53, "total_bps": 4.27},
  "tax": {"estimate_usd": 2345.67},
  "risk": {
    "before": {"volatility_pct": 12.08},
    "after": {"volatility_pct": 9.84},
    "volatility_change_pp": -2.24
  },
  "trades": [{}, {}, {}, {}, {}, {}, {}, {}, {}],
  "policy": {"drawdown_limit_pct": 25}
}
"""
CONFIG = {
    "names": {"intl": ["international shares", "overseas equities"]},
    "facts": {
        "/sleeves/*/before_pct": {"aliases": [["{name}"], ["before", "previously"]]},
        "/sleeves/*/after_pct": {"aliases": [["{name}"], ["after", "now"]]},
        "/sleeves/*/target_pct": {"aliases": [["{name}"], ["target"]]},
        "/sleeves/*/drift_pp": {"aliases": [["{name}"], ["drift", "off target", "target"]]},
        "/costs/total_usd": {"aliases": [["trading cost", "cost"]]},
        "/costs/total_bps": {"aliases": [["trading cost", "cost"]]},
        "/tax/estimate_usd": {"aliases": [["tax"]]},
        "/risk/before/volatility_pct": {"aliases": [["volatility", "swing"], ["before"]]},
        "/risk/after/volatility_pct": {"aliases": [["volatility", "swing"], ["after", "now"]]},
        "/risk/volatility_change_pp": {
            "aliases": [["volatility", "swing"], ["change", "fell", "down", "lower"]]
        },
        "/trades#": {"aliases": [["trade", "order"]]},
        "/policy/drawdown_limit_pct": {"aliases": [["drawdown"], ["limit", "below", "exceed"]]},
    },
}
US, INTL = "/sleeves/0", "/sleeves/1"
COST, TAX = "/costs/total_usd", "/tax/estimate_usd"
VOL_BEFORE, VOL_AFTER = "/risk/before/volatility_pct", "/risk/after/volatility_pct"


@pytest.fixture(scope="module")
def facts() -> Facts:
    return load(RESULTS, CONFIG)


def tied(text: str, facts: Facts) -> Tie:
    return tie(scan(render(text)), facts)


def said(result: Tie) -> list[str]:
    """Per number: the pointer it is matched with, or its verdict and reason."""
    return [
        number.fact.pointer
        if number.verdict == "matched" and number.fact
        else number.reason or number.verdict
        for number in result.numbers
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # the sentence names it
        ("US shares are now 38.0%.", [f"{US}/after_pct"]),
        ("Before, US shares were 42.1%.", [f"{US}/before_pct"]),
        ("Trading costs came to $1,285.", [COST]),
        ("The cost was 4.27 bps.", ["/costs/total_bps"]),
        ("We estimate the tax at $2,346.", [TAX]),
        ("The swings are now 9.84%.", [VOL_AFTER]),
        ("9.84% is the volatility now.", [VOL_AFTER]),
        # plural, -ed, -ing, case, hyphen and possessive
        ("TRADING-COSTS: $1,285", [COST]),
        ("It costs $1,285.", [COST]),
        ("The drifting US shares' 4.63 points are too far off.", [f"{US}/drift_pp"]),
        ("Taxes: $2,346.", [TAX]),
        ("Taxing it takes $2,346.", [TAX]),
        # synonyms of names
        ("International shares are now 16.1%.", [f"{INTL}/after_pct"]),
        ("Overseas equities are now 16.1%.", [f"{INTL}/after_pct"]),
        ("Intl is now 16.1%.", [f"{INTL}/after_pct"]),
        # whole words only
        ("The syntax was $2,346.", ["unplaced"]),
        ("The costume was $1,285.", ["unplaced"]),
        # from A to B, and its kin
        ("US shares went from 42.1% to 38.0%.", [f"{US}/before_pct", f"{US}/after_pct"]),
        ("Volatility fell from 12.08% to 9.84%.", [VOL_BEFORE, VOL_AFTER]),
        ("Volatility is 9.84%, down from 12.08%.", [VOL_AFTER, VOL_BEFORE]),
        ("Volatility is 9.84%, compared with 12.08% before.", [VOL_AFTER, VOL_BEFORE]),
        ("Volatility came down to 9.84% from 12.08%.", [VOL_AFTER, VOL_BEFORE]),
        ("Volatility fell from about 12% to roughly 10%.", [VOL_BEFORE, VOL_AFTER]),
        ("Volatility: 12.08% → 9.84%", [VOL_BEFORE, VOL_AFTER]),
        # two subjects in a sentence
        (
            "US shares are now 38.0% and international shares 16.1%.",
            [f"{US}/after_pct", f"{INTL}/after_pct"],
        ),
        ("Trading costs were $1,285 and the tax is $2,346.", [COST, TAX]),
        ("$1,285 of cost and $2,346 of tax.", [COST, TAX]),
        (
            "US shares, at 4.63 points above target, and international shares, at 5.46 points "
            "below target, had to move.",
            [f"{US}/drift_pp", f"{INTL}/drift_pp"],
        ),
        # a distance needs no sign
        ("International shares were 5.46 points away from target.", [f"{INTL}/drift_pp"]),
        ("International shares were 5.46 points above target.", ["sign_flipped"]),
        ("Volatility is down 2.24 points.", ["/risk/volatility_change_pp"]),
        # the subject carried over
        ("Volatility has come down. It is now 9.84%.", [VOL_AFTER]),
        ("US shares had grown. Now they are 38.0% again.", [f"{US}/after_pct"]),
        ("Volatility has come down. That is good. It is now 9.84%.", [VOL_AFTER]),
        # headings and lead-ins
        ("## Tax\n\nWe put aside $2,346.", [TAX]),
        ("What the trading cost was:\n\n- in dollars, $1,285", [COST]),
        ("## Volatility\n\n- before: 12.08%\n- after: 9.84%", [VOL_BEFORE, VOL_AFTER]),
        # a limit
        ("Drawdown should stay below 25%.", ["/policy/drawdown_limit_pct"]),
        # a sentence does not end at a decimal point
        ("Volatility, 12.08% before, has changed.", [VOL_BEFORE]),
        # counts
        ("We made nine trades.", ["/trades#"]),
        ("We made 9 small trades.", ["/trades#"]),
        ("The number of orders: 9", ["/trades#"]),
        ("We made eight trades.", ["misrounded"]),
        ("We made 5 trades.", ["fabricated"]),
        ("We traded for three reasons.", ["small_integer"]),
        ("Two of the trades were small.", ["small_integer"]),
        ("There are 13 reasons.", ["fabricated"]),
    ],
)
def test_what_a_sentence_speaks_of(text: str, expected: list[str], facts: Facts) -> None:
    assert said(tied(text, facts)) == expected


TABLE = """
| Sleeve | Before (%) | After (%) |
|---|--:|--:|
| US shares | {} | {} |
| International shares | {} | {} |
"""


def test_a_cell_speaks_of_its_row_and_column(facts: Facts) -> None:
    text = TABLE.format("42.1", "38.0", "12.0", "16.1")
    assert said(tied(text, facts)) == [
        f"{US}/before_pct",
        f"{US}/after_pct",
        f"{INTL}/before_pct",
        f"{INTL}/after_pct",
    ]


def test_figures_swapped_between_columns_are_wrong(facts: Facts) -> None:
    text = TABLE.format("38.0", "42.1", "12.0", "16.1")
    assert said(tied(text, facts))[:2] == ["wrong_fact", "wrong_fact"]


def test_figures_swapped_between_rows_are_wrong(facts: Facts) -> None:
    text = TABLE.format("12.0", "38.0", "42.1", "16.1")
    assert said(tied(text, facts)) == [
        "wrong_fact",
        f"{US}/after_pct",
        "wrong_fact",
        f"{INTL}/after_pct",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # case 1: another fact is bound, and nothing speaks of the one that is equal
        ("We estimate the tax at $1,285.", ["wrong_fact"]),
        ("The trading cost was $2,346.", ["wrong_fact"]),
        ("US shares are now 16.1%.", ["wrong_fact"]),
        # case 2: two numbers stand in each other's place
        ("The trading cost was $2,346 and the tax $1,285.", ["wrong_fact", "wrong_fact"]),
        ("Volatility fell from 9.84% to 12.08%.", ["wrong_fact", "wrong_fact"]),
        ("Volatility is 12.08%, down from 9.84%.", ["wrong_fact", "wrong_fact"]),
        ("US shares are now 16.1% and international shares 38.0%.", ["wrong_fact", "wrong_fact"]),
        # neither is clear: the value stands
        ("The levy was $2,346, beside a tax of $2,346.", [TAX, TAX]),
        ("Costs and tax were $1,285 and $2,346 respectively.", [COST, TAX]),
    ],
)
def test_wrong_fact_only_where_it_is_clear(text: str, expected: list[str], facts: Facts) -> None:
    assert said(tied(text, facts)) == expected


def test_a_value_that_stands_although_another_fact_is_bound_is_reported(facts: Facts) -> None:
    text = "US shares, with a target, are 42.1%."
    result = tied(text, facts)
    assert said(result) == [f"{US}/before_pct"]
    assert result.unsettled == ((text, f"{US}/before_pct"),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Volatility is now 12.08%.", ["wrong_fact"]),
        ("Volatility now stands at about 12.1%.", ["wrong_fact"]),
        ("Before the trades, volatility was high; today it is 12.08%.", ["wrong_fact"]),
        ("Volatility, 9.84% before, has changed.", ["wrong_fact"]),
        ("Volatility: 12.08% after.", ["wrong_fact"]),
        ("After the trades volatility is 12.08%.", [VOL_BEFORE]),  # the word is too far away
        ("Volatility was 9.84%.", [VOL_AFTER]),  # a tense alone settles nothing
        ("US shares are now 42.1%.", ["wrong_fact"]),
        ("US shares are now 42.1%, before more trades.", ["wrong_fact"]),
        ("Volatility: 9.84% → 12.08%", ["wrong_fact", "wrong_fact"]),
        ("Volatility: 12.08% -> 9.84%", [VOL_BEFORE, VOL_AFTER]),
        ("Volatility is 9.84% after 12.08%.", [VOL_AFTER, VOL_BEFORE]),
        ("Volatility is 12.08% after 9.84%.", ["wrong_fact", "wrong_fact"]),
        ("Volatility before and after was 12.08% and 9.84% respectively.", [VOL_BEFORE, VOL_AFTER]),
        (
            "Volatility before and after was 9.84% and 12.08% respectively.",
            ["wrong_fact", "wrong_fact"],
        ),
    ],
)
def test_the_words_beside_a_number_say_which_of_two_states_it_is(
    text: str, expected: list[str], facts: Facts
) -> None:
    assert said(tied(text, facts)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cost and the tax were $1,285 and $2,346 respectively.", [COST, TAX]),
        ("The cost and the tax were $2,346 and $1,285 respectively.", ["wrong_fact"] * 2),
        (
            "US shares and international shares are now 38.0% and 16.1%, respectively.",
            [f"{US}/after_pct", f"{INTL}/after_pct"],
        ),
        (
            "US shares and international shares are now 16.1% and 38.0%, respectively.",
            ["wrong_fact"] * 2,
        ),
    ],
)
def test_respectively_tells_off_one_by_one(text: str, expected: list[str], facts: Facts) -> None:
    assert said(tied(text, facts)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "US shares went from 42.1% to 38.0%, and international shares from 12.0% to 16.1%.",
            [f"{US}/before_pct", f"{US}/after_pct", f"{INTL}/before_pct", f"{INTL}/after_pct"],
        ),
        (
            "US shares went from 42.1% to 16.1%, and international shares from 12.0% to 38.0%.",
            [f"{US}/before_pct", "wrong_fact", f"{INTL}/before_pct", "wrong_fact"],
        ),
    ],
)
def test_a_name_in_the_next_clause_belongs_to_the_next_number(
    text: str, expected: list[str], facts: Facts
) -> None:
    assert said(tied(text, facts)) == expected


def test_a_list_may_be_a_name_of_its_own() -> None:
    config = {
        "facts": {
            "/gold_pct": {"aliases": [["gold"]]},
            "/property_pct": {"aliases": [["property"]]},
            "/real_pct": {"aliases": [["gold and property"]]},
        }
    }
    known = load('{"gold_pct": 5.04, "property_pct": 7.03, "real_pct": 12.07}', config)
    both = "Gold and property are {} and {} respectively."
    assert said(tied(both.format("5.04%", "7.03%"), known)) == ["/gold_pct", "/property_pct"]
    assert said(tied(both.format("7.03%", "5.04%"), known)) == ["wrong_fact", "wrong_fact"]
    assert said(tied("Gold and property are 12.07%.", known)) == ["/real_pct"]


def test_a_sale_is_told_by_the_name_of_what_was_sold() -> None:
    results = """{"trades": [
        {"name": "gold", "side": "sold", "usd": 1042.17},
        {"name": "property", "side": "sold", "usd": 7318.55}]}"""
    config = {"facts": {"/trades/*/usd": {"unit": "USD", "aliases": [["{name}", "{side}"]]}}}
    known = load(results, config)
    right = tied("We sold $1,042 of gold and $7,319 of property.", known)
    wrong = tied("We sold $7,319 of gold and $1,042 of property.", known)
    assert said(right) == ["/trades/0/usd", "/trades/1/usd"]
    assert said(wrong) == ["wrong_fact", "wrong_fact"]


def test_a_heading_grounds_nothing_against_what_stands_right_beside(facts: Facts) -> None:
    text = "## Cost and tax\n\nThe trading cost was $2,346."
    assert said(tied(text, facts)) == ["wrong_fact"]


def test_a_lead_in_grounds_nothing_in_a_cell_that_row_and_column_make_clear(facts: Facts) -> None:
    lead_in = "International shares had fallen, far from their target:"
    text = lead_in + "\n" + TABLE.format("42.1", "17.5", "12.0", "16.1")
    assert said(tied(text, facts))[1] == "wrong_fact"


def test_a_required_fact_is_cited_by_its_own_subject_only() -> None:
    config = {
        "facts": {
            "/gold_pct": {"aliases": [["gold"]]},
            "/limit_pct": {"aliases": [["bonds"]], "required": "limit"},
        }
    }
    known = load('{"gold_pct": 15, "limit_pct": 15}', config)
    result = tied("Bonds are separate from it, but gold is 15% of it.", known)
    assert said(result) == ["/gold_pct"]
    assert result.missing_facts == ("limit",)


def test_a_bound_is_held_against_the_nearest_limit_of_its_subject() -> None:
    config = {
        "facts": {
            "/below_pct": {"aliases": [["gold"], ["below"]]},
            "/above_pct": {"aliases": [["gold"], ["above"]]},
        }
    }
    known = load('{"below_pct": 18.5, "above_pct": 22.5}', config)
    right = tied("For gold that means below 18.5% or above 22.5%.", known)
    wrong = tied("For gold that means below 18.5% or above 17.8%.", known)
    assert said(right) == ["/below_pct", "/above_pct"]
    assert said(wrong) == ["/below_pct", "loose_bound"]


def test_a_bare_number_takes_the_unit_of_the_sentence_before() -> None:
    config = {
        "facts": {
            "/bonds_pct": {"aliases": [["bonds"]]},
            "/shares_pct": {"aliases": [["shares"]]},
        }
    }
    known = load('{"bonds_pct": 32.5, "shares_pct": 61.5}', config)
    assert said(tied("Bonds are 32.5%. Shares are 61.5.", known)) == ["/bonds_pct", "/shares_pct"]
    assert said(tied("Bonds are 32.5%. Shares are 61.4.", known))[1] == "fabricated"


def test_what_is_or_so_below_needs_no_sign(facts: Facts) -> None:
    text = "International shares were 5.5 points or so below target."
    assert said(tied(text, facts)) == [f"{INTL}/drift_pp"]


def test_a_number_bound_to_nothing_needs_its_words_in_the_paragraph(facts: Facts) -> None:
    near = tied("The volatility changed. Nothing else did. Then there is 9.84%.", facts)
    far = tied("The volatility changed.\n\nThen there is 9.84%.", facts)
    assert said(near) == [VOL_AFTER]
    assert said(far) == ["unplaced"]


def test_an_integer_bound_to_nothing_must_be_within_ten_percent() -> None:
    facts_near = load('{"a_pct": 2.41}', {"facts": {"/a_pct": {"aliases": [["levy"], ["rate"]]}}})
    assert said(tied("The levy is 2%.", facts_near)) == ["misrounded"]
    assert said(tied("The levy rate is 2%.", facts_near)) == ["/a_pct"]
    assert said(tied("The levy is 2.4%.", facts_near)) == ["/a_pct"]


def test_the_longest_alias_wins() -> None:
    config = {
        "facts": {
            "/a_usd": {"aliases": [["cost"]]},
            "/b_usd": {"aliases": [["trading cost"]]},
        }
    }
    facts = load('{"a_usd": 5000, "b_usd": 7000}', config)
    assert said(tied("The trading cost was $7,000.", facts)) == ["/b_usd"]
    assert said(tied("The trading cost was $5,000.", facts)) == ["wrong_fact"]


def test_a_sentence_that_names_another_of_its_kind_leaves_the_subject_behind(facts: Facts) -> None:
    text = "US shares had grown. International shares are now 38.0%."
    assert said(tied(text, facts)) == ["wrong_fact"]


def test_a_bare_decimal_takes_the_unit_before_it(facts: Facts) -> None:
    text = "Volatility is now 9.84%, against 12.08 before."
    assert said(tied(text, facts)) == [VOL_AFTER, VOL_BEFORE]


def test_a_bare_decimal_that_is_no_fact_stays_as_it_is(facts: Facts) -> None:
    text = "Volatility is now 9.84%, against 13.57 before."
    assert said(tied(text, facts)) == [VOL_AFTER, "fabricated"]


def test_a_pronoun_carries_the_subject_over_a_sentence_that_has_another(facts: Facts) -> None:
    text = "International shares had strayed. They cost us little. They are now 16.1%."
    assert said(tied(text, facts)) == [f"{INTL}/after_pct"]


def test_a_subject_is_not_carried_into_a_sentence_that_clearly_has_its_own(facts: Facts) -> None:
    text = "The tax is estimated. The trading cost was $2,346."
    assert said(tied(text, facts)) == ["wrong_fact"]


def test_a_word_inside_a_longer_one_may_say_more_of_a_subject_but_names_none() -> None:
    config = {
        "facts": {
            "/a_usd": {"aliases": [["monthly loss"], ["loss", "limit"]], "sign": "magnitude"},
            "/b_usd": {"aliases": [["loss"]], "sign": "magnitude"},
        }
    }
    facts = load('{"a_usd": 5000, "b_usd": 7000}', config)
    assert said(tied("The monthly loss is $5,000.", facts)) == ["/a_usd"]
    assert said(tied("The monthly loss is $7,000.", facts)) == ["wrong_fact"]


def test_a_small_word_alone_makes_no_fact_clear() -> None:
    config = {
        "facts": {
            "/held_usd": {"aliases": [["bonds"], ["was", "held"]]},
            "/bought_usd": {"aliases": [["bought"]]},
        }
    }
    facts = load('{"held_usd": 335640, "bought_usd": 69928}', config)
    text = "We bought some. Then $69,928 was laid out upon bonds."
    assert said(tied(text, facts)) == ["/bought_usd"]
    assert said(tied("$69,928 was held in bonds.", facts)) == ["wrong_fact"]


def test_the_subject_that_another_number_gives_is_not_clearly_meant_twice(facts: Facts) -> None:
    text = "## Tax\n\nWe paid a cost of $1,285, and $2,346 as a levy."
    assert said(tied(text, facts)) == [COST, TAX]


def test_a_lead_in_picks_one_thing_out_of_many(facts: Facts) -> None:
    text = "US shares:\n\n- before, 42.1%\n- now 38.0%, less than international shares"
    assert said(tied(text, facts)) == [f"{US}/before_pct", f"{US}/after_pct"]


def test_a_display_is_preferred_to_a_bound() -> None:
    config = {
        "facts": {
            "/limit_pct": {"aliases": [["loss"], ["above"]]},
            "/loss_pct": {"aliases": [["loss"], ["could", "be"]]},
        }
    }
    facts = load('{"limit_pct": 4.75, "loss_pct": 4.53}', config)
    assert said(tied("The loss could be above 4.5%.", facts)) == ["/loss_pct"]


def test_a_zero_stands_for_what_its_own_sentence_speaks_of() -> None:
    config = {
        "facts": {
            "/tax_pct": {"aliases": [["tax"]]},
            "/change_pct": {"aliases": [["value"], ["change"]]},
        }
    }
    facts = load('{"tax_pct": 0.00, "change_pct": -0.0163}', config)
    text = "There is no tax. The value saw a change of 0.0%."
    assert said(tied(text, facts)) == ["rounded_to_zero"]


def test_two_of_six_may_be_another_count() -> None:
    config = {
        "facts": {
            "/sleeves_count": {"aliases": [["sleeve"]]},
            "/outside_count": {"aliases": [["outside"]]},
        }
    }
    facts = load('{"sleeves_count": 6, "outside_count": 2}', config)
    assert said(tied("Two sleeves had wandered.", facts)) == ["/outside_count"]
    assert said(tied("Seven sleeves had wandered.", facts)) == ["misrounded"]
    assert said(tied("Nine sleeves had wandered.", facts)) == ["fabricated"]


@pytest.mark.parametrize(
    "text",
    [
        "Costs are in basis points (100 bps = 1%).",
        "One basis point is 0.01%.",
        "A basis point, 0.01%, is small.",
        "1% is 100 bps.",
        "A basis point is one hundredth of 1%.",
        "One basis point is a hundredth part of one percent.",
    ],
)
def test_what_only_explains_a_unit_is_exempt(text: str, facts: Facts) -> None:
    assert set(said(tied(text, facts))) == {"definition"}


def test_a_wrong_definition_is_no_definition(facts: Facts) -> None:
    assert "definition" not in said(tied("Note that 10 bps = 1%.", facts))


def test_a_percent_beside_a_hundredth_of_something_else_is_no_definition(facts: Facts) -> None:
    text = "The return was 1%, and the cost a hundredth of that, a basis point."
    assert said(tied(text, facts))[0] != "definition"


def test_numbers_swapped_between_sentences_are_wrong(facts: Facts) -> None:
    text = "## Trading cost, and tax\n\nThe cost was $2,346.\n\nWe estimate the tax at $1,285."
    assert said(tied(text, facts)) == ["wrong_fact", "wrong_fact"]


def test_one_word_alone_does_not_satisfy_two_groups() -> None:
    config = {"facts": {"/band_pp": {"aliases": [["band", "limit"], ["limit", "room"]]}}}
    facts = load('{"band_pp": 3.44}', config)
    assert said(tied("The limit is at 3 points.", facts)) == ["misrounded"]  # bound to nothing
    assert said(tied("The limit of the band is 3 points.", facts)) == ["/band_pp"]


def test_a_comparison_goes_on_with_the_subject_of_the_number_before(facts: Facts) -> None:
    text = "International shares stood at 12.0% before against a target of 38.0%."
    assert said(tied(text, facts)) == [f"{INTL}/before_pct", "wrong_fact"]


def test_a_small_word_places_no_number() -> None:
    config = {"facts": {"/limit_pct": {"aliases": [["gold"], ["above", "and", "is"]]}}}
    known = load('{"limit_pct": 9.5}', config)
    assert said(tied("The return is 9.5% and good.", known)) == ["unplaced"]


def test_what_all_sales_share_names_none_beside_another_fund() -> None:
    results = """{"trades": [
        {"name": "gold", "side": "sold", "usd": 1042.17},
        {"name": "cash", "side": "sold", "usd": 7318.55}]}"""
    config = {"facts": {"/trades/*/usd": {"unit": "USD", "aliases": [["{name}", "{side}"]]}}}
    known = load(results, config)
    assert said(tied("We sold $1,042 of gold.", known)) == ["/trades/0/usd"]
    assert said(tied("We sold $7,319.", known)) == ["/trades/1/usd"]
    assert said(tied("We sold $7,319 of gold.", known)) == ["wrong_fact"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Of them, two were outside the band.", "matched"),
        ("Of them, one sleeve was outside its band.", "exempt"),
        ("Of them, three sleeves were outside their bands.", "mismatch"),
        ("Three sleeves were outside half of their bands.", "exempt"),
        ("Three sleeves were heavy, and two outside their bands.", "exempt"),
    ],
)
def test_more_than_a_count_that_is_said_of_it_is_no_part(text: str, expected: str) -> None:
    groups = {"aliases": [["outside", "above"], ["band", "limit"]]}
    config = {"facts": {"/before_count": groups, "/after_count": groups}}
    known = load('{"before_count": 2, "after_count": 0}', config)
    assert tied(text, known).numbers[0].verdict == expected


def test_a_fraction_bound_to_nothing_must_be_within_ten_percent() -> None:
    config = {"facts": {"/tax/rate_pct": {"aliases": [["tax"], ["rate"]]}}}
    known = load('{"tax": {"rate_pct": 15}}', config)
    assert said(tied("The tax is paid.\nYou made a tenth of it.", known)) == ["misrounded"]
    known = load('{"tax": {"rate_pct": 10.4}}', config)
    assert said(tied("The tax is paid.\nYou pay a tenth of it.", known)) == ["/tax/rate_pct"]
