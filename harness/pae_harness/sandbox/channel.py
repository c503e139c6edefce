"""Frames between the harness and a box's supervisor, with a deadline on every wait.

A frame is one byte of kind, four of length (big endian), the payload. What arrives comes from
inside the box's walls: it is bytes to check, nothing is unmarshalled.
"""

from __future__ import annotations

import marshal
import os
import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Protocol

from pae_harness.errors import SandboxError

LARGEST = 1 << 20
_PIECE = 1 << 18
_MARSHAL_VERSION = 2
_CREDENTIALS = struct.Struct("3i")  # struct ucred: pid, uid, gid


def packed(order: Mapping[str, object]) -> bytes:
    """A command's payload, for whatever Python the box has."""
    return marshal.dumps(dict(order), _MARSHAL_VERSION)


class ChannelClosedError(SandboxError):
    """The supervisor is gone."""


def answer_sockets() -> tuple[socket.socket, socket.socket]:
    """The ends of a channel's answers: the harness's, and the box's.

    The kernel notes who sends as it is sent, and only for a socket that has asked: so it is asked
    here, before there is anyone to send.
    """
    ours, theirs = socket.socketpair()
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    return ours, theirs


class Commands(Protocol):
    """The way to the supervisor; closing it ends the box."""

    @property
    def closed(self) -> bool: ...

    def fileno(self) -> int: ...

    def close(self) -> None: ...


class Channel:
    """Both directions; one thread receives at a time, any may send and hang up.

    ``commands`` is the channel's own from now on, and so is ``answers``: for a process of this
    machine the harness's end of ``answer_sockets``, because the kernel then says who sent.
    ``sender`` is the host's uid of the last answer's sender. ``unwrap`` takes what arrives out of
    what it was wrapped in.
    """

    def __init__(
        self,
        commands: Commands,
        answers: socket.socket,
        unwrap: Callable[[bytes], bytes] = bytes,
    ) -> None:
        self._commands = commands
        self._answers = answers
        self._unwrap = unwrap
        self._buffer = bytearray()
        self._sending = threading.Lock()
        self.sender: int | None = None
        os.set_blocking(commands.fileno(), False)
        answers.setblocking(False)

    def send(self, kind: bytes, order: Mapping[str, object] | None = None) -> None:
        """Send a command with a marshalled payload."""
        self.send_raw(kind, b"" if order is None else packed(order))

    def send_raw(self, kind: bytes, payload: bytes = b"", timeout: float = 30) -> None:
        rest = memoryview(kind + len(payload).to_bytes(4, "big") + payload)
        deadline = time.monotonic() + timeout
        with self._sending:
            while rest:
                if self._commands.closed:
                    raise ChannelClosedError("the box is closed")
                fd = self._commands.fileno()
                _wait(fd, select.POLLOUT, deadline)
                try:
                    rest = rest[os.write(fd, rest) :]
                except BlockingIOError:
                    continue
                except OSError:
                    raise ChannelClosedError("the box is gone") from None

    def hang_up(self) -> None:
        """Close the commands, which ends the box; never under a thread that is sending."""
        with self._sending, suppress(OSError):
            self._commands.close()

    def close(self) -> None:
        """Close both directions, once no thread is receiving."""
        self.hang_up()
        self._answers.close()

    def receive(self, timeout: float) -> tuple[bytes, bytes]:
        """The next frame's kind and payload.

        Raises ChannelClosedError at the end, SandboxError after ``timeout`` seconds of waiting.
        """
        deadline = time.monotonic() + timeout
        head = self._take(5, deadline)
        length = int.from_bytes(head[1:], "big")
        if length > LARGEST:
            raise SandboxError("the box's supervisor sent a frame that is too large")
        return head[:1], self._take(length, deadline)

    def _take(self, size: int, deadline: float) -> bytes:
        while len(self._buffer) < size:
            _wait(self._answers.fileno(), select.POLLIN, deadline)
            try:
                piece, extra, _, _ = self._answers.recvmsg(_PIECE, socket.CMSG_SPACE(12))
            except BlockingIOError:
                continue
            except OSError:
                raise ChannelClosedError("the box is gone") from None
            for _, _, data in extra:
                self.sender = _CREDENTIALS.unpack(data)[1]
            if not piece:
                raise ChannelClosedError("the box is gone")
            self._buffer += self._unwrap(piece)
        taken = bytes(self._buffer[:size])
        del self._buffer[:size]
        return taken


def _wait(fd: int, event: int, deadline: float) -> None:
    if fd < 0:
        raise ChannelClosedError("the box is closed")
    poll = select.poll()
    poll.register(fd, event)
    if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
        raise SandboxError("the box's supervisor does not answer")
