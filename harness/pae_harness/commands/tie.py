"""``pae tie``: tie every number of a document to its data."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pae_harness.commands.scan import scan_file
from pae_harness.console import reader_may_leave, stdout_console
from pae_harness.documents import read_text
from pae_harness.errors import UsageError
from pae_harness.oneline import printable
from pae_verifiers.errors import SourcesError
from pae_verifiers.numbers.model import NumberVerdict, Tie

if TYPE_CHECKING:
    from rich.text import Text

STYLES = {"matched": "green", "mismatch": "bold yellow", "fabricated": "bold red", "exempt": "dim"}
NO_NUMBERS = "not ok: no number in the document needs a source, so nothing ties it to the data"


def main(args: argparse.Namespace) -> int:
    """Exit code 0 where everything ties out, else 1; UsageError for files of no use."""
    from pae_verifiers.numbers import facts
    from pae_verifiers.numbers.tie import tie, tie_json

    config = None if args.facts is None else _read_facts_config(args.facts)
    scan = scan_file(args.memo)
    results = read_text(args.results)
    try:
        verdict = tie(scan, facts.load(results, config))
    except SourcesError as error:
        raise UsageError(f"{args.results}: {error}") from error
    with reader_may_leave():
        if args.json:
            json.dump(tie_json(verdict), sys.stdout, ensure_ascii=False, indent=2)
            sys.stdout.write("\n")
        else:
            _show(scan.document.source, verdict, quiet=args.quiet)
    return 0 if verdict.numeric_consistency == 1 else 1


def _read_facts_config(path: Path) -> Mapping[str, Any]:
    from pae_harness.tasks.schema_errors import schema_errors
    from pae_harness.tasks.source import read_yaml

    source = read_yaml(path)
    for error in schema_errors(source, "facts"):
        raise error
    return source.value


def _show(source: str, verdict: Tie, *, quiet: bool) -> None:
    """The document in colours unless ``quiet``, then each miss, then the summary."""

    console = stdout_console(soft_wrap=True)
    if not quiet:
        console.print(coloured(source, verdict))
    misses = [n for n in verdict.numbers if n.verdict in ("mismatch", "fabricated")]
    for number in misses:
        console.print(explain(source, number), markup=False)
    for group in verdict.missing_facts:
        console.print(f"missing: nothing cites {group}", markup=False)
    matched = sum(n.verdict == "matched" for n in verdict.numbers)
    if not matched and not misses:
        console.print(NO_NUMBERS, markup=False)
    console.print(
        f"numeric_consistency {verdict.numeric_consistency:.4f}: {matched} matched, "
        f"{len(misses)} not, {len(verdict.missing_facts)} required facts missing",
        markup=False,
    )


def coloured(source: str, verdict: Tie) -> Text:
    """The document with each number in the colour of its verdict."""
    from rich.text import Text

    shown = Text("".join(c if c.isprintable() or c == "\n" else " " for c in source))
    for number in verdict.numbers:
        quantity = number.quantity
        shown.stylize(STYLES[number.verdict], quantity.start, quantity.end)
    return shown


def explain(source: str, number: NumberVerdict) -> str:
    """One line on a miss: ``LINE: shown → what the source says and where: why it missed``."""
    quantity = number.quantity
    line = source.count("\n", 0, quantity.start) + 1
    where = f"line {line}: {printable(quantity.text)}"
    why = number.reason or number.verdict
    if number.hidden:
        why += ", hidden from readers"
    if number.fact is None:
        return f"{where} → in no source: {why}"
    fact = number.fact
    unit = f" {fact.unit}" if fact.unit else ""
    return f"{where} → source {fact.literal}{unit} at {fact.pointer}: {why}"
