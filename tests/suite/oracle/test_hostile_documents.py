"""Documents written to break the verifier: each gets its answer, and none is worth anything.

A crash or a time-out would leave a trial unscored, which is better for its author than a zero.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import pytest

from pae_verifiers import Score
from pae_verifiers.budget import bounded
from pae_verifiers.errors import DocumentError

Grade = Callable[[str, str, str], Score]

# One unit each, repeated up to the largest size that is read.
REPEATED = {
    "open brackets": "[",
    "links without an end": "[](",
    "images in images": "![",
    "backticks": "`",
    "backtick runs": " ` `` ``` ",
    "parentheses": "(",
    "stars": "*",
    "opened emphasis": "**a ",
    "opened tags": "<a ",
    "comments without an end": "<!-- ",
    "entities": "&#1",
    "quotes in quotes": ">",
    "lists in lists": "- ",
    "fences": "~~~5\n",
    "headings": "# 5%\n",
    "table cells": "|",
    "backslashes": "\\",
    "empty lines": "\n",
    "carriage returns": "5\r",
    "digits": "9",
    "grouped digits": "9,999",
    "digits with points": "1.1.",
    "exponents": "1e1e",
    "powers": "9**9**9 ",
    "dates": "31/12/2024 ",
    "half-said numbers": "half ",
    "number words": "one hundred million ",
    "ranges": "between 5 and 6 ",
    "points": ".",
    "words without a stop": "the fee was five percent ",
    "money": "$5 ",
    "control characters": "\x01",
    "combining accents": "\u0301",
    "zero-width spaces": "\u200b5",
    "look-alike digits": "𝟗",
    "line separators": "\u20285",
}
ODD = {
    "a gigantic exponent": "The cost was 1e999999999%.",
    "a vanishing exponent": "The cost was 1e-999999999%.",
    "more digits than an int may have": f"The cost was ${'9' * 5000}.",
    "a surrogate as an entity": "The cost was &#xD800;5.",
    "a NUL as an entity": "The cost was &#0;5.",
    "a code point that is none": "The cost was &#x110000;5.",
    "per mille": "The cost was 5‰, or 5 per mille.",
    "dotted capital I in a number": "The cost was sİx mİllion dollars, or 5 basİs poİnts.",
    "long s in a number": "The cost was ſix thouſand dollars.",
    "dotless i in a number": "The cost was fıve mıllıon dollars.",
    "the Kelvin sign as a scale": "The cost was $5\u212a.",
    "dates that are none": "On 99/99/9999, 31 February 2024, 2024-13-45 and in Q9 2024.",
    "quotes nested 350 deep": "\n".join(">" * i + " 5%" for i in range(350)),
    "lists nested 250 deep": "\n".join("  " * i + "- 5%" for i in range(250)),
    "emphasis nested 5000 deep": "*" * 5000 + "5%" + "*" * 5000,
    "a table of 5000 columns": f"|{'a|' * 5000}\n|{'-|' * 5000}\n|{'5|' * 5000}\n",
    "a table with 9000 short rows": "a|b\n-|-\n" + "5\n" * 9000,
    "a table with unusual white space": "e \x85||||\x1c|\n-|-|-|-|-|-\n5 \x85|\x1c6|\u2028|\x0c7",
    "HTML that never ends": "<table><tr><td>5<style>6<!--7<script>8",
    "a link to itself": "[a]: [a]\n\n" + "[a]" * 2000,
}


@pytest.fixture(scope="module")
def answer(rebalance_seeds: Sequence[Any], grade: Grade) -> Callable[[str], float | None]:
    """A document's reward, in half a second of processor time; 0 for one that takes longer."""

    def reward(document: str) -> float | None:
        seed = rebalance_seeds[0]
        gc.disable()  # where a library hooks into the collector, Python ignores what is raised
        try:
            with suppress(DocumentError), bounded(cpu_seconds=0.5):
                return grade(document, seed.text, seed.policy_text).reward
        finally:
            gc.enable()
        return 0.0

    return reward


@pytest.mark.parametrize("unit", REPEATED.values(), ids=REPEATED)
def test_sixty_kilobytes_of_anything_earn_nothing(
    answer: Callable[[str], float | None], unit: str
) -> None:
    assert answer(unit * (64_000 // len(unit.encode()))) == 0


@pytest.mark.parametrize("document", ODD.values(), ids=ODD)
def test_an_odd_document_earns_nothing(
    answer: Callable[[str], float | None], document: str
) -> None:
    assert answer(document) == 0


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_other_line_endings_are_no_trouble(
    rebalance_seeds: Sequence[Any], oracle_memo: Callable[[str], str], grade: Grade, ending: str
) -> None:
    seed = rebalance_seeds[0]
    memo = oracle_memo(seed.text).replace("\n", ending)
    assert grade(memo, seed.text, seed.policy_text).reward == 1.0


def test_entities_for_letters_are_no_trouble(
    rebalance_seeds: Sequence[Any], oracle_memo: Callable[[str], str], grade: Grade
) -> None:
    """Evidence is quoted from the source, which looks nothing like the text."""
    seed = rebalance_seeds[0]
    memo = oracle_memo(seed.text)
    hidden = memo.replace("The", "&#84;he").replace("tax", "t&#x61;x")
    assert grade(hidden, seed.text, seed.policy_text).reward == 1.0
