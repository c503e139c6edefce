"""What a run says while it runs: a live table on a terminal, one line per trial elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

from pae_harness.result import TrialResult
from pae_harness.runs.plan import PlannedTrial
from pae_harness.runs.tables import results_table

if TYPE_CHECKING:
    from rich.live import Live


class Progress:
    """Shows results on stderr as they come. ``quiet`` shows nothing."""

    def __init__(self, trials: Sequence[PlannedTrial], judge: str, *, quiet: bool = False) -> None:
        self._trials = trials
        self._judge = judge
        self._quiet = quiet
        self._results: dict[str, TrialResult] = {}
        self._live: Live | None = None

    def __enter__(self) -> Self:
        if not self._quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.live import Live

            console = Console(stderr=True)
            self._live = Live(console=console, transient=True, refresh_per_second=8)
            self._live.start()
            self._redraw()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def ended(self, trial: PlannedTrial, result: TrialResult) -> None:
        """A trial has ended."""
        self._results[trial.path] = result
        if self._live is not None:
            self._redraw()
        elif not self._quiet:
            sys.stderr.write(self._line(trial, result) + "\n")
            sys.stderr.flush()

    def _redraw(self) -> None:
        if self._live is not None:
            table = results_table(self._trials, self._results, self._judge)
            table.caption = f"{len(self._results)} of {len(self._trials)} trials"
            self._live.update(table)

    def _line(self, trial: PlannedTrial, result: TrialResult) -> str:
        reward = "   -  " if result.reward is None else f"{result.reward:.4f}"
        count = f"[{len(self._results)}/{len(self._trials)}]"
        reason = f"  {result.reason}" if result.reason else ""
        return f"{count} {result.outcome:12} {reward}  {trial.path}{reason}"
