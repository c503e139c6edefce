"""Every process of the box: listing, reaping and killing."""

# Pathlib and contextlib cost a box's start.
# ruff: noqa: PTH208, SIM105

from __future__ import annotations

import os
import time

ROOT = "/box"
# Two hundred processes that map gigabytes each take the kernel half a minute to take apart.
SWEEP_SECONDS = 120


def others() -> list[str]:
    """Every process of the box but its init and this one, which may be one and the same."""
    spared = ("1", str(os.getpid()))
    return [name for name in os.listdir("/proc") if name.isdigit() and name not in spared]


def reap() -> dict[int, int]:
    """The wait statuses of children that have ended, by their numbers."""
    ended: dict[int, int] = {}
    try:
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return ended
            ended[pid] = status
    except ChildProcessError:
        return ended


def sweep() -> tuple[bool, dict[int, int]]:
    """Kill every process but this one; whether none is left, and what ``reap`` found."""
    began = time.monotonic()
    ended: dict[int, int] = {}
    while True:
        try:
            os.kill(-1, 9)
        except ProcessLookupError:
            pass
        ended.update(reap())
        if not others():
            return True, ended
        took = time.monotonic() - began
        if took > SWEEP_SECONDS:
            return False, ended
        time.sleep(min(0.1, max(0.001, took / 50)))
