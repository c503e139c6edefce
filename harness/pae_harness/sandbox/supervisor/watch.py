"""What the box's processes hold, for boxes whose limits no control group keeps.

Memory that no process has mapped cannot be seen from here: where this watches, the seccomp filter
refuses the calls that make such memory, and descriptors, which hold it too, are counted.
"""

# Pathlib and contextlib cost a box's start.
# ruff: noqa: PTH116, PTH123, PTH208

from __future__ import annotations

import os

from .processes import others

TYPE_CHECKING = False  # the real one would import typing, which costs more than all else here
if TYPE_CHECKING:
    from collections.abc import Iterator

MANY_FILES = 100_000
MANY_DESCRIPTORS = 4096  # of all processes together; each may have 400 KB of a socket's buffers
SHARED = (b"/dev/zero (deleted)", b"/SYSV", b"/memfd:")


def over_limit(memory: int, most_pids: int, disks: list[str], own_processes: int) -> str:
    """The limit that the box's processes exceed now; 0 is one that is not watched.

    ``own_processes`` is how many of them are the sandbox's own.
    """
    pids = others()
    if many_descriptors(pids):
        return "memory"
    if most_pids and len(pids) - own_processes > most_pids:
        return "pids"
    if not memory:
        return ""
    if any(many_files(os.statvfs(path)) for path in disks):
        return "disk"  # each empty file takes a kilobyte of the kernel's memory
    found = look(pids)
    if sum(process.most for process in found) <= memory:
        return ""
    # Forks share pages: count those once before killing anything, and look again and again,
    # because processes come and go while they are looked at.
    over = all(exactly(without_borrowers(look(others()))) > memory for _ in range(3))
    return "memory" if over else ""


def many_files(disk: os.statvfs_result) -> bool:
    return disk.f_files - disk.f_ffree > max(MANY_FILES, disk.f_blocks)


def many_descriptors(pids: list[str]) -> bool:
    """Whether they hold more than a box may, control groups or not: no group counts all sockets."""
    return sum(map(descriptors, pids)) > MANY_DESCRIPTORS


def descriptors(pid: str) -> int:
    """Of a process; its first thread may have ended, and others go on."""
    return open_descriptors(f"/proc/{pid}") or max(
        (open_descriptors(f"/proc/{pid}/task/{task}") for task in tasks(pid)), default=0
    )


class Process:
    """What /proc/PID/status says of a process that has memory; sizes are in bytes."""

    def __init__(self, pid: str, path: str, status: bytes) -> None:
        self.pid = pid
        self.path = path
        self.tables = amount(status, b"\nVmPTE:")
        names = (b"\nVmSize:", b"\nVmData:", b"\nVmStk:", b"\nVmExe:", b"\nVmLib:")
        size, *private = (amount(status, name) for name in names)
        rss = amount(status, b"\nRssAnon:") + amount(status, b"\nRssShmem:")
        self.most = rss + self.tables + max(0, size - sum(private))
        self.parent = str(amount(status, b"\nPPid:") >> 10)
        self.shape = (size, *private, rss, self.tables)

    @classmethod
    def of(cls, pid: str) -> Process | None:
        """None for a process that has ended; its first thread may have, and others go on."""
        for path in (f"/proc/{pid}", *(f"/proc/{pid}/task/{t}" for t in tasks(pid))):
            status = content(f"{path}/status")
            if b"\nRssAnon:" in status:
                return cls(pid, path, status)
        return None


def look(pids: list[str]) -> list[Process]:
    return [process for pid in pids if (process := Process.of(pid))]


def content(path: str) -> bytes:
    """A file's bytes; none if it or its process is gone."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def tasks(pid: str) -> Iterator[str]:
    """The threads of a process, looked up only when they are asked for."""
    try:
        yield from os.listdir(f"/proc/{pid}/task")
    except OSError:
        return


def amount(lines: bytes, name: bytes) -> int:
    """A line's number, which is in KB; 0 if there is no such line."""
    at = lines.find(name)
    if at < 0:
        return 0
    return int(lines[at + len(name) : lines.index(b"\n", at + 1)].split()[0]) << 10


def without_borrowers(found: list[Process]) -> list[Process]:
    """Without the children that use the memory of a parent whose thread waits for them (vfork)."""
    shapes = {process.pid: process.shape for process in found}
    waiting: dict[str, int] = {}
    own = []
    for process in found:
        parent = process.parent
        borrows = shapes.get(parent) == process.shape
        if borrows and parent not in waiting:
            waiting[parent] = waiting_threads(parent)
        if borrows and waiting[parent]:
            waiting[parent] -= 1
        else:
            own.append(process)
    return own


def waiting_threads(pid: str) -> int:
    states = (content(f"/proc/{pid}/task/{task}/status") for task in tasks(pid))
    return sum(b"\nState:\tD" in state for state in states)


def open_descriptors(path: str) -> int:
    """Since Linux 6.2 the folder's size tells their number."""
    try:
        return os.stat(f"{path}/fd").st_size or len(os.listdir(f"{path}/fd"))
    except OSError:
        return 0


def exactly(found: list[Process]) -> int:
    """Bytes of memory of all; shared pages once, shared objects at the size that is mapped.

    A page of a shared object can be there without being in any process's own table.
    """
    total = shared = 0
    objects: dict[bytes, int] = {}
    for process in found:
        rollup = content(f"{process.path}/smaps_rollup")
        total += process.tables + amount(rollup, b"\nPss_Anon:")
        shared += amount(rollup, b"\nPss_Shmem:")
        for line in content(f"{process.path}/maps").splitlines():
            words = line.split(None, 5)
            if len(words) == 6 and words[5].startswith(SHARED):
                start, _, end = words[0].partition(b"-")
                until = int(words[2], 16) + int(end, 16) - int(start, 16)
                objects[words[4]] = max(objects.get(words[4], 0), until)
    return total + max(shared, sum(objects.values()))
