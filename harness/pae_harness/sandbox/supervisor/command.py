"""One command, from its start until nothing of it is left."""

from __future__ import annotations

import os
import select
import time

from .limits import Limits
from .processes import sweep
from .wire import PIECE, receive, send

TYPE_CHECKING = False  # the real one would import typing, which costs more than all else here
if TYPE_CHECKING:
    from typing import Any

    Order = dict[str, Any]

TICK_SECONDS = 0.05


class Stream:
    """Passes the first ``room`` bytes of a pipe on, and drains the rest."""

    def __init__(self, fd: int, kind: bytes, room: int) -> None:
        self.fd = fd
        self.kind = kind
        self.room = room
        self.truncated = False

    def pump(self) -> bool:
        """Read one piece; False at the end."""
        piece = os.read(self.fd, PIECE)
        if len(piece) > self.room:
            self.truncated = True
        if piece and self.room:
            send(self.kind, piece[: self.room])
            self.room -= min(self.room, len(piece))
        return bool(piece)


class Exec:
    """One command. ``start`` is the class that starts it."""

    def __init__(self, config: Order, order: Order, limits: Limits, start: Any) -> None:
        self.limits = limits
        self.deadline = time.monotonic() + order["timeout"]
        out, out_end = os.pipe()
        err, err_end = os.pipe()
        self.command = start(config, order, out_end, err_end)
        os.close(out_end)
        os.close(err_end)
        self.streams = {fd: Stream(fd, k, order["stream"]) for fd, k in ((out, b"o"), (err, b"e"))}
        self.open = {out, err}
        self.poll = select.poll()
        for fd in (0, self.command.events, *self.open):
            self.poll.register(fd, select.POLLIN)

    def step(self, wait: float) -> bool:
        """Handle what is ready; False when the harness asks for a kill."""
        for fd, _ in self.poll.poll(max(0.0, wait) * 1000):
            if fd == 0:
                kind, _ = receive()
                if kind == b"K":
                    return False
            elif fd in self.streams:
                if not self.streams[fd].pump():
                    self.forget(fd)
            else:
                self.command.look()
        return True

    def forget(self, fd: int) -> None:
        self.poll.unregister(fd)
        self.open.discard(fd)
        os.close(fd)

    def run(self) -> tuple[str, bool]:
        """Until the command ends or is ended: why it was ended, and whether by the harness."""
        watched = time.monotonic() + TICK_SECONDS
        while not self.command.ended:
            now = time.monotonic()
            if now >= self.deadline:
                return "time", False
            if now >= watched:
                watched = now + TICK_SECONDS
                if limit := self.limits.exceeded(self.command.own_processes):
                    return limit, False
            if not self.step(min(self.deadline, watched) - now):
                return "", True
        return "", False

    def drain(self, statuses: dict[int, int]) -> None:
        """With every writer dead, read both streams to their end."""
        self.poll.unregister(0)
        self.poll.unregister(self.command.events)
        self.command.swept(statuses)
        deadline = time.monotonic() + 5
        while self.open and time.monotonic() < deadline:
            self.step(0.1)
        for fd in tuple(self.open):
            self.forget(fd)


def run(config: Order, order: Order, limits: Limits, start: Any) -> None:
    """Answer x with "CODE LIMIT TRUNCATED"; CODE is "killed", "failed" or a number."""
    limits.begin()
    command = Exec(config, order, limits, start)
    limit, killed = command.run()
    swept, statuses = sweep()
    if limits.events() > limits.before:
        limits.spare()
    command.drain(statuses)
    code = command.command.exit_code()
    if not limit and limits.overfull():
        limit = "disk"  # written between two looks
    if limit or killed:
        word = "killed"
    elif code is None:
        word = "failed"
    else:
        word = str(code)
        if code:
            limit = limits.hit()
    truncated = any(stream.truncated for stream in command.streams.values())
    if not swept:
        send(b"!", b"some of the command's processes could not be killed")
        return
    send(b"x", f"{word} {limit or '-'} {int(truncated)}".encode())
    if killed:
        send(b"k")
