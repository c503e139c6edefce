"""``pae scan``: the numbers in a text, with their units."""

from __future__ import annotations

import argparse
import json
import sys

from pae_harness.console import stdout_console
from pae_harness.documents import is_plain, read_text
from pae_harness.oneline import printable
from pae_verifiers.numbers.model import Scan


def main(args: argparse.Namespace) -> int:
    """Always exit code 0; UsageError for a file that cannot be read."""
    from pae_verifiers.numbers.report import scan_json

    scan = scan_file(args.file)
    if args.json:
        json.dump(scan_json(scan), sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
    else:
        _show(scan)
    return 0


def scan_file(name: str) -> Scan:
    """Scan the file ``name``, or standard input for ``-``, as Markdown unless it is plain text."""
    from pae_verifiers.numbers import markdown, plain
    from pae_verifiers.numbers.scanner import scan

    text = read_text(name)
    return scan(plain.render(text) if is_plain(name) else markdown.render(text))


def _show(scan: Scan) -> None:
    from rich import box
    from rich.table import Table

    source = scan.document.source
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("line", "text", "value", "unit", "kind", "notes"):
        table.add_column(column, justify="right" if column in ("line", "value") else "left")
    for quantity in (*scan.quantities, *scan.hidden):
        notes: list[str] = [quantity.bound or ""]
        notes += ["sign from a word"] if quantity.sign_from_word else []
        notes += ["look-alike characters"] if quantity.lookalike else []
        notes += ["hidden from readers"] if quantity in scan.hidden else []
        cells = (quantity.text, f"{quantity.value:f}", quantity.unit or "", quantity.kind)
        line = str(source.count("\n", 0, quantity.start) + 1)
        table.add_row(line, *map(_plain, cells), _plain(" ".join(filter(None, notes))))
    for vague in scan.vague:
        line = str(source.count("\n", 0, vague.start) + 1)
        table.add_row(line, _plain(vague.text), "", "", "vague", "")
    stdout_console().print(table)


def _plain(text: str) -> str:
    from rich.markup import escape

    return escape(printable(text))
