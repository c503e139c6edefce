"""Limits on a whole box by control groups, version 1 or 2, wherever they are writable.

Groups are named for the user and the box's slot: whoever holds the slot owns the group, so a group
without a slot's holder is a dead run's, and the next start removes it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pae_harness.sandbox import slots
from pae_harness.sandbox.protocol import Limits

CONTROLLERS = ("memory", "pids", "cpu")
# The harness's own processes in a box: the shells of bubblewrap, two inits, the supervisor.
OVERHEAD_PIDS = 8
_PERIOD_US = 100_000


@dataclass(frozen=True)
class Parents:
    """Per controller, the folder that new groups can be made in; ``version`` is 1 or 2."""

    version: int
    folders: Mapping[str, Path]


def own_parents() -> Parents:
    """Where this process may make groups; nowhere at all on many machines."""
    proc = Path("/proc/self")
    try:
        return find_parents((proc / "mountinfo").read_text(), (proc / "cgroup").read_text())
    except OSError:
        return Parents(2, {})


def find_parents(mountinfo: str, membership: str) -> Parents:
    """Where this process may make groups, from the texts of /proc/self/{mountinfo,cgroup}."""
    own = dict(_membership(membership))
    first: dict[str, Path] = {}
    second: dict[str, Path] = {}
    for kind, options, point, root in _mounts(mountinfo):
        if kind == "cgroup2" and "" in own:
            second = _second(point, _relative(own[""], root))
        for controller in set(CONTROLLERS).intersection(options if kind == "cgroup" else ()):
            folder = point / _relative(own.get(controller, "/"), root)
            if os.access(folder, os.W_OK):
                first[controller] = folder
    return Parents(1, first) if first else Parents(2, second)


def _membership(text: str) -> list[tuple[str, str]]:
    """(controller, path) pairs; version 2's controller is the empty string."""
    lines = (line.split(":", 2) for line in text.splitlines())
    return [(name, path) for _, names, path in lines for name in names.split(",")]


def _mounts(text: str) -> list[tuple[str, list[str], Path, str]]:
    """(type, options, mount point, root within the hierarchy) of every cgroup mount."""
    found = []
    for line in text.splitlines():
        left, _, right = line.partition(" - ")
        kind, _, options = right.split(" ", 2)
        if kind in ("cgroup", "cgroup2"):
            root, point = left.split(" ")[3:5]
            found.append((kind, options.split(","), Path(point), root))
    return found


def _relative(path: str, root: str) -> str:
    inside = path.removeprefix(root.rstrip("/")) if path.startswith(root) else "/"
    return inside.lstrip("/")


def _second(point: Path, path: str) -> dict[str, Path]:
    """The nearest ancestor that hands memory and pids to its children and that we may write."""
    folder = point / path
    while folder != point.parent:
        given = _words(folder / "cgroup.subtree_control")
        writable = os.access(folder, os.W_OK) and os.access(folder / "cgroup.procs", os.W_OK)
        if writable and {"memory", "pids"} <= given:
            return {controller: folder for controller in CONTROLLERS if controller in given}
        folder = folder.parent
    return {}


def _words(path: Path) -> set[str]:
    try:
        return set(path.read_text().split())
    except OSError:
        return set()


@dataclass(frozen=True)
class Group:
    """A box's group; ``folders`` per controller (all the same one for version 2)."""

    version: int
    folders: Mapping[str, Path]

    def has(self, controller: str) -> bool:
        return controller in self.folders

    def entrances(self) -> list[str]:
        """The files that a process writes its number to, to be limited."""
        return sorted({str(folder / "cgroup.procs") for folder in self.folders.values()})

    def events(self) -> tuple[int, int]:
        """How often memory ran out, and how often a new process was refused."""
        memory, pids = self.folders.get("memory"), self.folders.get("pids")
        name = "memory.oom_control" if self.version == 1 else "memory.events"
        killed = _count(memory / name, "oom_kill") if memory else 0
        return killed, _count(pids / "pids.events", "max") if pids else 0

    def spare_memory(self) -> None:
        """Lift the memory limit, once everything untrusted is dead, so that reading can go on."""
        if (folder := self.folders.get("memory")) is None:
            return
        for name in ("memory.memsw.limit_in_bytes", "memory.limit_in_bytes", "memory.max"):
            if (folder / name).exists():
                (folder / name).write_text("max" if name == "memory.max" else "-1")

    def remove(self, timeout: float = 5) -> bool:
        """Kill what is still in it and remove it; False if the kernel keeps it."""
        deadline = time.monotonic() + timeout
        left = set(self.folders.values())
        while left:
            for folder in tuple(left):
                if _remove(folder):
                    left.discard(folder)
            if left and time.monotonic() > deadline:
                return False
            if left:
                time.sleep(0.002)
        return True


def _remove(folder: Path) -> bool:
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        for word in _words(folder / "cgroup.procs"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(int(word), signal.SIGKILL)
        return False
    return True


def _count(path: Path, key: str) -> int:
    try:
        lines = path.read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.split()[0] == key), 0)


def name_of(slot_number: int) -> str:
    return f"pae-{os.getuid()}-{slot_number}"


def create(parents: Parents, slot_number: int, limits: Limits) -> Group:
    """A new group with these limits, in whatever controllers can be had."""
    made: dict[str, Path] = {}
    for controller, parent in parents.folders.items():
        folder = parent / name_of(slot_number)
        with contextlib.suppress(OSError):
            folder.mkdir(exist_ok=True)
            for name, value in _settings(parents.version, controller, limits):
                if (folder / name).exists() or name in ("memory.max", "pids.max", "cpu.max"):
                    (folder / name).write_text(value)
            made[controller] = folder
    return Group(parents.version, made)


def _settings(version: int, controller: str, limits: Limits) -> list[tuple[str, str]]:
    memory = str(limits.memory_mb << 20)
    quota = str(max(1000, int(limits.cpus * _PERIOD_US)))
    if controller == "pids":
        return [("pids.max", str(limits.pids + OVERHEAD_PIDS))]
    if controller == "memory":
        if version == 2:
            return [("memory.max", memory), ("memory.swap.max", "0")]
        return [("memory.limit_in_bytes", memory), ("memory.memsw.limit_in_bytes", memory)]
    if version == 2:
        return [("cpu.max", f"{quota} {_PERIOD_US}")]
    return [("cpu.cfs_period_us", str(_PERIOD_US)), ("cpu.cfs_quota_us", quota)]


def reap(parents: Parents) -> int:
    """Remove the groups of this user's dead runs; how many there were."""
    prefix = f"pae-{os.getuid()}-"
    numbers = {
        int(folder.name.removeprefix(prefix))
        for parent in parents.folders.values()
        for folder in parent.glob(f"{prefix}*")
        if folder.name.removeprefix(prefix).isdigit()
    }
    reaped = 0
    for number in numbers:
        slot = slots.claim(number)
        if slot is None:
            continue
        try:
            folders = {c: parent / name_of(number) for c, parent in parents.folders.items()}
            reaped += Group(parents.version, folders).remove()
        finally:
            slot.release()
    return reaped
