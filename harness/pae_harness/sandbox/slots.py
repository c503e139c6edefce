"""Numbers that boxes of one user hold while they live, unique among all processes of the machine.

A slot is an abstract Unix socket: bound by one process at a time, released by the kernel when that
process dies however it dies, and never a file that could be left behind.
"""

from __future__ import annotations

import math
import os
import socket
from dataclasses import dataclass
from pathlib import Path

from pae_harness.errors import SandboxError, SandboxUnavailableError

COUNT = 1000
# Far from real users; the second is for user namespaces that map only 16 bits.
_UID_BASES = (2_000_000_000, 60_600)


@dataclass(frozen=True)
class Slot:
    """A number from 0 to COUNT - 1, held until ``release``."""

    number: int
    holder: socket.socket

    def release(self) -> None:
        self.holder.close()


def claim(number: int) -> Slot | None:
    """This slot, or None while another box holds it."""
    holder = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        holder.bind(f"\0pae-box-{os.getuid()}-{number}")
    except OSError:
        holder.close()
        return None
    return Slot(number, holder)


def take() -> Slot:
    """The lowest free slot. Raises SandboxError when a thousand boxes run already."""
    for number in range(COUNT):
        slot = claim(number)
        if slot is not None:
            return slot
    raise SandboxError(f"{COUNT} boxes run already: end some runs")


def box_uid(slot: Slot) -> int:
    """The host uid that runs a box started by root; RLIMIT_NPROC counts per uid, so one a slot."""
    return _uid_base(Path("/proc/self/uid_map").read_text()) + slot.number


def processors(number: int, cpus: float) -> list[int]:
    """Whole processors for a box, others for the next, where affinity is what limits their time."""
    usable = sorted(os.sched_getaffinity(0))
    count = min(len(usable), max(1, math.ceil(cpus)))
    return [usable[(number * count + i) % len(usable)] for i in range(count)]


def _uid_base(uid_map: str) -> int:
    """The first base whose whole range is mapped, given /proc/self/uid_map's lines."""
    ranges = [tuple(map(int, line.split())) for line in uid_map.splitlines()]
    for base in _UID_BASES:
        if any(first <= base and base + COUNT <= first + length for first, _, length in ranges):
            return base
    raise SandboxUnavailableError(
        "the local sandbox cannot run: root maps too few user ids here; run pae as an ordinary user"
    )
