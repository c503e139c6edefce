"""Whether a model is out of reach, or only the requests of a box failed: a plain question tells.

A box can make its own requests fail, so that no failure of theirs says anything of the model. What
the broker itself asks, it cannot.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pae_harness.broker.conversation import Ask, Conversation
from pae_harness.broker.exchange import Exchange
from pae_harness.broker.refusal import Refusal
from pae_harness.broker.terms import Patience
from pae_harness.broker.upstream import CHAT, MESSAGES
from pae_verifiers.judge.answer import failure
from pae_verifiers.judge.transport import Answer

if TYPE_CHECKING:
    from pae_verifiers.judge.models import Model

SECONDS = 30.0  # for a round
ROUNDS = 3
_ATTEMPT = 14.0  # two, and a wait between them
_QUESTION = "Reply with OK."
_MOST_TOKENS = 16  # messages must say a limit


def brief(usual: Patience) -> Patience:
    """The patience of a control call: two attempts within SECONDS, or less where that is usual."""
    return replace(
        usual,
        deadline=min(usual.deadline, SECONDS),
        attempt=min(usual.attempt, _ATTEMPT),
        longest_wait=min(usual.longest_wait, 1.0),
        attempts=min(usual.attempts, 2),
    )


async def trouble(
    exchanges: Sequence[Exchange], begin: Callable[[], Conversation], model: Model, pause: float
) -> str:
    """Why ``model`` is out of reach, in one sentence; empty where it is not, or was not asked.

    ``exchanges`` are those of a trial, all ended, and receive those of the conversation that
    ``begin`` begins, on the loop's thread. An endpoint that does not answer the plain question is
    asked it in the other protocol: a box may have chosen one that the endpoint does not speak. One
    that limits how often it is asked is asked again after ``pause`` seconds, ROUNDS times in all: a
    box may have used up the limit.
    """
    asked = [exchange for exchange in exchanges if exchange.source == "upstream"]
    if not asked or not asked[-1].unanswered:
        return ""
    last = asked[-1]
    failed = await _failure(exchanges, begin(), last)
    for _ in range(ROUNDS - 1):
        if failed is not None and _is_rate_limit(failed):
            await asyncio.sleep(pause)
            failed = await _failure(exchanges, begin(), last)
    if failed is None:
        return ""
    where = f"{last.request['model']} at {urlsplit(model.base_url).netloc}"
    return f"the agent's model gave no answer: {where}: {_said(failed)}"


async def _failure(
    exchanges: Sequence[Exchange], conversation: Conversation, last: Exchange
) -> Exchange | None:
    """The first exchange of ``conversation`` where both failed."""
    conversation.begin()
    failed = None
    for path in (last.path, *({CHAT, MESSAGES} - {last.path})):
        before = len(exchanges)
        with suppress(Refusal):  # the exchange has what it says
            await conversation.answer(Ask(path, {}, plain(path, last.request["model"])), _Nobody())
        if len(exchanges) == before:
            break  # its time was over
        if not exchanges[-1].unanswered:
            return None
        failed = failed or exchanges[-1]
    assert failed is not None
    return failed


def _is_rate_limit(exchange: Exchange) -> bool:
    """And not an account that is empty, which is of the same status."""
    answer = Answer(429, exchange.body, exchange.headers)
    return exchange.refused and exchange.status == 429 and failure(answer).again


def plain(path: str, model: str) -> Mapping[str, Any]:
    """The smallest request to ``model`` that ``path`` takes."""
    request: dict[str, Any] = {
        "model": model,
        "messages": [{"role": "user", "content": _QUESTION}],
    }
    if path == MESSAGES:
        request["max_tokens"] = _MOST_TOKENS
    return request


def _said(exchange: Exchange) -> str:
    status = exchange.status
    if exchange.why or status is None:
        return exchange.why
    said = str(failure(Answer(status, exchange.body, exchange.headers)))
    phrase = HTTPStatus(status).phrase if status in set(HTTPStatus) else ""
    return f"{status} {phrase}".strip() + said.removeprefix(f"HTTP {status}")


class _Nobody:
    """The way back, where nobody listens."""

    async def start(self, status: int, headers: Mapping[str, str]) -> None:
        pass

    async def piece(self, data: bytes) -> None:
        pass

    async def end(self) -> None:
        pass
