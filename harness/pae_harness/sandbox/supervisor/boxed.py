"""A command in a bubblewrap of its own, which says on a pipe how the command ended."""

# Pathlib costs a box's start.
# ruff: noqa: PTH123

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal itself imports enum
import os
import resource

from .wire import PIECE

TYPE_CHECKING = False  # the real one would import typing, which costs more than all else here
if TYPE_CHECKING:
    from typing import Any

    Order = dict[str, Any]


class BoxedCommand:
    """Starts at once, with ``out`` and ``err`` as its streams."""

    # Bubblewrap's: its monitor and its init.
    own_processes = 2

    def __init__(self, config: Order, order: Order, out: int, err: int) -> None:
        self.status = b""
        self.ended = False
        self.events, end = os.pipe()
        args, seccomp = memory_file(order["args"]), memory_file(config["seccomp"])
        if os.fork() == 0:
            exec_bwrap(config, order["argv"], (out, err), end, (args, seccomp))
        for fd in (end, args, seccomp):
            os.close(fd)

    def look(self) -> None:
        """``events`` is readable."""
        piece = os.read(self.events, PIECE)
        self.status += piece
        self.ended = not piece or self.exit_code() is not None

    def swept(self, statuses: dict[int, int]) -> None:
        """Everything is dead; what bubblewrap said before is what counts."""
        while not self.ended:
            self.look()
        os.close(self.events)

    def exit_code(self) -> int | None:
        """None if the command did not run to an end."""
        _, found, rest = self.status.partition(b'"exit-code":')
        return int(rest.split(b"}")[0]) if found else None


def memory_file(content: bytes) -> int:
    fd = os.memfd_create("pae")
    with open(os.dup(fd), "wb") as file:
        file.write(content)
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


def exec_bwrap(
    config: Order, argv: list[bytes], streams: tuple[int, int], status: int, files: tuple[int, int]
) -> None:
    """In the new process: become bubblewrap, or end with 127."""
    try:
        take_streams(*streams)
        for fd in (status, *files):
            os.set_inheritable(fd, True)
        if config["cpus"]:
            os.sched_setaffinity(0, config["cpus"])
        for number, value in config["rlimits"]:
            resource.setrlimit(number, (value, value))
        command = [config["bwrap"], "--args", str(files[0]), "--seccomp", str(files[1])]
        command += ["--json-status-fd", str(status), "--", *argv]
        os.execve(config["bwrap"], command, {})
    except OSError as error:
        os.write(2, f"bwrap: {error}".encode())
    finally:
        os._exit(127)


def take_streams(out: int, err: int) -> None:
    """Nothing on stdin, signals as a program expects them, first in the kernel's line."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(out, 1)
    os.dup2(err, 2)
    for number in (_signal.SIGPIPE, _signal.SIGXFSZ):  # which Python ignores
        _signal.signal(number, _signal.SIG_DFL)
    # Under memory pressure the kernel takes the command before this program.
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")
