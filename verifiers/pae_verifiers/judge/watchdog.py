"""An end to an attempt that no trickle of bytes can put off.

A time-out of a read begins anew with every byte. Here the connection is shut down instead, from a
timer, and whatever waits for it learns at once that it is gone.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Mapping
from types import TracebackType
from typing import Any


class Watchdog:
    """For one request: shuts its connection down after ``seconds``, unless left before.

    Its method ``trace`` is for a request's extension of that name.
    """

    def __init__(self, seconds: float) -> None:
        self._timer = threading.Timer(seconds, self._bite)
        self._timer.daemon = True
        self._socket: socket.socket | None = None
        self.bitten = False

    def __enter__(self) -> Watchdog:
        self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._timer.cancel()

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Learn which connection it is, from the client's own events."""
        look = getattr(info.get("return_value"), "get_extra_info", None)
        found = look("socket") if look is not None else None
        if found is not None:
            self._socket = found
            if self.bitten:
                self._shut()

    def _bite(self) -> None:
        self.bitten = True
        self._shut()

    def _shut(self) -> None:
        if self._socket is not None:
            with contextlib.suppress(OSError):  # it is gone already
                # Below TLS, whose own shutdown would wait for the other side.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
