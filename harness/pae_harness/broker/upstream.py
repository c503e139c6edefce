"""The endpoint that a model answers at: asked with the key, and asked again while that helps.

Used on the broker's own thread alone.
"""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import httpx2
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception_type,
    stop_after_attempt,
)

from pae_harness.broker.refusal import Refusal
from pae_harness.broker.terms import Patience, Sizes
from pae_verifiers.judge.answer import failure as failure_of
from pae_verifiers.judge.backoff import is_untrusted, wait
from pae_verifiers.judge.models import is_loopback
from pae_verifiers.judge.redact import Redactor
from pae_verifiers.judge.transport import Answer

if TYPE_CHECKING:
    from pae_verifiers.judge.models import Model

CHAT = "/v1/chat/completions"
MESSAGES = "/v1/messages"  # the path of Anthropic's protocol, whose headers are others
# What is passed on to the endpoint, and back from it; all else stays where it is.
_SENT = ("accept", "anthropic-version", "anthropic-beta")
_KEPT = ("content-type", "x-request-id", "request-id", "retry-after", "x-should-retry")
_ANTHROPIC_VERSION = "2023-06-01"


@dataclass(frozen=True)
class Reply:
    """A whole answer. ``headers`` are those that matter, their names in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass
class Effort:
    """What one request has cost in attempts: each that failed, in a few words."""

    failed: list[str] = field(default_factory=list)


class _Failed(Exception):
    """One attempt that may be made again: with the endpoint's own answer, or with ours."""

    def __init__(
        self, why: str, *, reply: Reply | None = None, wait: float | None = None, code: str = ""
    ) -> None:
        super().__init__(why)
        self.why, self.reply, self.wait, self.code = why, reply, wait, code

    def answer(self) -> Reply:
        """What to pass on where no more attempts are made. Raises Refusal for a failure of ours."""
        if self.reply is not None:
            return self.reply
        status = 504 if self.code == "upstream_timeout" else 502
        raise Refusal(status, self.code, self.why) from None


