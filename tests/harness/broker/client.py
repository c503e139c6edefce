"""What a box does, by the standard library alone: HTTP over the grant's Unix socket."""

from __future__ import annotations

import http.client
import json
import os
import socket
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pae_harness.broker.grant import Grant

CHAT = "/v1/chat/completions"


def until(condition: Callable[[], object]) -> None:
    """Wait for ``condition``; fails where it does not come about."""
    for _ in range(6000):
        if condition():
            return
        time.sleep(0.005)
    raise AssertionError("it did not come about")


class UnixConnection(http.client.HTTPConnection):
    """HTTP to a Unix socket."""

    def __init__(self, path: Path, timeout: float = 30) -> None:
        super().__init__("broker", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        # By a shorter way: the address of a socket has 107 bytes.
        folder = os.open(self._path.parent, os.O_PATH)
        try:
            self.sock.connect(f"/proc/self/fd/{folder}/{self._path.name}")
        finally:
            os.close(folder)


@dataclass(frozen=True)
class Heard:
    """An answer."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The error's code."""
        return str(self.json["error"]["code"])

    @property
    def text(self) -> str:
        """What the model said."""
        return str(self.json["choices"][0]["message"]["content"])


def request(text: str = "Is it so?", **more: Any) -> dict[str, Any]:
    """A chat request to the model ``small``."""
    return {"model": "small", "messages": [{"role": "user", "content": text}], **more}


class Client:
    """Asks through one grant."""

    def __init__(self, grant: Grant, folder: Path) -> None:
        self.grant, self.folder = grant, folder

    def connection(self) -> UnixConnection:
        return UnixConnection(self.grant.folder / "broker.sock")

    def ask(self, body: Any = None, **more: Any) -> Heard:
        """A chat request; ``more`` goes into it."""
        return self.send("POST", CHAT, {**request(), **more} if body is None else body)

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> Heard:
        """``body`` is bytes, or data that is sent as JSON."""
        connection = self.connection()
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        given = {"authorization": f"Bearer {self.grant.token}"} if headers is None else headers
        try:
            connection.request(method, path, data, dict(given))
            response = connection.getresponse()
            told = {name.lower(): value for name, value in response.getheaders()}
            return Heard(response.status, told, response.read())
        finally:
            connection.close()

    def records(self) -> list[Any]:
        """What is kept of the trial's exchanges, in order."""
        return [
            json.loads(p.read_bytes())
            for p in sorted(self.folder.glob(f"{self.grant.role}/*.json"))
        ]
