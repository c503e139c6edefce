"""A model's endpoint under the tests' control: a real HTTP server on the loopback address."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from pae_verifiers.judge.models import Model, parse

KEY = "sk-test-0123456789abcdef/+="


@dataclass(frozen=True)
class Seen:
    """One request as it arrived."""

    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Answer:
    """What to answer: ``pieces`` are sent one by one; ``drop`` closes the connection instead of,
    or in the middle of, the answer; ``hold`` is waited for before it begins."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    pieces: tuple[bytes, ...] = ()
    drop: bool = False
    hold: threading.Event | None = None
    pause: threading.Event | None = None


def completion(text: str = "yes", **more: Any) -> Answer:
    """A chat completion of 11 prompt and 7 completion tokens."""
    reply = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "small-2026-01-01",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
        **more,
    }
    return Answer(body=json.dumps(reply).encode())


class Endpoint:
    """Answers with what is in ``answers``, one after the other, then with ``otherwise``."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.otherwise: Callable[[Seen], Answer] = lambda seen: completion()
        self.seen: list[Seen] = []
        self.left = threading.Event()  # set when somebody hung up on a held answer
        self._lock = threading.Lock()
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                length = int(self.headers.get("content-length", 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                endpoint._answer(self, Seen(self.path, headers, self.rfile.read(length)))

            do_GET = do_POST

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

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

    def _answer(self, handler: BaseHTTPRequestHandler, seen: Seen) -> None:
        with self._lock:
            self.seen.append(seen)
            answer = self.answers.pop(0) if self.answers else self.otherwise(seen)
        if answer.hold is not None and not self._wait(handler, answer.hold):
            return
        if answer.drop and not answer.pieces:
            handler.close_connection = True
            return
        handler.send_response(answer.status)
        headers = {"content-type": "application/json", **answer.headers}
        if answer.pieces:
            headers["transfer-encoding"] = "chunked"
        else:
            headers["content-length"] = str(len(answer.body))
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        if not answer.pieces:
            handler.wfile.write(answer.body)
            return
        for number, piece in enumerate(answer.pieces):
            if number == 1 and answer.pause and not self._wait(handler, answer.pause):
                return
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            handler.wfile.flush()
        if answer.drop:
            handler.close_connection = True
        else:
            handler.wfile.write(b"0\r\n\r\n")

    def _wait(self, handler: BaseHTTPRequestHandler, hold: threading.Event) -> bool:
        """Until ``hold`` is set; False where the other side hangs up before."""
        handler.connection.settimeout(0.02)
        for _ in range(3000):
            if hold.is_set():
                handler.connection.settimeout(None)
                return True
            with suppress(TimeoutError):
                if handler.connection.recv(1, 2) == b"":  # MSG_PEEK
                    break
        self.left.set()
        handler.close_connection = True
        return False


@contextmanager
def endpoint() -> Iterator[Endpoint]:
    """An endpoint while the block lasts."""
    served = Endpoint()
    try:
        yield served
    finally:
        served.close()
