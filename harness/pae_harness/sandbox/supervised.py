"""A box that a supervisor runs: what the harness asks of it, in frames, on whatever it lies in.

The supervisor (``sandbox/supervisor``) is trusted and outlives the commands that it runs. So a kill
leaves the written tree for ``get``, and dropping the vessel removes it all.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from pae_harness.errors import (
    BoxOutOfMemoryError,
    OutputRefusedError,
    PutRefusedError,
    SandboxError,
)
from pae_harness.sandbox.channel import Channel, ChannelClosedError
from pae_harness.sandbox.checks import check_words
from pae_harness.sandbox.copying import Intake, UnputtableError, tree_frames
from pae_harness.sandbox.protocol import ExecResult, LimitHit, OutputLimits

Order = Mapping[str, object]
_START_SECONDS = 20.0
_GRACE_SECONDS = 150.0  # more than the supervisor takes for its sweep
_COPY_SECONDS = 60.0
_FOREVER_SECONDS = 1e6
# Finds the command and ends with 126 or 127 where there is none, as every shell does.
_SHIM = ("/bin/sh", "-c", 'exec "$@"', "sh")


class _WrongStateError(SandboxError):
    """The box is not in a state for this; nothing was sent."""


class Vessel(Protocol):
    """What a supervisor lives in, on one backend: a bubblewrap, a container."""

    @property
    def channel(self) -> Channel: ...

    @property
    def enforced(self) -> Mapping[str, str]: ...

    @property
    def stream_bytes(self) -> int: ...

    @property
    def software(self) -> str: ...

    def admit(self, timeout: float) -> None:
        """Check that the supervisor is there, and tell it the box's shape."""
        ...

    def locate(self, path: str) -> tuple[str, tuple[str, ...]] | None:
        """The writable tree that a path lies in and the names below it; None if in none."""
        ...

    def order(self, argv: Sequence[str], cwd: str, env: Mapping[str, str] | None) -> Order:
        """How the supervisor is told to run ``argv``."""
        ...

    def events(self) -> tuple[int, int]:
        """How often memory ran out, and how often a process was refused, as seen from outside."""
        ...

    def spare_memory(self) -> None:
        """Give the supervisor room, once everything untrusted is dead."""
        ...

    def failure(self, said: str) -> SandboxError:
        """The error for a command that could not be started."""
        ...

    def not_started(self) -> SandboxError:
        """The error for a supervisor that was never heard of."""
        ...

    def destroy(self) -> None:
        """End every process and release all that the box held; safe to call twice."""
        ...


