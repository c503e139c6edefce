"""A child process whose parent thread lives as long as it does.

``--die-with-parent`` follows the thread that started bubblewrap, not the process: were it started
by a pool's worker, the box would die with that worker.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import threading
from collections.abc import Sequence


class BoxProcess:
    """Starts ``argv`` with an empty environment.

    stdin and stderr are pipes; stdout is a Unix socket whose other end is ``answers``.
    """

    def __init__(self, argv: Sequence[str]) -> None:
        self._argv = list(argv)
        self.answers, self._theirs = socket.socketpair()
        self._started = threading.Event()
        self._error: OSError | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._run, name="pae-box", daemon=True)
        self._thread.start()
        self._started.wait()
        self._theirs.close()
        self._raise_failure()

    def _run(self) -> None:
        empty: dict[str, str] = {}
        try:
            self._process = subprocess.Popen(
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
            self._error = error
            return
        finally:
            self._started.set()
        self._process.wait()

    def _raise_failure(self) -> None:
        if self._error is not None:
            self.answers.close()
            raise self._error

    @property
    def process(self) -> subprocess.Popen[bytes]:
        assert self._process is not None
        return self._process

    @property
    def commands(self) -> int:
        """The descriptor that the box's stdin is read from."""
        assert self.process.stdin is not None
        return self.process.stdin.fileno()

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
        """Close stdin, which ends the box; SIGKILL if it has not gone after ``timeout`` seconds."""
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        self._thread.join(timeout)
        if self._thread.is_alive():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGKILL)
            self._thread.join(timeout)
        self.answers.close()
        assert self.process.stderr is not None
        self.process.stderr.close()