class Upstream:
    """An endpoint, over connections that are kept."""

    def __init__(
        self, model: Model, key: str, redactor: Redactor, patience: Patience, sizes: Sizes
    ) -> None:
        self._base, self._key, self._redactor = model.base_url, key, redactor
        self._patience, self._sizes = patience, sizes
        self._client = httpx2.AsyncClient(
            timeout=httpx2.Timeout(None, connect=patience.connect),
            follow_redirects=False,  # the key is for this address
            trust_env=not is_loopback(model.base_url),  # a proxy does not know this machine
        )

    async def close(self) -> None:
        await self._client.aclose()

    def with_patience(self, patience: Patience) -> Self:
        """The same endpoint over the same connections, asked with another ``patience``."""
        other = copy.copy(self)
        other._patience = patience
        return other

    @asynccontextmanager
    async def open(
        self,
        path: str,
        request: Mapping[str, Any],
        headers: Mapping[str, str],
        deadline: float,
        effort: Effort,
    ) -> AsyncIterator[Reply | Stream]:
        """The answer, after as many attempts as it takes until ``deadline``, in the loop's time.

        A :class:`Stream` where the request wants one and it has begun, else a whole reply: the last
        one where all attempts failed. Raises Refusal where there is none.
        """
        # Not the box's own bytes: of a key that stands twice, others may read the other value.
        body = json.dumps(request).encode("ascii")
        stream = request.get("stream") is True
        asked = self._client.build_request(
            "POST", self._url(path), content=body, headers=self._headers(path, headers)
        )
        try:
            async for attempt in self._attempts(deadline, effort):
                with attempt:
                    answer = await self._attempt(asked, stream)
        except _Failed as failed:
            effort.failed.append(failed.why)
            answer = failed.answer()
        if isinstance(answer, Reply):
            yield answer
            return
        try:
            yield Stream(answer, self._redactor, self._sizes.reply)
        finally:
            await answer.aclose()

    def _attempts(self, deadline: float, effort: Effort) -> AsyncRetrying:
        loop = asyncio.get_running_loop()

        def until(state: RetryCallState) -> float:
            failed = _failure(state)
            return wait(
                state.attempt_number,
                failed.wait if failed else None,
                first=self._patience.first_wait,
                longest=self._patience.longest_wait,
            )

        def too_late(state: RetryCallState) -> bool:
            return loop.time() + state.upcoming_sleep >= deadline

        enough = stop_after_attempt(self._patience.attempts)

        def note(state: RetryCallState) -> None:
            if (failed := _failure(state)) is not None:
                effort.failed.append(failed.why)

        return AsyncRetrying(
            retry=retry_if_exception_type(_Failed),
            wait=until,
            stop=lambda state: enough(state) or too_late(state),
            before_sleep=note,
            reraise=True,
        )

    async def _attempt(self, request: httpx2.Request, stream: bool) -> Reply | httpx2.Response:
        try:
            async with asyncio.timeout(self._patience.attempt):
                response = await self._client.send(request, stream=True)
                if "," in response.headers.get("content-encoding", ""):
                    await response.aclose()  # each layer makes a thousand bytes of one
                    raise Refusal(
                        *(502, "reply_compressed_twice"), "the reply is compressed more than once"
                    )
                if stream and response.is_success:
                    return response
                reply = await self._whole(response)
        except TimeoutError:
            raise _Failed("the endpoint took too long", code="upstream_timeout") from None
        except httpx2.RequestError as error:
            why = self._redactor.text(f"the endpoint cannot be reached: {_said(error)}")
            failed = _Failed(why, code="upstream_unreachable")
            if is_untrusted(error):
                failed.answer()
            raise failed from None
        if reply.status != 200:
            failure = failure_of(Answer(reply.status, reply.body, reply.headers))
            if failure.again:
                raise _Failed(f"HTTP {reply.status}", reply=reply, wait=failure.wait)
        return reply

    async def _whole(self, response: httpx2.Response) -> Reply:
        body = bytearray()
        try:
            async for piece in response.aiter_bytes():
                body += piece
                if len(body) > self._sizes.reply:
                    raise Refusal(
                        502, "reply_too_large", f"the reply has over {self._sizes.reply} bytes"
                    )
        finally:
            await response.aclose()
        if response.is_redirect:
            raise Refusal(
                *(502, "upstream_redirect"),
                "the endpoint redirects to another address, which is not given the key: "
                "name that address in --judge",
            )
        headers = kept_headers(response, self._redactor)
        return Reply(response.status_code, headers, self._redactor.clean(bytes(body)))

    def _url(self, path: str) -> str:
        return self._base + path.removeprefix("/v1")

    def _headers(self, path: str, given: Mapping[str, str]) -> dict[str, str]:
        headers = {name: given[name] for name in _SENT if name in given and given[name].isascii()}
        headers["content-type"] = "application/json"
        if path == MESSAGES:
            headers.setdefault("anthropic-version", _ANTHROPIC_VERSION)
        if self._key:
            name = "x-api-key" if path == MESSAGES else "authorization"
            headers[name] = self._key if path == MESSAGES else f"Bearer {self._key}"
        return headers


class Stream:
    """An answer that comes in pieces, each without the key."""

    def __init__(self, response: httpx2.Response, redactor: Redactor, most: int) -> None:
        self._response, self._redactor, self._most = response, redactor, most
        self.status = response.status_code
        self.headers = kept_headers(response, redactor)

    async def pieces(self) -> AsyncIterator[bytes]:
        """Raises Refusal where the endpoint breaks off, or goes on for too long."""
        held, total = b"", 0
        try:
            async for piece in self._response.aiter_bytes():
                total += len(piece)
                if total > self._most:
                    raise Refusal(502, "reply_too_large", f"the reply has over {self._most} bytes")
                ready, held = self._redactor.split(held + piece)
                if ready:
                    yield ready
        except httpx2.RequestError as error:
            why = self._redactor.text(f"the endpoint broke off: {_said(error)}")
            raise Refusal(502, "upstream_unreachable", why) from None
        if held:
            yield held


def kept_headers(response: httpx2.Response, redactor: Redactor) -> dict[str, str]:
    """The headers of a reply that matter, without the key."""
    found = {name: response.headers[name] for name in _KEPT if name in response.headers}
    return {name: redactor.text(value) for name, value in found.items()}


def _failure(state: RetryCallState) -> _Failed | None:
    error = state.outcome.exception() if state.outcome is not None else None
    return error if isinstance(error, _Failed) else None


def _said(error: httpx2.RequestError) -> str:
    return str(error) or type(error).__name__
