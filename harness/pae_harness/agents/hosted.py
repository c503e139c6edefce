"""An agent that is a Python class: run in a process beside this one, its orders done in the box.

A process, so that one that hangs, crashes or eats up memory costs its own trial and no other.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from multiprocessing.connection import Connection, Pipe
from typing import IO, Any

from pae_harness.agents.naming import AGENT_KEY
from pae_harness.agents.shift import Shift
from pae_harness.errors import ShiftOverError, UsageError
from pae_harness.sandbox.protocol import ExecResult
from pae_verifiers.judge.models import ANY_KEY, PRESETS

_CHILD = "pae_harness.agents.child"
_KEYS = {AGENT_KEY, ANY_KEY, *(name for p in PRESETS.values() for name in p.key_variables)}
_LOG_BYTES = 1 << 20  # of each stream
_LARGEST_ORDER = 64 << 20
_LOAD_SECONDS = 60.0
_PIECE = 65_536


@cache
def describe(spec: str, called: str = "") -> dict[str, str]:
    """What the class ``MODULE:CLASS`` says of itself, as ``child.describe`` has it.

    Raises UsageError where it cannot be loaded, by the name that it was ``called``.
    """
    name = called or spec
    try:
        done = subprocess.run(
            [sys.executable, "-m", _CHILD, spec],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=_environment(),
            timeout=_LOAD_SECONDS,
            check=False,
        )
        told = json.loads(done.stdout.rstrip().splitlines()[-1])
    except subprocess.TimeoutExpired:
        raise UsageError(f"agent {name!r}: it is not imported after {_LOAD_SECONDS:g} s") from None
    except (ValueError, IndexError):
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["nothing"]
        raise UsageError(f"agent {name!r} ends Python when imported; it said: {last[0]}") from None
    if "error" in told:
        raise UsageError(f"agent {name!r}: {told['error']}")
    return {str(key): str(value) for key, value in told.items()}


def run_hosted(spec: str, shift: Shift, instruction: str) -> ExecResult:
    """Run the class ``spec`` until it is done or ``shift`` is over; how its process ended.

    Raises SandboxError where the box failed, whatever the agent made of that.
    """
    began = time.monotonic()
    ours, theirs = Pipe()
    with ours:
        process = subprocess.Popen(
            [sys.executable, "-m", _CHILD, spec, str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_environment(),
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )
        theirs.close()
        assert process.stdout is not None
        assert process.stderr is not None
        out, err = _Log(process.stdout), _Log(process.stderr)
        try:
            _serve(ours, shift, instruction)
            with suppress(subprocess.TimeoutExpired):
                # After a limit of the box it waits for an answer that does not come.
                process.wait(0 if shift.failure else shift.seconds_left)
        finally:
            late = process.poll() is None
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            code = process.wait()
    if late:
        shift.fail("time")
    out.end()
    err.end()
    return ExecResult(
        exit_code=None if late else code,
        stdout=bytes(out.kept),
        stderr=bytes(err.kept),
        seconds=time.monotonic() - began,
        truncated=out.cut or err.cut,
    )


def _serve(orders: Connection, shift: Shift, instruction: str) -> None:
    """Do what the agent orders until it hangs up or its time is over."""
    access = shift.access
    model = None
    if access is not None:
        model = {"name": access.model, "socket": str(access.socket), "token": access.token}
    hello = {"instruction": instruction, "seconds": shift.seconds_left, "model": model}
    answer: Mapping[str, Any] = hello
    while True:
        try:
            orders.send_bytes(json.dumps(answer).encode("utf-8"))
            if not orders.poll(shift.seconds_left):
                return
            order = json.loads(orders.recv_bytes(_LARGEST_ORDER))
        except (EOFError, OSError):
            return
        try:
            answer = _told(shift.exec(**order))
        except ShiftOverError:
            return
        if shift.failure:
            return


def _told(result: ExecResult) -> Mapping[str, Any]:
    return {
        "exit_code": result.exit_code,
        "stdout": b64encode(result.stdout).decode("ascii"),
        "stderr": b64encode(result.stderr).decode("ascii"),
        "seconds": result.seconds,
        "timed_out": result.limit == "time",
        "truncated": result.truncated,
    }


def _environment() -> dict[str, str]:
    """This process's own, without the keys that the broker holds."""
    return {name: value for name, value in os.environ.items() if name not in _KEYS}


class _Log:
    """The first bytes of a stream; the rest is read and dropped."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.kept, self.cut = bytearray(), False
        self._stream = stream
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with self._stream:
            while piece := self._stream.read1(_PIECE):  # type: ignore[attr-defined]
                room = _LOG_BYTES - len(self.kept)
                self.cut = self.cut or len(piece) > room
                self.kept += piece[:room]

    def end(self) -> None:
        """Wait for the end; whoever inherited the stream and lives on is not waited for."""
        self._thread.join(1.0)
