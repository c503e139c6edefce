"""``pae scan``: the numbers in a text, with their units."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pae_harness.coloured import LineNumbers, Mark, show
from pae_harness.console import stdout_console
from pae_harness.documents import is_plain, read_text
from pae_harness.oneline import shortened
from pae_verifiers.numbers.model import EXEMPT_KINDS, Quantity, Scan

if TYPE_CHECKING:
    from rich.table import Table

STYLES = {
    "number": "green",
    "no quantity": "dim",
    "vague": "yellow",
    "hidden": "bold underline red",
}


def main(args: argparse.Namespace) -> int:
    """Always exit code 0; UsageError for a file that cannot be read."""
    from pae_verifiers.numbers.report import scan_json

    scan = scan_file(args.file)
    if args.json:
        json.dump(scan_json(scan), sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
    else:
        _show(scan, quiet=args.quiet)
    return 0


def scan_file(name: str) -> Scan:
    """Scan the file ``name``, or standard input for ``-``, as Markdown unless it is plain text."""
    from pae_verifiers.numbers import markdown, plain
    from pae_verifiers.numbers.scanner import scan

    text = read_text(name)
    return scan(plain.render(text) if is_plain(name) else markdown.render(text))


def _show(scan: Scan, *, quiet: bool) -> None:
    """On a terminal the document in colours, unless ``quiet``; a table of what was found."""
    console = stdout_console()
    if console.is_terminal and not quiet:
        show(console, scan.document.source, _marks(scan), STYLES)
    console.print(_table(scan))


def _marks(scan: Scan) -> Iterator[Mark]:
    for vague in scan.vague:
        yield Mark(vague.start, vague.end, STYLES["vague"])
    for quantity in scan.quantities:
        kind = "no quantity" if quantity.kind in EXEMPT_KINDS else "number"
        yield Mark(quantity.start, quantity.end, STYLES[kind])
    for quantity in scan.hidden:
        yield Mark(quantity.start, quantity.end, STYLES["hidden"])


def _table(scan: Scan) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    line_of = LineNumbers(scan.document.source)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("line", "text", "value", "unit", "kind", "notes"):
        table.add_column(column, justify="right" if column in ("line", "value") else "left")
    rows = [
        *(_row(quantity) for quantity in scan.quantities),
        *(_row(quantity, "hidden from readers") for quantity in scan.hidden),
        *((vague.start, vague.text, "", "", "vague", "") for vague in scan.vague),
    ]
    for start, *cells in rows:
        table.add_row(str(line_of(start)), *(Text(shortened(cell)) for cell in cells))
    return table


def _row(quantity: Quantity, *notes: str) -> tuple[int, str, str, str, str, str]:
    seen = (
        quantity.bound,
        "sign from a word" if quantity.sign_from_word else "",
        "look-alike characters" if quantity.lookalike else "",
        *notes,
    )
    value, unit = f"{quantity.value:f}", quantity.unit or ""
    return (quantity.start, quantity.text, value, unit, quantity.kind, " ".join(filter(None, seen)))
