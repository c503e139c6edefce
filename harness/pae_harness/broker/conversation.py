"""What one trial asks of its model, and what it is told: from a record, the cache or the endpoint.

Used on the broker's own thread alone, but for what has ended.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Protocol

from pae_harness.broker.exchange import Exchange, Source, encode, write
from pae_harness.broker.ledger import Ledger, Reserved
from pae_harness.broker.refusal import Refusal
from pae_harness.broker.terms import Price
from pae_harness.broker.upstream import Effort, Reply, Upstream
from pae_harness.broker.usage import Usage, is_answer, model_of, usage_of
from pae_verifiers.canonical import digest
from pae_verifiers.judge.redact import Redactor

NOTHING = Usage(0, 0, Decimal(0))


class Out(Protocol):
    """The way back into the box."""

    async def start(self, status: int, headers: Mapping[str, str]) -> None: ...

    async def piece(self, data: bytes) -> None: ...

    async def end(self) -> None: ...


class Known(Protocol):
    """Answers that are there already: a record, or the cache."""

    def find(self, request: str, occurrence: int) -> Reply | None:
        """The answer to the request of this digest, asked ``occurrence`` times before."""
        ...


@dataclass(frozen=True)
class Ask:
    """One request that was let in."""

    path: str
    headers: Mapping[str, str]
    request: Mapping[str, Any]


@dataclass
class _Heard:
    """What has come back so far."""

    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytearray = field(default_factory=bytearray)
    why: str = ""
    refused: bool = False  # by the endpoint, which then charges nothing
    failed: bool = False  # there, and not because the box left or the time was over


class Conversation:
    """The exchanges of one trial. ``records`` is the folder that they are kept in.

    ``seconds`` is how long it may take from ``begin`` on. With ``replay`` there is no ``upstream``:
    what is not recorded is refused. ``exchanges`` receives each as it ends, and may have those of
    an earlier one; ``asking`` says in the records who it is that asks the endpoint. Where it is
    ``light``, a recorded exchange keeps only its model and a failure's words: an agent sends its
    whole conversation with every call.
    """

    def __init__(
        self,
        *,
        upstream: Upstream | None,
        replay: Known | None,
        cache: Known | None,
        ledger: Ledger,
        price: Price | None,
        redactor: Redactor,
        records: Path,
        seconds: float,
        exchanges: list[Exchange],
        asking: Source = "upstream",
        light: bool = False,
    ) -> None:
        self._upstream, self._replay, self._cache = upstream, replay, cache
        self._ledger, self._price, self._redactor = ledger, price, redactor
        self._records, self._seconds, self._deadline = records, seconds, 0.0
        self._asking, self._numbers = asking, len(exchanges)
        self._asked: Counter[str] = Counter()
        self._exchanges, self._light = exchanges, light

    def begin(self) -> None:
        """From now on its time runs; on the loop's thread."""
        self._deadline = asyncio.get_running_loop().time() + self._seconds

    async def answer(self, ask: Ask, out: Out) -> None:
        """Answer ``ask`` and record it; the record is there before the box has the whole answer.

        Raises Refusal for what the broker itself has to say.
        """
        request = digest(ask.request)
        source = self._replay or self._cache
        known = source.find(request, self._asked[request]) if source else None
        if known is not None:
            exchange = self._begun(ask, request, "replay" if self._replay else "cache")
            heard = _Heard(known.status, known.headers, bytearray(known.body))
            self._keep(exchange, heard, Effort())
            await _send(out, known)
            return
        if self._upstream is None:
            raise Refusal(404, "not_recorded", "the records that are replayed lack this request")
        if asyncio.get_running_loop().time() >= self._deadline:
            raise self._over()
        reserved = self._ledger.reserve(ask.request)
        await self._put(self._upstream, self._begun(ask, request, self._asking), ask, reserved, out)

    def _begun(self, ask: Ask, request: str, source: Source) -> Exchange:
        self._asked[request] += 1
        self._numbers += 1
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        return Exchange(self._numbers, ask.path, request, ask.request, source, now)

    async def _put(
        self, upstream: Upstream, exchange: Exchange, ask: Ask, reserved: Reserved, out: Out
    ) -> None:
        """Put the question to the endpoint, and record what comes of it, whatever that is."""
        heard, effort = _Heard(why="the box left before the answer came"), Effort()
        started = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout_at(self._deadline):
                whole = await self._ask(upstream, ask, out, heard, effort)
        except Refusal as refusal:
            heard.failed = True
            _note(heard, refusal)
            raise
        except TimeoutError:
            over = self._over()
            _note(heard, over)
            raise over from None
        finally:
            took = asyncio.get_running_loop().time() - started
            kept = self._keep(replace(exchange, seconds=took), heard, effort)
            self._ledger.settle(reserved, NOTHING if heard.refused else kept.usage)
        if whole is not None:
            await _send(out, whole)
        else:
            await out.end()

    async def _ask(
        self, upstream: Upstream, ask: Ask, out: Out, heard: _Heard, effort: Effort
    ) -> Reply | None:
        """The whole answer, still to be sent, or None for one that was sent as it came."""
        async with upstream.open(
            ask.path, ask.request, ask.headers, self._deadline, effort
        ) as answer:
            if isinstance(answer, Reply):
                heard.status, heard.headers = answer.status, answer.headers
                heard.body += answer.body
                heard.why, heard.refused = "", answer.status >= 400
                heard.failed = heard.refused
                return answer
            await out.start(answer.status, answer.headers)
            async for piece in answer.pieces():
                heard.body += piece
                await out.piece(piece)
            heard.status, heard.headers, heard.why = answer.status, answer.headers, ""
            return None

    def _keep(self, exchange: Exchange, heard: _Heard, effort: Effort) -> Exchange:
        paid, body = exchange.paid, bytes(heard.body)
        exchange = replace(
            exchange,
            status=heard.status,
            headers=dict(heard.headers),
            body=body,
            why=heard.why,
            failed=tuple(effort.failed),
            model=model_of(body),
            # What begins a stream tells of the prompt alone: what was generated nobody knows.
            usage=usage_of(body, self._price) if paid and not heard.why else None,
            unanswered=paid and (heard.failed or not is_answer(body)),
        )
        self._exchanges.append(exchange)
        try:
            self._records.mkdir(parents=True, exist_ok=True)
            data = self._redactor.clean(encode(exchange))
            self._ledger.keep(len(data))
            write(self._records, data, exchange.file_name)
        except OSError as error:
            why = f"the exchange cannot be recorded: {error.strerror or error}"
            raise Refusal(500, "not_recorded", why) from None
        if self._light:
            self._exchanges[-1] = replace(
                exchange,
                request={"model": exchange.request.get("model")},
                body=body if exchange.unanswered else b"",
            )
        return exchange

    def _over(self) -> Refusal:
        why = f"the trial's {self._seconds:g} s for its model are over"
        return Refusal(504, "deadline_exceeded", why)


def _note(heard: _Heard, refusal: Refusal) -> None:
    """Of an answer that had begun there is no status: the box never saw its end."""
    heard.why = refusal.message
    if not heard.body:
        heard.failed = True
        heard.status, heard.body = refusal.status, bytearray(refusal.body())


async def _send(out: Out, reply: Reply) -> None:
    await out.start(reply.status, reply.headers)
    await out.piece(reply.body)
    await out.end()
