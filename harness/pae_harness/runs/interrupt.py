"""Signals during a run: the first lets running trials finish, the second ends it at once.

A handler that did its work between two byte codes of the main thread could meet that thread's own
locks. So the signals only wake a thread, which can print and clean up like any other code.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Self

GENTLE = (signal.SIGINT, signal.SIGHUP)
AT_ONCE = (signal.SIGTERM,)


class Interruption:
    """A context in which Ctrl-C (or SIGHUP) calls ``first`` and, again, ``second``; SIGTERM calls
    ``second`` at once, which is meant not to return.

    Both are called with the signal's name, in a thread. Signals that were ignored stay so: that is
    how nohup and a shell's background jobs ask for it.
    """

    def __init__(self, first: Callable[[str], None], second: Callable[[str], None]) -> None:
        self._first, self._second = first, second
        self._before: dict[signal.Signals, object] = {}
        self.happened = threading.Event()

    def __enter__(self) -> Self:
        self._read, self._write = os.pipe()
        os.set_blocking(self._write, False)
        self._wakeup_before = signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)
        self._thread = threading.Thread(target=self._watch, name="pae-signals", daemon=True)
        self._thread.start()
        for number in (*GENTLE, *AT_ONCE):
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, _leave_it_to_the_thread)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]
        signal.set_wakeup_fd(self._wakeup_before)
        os.close(self._write)
        self._thread.join()
        os.close(self._read)

    def _watch(self) -> None:
        while numbers := os.read(self._read, 64):
            for number in numbers:
                if number not in self._before:
                    continue
                name = signal.Signals(number).name
                if self.happened.is_set() or number in AT_ONCE:
                    self._second(name)
                else:
                    self.happened.set()
                    self._first(name)


def _leave_it_to_the_thread(number: int, frame: FrameType | None) -> None:
    pass
