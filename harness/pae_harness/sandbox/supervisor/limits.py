"""The box's limits as seen from within: which a control group keeps, and which was hit."""

# Pathlib costs a box's start.
# ruff: noqa: PTH123

from __future__ import annotations

import os
import resource

from .watch import over_limit

TYPE_CHECKING = False  # the real one would import typing, which costs more than all else here
if TYPE_CHECKING:
    from typing import Any

    Order = dict[str, Any]

GROUPS = "/sys/fs/cgroup"
# A process's data may be a little larger than the box's memory: the watcher sees it grow.
DATA_SLACK = 64 << 20
DESCRIPTORS = 1024  # of one process; their number in all processes is watched
# Where either version says what a container may use, and how often it wanted more.
MEMORY_LIMIT = ("memory/memory.limit_in_bytes", "memory.max")
PIDS_LIMIT = ("pids/pids.max", "pids.max")
CPU_LIMIT = ("cpu/cpu.cfs_quota_us", "cpu.max")
MEMORY_EVENTS = ("memory/memory.oom_control", "memory.events")
PIDS_EVENTS = ("pids/pids.events", "pids.events")


class Limits:
    """Watches what no control group keeps; ``disks`` are the places that may be written.

    Adds to ``config`` what only the box's own side knows.
    """

    def __init__(self, config: Order) -> None:
        self.disks: list[str] = config["disks"]
        self.storage: int = config["storage"]
        self.memory: int = config["watch_memory"]
        self.pids: int = config["watch_pids"]
        self.grouped = ""
        # Room in the box's memory that this program can give itself once it is needed.
        self.ballast = b"\1" * config["ballast"]
        self.before = (0, 0)
        few = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        few = DESCRIPTORS if few == resource.RLIM_INFINITY else min(few, DESCRIPTORS)
        config["rlimits"] = [*config["rlimits"], (resource.RLIMIT_NOFILE, few)]
        self.counted = "container" in config
        if self.counted:
            self.find_groups(config["container"])
            self.complete(config)

    def complete(self, config: Order) -> None:
        """How commands are started, now that it is known what has to be watched."""
        asked = config["container"]
        pinned = "cpus" not in self.grouped
        config["cpus"] = asked["cpus"] if pinned else None
        config["seccomp"] = asked["filters"][pinned, bool(self.memory)]
        if self.memory:
            config["rlimits"].append((resource.RLIMIT_DATA, self.memory + DATA_SLACK))

    def find_groups(self, asked: Order) -> None:
        """``asked`` are the container's limits; what is not in force is watched instead."""
        memory = number(MEMORY_LIMIT)
        if memory is None or memory > asked["memory"]:
            self.memory = asked["memory"]
        else:
            self.grouped += "memory "
        pids = number(PIDS_LIMIT)
        if pids is None or pids > asked["pids"]:
            self.pids = asked["pids"]
        else:
            self.grouped += "pids "
        if (number(CPU_LIMIT) or -1) > 0:
            self.grouped += "cpus "
        # The root group of version 2 has this file in every container.
        self.grouped += "v2" if os.path.exists(f"{GROUPS}/cgroup.controllers") else "v1"  # noqa: PTH110

    def spare(self) -> None:
        """Everything untrusted is dead, and its files may have filled the memory."""
        self.ballast = b""

    def begin(self) -> None:
        self.before = self.events()

    def events(self) -> tuple[int, int]:
        if not self.counted:
            return 0, 0
        return counted(MEMORY_EVENTS, b"oom_kill"), counted(PIDS_EVENTS, b"max")

    def exceeded(self, own_processes: int) -> str:
        """The limit that a running command is over."""
        if self.overfull():
            return "disk"
        return over_limit(self.memory, self.pids, self.disks, own_processes)

    def overfull(self) -> bool:
        """Several places together hold more than the box may."""
        return len(self.disks) > 1 and sum(map(used, self.disks)) > self.storage

    def hit(self) -> str:
        """The limit that a command which failed has run into."""
        memory, pids = self.events()
        if memory > self.before[0]:
            return "memory"
        if pids > self.before[1]:
            return "pids"
        return "disk" if any(map(full, self.disks)) else ""


def used(path: str) -> int:
    disk = os.statvfs(path)
    return (disk.f_blocks - disk.f_bfree) * disk.f_frsize


def full(path: str) -> bool:
    disk = os.statvfs(path)
    return disk.f_bavail * 100 < disk.f_blocks


def content(names: tuple[str, ...]) -> bytes:
    """The first of these files that is there."""
    for name in names:
        try:
            with open(f"{GROUPS}/{name}", "rb") as file:
                return file.read()
        except OSError:
            continue
    return b""


def number(names: tuple[str, ...]) -> int | None:
    """A setting's number; None where there is none, or no limit."""
    words = content(names).split()
    return int(words[0]) if words and words[0] != b"max" else None


def counted(names: tuple[str, ...], key: bytes) -> int:
    words = content(names).split()
    return int(words[words.index(key) + 1]) if key in words else 0
