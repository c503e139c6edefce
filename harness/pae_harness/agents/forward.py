"""Run a command with a TCP port of the box's loopback that leads to a Unix socket.

``forward.py PORT SOCKET COMMAND [ARG...]``: listens before the command starts and ends with its
exit status. Runs in the agent's box, on the standard library alone.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import threading

_PIECE = 65_536


def forward(port: int, path: str) -> socket.socket:
    """Pass on to ``path`` what comes to ``port``, from now on, in threads of this process."""
    listener = socket.create_server(("127.0.0.1", port), backlog=64)
    threading.Thread(target=_accept, args=(listener, path), daemon=True).start()
    return listener


def _accept(listener: socket.socket, path: str) -> None:
    while True:
        client, _ = listener.accept()
        threading.Thread(target=_join, args=(client, path), daemon=True).start()


def _join(client: socket.socket, path: str) -> None:
    with client, socket.socket(socket.AF_UNIX) as server:
        try:
            server.connect(path)
        except OSError:
            return  # the client sees its connection close
        back = threading.Thread(target=_pump, args=(server, client), daemon=True)
        back.start()
        _pump(client, server)
        back.join()


def _pump(source: socket.socket, sink: socket.socket) -> None:
    """Until ``source`` says no more; then ``sink`` is told so."""
    try:
        while data := source.recv(_PIECE):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        for end in (source, sink):  # neither side is of use without the other
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


def main(argv: list[str]) -> int:
    port, path, *command = argv
    forward(int(port), path)
    try:
        code = subprocess.call(command)
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        return 127 if isinstance(error, FileNotFoundError) else 126
    if code < 0:
        os.kill(os.getpid(), -code)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
