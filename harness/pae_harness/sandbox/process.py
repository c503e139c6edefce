"""A child process whose parent thread lives as long as it does.

``--die-with-parent`` follows the thread that started bubblewrap, not the process: were it started
by a pool's worker, the box would die with that worker.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Sequence
from concurrent.futures import Future

from pae_harness.sandbox.channel import Channel, answer_sockets


class BoxProcess:
    """Starts ``argv`` with an empty environment.

    stdin and stdout are the ends of ``channel``; stderr is a pipe.
    """

    def __init__(self, argv: Sequence[str]) -> None:
        self._argv = list(argv)
        self._ready = threading.Event()
        self._started: Future[subprocess.Popen[bytes]] = Future()
        answers, self._theirs = answer_sockets()
        self._thread = threading.Thread(target=self._run, name="pae-box", daemon=True)
        self._thread.start()
        try:
            self.process = self._started.result()
        except OSError:
            answers.close()
            raise
        finally:
            self._theirs.close()
        assert self.process.stdin is not None
        self.channel = Channel(self.process.stdin, answers)
        self._ready.set()

    def _run(self) -> None:
        empty: dict[str, str] = {}
        try:
            process = subprocess.Popen(
                self._argv,
                env=empty,
                cwd="/",
                stdin=subprocess.PIPE,
                stdout=self._theirs.fileno(),
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            self._started.set_exception(error)
            return
        self._started.set_result(process)
        process.wait()
        # If only the outermost process was killed, this ends the others.
        self._ready.wait()
        self.channel.hang_up()

    def stderr_tail(self) -> str:
        """What was said on stderr so far, at most 4 KB of it; never waits."""
        assert self.process.stderr is not None
        fd = self.process.stderr.fileno()
        os.set_blocking(fd, False)
        try:
            return os.read(fd, 4096).decode("utf-8", "replace")
        except BlockingIOError:
            return ""

    def end(self, timeout: float) -> None:
        """Hang up; SIGKILL if the box has not gone after ``timeout`` seconds. Safe to repeat."""
        self.channel.hang_up()
        self._thread.join(timeout)
        if self._thread.is_alive():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGKILL)
            self._thread.join(timeout)
        self.channel.close()
        assert self.process.stderr is not None
        self.process.stderr.close()
