"""Every process of the box: counting, measuring, killing."""

# Pathlib and contextlib cost a box's start.
# ruff: noqa: PTH123, PTH208, SIM102, SIM105

from __future__ import annotations

import os
import time

TYPE_CHECKING = False  # the real one would import typing, which costs more than all else here
if TYPE_CHECKING:
    from typing import Any

    Order = dict[str, Any]

ROOT = "/box"
MANY_FILES = 100_000


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
    deadline = time.monotonic() + 5
    while True:
        try:
            os.kill(-1, 9)
        except ProcessLookupError:
            pass
        reap()
        if not others():
            return True
        if time.monotonic() > deadline:
            return False
        time.sleep(0.001)


def memory_of(pid: str, exact: bool) -> int:
    """Bytes of memory that are a process's own (``exact``: shared pages split among sharers)."""
    name, keys = ("smaps_rollup", (b"Pss_Anon:", b"Pss_Shmem:"))
    if not exact:
        name, keys = ("status", (b"RssAnon:", b"RssShmem:"))
    total = 0
    try:
        with open(f"/proc/{pid}/{name}", "rb") as file:
            for line in file:
                if line.startswith(keys):
                    total += int(line.split()[1]) * 1024
    except (OSError, IndexError, ValueError):
        return 0
    return total


def over_limit(config: Order) -> str:
    """The limit that the box's processes exceed now, watched only where no cgroup does it."""
    pids = others()
    # Two of them are the inner box's own: bubblewrap and its init.
    if config["watch_pids"] and len(pids) - 2 > config["watch_pids"]:
        return "pids"
    disk = os.statvfs(ROOT)
    if config["watch_memory"] and disk.f_files - disk.f_ffree > max(MANY_FILES, disk.f_blocks):
        return "disk"  # each empty file takes a kilobyte of the kernel's memory
    limit = config["watch_memory"]
    if limit and sum(memory_of(pid, False) for pid in pids) > limit:
        # Forks share pages: count those once before killing anything.
        if sum(memory_of(pid, True) for pid in pids) > limit:
            return "memory"
    return ""
