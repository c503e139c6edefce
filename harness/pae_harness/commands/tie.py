"""``pae tie``: tie every number of a document to its data."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pae_harness.coloured import show
from pae_harness.commands.scan import scan_file
from pae_harness.console import reader_may_leave, stdout_console
from pae_harness.documents import read_text
from pae_harness.errors import UsageError
from pae_harness.misses import MISSES, STYLES, marks, misses
from pae_verifiers.errors import SourcesError
from pae_verifiers.numbers.model import Tie

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
    """On a terminal the document in colours, unless ``quiet``; each miss; the summary."""
    from rich.text import Text

    console = stdout_console(soft_wrap=True)
    if console.is_terminal and not quiet:
        show(console, source, marks(verdict), STYLES)
    for kind, line in misses(source, verdict):
        console.print(Text(line, STYLES.get(kind, "")))
    matched = sum(n.verdict == "matched" for n in verdict.numbers)
    missed = sum(n.verdict in MISSES for n in verdict.numbers)
    if not matched and not missed:
        console.print(Text(NO_NUMBERS))
    console.print(
        Text(
            f"numeric_consistency {verdict.numeric_consistency:.4f}: {matched} matched, "
            f"{missed} not, {len(verdict.missing_facts)} required facts missing"
        )
    )
