"""The harness: command line, sandboxes, trials and runs.

Public: :func:`run_trial` and :class:`TrialResult`, loaded when first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pae_harness.result import TrialKey, TrialResult
    from pae_harness.trial import run_trial

__all__ = ["TrialKey", "TrialResult", "run_trial"]


def __getattr__(name: str) -> object:
    from importlib import import_module

    homes = {"run_trial": "trial", "TrialResult": "result", "TrialKey": "result"}
    if name not in homes:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home: object = import_module(f"pae_harness.{homes[name]}")
    return getattr(home, name)
