"""Who made a container, an image or a scratch folder: a process of this machine, alive or dead.

A process is known by its number and when it started, within its process namespace and the
machine's boot, so that a number given out again is not mistaken for it.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_IN_NAME = re.compile(r"(\d+)_(\d+)_(\d+)_(\d+)_([0-9a-f-]{36})-")


@dataclass(frozen=True)
class Owner:
    """A process that makes boxes and folders."""

    uid: int
    pid: int
    started: str
    namespace: str
    boot: str

    def __str__(self) -> str:
        return f"{self.uid}:{self.pid}:{self.started}:{self.namespace}:{self.boot}"

    @property
    def prefix(self) -> str:
        """The same for the beginning of a folder's name."""
        return str(self).replace(":", "_") + "-"

    def dead(self, me: Owner) -> bool:
        """Whether it is known to have ended; not for what ``me`` cannot see."""
        if me.uid not in (0, self.uid):
            return False  # /proc may hide the processes of others
        if self.boot != me.boot:
            return True
        return self.namespace == me.namespace and _started(self.pid) != self.started


def parse(text: str) -> Owner | None:
    """What ``str`` of an owner said; None for anything else."""
    parts = text.split(":")
    if len(parts) != 5 or not (parts[0].isdigit() and parts[1].isdigit()):
        return None
    return Owner(int(parts[0]), int(parts[1]), *parts[2:])


def in_name(text: str) -> Owner | None:
    """Whose ``prefix`` a name begins with; None for any other name."""
    found = _IN_NAME.match(text)
    return None if found is None else parse(":".join(found.groups()))


@lru_cache(maxsize=1)
def _me(pid: int) -> Owner:
    try:
        namespace = os.readlink("/proc/self/ns/pid").strip("pid:[]")  # noqa: PTH115
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:  # no Linux: nobody is known to be dead, nothing is removed
        namespace = boot = ""
    return Owner(os.getuid(), pid, _started(pid), namespace, boot)


def me() -> Owner:
    """This process."""
    return _me(os.getpid())


def _started(pid: int) -> str:
    """When a process started, in the kernel's ticks since the boot; empty if it is gone."""
    try:
        words = (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if words[0] in "ZX" else words[19]
