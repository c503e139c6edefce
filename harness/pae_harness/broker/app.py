"""What answers on a grant's socket: who may ask, for which model, and how much at once.

An ASGI application. A box that leaves has its request cancelled, for an answer that nobody hears
costs money all the same.
"""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from typing import Any

from pae_harness.broker.conversation import Ask, Conversation
from pae_harness.broker.offline import refused
from pae_harness.broker.parsing import parse
from pae_harness.broker.refusal import Refusal
from pae_harness.broker.terms import Sizes
from pae_harness.broker.upstream import CHAT, MESSAGES

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

MODELS = "/v1/models"
_STAND_INS = ("models", "fallbacks")  # OpenRouter's and LiteLLM's words for who else may answer
_METHODS = {CHAT: "POST", MESSAGES: "POST", MODELS: "GET"}


class App:
    """The application of one grant; ``models`` are those that it allows.

    With ``offline`` it passes on only what has an endpoint fetch nothing.
    """

    def __init__(
        self,
        token: str,
        models: Sequence[str],
        conversation: Conversation,
        sizes: Sizes,
        *,
        offline: bool,
    ) -> None:
        self._token, self._models = token, tuple(models)
        self._conversation, self._sizes = conversation, sizes
        self._offline = offline
        self._turn = asyncio.Semaphore(sizes.at_once)
        self._working: set[asyncio.Task[None]] = set()
        self._ended = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        out = _Out(send)
        try:
            path = self._admit(scope)
            if path == MODELS:
                await out.whole(200, self._list())
                return
            async with self._turn:
                request = parse(await _read(scope, receive, self._sizes.request))
                self._check_model(request)
                if self._offline and (why := refused(path, request)):
                    raise Refusal(400, "not_offline", why)
                await self._work(Ask(path, _headers(scope), request), receive, out)
        except Refusal as refusal:
            if out.started:
                raise  # the connection breaks: an answer that has begun has no other bad end
            await out.whole(refusal.status, refusal.body())

    async def end(self) -> None:
        """Cancel what is under way, wait until it is recorded, and answer nothing more."""
        self._ended = True
        working = tuple(self._working)
        for task in working:
            task.cancel()
        await asyncio.gather(*working, return_exceptions=True)

    def _admit(self, scope: Scope) -> str:
        path, headers = scope["path"], dict(scope["headers"])
        if self._ended:
            raise Refusal(503, "ended", "the trial is over")
        given = headers.get(b"authorization", b"").removeprefix(b"Bearer ")
        given = given or headers.get(b"x-api-key", b"")
        if not hmac.compare_digest(given, self._token.encode()):
            raise Refusal(401, "invalid_api_key", "this socket takes the token of its own trial")
        if path not in _METHODS:
            raise Refusal(404, "not_found", f"there is {', '.join(_METHODS)}, and nothing else")
        if scope["method"] != _METHODS[path]:
            raise Refusal(405, "method_not_allowed", f"{path} is asked with {_METHODS[path]}")
        return str(path)

    def _check_model(self, request: Mapping[str, Any]) -> None:
        asked = [request.get("model")]
        for name in _STAND_INS:
            others = request.get(name) or []
            asked += others if isinstance(others, list) else [others]
        if any(model not in self._models for model in asked):
            allowed = ", ".join(self._models) or "none"
            raise Refusal(403, "model_not_allowed", f"this trial may ask {allowed}, no other model")

    def _list(self) -> bytes:
        data = [{"id": name, "object": "model", "owned_by": "pae"} for name in self._models]
        return json.dumps({"object": "list", "data": data}).encode("ascii")

    async def _work(self, ask: Ask, receive: Receive, out: _Out) -> None:
        if self._ended:
            raise Refusal(503, "ended", "the trial is over")
        work = asyncio.create_task(self._conversation.answer(ask, out))
        gone = asyncio.create_task(_until_gone(receive))
        self._working.add(work)
        try:
            await asyncio.wait((work, gone), return_when=asyncio.FIRST_COMPLETED)
        finally:
            work.cancel()
            gone.cancel()
            await asyncio.gather(work, gone, return_exceptions=True)
            self._working.discard(work)
        if work.cancelled():
            raise Refusal(503, "ended", "the trial is over")  # to nobody, where the box has left
        if (error := work.exception()) is not None:
            raise error


class _Out:
    """The way back, over ASGI's events."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.started = False

    async def start(self, status: int, headers: Mapping[str, str]) -> None:
        self.started = True
        told = {"content-type": "application/json", **headers}
        if status >= 400:
            told["x-should-retry"] = "false"
        pairs = [
            (name.encode("latin-1"), value.encode("latin-1", "replace"))
            for name, value in told.items()
        ]
        await self._send({"type": "http.response.start", "status": status, "headers": pairs})

    async def piece(self, data: bytes) -> None:
        await self._send({"type": "http.response.body", "body": data, "more_body": True})

    async def end(self) -> None:
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def whole(self, status: int, body: bytes) -> None:
        await self.start(status, {"content-length": str(len(body))})
        await self.piece(body)
        await self.end()


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}


async def _read(scope: Scope, receive: Receive, most: int) -> bytes:
    too_large = Refusal(413, "request_too_large", f"a request has at most {most} bytes")
    length = dict(scope["headers"]).get(b"content-length", b"0")
    if not length.isdigit() or int(length) > most:
        raise too_large
    body = bytearray()
    while True:
        event = await receive()
        if event["type"] == "http.disconnect":
            raise Refusal(400, "incomplete", "the request broke off")
        body += event.get("body", b"")
        if len(body) > most:
            raise too_large
        if not event.get("more_body", False):
            return bytes(body)


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
