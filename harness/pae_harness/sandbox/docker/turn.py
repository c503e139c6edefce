"""One process at a time builds an image, whoever its user is and wherever its cache lies."""

from __future__ import annotations

import errno
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

_LOOK_SECONDS = 0.05


@contextmanager
def turn(name: str, patience: float) -> Iterator[None]:
    """Wait for the turn called ``name``, at most ``patience`` seconds; then go on without.

    It is an abstract Unix socket: the kernel gives it back however its holder ends. Where there is
    no such thing, nothing is waited for.
    """
    deadline = time.monotonic() + patience
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as holder:
        while not _bound(holder, name) and time.monotonic() < deadline:
            time.sleep(_LOOK_SECONDS)
        yield


def _bound(holder: socket.socket, name: str) -> bool:
    try:
        holder.bind(f"\0pae-build-{name}")
    except OSError as error:
        return error.errno != errno.EADDRINUSE
    return True
