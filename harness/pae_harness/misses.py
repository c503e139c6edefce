"""What a document's numbers miss, in one line each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pae_harness.coloured import LineNumbers, Mark
from pae_harness.oneline import printable, shortened

if TYPE_CHECKING:
    from pae_verifiers.numbers.model import NumberVerdict, Tie

STYLES = {
    "matched": "green",
    "mismatch": "bold yellow",
    "fabricated": "bold underline red",
    "exempt": "dim",
}
MISSES = ("mismatch", "fabricated")


def marks(tied: Tie) -> Iterator[Mark]:
    """Each number in the style of its verdict."""
    for number in tied.numbers:
        yield Mark(number.quantity.start, number.quantity.end, STYLES[number.verdict])


def misses(source: str, tied: Tie) -> Iterator[tuple[str, str]]:
    """A line on each number that misses and each required group that nothing cites.

    Each comes with its verdict, ``missing`` for a group.
    """
    line_of = LineNumbers(source)
    for number in tied.numbers:
        if number.verdict in MISSES:
            yield number.verdict, explain(number, line_of(number.quantity.start))
    for group in tied.missing_facts:
        yield "missing", f"missing: nothing cites {printable(group)}"


def explain(number: NumberVerdict, line: int) -> str:
    """``line 3: 0.35 bps → source 35 bps at /costs/total_bps: unit_slip ×100``."""
    fact = number.fact
    why = number.reason or number.verdict
    if note := shortened(number.note):
        why += f" {note}" if note[0] in "×÷" else f" ({note})"
    if number.hidden:
        why = f"{number.verdict if why == 'hidden' else why}, hidden from readers"
    shown = f"line {line}: {shortened(number.quantity.text)} →"
    if fact is None:
        return f"{shown} in no source: {why}"
    unit = f" {fact.unit}" if fact.unit else ""
    source = f"{shortened(fact.literal)}{unit} at {shortened(fact.pointer)}"
    if number.verdict == "fabricated":
        near = f" (its words are those of {source})" if fact.unit == number.quantity.unit else ""
        return f"{shown} in no source: {why}{near}"
    return f"{shown} source {source}: {why}"
