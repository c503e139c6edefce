"""The supervisor's channel through an engine: one socket, on which the answers are parcelled.

Each parcel is one byte of stream (1 is stdout, 2 stderr), three of nothing, four of length.
"""

from __future__ import annotations

import socket
from contextlib import suppress

from pae_harness.sandbox.channel import Channel

_KEPT = 4096


class Parcels:
    """Takes the engine's bytes apart: stdout goes on, the end of stderr is kept."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._left = 0
        self._stream = 0
        self.stderr = b""

    def __call__(self, piece: bytes) -> bytes:
        self._buffer += piece
        out = bytearray()
        while self._buffer:
            if not self._left:
                if len(self._buffer) < 8:
                    break
                self._stream = self._buffer[0]
                self._left = int.from_bytes(self._buffer[4:8], "big")
                del self._buffer[:8]
                continue
            part = bytes(self._buffer[: self._left])
            del self._buffer[: len(part)]
            self._left -= len(part)
            if self._stream == 1:
                out += part
            else:
                self.stderr = (self.stderr + part)[-_KEPT:]
        return bytes(out)


class Upstream:
    """The socket's way to the box, as something that can be closed alone."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self.closed = False

    def fileno(self) -> int:
        return self._connection.fileno()

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            with suppress(OSError):
                self._connection.shutdown(socket.SHUT_WR)


def channel(connection: socket.socket) -> tuple[Channel, Parcels]:
    """The channel of an attached socket, and what takes its answers apart."""
    parcels = Parcels()
    return Channel(Upstream(connection), connection, parcels), parcels
