"""The whole tie: document and facts in, verdicts and score out."""

from __future__ import annotations

import json
from importlib.resources import files

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pae_verifiers.numbers.facts import load
from pae_verifiers.numbers.markdown import render
from pae_verifiers.numbers.model import Facts, Tie
from pae_verifiers.numbers.scanner import scan
from pae_verifiers.numbers.tie import tie, tie_json

RESULTS = """
{"as_of": "2026-11-30",
 "costs": {"total_usd": 1284.53, "total_bps": 4.27},
 "tax": {"estimate_usd": 2345.67},
 "risk": {"before": {"volatility_pct": 12.08}, "after": {"volatility_pct": 9.84}}}
"""
CONFIG = {
    "facts": {
        "/costs/total_usd": {"aliases": [["cost"]], "required": "cost"},
        "/costs/total_bps": {"aliases": [["cost"]], "required": "cost"},
        "/tax/estimate_usd": {"aliases": [["tax"]], "required": "tax"},
        "/risk/before/volatility_pct": {"aliases": [["volatility"], ["before"]]},
        "/risk/after/volatility_pct": {"aliases": [["volatility"], ["after", "now"]]},
    }
}
MEMO = """# Memo

The cost was $1,285 (4.27 bps), and the tax is $2,346.

- Volatility went from 12.08% to 9.84%.
"""


@pytest.fixture(scope="module")
def facts() -> Facts:
    return load(RESULTS, CONFIG)


def tied(text: str, facts: Facts) -> Tie:
    return tie(scan(render(text)), facts)


def test_a_right_memo_scores_one(facts: Facts) -> None:
    result = tied(MEMO, facts)
    assert result.numeric_consistency == 1
    assert [number.verdict for number in result.numbers] == ["matched"] * 5
    assert result.missing_facts == ()


def test_an_invented_number_scores_zero(facts: Facts) -> None:
    assert tied(MEMO + "\nOthers paid 37.4% more.\n", facts).numeric_consistency == 0


def test_a_missing_group_is_named_and_costs_its_share(facts: Facts) -> None:
    result = tied("The cost was $1,285.", facts)
    assert result.missing_facts == ("tax",)
    assert result.numeric_consistency == 0.5


def test_verdicts_come_in_the_order_of_the_text_with_offsets_of_the_source(facts: Facts) -> None:
    numbers = tied(MEMO, facts).numbers
    assert [MEMO[n.quantity.start : n.quantity.end] for n in numbers] == [
        "$1,285",
        "4.27 bps",
        "$2,346",
        "12.08%",
        "9.84%",
    ]


def test_a_verdict_carries_its_sentence(facts: Facts) -> None:
    first = tied(MEMO, facts).numbers[0]
    assert first.sentence == "The cost was $1,285 (4.27 bps), and the tax is $2,346."


@pytest.mark.parametrize(
    "text",
    [
        "Volatility went from 12.08% to 9.84%, a drop of 2.24 percentage points.",
        "Volatility went from 12.08% to 9.84%, a drop of 2.24%.",
    ],
)
def test_a_difference_worked_out_is_derived(text: str, facts: Facts) -> None:
    last = tied(text, facts).numbers[-1]
    assert (last.verdict, last.reason) == ("mismatch", "derived")


def test_a_sum_worked_out_is_derived(facts: Facts) -> None:
    last = tied("The cost of $1,285 and the tax of $2,346 make $3,631.", facts).numbers[-1]
    assert (last.verdict, last.reason) == ("mismatch", "derived")


def test_what_follows_from_figures_of_another_sentence_is_fabricated(facts: Facts) -> None:
    text = "The cost was $1,285. The tax is $2,346. That makes $3,631."
    assert tied(text, facts).numbers[-1].verdict == "fabricated"


def test_it_works_without_facts_yaml() -> None:
    result = tied(MEMO, load(RESULTS))
    assert result.numeric_consistency == 1
    assert tied(MEMO.replace("1,285", "1,385"), load(RESULTS)).numeric_consistency == 0


def test_json_is_as_the_schema_says(facts: Facts) -> None:
    result = tied(MEMO + "\nDouble-digit gains, on 30 November 2026, of 37.4%.\n", facts)
    tree = json.loads(json.dumps(tie_json(result)))
    schema = json.loads((files("pae_schemas") / "tie.schema.json").read_text("utf-8"))
    jsonschema.validate(tree, schema)
    assert tree["counts"] == {"matched": 5, "mismatch": 1, "fabricated": 1, "exempt": 1}
    assert tree["numbers"][0] == {
        "text": "$1,285",
        "start": 21,
        "end": 27,
        "value": "1285",
        "unit": "USD",
        "kind": "quantity",
        "verdict": "matched",
        "reason": "",
        "fact": "/costs/total_usd",
        "source": "1284.53",
        "note": "",
        "sentence": "The cost was $1,285 (4.27 bps), and the tax is $2,346.",
    }


def test_an_empty_document_scores_zero(facts: Facts) -> None:
    result = tied("", facts)
    assert (result.numeric_consistency, result.numbers) == (0, ())
    assert result.missing_facts == ("cost", "tax")


@pytest.mark.parametrize("literal", ["1e999999999", "-1e-999999999", "0e5", "-0.0", "1" * 5000])
def test_no_literal_makes_it_fail(literal: str) -> None:
    facts = load(f'{{"cost_pct": {literal}}}', {"facts": {"/cost_pct": {"aliases": [["cost"]]}}})
    assert tied("The cost is 5%, or $5 million, or 0%.", facts).numeric_consistency == 0


WORDS = [
    "The",
    "cost",
    "tax",
    "volatility",
    "is",
    "was",
    "now",
    "before",
    "from",
    "to",
    "and",
    "12.08%",
    "9.84%",
    "$1,285",
    "-2%",
]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                *WORDS,
                "| a | b |\n|---|---|\n| 1 | 2% |\n",
                "\n\n",
                "<!-- 5% -->",
                "## ",
                "- ",
                "half",
                ".",
            ]
        ),
        max_size=30,
    )
)
def test_any_text_gets_a_score_between_zero_and_one(pieces: list[str]) -> None:
    result = tied(" ".join(pieces), load(RESULTS, CONFIG))
    assert 0 <= result.numeric_consistency <= 1
