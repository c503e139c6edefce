"""One command in an inner box, from its start until nothing of it is left."""

# Pathlib costs a box's start.
# ruff: noqa: PTH123

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal itself imports enum
import os
import resource
import select
import time

from .processes import ROOT, sweep
from .watch import over_limit
from .wire import PIECE, receive, send

TYPE_CHECKING = False  # the real one would import typing, which costs more than all else here
if TYPE_CHECKING:
    from typing import Any

    Order = dict[str, Any]

TICK_SECONDS = 0.05


def memory_file(content: bytes) -> int:
    fd = os.memfd_create("pae")
    with open(os.dup(fd), "wb") as file:
        file.write(content)
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


def spawn(config: Order, order: Order) -> tuple[int, int, int]:
    """Start a command in an inner box. Returns the read ends of stdout, stderr and status."""
    out, out_end = os.pipe()
    err, err_end = os.pipe()
    status, status_end = os.pipe()
    args, seccomp = memory_file(order["args"]), memory_file(config["seccomp"])
    if os.fork():
        for fd in (out_end, err_end, status_end, args, seccomp):
            os.close(fd)
        return out, err, status
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(out_end, 1)
        os.dup2(err_end, 2)
        for number in (_signal.SIGPIPE, _signal.SIGXFSZ):  # which Python ignores
            _signal.signal(number, _signal.SIG_DFL)
        for fd in (status_end, args, seccomp):
            os.set_inheritable(fd, True)
        # Under memory pressure the kernel takes the command before this program.
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
        if config["cpus"]:
            os.sched_setaffinity(0, config["cpus"])
        for number, value in config["rlimits"]:
            resource.setrlimit(number, (value, value))
        command = [config["bwrap"], "--args", str(args), "--seccomp", str(seccomp)]
        command += ["--json-status-fd", str(status_end), "--", *order["argv"]]
        os.execve(config["bwrap"], command, {})
    except OSError as error:
        os.write(2, f"bwrap: {error}".encode())
    finally:
        os._exit(127)


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


def exit_code(status: bytes) -> int | None:
    """The command's exit code from bwrap's status lines; None if it did not run to an end."""
    _, found, rest = status.partition(b'"exit-code":')
    return int(rest.split(b"}")[0]) if found else None


class Exec:
    """One command, from its start until nothing of it is left."""

    def __init__(self, config: Order, order: Order) -> None:
        self.config = config
        self.deadline = time.monotonic() + order["timeout"]
        out, err, self.status_fd = spawn(config, order)
        self.streams = {fd: Stream(fd, k, order["stream"]) for fd, k in ((out, b"o"), (err, b"e"))}
        self.status = b""
        self.open = {out, err, self.status_fd}
        self.poll = select.poll()
        for fd in (0, *self.open):
            self.poll.register(fd, select.POLLIN)
        self.watching = bool(config["watch_memory"] or config["watch_pids"])

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
                piece = os.read(fd, PIECE)
                self.status += piece
                if not piece:
                    self.forget(fd)
        return True

    def forget(self, fd: int) -> None:
        self.poll.unregister(fd)
        self.open.discard(fd)
        os.close(fd)

    def run(self) -> tuple[str, bool]:
        """Until the command ends or is ended: why it was ended, and whether by the harness."""
        watched = time.monotonic() + TICK_SECONDS
        while self.status_fd in self.open and exit_code(self.status) is None:
            now = time.monotonic()
            if now >= self.deadline:
                return "time", False
            if self.watching and now >= watched:
                watched = now + TICK_SECONDS
                if limit := over_limit(self.config):
                    return limit, False
            until = min(self.deadline, watched) if self.watching else self.deadline
            if not self.step(until - now):
                return "", True
        return "", False

    def drain(self) -> None:
        """With every writer dead, read both streams to their end."""
        self.poll.unregister(0)
        deadline = time.monotonic() + 5
        while self.open and time.monotonic() < deadline:
            self.step(0.1)
        for fd in tuple(self.open):
            self.forget(fd)


def disk_full() -> bool:
    disk = os.statvfs(ROOT)
    return disk.f_bavail * 100 < disk.f_blocks


def run(config: Order, order: Order) -> None:
    """Answer x with "CODE LIMIT TRUNCATED"; CODE is "killed", "failed" or a number."""
    command = Exec(config, order)
    limit, killed = command.run()
    swept = sweep()
    command.drain()
    code = exit_code(command.status)
    if limit or killed:
        word = "killed"
    elif code is None:
        word = "failed"
    else:
        word = str(code)
        if code and disk_full():
            limit = "disk"
    truncated = any(stream.truncated for stream in command.streams.values())
    if not swept:
        send(b"!", b"some of the command's processes could not be killed")
        return
    send(b"x", f"{word} {limit or '-'} {int(truncated)}".encode())
    if killed:
        send(b"k")
