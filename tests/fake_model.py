"""A chat-completions server under a test's control, on a TCP port or a Unix socket.

It answers each request with the next of its replies, the last one over and over, and keeps what it
was asked. Nothing of it is a stand-in for HTTP: replies go over real sockets, and a dropped
connection is one.
"""

from __future__ import annotations

import json
import socket
import socketserver
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Reply:
    """What goes back. ``cut`` sends that many bytes of the body, then drops the connection;
    ``delay`` waits before anything is sent; ``trickle`` pauses after every byte of the body."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: int | None = None
    delay: float = 0.0
    trickle: float = 0.0


DROP = Reply(cut=0)  # the connection is closed without an answer


@dataclass(frozen=True)
class Asked:
    """One request; names of headers are in lower case."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


def said(
    text: object,
    *,
    finish_reason: str = "stop",
    model: str = "fake-1-2026-11-01",
    usage: Mapping[str, Any] | None = None,
    **message: object,
) -> Reply:
    """A completion whose content is ``text``, JSON unless it is text or a list of parts."""
    content = text if isinstance(text, str | list | None) else json.dumps(text)
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": content, **message},
        "finish_reason": finish_reason,
    }
    counted = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    return as_json({"model": model, "choices": [choice], "usage": usage or counted})


def as_json(data: object, status: int = 200, **headers: str) -> Reply:
    """A reply of this JSON; underscores in the names of headers are dashes."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, json.dumps(data).encode(), named)


def refused(message: str, status: int = 400, param: str | None = None, **headers: str) -> Reply:
    """An error in OpenAI's shape."""
    return as_json({"error": {"message": message, "param": param}}, status, **headers)


Script = Sequence[Reply | Callable[[Asked], Reply]]


class FakeModel:
    """The server's other side: ``asked`` grows with every request, ``base_url`` leads to it."""

    def __init__(self, script: Script) -> None:
        self.script = list(script)
        self.asked: list[Asked] = []
        self.base_url = ""
        self._lock = threading.Lock()

    def next(self, asked: Asked) -> Reply:
        with self._lock:
            index = min(len(self.asked), len(self.script) - 1)
            self.asked.append(asked)
        chosen = self.script[index]
        return chosen if isinstance(chosen, Reply) else chosen(asked)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: FakeModel

    def do_POST(self) -> None:
        size = int(self.headers.get("content-length", "0"))
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply = self.model.next(Asked(self.path, headers, json.loads(self.rfile.read(size))))
        time.sleep(reply.delay)
        self.close_connection = True
        if reply.cut == 0:
            return
        with suppress(OSError):  # whoever asked has left
            self._send(reply)

    def _send(self, reply: Reply) -> None:
        self.send_response(reply.status)
        for name, value in {"content-type": "application/json", **reply.headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(reply.body)))
        self.end_headers()
        if not reply.trickle:
            self.wfile.write(reply.body[: reply.cut])
            return
        for byte in reply.body:
            self.wfile.write(bytes([byte]))
            self.wfile.flush()
            time.sleep(reply.trickle)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def address_string(self) -> str:
        return "client"


class _TcpServer(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False
    allow_reuse_address = True


class _UnixServer(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    block_on_close = False


@contextmanager
def fake_model(
    *script: Reply | Callable[[Asked], Reply], at: Path | None = None
) -> Iterator[FakeModel]:
    """A server that answers by ``script``; at the socket ``at``, or else at a port of its own."""
    model = FakeModel(script)
    handler = type("Handler", (_Handler,), {"model": model})
    server: socketserver.BaseServer
    if at is None:
        server = _TcpServer(("127.0.0.1", 0), handler)
        assert isinstance(server.socket, socket.socket)
        model.base_url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    else:
        server = _UnixServer(str(at), handler)
        model.base_url = f"unix://{at}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
