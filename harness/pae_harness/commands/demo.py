"""``pae demo``: a right memo and a subtly wrong one, what they earn and why."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import TYPE_CHECKING

from pae_harness.coloured import coloured, legend
from pae_harness.console import reader_may_leave, stdout_console
from pae_harness.demo import ORACLE, SEED, TASK, WRONG, DemoMemo, demo_memos
from pae_harness.misses import STYLES, marks

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

SIDE_BY_SIDE = 120  # columns from which on a memo's tables fit into half of them
GAP = 4
_PARAGRAPH = re.compile(r"(?:.+\n?)+")


def main(args: argparse.Namespace) -> int:
    """Exit code 0; TaskError where the demo's own files are missing.

    With ``--json``: ``{"memos": [{name, reward, metrics, numbers, why}]}``.
    """
    memos = demo_memos()
    with reader_may_leave():
        if args.json:
            data = {"memos": [memo.to_json() for memo in memos]}
            json.dump(data, sys.stdout, ensure_ascii=False, indent=2)
            sys.stdout.write("\n")
        else:
            _show(memos, quiet=args.quiet)
    return 0


def _show(memos: Sequence[DemoMemo], *, quiet: bool) -> None:
    """On a terminal both memos in colours, unless ``quiet``; what each earned, and why."""
    from rich.text import Text

    console = stdout_console(soft_wrap=True)
    by_name = {memo.name: memo for memo in memos}
    if console.is_terminal and not quiet:
        console.print(_together(console, by_name[ORACLE], by_name[WRONG]), soft_wrap=False)
        console.print(legend(STYLES))
        console.print()
    console.print(Text(f"{TASK}, seed {SEED}; judge rules, a stand-in"))
    for memo in memos:
        console.print()
        console.print(Text(earned(memo), "bold"))
        matched = sum(number.verdict == "matched" for number in memo.tied.numbers)
        console.print(Text(f"  {matched} numbers tie out", STYLES["matched"]))
        for kind, line in memo.losses():
            console.print(Text(f"  {line}", STYLES.get(kind, "")))


def earned(memo: DemoMemo) -> str:
    """``the oracle's memo: reward 1.000 (numeric_consistency 1.000, judge_rubric 1.000)``."""
    metrics = [f"{name} {value:.3f}" for name, value in memo.score.metrics.items()]
    metrics += [f"{name} not measured" for name in memo.score.not_measured]
    return f"{memo.name}: reward {memo.score.reward or 0:.3f} ({', '.join(metrics)})"


def _together(console: Console, left: DemoMemo, right: DemoMemo) -> RenderableType:
    """The two memos side by side where there is room, else one above the other."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    if console.width < SIDE_BY_SIDE:
        parts = [
            Text("\n\n").join([_title(memo), *_paragraphs(memo), Text()]) for memo in (left, right)
        ]
        return Group(*parts)
    table = Table.grid(padding=(0, GAP, 0, 0))
    for _ in range(2):
        table.add_column(width=(console.width - GAP) // 2, overflow="fold")
    table.add_row(_title(left), _title(right))
    for row in _aligned(_paragraphs(left), _paragraphs(right)):
        table.add_row()
        table.add_row(*row)
    table.add_row()
    return table


def _title(memo: DemoMemo) -> Text:
    from rich.text import Text

    return Text(f"{memo.name}: reward {memo.score.reward or 0:.3f}", "bold reverse")


def _paragraphs(memo: DemoMemo) -> list[Text]:
    from rich.text import Text

    found = list(marks(memo.tied))
    return [
        Text("\n").join(
            coloured(
                part[0].rstrip("\n"),
                [
                    replace(mark, start=mark.start - part.start(), end=mark.end - part.start())
                    for mark in found
                    if part.start() <= mark.start < part.end()
                ],
            )
        )
        for part in _PARAGRAPH.finditer(memo.text)
    ]


def _aligned(left: list[Text], right: list[Text]) -> Iterator[tuple[Text | None, Text | None]]:
    """The paragraphs in pairs, with a gap where one memo has a paragraph more."""
    matcher = SequenceMatcher(None, [t.plain for t in left], [t.plain for t in right], False)
    for _, a, b, c, d in matcher.get_opcodes():
        yield from zip_longest(left[a:b], right[c:d])
