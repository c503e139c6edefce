"""What a run says while it runs: a live table on a terminal, one line per trial elsewhere."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

from pae_harness.result import TrialResult
from pae_harness.runs.plan import PlannedTrial
from pae_harness.runs.tables import results_table

if TYPE_CHECKING:
    from rich.live import Live


class Progress:
    """Shows results on stderr as they come. ``quiet`` shows nothing; ``done`` were there before."""

    def __init__(
        self,
        trials: Sequence[PlannedTrial],
        judge: str,
        *,
        quiet: bool = False,
        done: Mapping[str, TrialResult] | None = None,
    ) -> None:
        self._trials = trials
        self._judge = judge
        self._quiet = quiet
        self._results = dict(done or {})
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
        self.stop()

    def stop(self) -> None:
        """Give the terminal back as it was. Safe to call twice and from any thread."""
        if self._live is not None:
            self._live.stop()

    def say(self, sentence: str) -> None:
        """A sentence on stderr, quiet or not; a terminal that is gone is no failure."""
        with contextlib.suppress(OSError):
            if self._live is not None and self._live.is_started:
                self._live.console.print(sentence, markup=False, highlight=False, soft_wrap=True)
            else:
                sys.stderr.write(sentence + "\n")
                sys.stderr.flush()

    def ended(self, trial: PlannedTrial, result: TrialResult) -> None:
        """A trial has ended."""
        self._results[trial.path] = result
        if self._live is not None:
            self._redraw()
        elif not self._quiet:
            self.say(self._line(trial, result))

    def _redraw(self) -> None:
        if self._live is not None:
            width = self._live.console.width
            table = results_table(self._trials, self._results, self._judge, width)
            table.caption = f"{len(self._results)} of {len(self._trials)} trials"
            self._live.update(table)

    def _line(self, trial: PlannedTrial, result: TrialResult) -> str:
        reward = "   -  " if result.reward is None else f"{result.reward:.4f}"
        count = f"[{len(self._results)}/{len(self._trials)}]"
        return f"{count} {result.outcome:12} {reward}  {trial.path}"  # the summary has the reason
