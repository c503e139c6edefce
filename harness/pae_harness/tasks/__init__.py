"""Task folders: loading them, finding them, and finding out what is wrong with them."""

from __future__ import annotations

from pae_harness.tasks.checking import check
from pae_harness.tasks.loader import load
from pae_harness.tasks.model import (
    Digests,
    EnvironmentLimits,
    Expect,
    Input,
    Metadata,
    Output,
    Task,
    Trap,
)
from pae_harness.tasks.suite import Selected, Suite, find_suite, select

__all__ = [
    "Digests",
    "EnvironmentLimits",
    "Expect",
    "Input",
    "Metadata",
    "Output",
    "Selected",
    "Suite",
    "Task",
    "Trap",
    "check",
    "find_suite",
    "load",
    "select",
]
