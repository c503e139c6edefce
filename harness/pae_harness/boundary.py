"""A trial's outer boundary: whatever goes wrong within is this trial's result, and no other's."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from pae_harness.disk import refusal
from pae_harness.errors import PaeError
from pae_harness.oneline import shortened
from pae_harness.result import TrialResult


def bounded(
    steps: Callable[[], TrialResult], so_far: Callable[[], TrialResult], folder: Path
) -> TrialResult:
    """What ``steps`` come to; where they fail, ``so_far`` with the reason, which is unscored."""
    try:
        result = steps()
    except PaeError as error:
        result = _unscored(so_far(), str(error))
    except OSError as error:
        result = _unscored(so_far(), f"this machine refused: {refusal(error, folder)}")
    except Exception as error:  # noqa: BLE001 - the trial's outer boundary: its siblings go on
        (folder / "error.log").write_text(traceback.format_exc(), encoding="utf-8")
        result = _unscored(so_far(), f"internal error: {type(error).__name__}: {error}")
    # What a box left may be quoted in it.
    return replace(result, reason=shortened(result.reason))


def _unscored(result: TrialResult, reason: str) -> TrialResult:
    return replace(result, outcome="unscored", reward=None, metrics={}, reason=reason)
