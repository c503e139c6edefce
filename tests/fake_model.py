"""A model's endpoint under a test's control, on a TCP port or a Unix socket.

It answers each request with the next of its answers, then as it does otherwise, and keeps what it
was asked. Nothing of it is a stand-in for HTTP: replies go over real sockets, and a dropped
connection is one.
"""

from __future__ import annotations

import json
import socketserver
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from pae_verifiers.judge.models import Model, parse

KEY = "sk-test-0123456789abcdef/+="
_PEEK = 2  # socket.MSG_PEEK


@dataclass(frozen=True)
class Seen:
    """One request as it arrived; names of headers are in lower case."""

    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Answer:
    """What goes back.

    ``pieces`` are sent one by one instead of ``body``. ``hold`` is waited for before anything is
    sent, or else ``delay`` seconds pass; ``pause`` is waited for after the first piece. ``drop``
    closes the connection instead of an answer, or after the pieces, before their end; ``cut``
    closes it after so many bytes of the body. ``trickle`` seconds pass after every byte of it.
    """

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    pieces: tuple[bytes, ...] = ()
    drop: bool = False
    cut: int | None = None
    hold: threading.Event | None = None
    pause: threading.Event | None = None
    delay: float = 0.0
    trickle: float = 0.0


DROP = Answer(drop=True)  # the connection is closed without an answer
Answers = Callable[[Seen], Answer]


def said(
    text: object,
    *,
    finish_reason: str = "stop",
    model: str = "fake-1-2026-11-01",
    usage: Mapping[str, Any] | None = None,
    **message: object,
) -> Answer:
    """A completion whose content is ``text``, JSON unless it is text or a list of parts."""
    content = text if isinstance(text, str | list | None) else json.dumps(text)
    counted = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    reply = _reply(model, {"content": content, **message}, finish_reason, usage or counted)
    return as_json(reply)


def completion(text: str = "yes", **more: Any) -> Answer:
    """A completion by ``small``, of 11 prompt and 7 completion tokens; ``more`` stands beside."""
    counted = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    reply = _reply("small-2026-01-01", {"content": text}, "stop", counted)
    return as_json({**reply, **more})


def _reply(
    model: str, message: Mapping[str, object], finish_reason: str, usage: Mapping[str, Any]
) -> dict[str, Any]:
    choice = {
        "index": 0,
        "message": {"role": "assistant", **message},
        "finish_reason": finish_reason,
    }
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": model,
        "choices": [choice],
        "usage": usage,
    }


def as_json(data: object, status: int = 200, **headers: str) -> Answer:
    """An answer of this JSON; underscores in the names of headers are dashes."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, json.dumps(data).encode(), named)


def refused(message: str, status: int = 400, param: str | None = None, **headers: str) -> Answer:
    """An error in OpenAI's shape."""
    return as_json({"error": {"message": message, "param": param}}, status, **headers)


class FakeModel:
    """Answers with what is in ``answers``, one after the other, then with ``otherwise``.

    ``seen`` grows with every request, ``url`` leads here, and ``left`` is set once somebody hung
    up while an answer was held back.
    """

    def __init__(self, at: Path | None = None) -> None:
        self.answers: list[Answer | Answers] = []
        self.otherwise: Answers = lambda seen: completion()
        self.seen: list[Seen] = []
        self.left = threading.Event()
        self._lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"served": self})
        self._server: socketserver.TCPServer
        if at is None:
            self._server = _TcpServer(("127.0.0.1", 0), handler)
            self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        else:
            self._server = _UnixServer(str(at), handler)
            self.url = f"unix://{at}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    @property
    def model(self) -> Model:
        return parse(f"small@{self.url}")

    def wrap(self, context: ssl.SSLContext) -> None:
        """From now on, speak TLS."""
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self._server.handle_error = lambda *_: None  # type: ignore[method-assign]

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def next(self, seen: Seen) -> Answer:
        """The answer to this request."""
        with self._lock:
            self.seen.append(seen)
            chosen = self.answers.pop(0) if self.answers else self.otherwise
        return chosen if isinstance(chosen, Answer) else chosen(seen)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    served: FakeModel

    def do_POST(self) -> None:
        size = int(self.headers.get("content-length", "0"))
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = self.rfile.read(size)
        if len(body) < size:  # whoever asked has left in the middle
            self.close_connection = True
            return
        answer = self.served.next(Seen(self.path, headers, body))
        time.sleep(answer.delay)
        if answer.hold is not None and not self._wait(answer.hold):
            return
        if answer.drop and not answer.pieces:
            self.close_connection = True
            return
        try:
            self._send(answer)
        except OSError:  # whoever asked has left
            self.close_connection = True

    do_GET = do_POST

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        framed = {"content-length": str(len(answer.body))}
        if answer.pieces:
            framed = {"transfer-encoding": "chunked"}
        named = {"content-type": "application/json", **answer.headers, **framed}
        for name, value in named.items():
            self.send_header(name, value)
        self.end_headers()
        if answer.pieces:
            self._send_pieces(answer)
        elif answer.trickle:
            for byte in answer.body:
                self.wfile.write(bytes([byte]))
                time.sleep(answer.trickle)
        else:
            self.wfile.write(answer.body[: answer.cut])
            self.close_connection = self.close_connection or answer.cut is not None

    def _send_pieces(self, answer: Answer) -> None:
        for number, piece in enumerate(answer.pieces):
            if number == 1 and answer.pause and not self._wait(answer.pause):
                return
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.flush()
        if answer.drop:
            self.close_connection = True
        else:
            self.wfile.write(b"0\r\n\r\n")

    def _wait(self, event: threading.Event) -> bool:
        """Until ``event`` is set; False where the other side hangs up before."""
        self.connection.settimeout(0.02)
        for _ in range(3000):
            if event.is_set():
                self.connection.settimeout(None)
                return True
            with suppress(TimeoutError):
                if self.connection.recv(1, _PEEK) == b"":
                    break
        self.served.left.set()
        self.close_connection = True
        return False

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


class _TcpServer(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64


class _UnixServer(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True


@contextmanager
def fake_model(*script: Answer | Answers, at: Path | None = None) -> Iterator[FakeModel]:
    """An endpoint while the block lasts: at the socket ``at``, or else at a port of its own.

    It answers by ``script``, whose last answer is given over and over.
    """
    served = FakeModel(at)
    if script:
        *first, last = script
        served.answers = first
        served.otherwise = (lambda seen: last) if isinstance(last, Answer) else last
    try:
        yield served
    finally:
        served.close()
