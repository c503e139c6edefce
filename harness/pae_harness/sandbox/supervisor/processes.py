"""Every process of the box: listing and killing."""

# Pathlib and contextlib cost a box's start.
# ruff: noqa: PTH208, SIM105

from __future__ import annotations

import os
import time

ROOT = "/box"
# Two hundred processes that map gigabytes each take the kernel half a minute to take apart.
SWEEP_SECONDS = 120


def others() -> list[str]:
    """Every process of the box but its init and this one."""
    spared = ("1", str(os.getpid()))
    return [name for name in os.listdir("/proc") if name.isdigit() and name not in spared]


def reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def sweep() -> bool:
    """Kill every process but this one; True when none is left."""
    began = time.monotonic()
    while True:
        try:
            os.kill(-1, 9)
        except ProcessLookupError:
            pass
        reap()
        if not others():
            return True
        took = time.monotonic() - began
        if took > SWEEP_SECONDS:
            return False
        time.sleep(min(0.1, max(0.001, took / 50)))
