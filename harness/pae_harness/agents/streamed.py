"""A reply that came as a stream of events, put together as the whole one that it would have been.

Both protocols: OpenAI's chat completions and Anthropic's messages. Nothing raises: a stream comes
from an endpoint, may break off anywhere, and may hold anything.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

_LINE_END = re.compile(r"\r\n|\n|\r")  # str.splitlines knows more, which JSON may hold as they are
_BLOCKS = {"text_delta": "text", "thinking_delta": "thinking", "input_json_delta": "tool_use"}


def whole(text: str) -> dict[str, Any] | None:
    """The reply that the events of ``text`` make up, as far as they came; None where there is none.

    It has ``choices`` or ``content``, as its protocol has them, and ``usage``. An event that tells
    of an error is its ``error``.
    """
    chat, messages = _Chat(), _Messages()
    usage: dict[str, Any] = {}
    more: dict[str, Any] = {}
    for event in _events(text):
        for place in (event, event.get("message")):
            if isinstance(place, Mapping) and isinstance(place.get("usage"), Mapping):
                usage.update({k: v for k, v in place["usage"].items() if v is not None})
        if event.get("error"):
            more["error"] = event["error"]
        chat.take(event)
        messages.take(event)
    made = chat.reply() or messages.reply()
    if made is None and not more:
        return None
    return {**(made or {"content": []}), "usage": usage, **more}


def _events(text: str) -> Iterator[Mapping[str, Any]]:
    """The JSON objects among the events' data; what cannot be read, as at a break, is left out."""
    data: list[str] = []
    for line in (*_LINE_END.split(text), ""):
        if line.startswith("data:"):
            data.append(line[5:])
        elif not line and data:
            try:
                event = json.loads("\n".join(data))
            except (ValueError, RecursionError):
                event = None
            if isinstance(event, Mapping):
                yield event
            data = []


@dataclass
class _Call:
    """A tool call of a choice, as it comes in."""

    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)

    def take(self, delta: Mapping[str, Any]) -> None:
        function = delta.get("function")
        told = function if isinstance(function, Mapping) else {}
        self.id = _text(delta.get("id")) or self.id
        self.name = _text(told.get("name")) or self.name
        self.arguments.append(_text(told.get("arguments")))

    def made(self) -> dict[str, Any]:
        arguments = "".join(self.arguments)
        return {"id": self.id, "function": {"name": self.name, "arguments": arguments}}


@dataclass
class _Choice:
    """One of the answers of a chat completion, as it comes in."""

    texts: dict[str, list[str]] = field(default_factory=dict)
    calls: list[_Call] = field(default_factory=list)
    places: dict[object, _Call] = field(default_factory=dict)
    finish: str = ""

    def take(self, choice: Mapping[str, Any]) -> None:
        self.finish = _text(choice.get("finish_reason")) or self.finish
        delta = choice.get("delta")
        if not isinstance(delta, Mapping):
            return
        for name in ("content", "reasoning_content", "reasoning", "refusal"):
            if piece := _text(delta.get(name)):
                self.texts.setdefault(name, []).append(piece)
        for call in _mappings(delta.get("tool_calls")):
            self._at(call).take(call)
        if isinstance(delta.get("function_call"), Mapping):  # what came before tool calls
            old = {"index": "function_call", "function": delta["function_call"]}
            self._at(old).take(old)

    def _at(self, delta: Mapping[str, Any]) -> _Call:
        """The call that ``delta`` goes on with. Some servers give every call the same index."""
        index = delta.get("index")
        place = index if isinstance(index, int | str) else None
        known, told = self.places.get(place), _text(delta.get("id"))
        if known is None or (told and known.id and told != known.id):
            known = self.places[place] = _Call()
            self.calls.append(known)
        return known

    def made(self) -> dict[str, Any]:
        message: dict[str, Any] = {name: "".join(texts) for name, texts in self.texts.items()}
        message["tool_calls"] = [call.made() for call in self.calls]
        return {"message": message, "finish_reason": self.finish}


@dataclass
class _Chat:
    choices: dict[int, _Choice] = field(default_factory=dict)

    def take(self, event: Mapping[str, Any]) -> None:
        for choice in _mappings(event.get("choices")):
            index = choice.get("index")
            place = index if isinstance(index, int) else 0
            self.choices.setdefault(place, _Choice()).take(choice)

    def reply(self) -> dict[str, Any] | None:
        if not self.choices:
            return None
        return {"choices": [choice.made() for _, choice in sorted(self.choices.items())]}


@dataclass
class _Block:
    """A part of one of Anthropic's messages, as it comes in."""

    start: Mapping[str, Any]
    pieces: list[str] = field(default_factory=list)

    def made(self) -> dict[str, Any]:
        kind, rest = _text(self.start.get("type")), "".join(self.pieces)
        if not rest:
            return dict(self.start)
        if kind in ("text", "thinking"):
            return {**self.start, kind: _text(self.start.get(kind)) + rest}
        return {**self.start, "input": rest}


@dataclass
class _Messages:
    blocks: dict[object, _Block] = field(default_factory=dict)
    begun: bool = False
    stop: str = ""

    def take(self, event: Mapping[str, Any]) -> None:
        kind, index = event.get("type"), event.get("index")
        place = index if isinstance(index, int) else None
        delta = event.get("delta")
        if kind == "message_start":
            self.begun = True
        elif kind == "content_block_start":
            start = event.get("content_block")
            self.blocks[place] = _Block(start if isinstance(start, Mapping) else {})
        elif kind == "content_block_delta" and isinstance(delta, Mapping):
            self._add(place, delta)
        elif kind == "message_delta" and isinstance(delta, Mapping):
            self.begun = True
            self.stop = _text(delta.get("stop_reason")) or self.stop

    def _add(self, place: object, delta: Mapping[str, Any]) -> None:
        known = _BLOCKS.get(_text(delta.get("type")))
        if known is not None:
            block = self.blocks.setdefault(place, _Block({"type": known}))
            block.pieces.append(_text(delta.get("partial_json" if known == "tool_use" else known)))

    def reply(self) -> dict[str, Any] | None:
        if not self.begun and not self.blocks:
            return None
        content = [block.made() for block in self.blocks.values()]
        return {"content": content, "stop_reason": self.stop}


def _mappings(value: object) -> Iterable[Mapping[str, Any]]:
    return (v for v in value if isinstance(v, Mapping)) if isinstance(value, list) else ()


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
