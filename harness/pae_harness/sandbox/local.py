"""The ``local`` backend: bubblewrap boxes, with neither root nor a daemon.

A trusted outer box holds the sized writable tree and a supervisor; each command runs in an inner
box of its own. So a kill leaves the tree for ``get``, and dropping the outer box removes it all.
"""

from __future__ import annotations

import os
import platform
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from pae_harness.errors import OutputRefusedError, SandboxError
from pae_harness.sandbox.bwrap import failure
from pae_harness.sandbox.channel import Channel, ChannelClosedError
from pae_harness.sandbox.copying import Intake, tree_frames
from pae_harness.sandbox.launch import Launched, launch
from pae_harness.sandbox.layout import inner
from pae_harness.sandbox.protocol import BoxSpec, ExecResult, LimitHit, OutputLimits

_START_SECONDS = 20.0
_GRACE_SECONDS = 20.0
_COPY_SECONDS = 60.0
# Finds the command and ends with 126 or 127 where there is none, as every shell does.
_SHIM = (b"/bin/sh", b"-c", b'exec "$@"', b"sh")


class LocalSandbox:
    """Boxes made with bubblewrap."""

    @property
    def name(self) -> str:
        return "local"

    def start(self, spec: BoxSpec) -> LocalBox:
        """Start a box. Raises SandboxError, or SandboxUnavailableError with a way out."""
        return LocalBox(launch(spec, platform.machine()))


class LocalBox:
    """A running outer box."""

    def __init__(self, launched: Launched) -> None:
        self._launched = launched
        self._layout = launched.layout
        self._channel = Channel(launched.process.commands, launched.process.answers)
        self._turn = threading.Lock()
        self._state = "live"
        self._closing = threading.Lock()
        try:
            launched.admit(self._channel, _START_SECONDS)
        except ChannelClosedError:
            error = failure(launched.process.stderr_tail())
            self.close()
            raise error from None
        except BaseException:
            self.close()
            raise

    @property
    def enforced(self) -> Mapping[str, str]:
        return self._launched.enforced

    def put(self, tree: Path, target: str) -> None:
        """See the protocol; links and special files in ``tree`` raise SandboxError."""
        place = self._layout.locate(target)
        if place is None:
            raise SandboxError(f"{target} is not in a writable folder of the box")
        with self._turn:
            self._expect("live")
            self._channel.send(b"P", {"tree": place[0], "parts": _encoded(place[1])})
            try:
                for kind, payload in tree_frames(tree):
                    self._channel.send_raw(kind, payload)
            except OSError as error:
                raise SandboxError(f"{tree} cannot be read: {error.strerror}") from None
            finally:
                self._channel.send_raw(b".")
                kind, payload = self._channel.receive(_COPY_SECONDS)
            if kind != b"k":
                raise SandboxError(f"nothing more fits in {target}: {_text(payload)}")

    def exec(
        self,
        argv: Sequence[str],
        *,
        timeout: float,
        cwd: str = "/",
        env: Mapping[str, str] | None = None,
    ) -> ExecResult:
        """See the protocol. Memory, pids and disk count as hit only where the command failed."""
        if not argv:
            raise SandboxError("a command needs at least a name")
        args = b"".join(os.fsencode(arg) + b"\0" for arg in inner(self._layout, cwd, env))
        limit = self._layout.spec.limits.stream_bytes
        order = {"args": args, "argv": [*_SHIM, *map(os.fsencode, argv)], "stream": limit}
        with self._turn:
            self._expect("live")
            before = self._launched.events()
            began = time.monotonic()
            self._channel.send(b"X", {**order, "timeout": float(timeout)})
            streams = {b"o": bytearray(), b"e": bytearray()}
            try:
                word, hit, cut = self._outcome(streams, began + timeout + _GRACE_SECONDS)
            except ChannelClosedError:
                self._state = "gone"
                if self._launched.events()[0] == before[0]:
                    raise
                word, hit, cut = "killed", "memory", False
            seconds = time.monotonic() - began
            code = int(word) if word not in ("killed", "failed") else None
            if word == "failed" and self._state == "live":
                raise failure(_text(bytes(streams[b"e"])))
            return ExecResult(
                exit_code=code,
                stdout=bytes(streams[b"o"]),
                stderr=bytes(streams[b"e"]),
                seconds=seconds,
                limit=hit or self._limit(code, before),
                truncated=cut,
            )

    def _outcome(
        self, streams: Mapping[bytes, bytearray], deadline: float
    ) -> tuple[str, LimitHit | None, bool]:
        """Collect the streams until the command ends."""
        limits: dict[str, LimitHit] = {
            "time": "time",
            "memory": "memory",
            "pids": "pids",
            "disk": "disk",
        }
        room = self._layout.spec.limits.stream_bytes
        while True:
            kind, payload = self._channel.receive(max(0.1, deadline - time.monotonic()))
            if kind in streams and len(streams[kind]) + len(payload) <= room:
                streams[kind] += payload
            elif kind == b"x":
                word, limit, cut = payload.decode("ascii").split()
                return word, limits.get(limit), cut == "1"
            else:
                raise SandboxError(f"the box's supervisor failed: {_text(payload)}")

    def _limit(self, code: int | None, before: tuple[int, int]) -> LimitHit | None:
        """What the control group says about a command that failed."""
        after = self._launched.events()
        if code == 0:
            return None
        if after[0] > before[0]:
            return "memory"
        return "pids" if after[1] > before[1] else None

    def kill(self) -> None:
        """See the protocol; safe to call twice, and while another thread is in ``exec``."""
        if self._state != "live":
            return
        self._state = "killed"
        try:
            self._channel.send(b"K")
            with self._turn:
                kind, payload = self._channel.receive(_GRACE_SECONDS)
        except SandboxError:
            self._state = "gone"
            self._launched.destroy()
            return
        if kind != b"k":
            self._state = "gone"
            self._launched.destroy()
            raise SandboxError(f"the box could not be killed: {_text(payload)}")
        self._launched.spare_memory()

    def get(self, path: str, into: Path, limits: OutputLimits) -> bool:
        """See the protocol. ``limits.files`` counts folders too."""
        self._expect("killed")
        place = self._layout.locate(path)
        if place is None:
            return False
        order = {
            "tree": place[0],
            "parts": _encoded(place[1]),
            "file_bytes": limits.file_bytes,
            "total_bytes": limits.total_bytes,
            "files": limits.files,
        }
        with self._turn:
            self._channel.send(b"G", order)
            try:
                return self._take_in(Intake(into, limits), path)
            except SandboxError:
                self._state = "gone"
                raise

    def _take_in(self, intake: Intake, path: str) -> bool:
        steps = {b"d": intake.folder, b"f": intake.file, b"c": intake.piece}
        while True:
            kind, payload = self._channel.receive(_COPY_SECONDS)
            if kind in steps:
                steps[kind](payload)
            elif kind == b".":
                return True
            elif kind == b"n":
                return False
            elif kind == b"r":
                raise OutputRefusedError(f"{path} cannot be copied out: {_text(payload)}")
            else:
                raise SandboxError(f"the box's supervisor failed: {_text(payload)}")

    def close(self) -> None:
        with self._closing:
            if self._state != "closed":
                self._state = "closed"
                self._launched.destroy()

    def _expect(self, state: str) -> None:
        if self._state != state:
            raise SandboxError(f"the box is {self._state}, not {state}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _encoded(parts: Sequence[str]) -> list[bytes]:
    return [os.fsencode(part) for part in parts]


def _text(payload: bytes) -> str:
    return payload.decode("utf-8", "replace")
