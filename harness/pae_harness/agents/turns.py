"""What an agent tells a model: the messages of its requests, and which of them are new.

Both protocols. Every request repeats its conversation, so of what was told only digests are kept.
Nothing raises: a request comes from an agent, and may hold anything.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pae_harness.agents.replies import Message, ToolCall, as_json, is_text, parts, text_of

Role = Literal["system", "user", "assistant", "tool"]
_ROLES: Mapping[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}
# Only requests that are made for it have so many messages: more would cost minutes, and memory.
_MOST_MESSAGES = 10_000
_MOST_KNOWN = 200_000  # digests of each kind


@dataclass(frozen=True)
class Result:
    """What a tool call came to, as the agent tells the model; ``failed`` where it says so."""

    id: str
    text: str
    failed: bool = False


@dataclass(frozen=True)
class Turn:
    """One message of a request. Marks for a cache of prompts are not in its ``digest``."""

    role: Role
    text: str
    calls: tuple[ToolCall, ...] = ()
    results: tuple[Result, ...] = ()
    rest: str = ""  # as JSON, what the texts only name

    @property
    def digest(self) -> bytes:
        pieces = [self.role, self.text, self.rest]
        for call in self.calls:
            pieces += (call.id, call.name, call.text or as_json(call.arguments))
        for result in self.results:
            pieces += (result.id, result.text)
        return _hash(*(piece.encode("utf-8", "surrogatepass") for piece in pieces))


def turns(request: object) -> Iterator[Turn]:
    """The messages of a request, first the instructions that Anthropic's protocol has apart."""
    if not isinstance(request, Mapping):
        return
    system = request.get("system") or []
    for part in system[:_MOST_MESSAGES] if isinstance(system, list) else [system]:
        yield _turn({"role": "system", "content": [part]})
    told = request.get("messages")
    messages = told if isinstance(told, list) else []
    for message in messages[:_MOST_MESSAGES]:
        yield _turn(message if isinstance(message, Mapping) else {"content": message})
    if len(messages) > _MOST_MESSAGES:
        yield Turn("user", f"[{len(messages) - _MOST_MESSAGES} more messages: see the record]")


class Conversations:
    """The conversations that an agent leads, one after the other or side by side."""

    def __init__(self, told: Iterable[Turn] = ()) -> None:
        """``told`` is as good as told: a request need not be shown to repeat it."""
        self._shown = {turn.digest for turn in told}
        self._begun: set[bytes] = set()  # every beginning of a conversation
        self._asked: dict[bytes, int] = {}  # whole requests, and which exchange was the last
        self._last: set[bytes] = set()  # what the last message of an answered request was
        self._said: set[bytes] = set()  # what the model said
        self._called: set[str] = set()
        self._ending = b""

    def begin(self, request: object, exchange: int) -> tuple[int | None, list[Turn]]:
        """The exchange that ``request`` goes on from, if any, and its turns that are not yet told.

        What it adds to that exchange is new, whatever the words. Of one that goes on from none, as
        another conversation or one that was cut down, only those are that no request before it had;
        and so of first instructions, which some agents change each time. What the model itself said
        is left out, also in the agent's words of it.
        """
        beginning, before, shared = b"", b"", True
        goes_on: int | None = None
        fresh: list[Turn] = []
        seen: set[bytes] = set()
        for turn in turns(request):
            digest = turn.digest
            if turn.role == "system" and not beginning:
                if digest not in self._shown:
                    fresh.append(turn)
                seen.add(digest)
                continue
            chain = _hash(beginning, digest)
            if shared and chain not in self._begun:
                shared, goes_on = False, self._asked.get(beginning)
            if not shared:
                _add(self._begun, chain)
                told = goes_on is None and digest in self._shown
                if not told and not (turn.role == "assistant" and self._is_said(turn, before)):
                    fresh.append(turn)
                seen.add(digest)
            beginning, before = chain, digest
        for digest in seen:
            _add(self._shown, digest)
        if beginning:
            self._asked[beginning] = exchange
        self._ending = before
        return goes_on, fresh

    def answered(self, message: Message) -> None:
        """The request that was begun last got this answer."""
        if self._ending:
            _add(self._last, self._ending)
        if message.text.strip():
            _add(self._said, _said(message.text))
        self._called.update(call.id for call in message.tool_calls if call.id)

    def _is_said(self, turn: Turn, before: bytes) -> bool:
        """Whether ``turn`` is the model's: it stands where the answer does, or says the same."""
        if before in self._last:
            return True
        if turn.calls:
            return all(call.id in self._called for call in turn.calls)
        return not turn.text.strip() or _said(turn.text) in self._said


def _turn(message: Mapping[str, Any]) -> Turn:
    role = message.get("role")
    known = _ROLES.get(role, "user") if isinstance(role, str) else "user"
    content = message.get("content")
    blocks = content if isinstance(content, list) else []
    if known == "tool":
        result = Result(_text(message.get("tool_call_id")), text_of(content))
        return Turn("tool", "", results=(result,), rest=_rest(blocks))
    text, _, calls = parts(message)
    results, within = [], list(blocks)
    for block in blocks:
        if isinstance(block, Mapping) and block.get("type") == "tool_result":
            inner = block.get("content")
            failed = block.get("is_error") is True
            results.append(Result(_text(block.get("tool_use_id")), text_of(inner), failed))
            within += inner if isinstance(inner, list) else []
    return Turn(known, text, calls, tuple(results), _rest(within))


def _rest(blocks: list[Any]) -> str:
    """What is in images and the like, as JSON."""
    plain = ("thinking", "redacted_thinking", "tool_use", "tool_result", "server_tool_use")
    rest = []
    for block in blocks:
        if is_text(block) or (isinstance(block, Mapping) and block.get("type") in plain):
            continue
        if isinstance(block, Mapping):
            block = {key: value for key, value in block.items() if key != "cache_control"}
        rest.append(as_json(block))
    return "\n".join(rest)


def _said(text: str) -> bytes:
    """The same for texts that differ in white space alone."""
    return _hash(" ".join(text.split()).encode("utf-8", "surrogatepass"))


def _hash(*pieces: bytes) -> bytes:
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(len(piece).to_bytes(8, "big") + piece)
    return digest.digest()[:16]


def _add(known: set[bytes], digest: bytes) -> None:
    if len(known) < _MOST_KNOWN:
        known.add(digest)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