class SupervisedBox:
    """A running box. Satisfies the protocol's ``Box``."""

    def __init__(self, vessel: Vessel) -> None:
        self._vessel = vessel
        self._channel = vessel.channel
        self._turn = threading.Lock()  # one exchange with the supervisor at a time
        self._order = threading.RLock()  # nothing is started once a kill was sent
        self._state = "live"
        try:
            vessel.admit(_START_SECONDS)
        except ChannelClosedError:
            error = vessel.not_started()
            self.close()
            raise error from None
        except BaseException:
            self.close()
            raise

    @property
    def enforced(self) -> Mapping[str, str]:
        return self._vessel.enforced

    @property
    def software(self) -> str:
        return self._vessel.software

    def put(self, tree: Path, target: str) -> None:
        """See the protocol; links and special files in ``tree`` raise SandboxError."""
        place = self._vessel.locate(target)
        if place is None:
            raise SandboxError(f"{target} is not in a writable folder of the box")
        with self._turn, self._exchange():
            self._begin(b"P", {"tree": place[0], "parts": _encoded(place[1])})
            unreadable = self._send_tree(tree)
            kind, payload = self._channel.receive(_COPY_SECONDS)
        if unreadable is not None:
            raise SandboxError(unreadable)
        if kind != b"k":
            raise PutRefusedError(f"{tree} cannot be put at {target}: {_text(payload)}")

    def _send_tree(self, tree: Path) -> str | None:
        """Why the tree cannot be read, if it cannot; the supervisor is told of its end anyway."""
        try:
            for kind, payload in tree_frames(tree):
                self._channel.send_raw(kind, payload)
        except UnputtableError as error:
            return str(error)
        except OSError as error:
            return f"{tree} cannot be read: {error.strerror}"
        finally:
            self._channel.send_raw(b".")
        return None

    def exec(
        self,
        argv: Sequence[str],
        *,
        timeout: float,
        cwd: str = "/",
        env: Mapping[str, str] | None = None,
    ) -> ExecResult:
        """See the protocol. Memory, pids and disk count as hit only where the command failed."""
        check_words(argv, env)
        seconds = min(float(timeout), _FOREVER_SECONDS)
        order = {
            **self._vessel.order([*_SHIM, *argv], cwd, env),
            "stream": self._vessel.stream_bytes,
            "timeout": seconds,
        }
        with self._turn:
            return self._run(order, seconds)

    def _run(self, order: Mapping[str, object], timeout: float) -> ExecResult:
        before = self._vessel.events()
        began = time.monotonic()
        streams = {b"o": bytearray(), b"e": bytearray()}
        try:
            with self._exchange():
                self._begin(b"X", order)
                word, hit, cut = self._outcome(streams, began + timeout + _GRACE_SECONDS)
        except BoxOutOfMemoryError:
            word, hit, cut = "killed", "memory", False
        took = time.monotonic() - began
        code = int(word) if word not in ("killed", "failed") else None
        hit = hit or self._limit(code, before)
        # Out of memory, the kernel may have taken the inner box's bubblewrap with the command.
        if word == "failed" and hit is None and self._state == "live":
            raise self._vessel.failure(_text(bytes(streams[b"e"])))
        return ExecResult(
            exit_code=code,
            stdout=bytes(streams[b"o"]),
            stderr=bytes(streams[b"e"]),
            seconds=took,
            limit=hit,
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
        room = self._vessel.stream_bytes
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
        """What is seen from outside about a command that failed."""
        after = self._vessel.events()
        if code == 0:
            return None
        if after[0] > before[0]:
            return "memory"
        return "pids" if after[1] > before[1] else None

    def kill(self) -> None:
        """See the protocol; safe to call twice, and while another thread is in ``exec``."""
        with self._order:
            if self._state != "live":
                return
            self._state = "killed"
            # Where no command runs, files may have filled the memory that the kill itself needs.
            if not self._turn.locked():
                self._vessel.spare_memory()
            with suppress(ChannelClosedError):
                self._channel.send(b"K")
        with self._turn, self._exchange():
            kind, payload = self._channel.receive(_GRACE_SECONDS)
            while kind not in (b"k", b"!"):  # left over from an exec that was interrupted
                kind, payload = self._channel.receive(_GRACE_SECONDS)
            if kind != b"k":
                raise SandboxError(f"the box could not be killed: {_text(payload)}")
        self._vessel.spare_memory()

    def get(self, path: str, into: Path, limits: OutputLimits) -> bool:
        """See the protocol. ``limits.files`` counts folders too."""
        place = self._vessel.locate(path)
        if place is None:
            return False
        order = {
            "tree": place[0],
            "parts": _encoded(place[1]),
            "file_bytes": limits.file_bytes,
            "total_bytes": limits.total_bytes,
            "files": limits.files,
        }
        with self._turn, self._exchange():
            self._begin(b"G", order, state="killed")
            refusal, found = self._take_in(Intake(into, limits))
        if refusal is not None:
            raise OutputRefusedError(f"{path} cannot be copied out: {refusal}")
        return found

    def _take_in(self, intake: Intake) -> tuple[str | None, bool]:
        """Why the supervisor refuses, if it does, and whether anything is there."""
        steps = {b"d": intake.folder, b"f": intake.file, b"c": intake.piece}
        while True:
            kind, payload = self._channel.receive(_COPY_SECONDS)
            if kind in steps:
                try:
                    steps[kind](payload)
                except OSError as error:
                    raise SandboxError(f"{intake.into} cannot be written: {error}") from None
            elif kind in (b".", b"n"):
                return None, kind == b"."
            elif kind == b"r":
                return _text(payload), True
            else:
                raise SandboxError(f"the box's supervisor failed: {_text(payload)}")

    def close(self) -> None:
        with suppress(SandboxError):
            self.kill()
        with self._order:
            if self._state == "closed":
                return
            self._state = "closed"
        self._channel.hang_up()
        # Whoever is in an exchange learns of it before the descriptors become someone else's.
        done = self._turn.acquire(timeout=_GRACE_SECONDS)
        self._vessel.destroy()
        if done:
            self._turn.release()

    def _begin(self, kind: bytes, order: Mapping[str, object], state: str = "live") -> None:
        with self._order:
            if self._state != state:
                raise _WrongStateError(f"the box is {self._state}, not {state}")
            self._channel.send(kind, order)

    @contextmanager
    def _exchange(self) -> Iterator[None]:
        """After a failure within, no frame can be trusted to answer the next command.

        Raises BoxOutOfMemoryError where the kernel took the supervisor when the box was full.
        """
        try:
            yield
        except _WrongStateError:
            raise
        except BaseException as error:
            with self._order:
                if self._state == "closed":
                    raise
                self._state = "gone"
            full = isinstance(error, ChannelClosedError) and self._vessel.events()[0] > 0
            self._channel.hang_up()
            self._vessel.destroy()
            if full:
                raise BoxOutOfMemoryError("the box ended because its memory ran out") from None
            if isinstance(error, ChannelClosedError) and (why := self._why_it_went()):
                raise ChannelClosedError(why) from None
            raise

    def _why_it_went(self) -> str:
        """What a backend found out about a box that ended by itself."""
        return ""

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
