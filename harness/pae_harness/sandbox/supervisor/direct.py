"""A command as a plain child: where the container around the supervisor is the box.

The supervisor is the container's init and the command's own user. The kernel delivers no signal
to an init that has no handler for it, nobody may trace or look into a process that is not
dumpable, and the filter refuses to change another process's limits or priority. So a command can
do nothing to the supervisor, though neither has any privilege.
"""

# Contextlib costs a box's start.
# ruff: noqa: SIM105

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal itself imports enum
import ctypes
import os
import resource

from .boxed import take_streams

TYPE_CHECKING = False  # the real one would import typing, which costs more than all else here
if TYPE_CHECKING:
    from typing import Any

    Order = dict[str, Any]

# linux/prctl.h
SET_DUMPABLE, SET_NO_NEW_PRIVS, SET_SECCOMP, SECCOMP_FILTER = 4, 38, 22, 2
libc = ctypes.CDLL(None, use_errno=True)


class Program(ctypes.Structure):
    """struct sock_fprog."""

    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def prctl(option: int, *values: object) -> None:
    """Raises OSError."""
    if libc.prctl(option, *values, *([0] * (4 - len(values)))) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def seal() -> None:
    """Make this process one that its own user can neither look into nor end."""
    prctl(SET_DUMPABLE, 0)
    prctl(SET_NO_NEW_PRIVS, 1)
    for number in range(1, 65):
        try:
            _signal.signal(number, _signal.SIG_DFL)
        except (OSError, ValueError):
            pass
    _signal.signal(_signal.SIGPIPE, _signal.SIG_IGN)


class DirectCommand:
    """Starts at once, with ``out`` and ``err`` as its streams; ``events`` tells of dead children.

    As an init, the supervisor has to bury every orphan, at once: each takes up a process number.
    """

    own_processes = 0

    def __init__(self, config: Order, order: Order, out: int, err: int) -> None:
        self.ended = False
        self.code: int | None = None
        self.events, self.waker = os.pipe()
        for fd in (self.events, self.waker):
            os.set_blocking(fd, False)
        _signal.signal(_signal.SIGCHLD, lambda *_: None)
        _signal.set_wakeup_fd(self.waker, warn_on_full_buffer=False)
        self.trouble, end = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            become(config, order, (out, err), end)
        os.close(end)
        failed = os.read(self.trouble, 4096)
        os.close(self.trouble)
        if failed:
            os.write(err, failed)
            os.waitpid(self.pid, 0)
            self.ended = True

    def look(self) -> None:
        """``events`` is readable."""
        os.read(self.events, 4096)
        from .processes import reap

        self.take(reap())

    def take(self, statuses: dict[int, int]) -> None:
        if self.pid in statuses and not self.ended:
            code = os.waitstatus_to_exitcode(statuses[self.pid])
            self.code = code if code >= 0 else 128 - code
            self.ended = True

    def swept(self, statuses: dict[int, int]) -> None:
        """Everything is dead."""
        self.take(statuses)
        _signal.set_wakeup_fd(-1)
        _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
        os.close(self.events)
        os.close(self.waker)

    def exit_code(self) -> int | None:
        """None if the command was never started."""
        return self.code


def become(config: Order, order: Order, streams: tuple[int, int], trouble: int) -> None:
    """In the new process: become the command, or say on ``trouble`` why not."""
    what = ""
    try:
        os.setsid()
        _signal.set_wakeup_fd(-1)
        _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
        prctl(SET_DUMPABLE, 1)  # nothing else runs yet; its own /proc would be closed to it
        take_streams(*streams)
        if config["cpus"]:
            os.sched_setaffinity(0, config["cpus"])
        for number, value in config["rlimits"]:
            resource.setrlimit(number, (value, value))
        what = os.fsdecode(order["cwd"])
        os.chdir(order["cwd"])
        what = "/bin/sh"
        code = config["seccomp"]
        program = Program(len(code) // 8, code)
        prctl(SET_SECCOMP, SECCOMP_FILTER, ctypes.byref(program))
        os.execve(order["argv"][0], order["argv"], order["env"])
    except OSError as error:
        os.write(trouble, f"{what}: {error.strerror}".encode())
    finally:
        os._exit(127)
