"""Exchanges as the broker records them, and the trajectory that is made of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from pae_harness.agents.trajectory import Command, Head
from pae_harness.agents.trajectory import write as write_trajectory
from pae_harness.broker.exchange import Exchange, Source, encode, write
from pae_harness.broker.terms import Price
from pae_harness.broker.usage import model_of, usage_of
from pae_verifiers.canonical import digest

CHAT, MESSAGES = "/v1/chat/completions", "/v1/messages"
HEAD = Head("my_agents:Writer", "1.2", "small", "tiny-note/seed-1/my-agent", "Write the note.")
PRICE = Price(Decimal(1), Decimal(10))


def at(second: float) -> str:
    """A time of the same minute, as records have it."""
    return f"2026-03-01T09:30:{second:06.3f}+00:00"


class Trial:
    """A trial's folder, with the exchanges of its agent."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.records = folder, folder / "agent"
        self.number = 0

    def record(
        self,
        request: Mapping[str, Any],
        reply: object,
        *,
        second: float | None = None,
        path: str = CHAT,
        status: int | None = 200,
        why: str = "",
        source: Source = "upstream",
        price: Price | None = PRICE,
    ) -> str:
        """Record an exchange; ``reply`` is JSON, or the text of a stream. Its file's name."""
        self.number += 1
        body = reply if isinstance(reply, bytes) else None
        if body is None:
            text = reply if isinstance(reply, str) else json.dumps(reply)
            body = text.encode("utf-8", "surrogatepass")
        exchange = Exchange(
            self.number,
            path,
            digest(request),
            request,
            source,
            at(self.number * 10 if second is None else second),
            seconds=1.5,
            status=status,
            body=body,
            model=model_of(body),
            usage=usage_of(body, price) if source == "upstream" else None,
            why=why,
        )
        self.records.mkdir(exist_ok=True)
        write(self.records, encode(exchange), exchange.file_name)
        return exchange.file_name

    def put(self, data: bytes, number: int = 1) -> str:
        """A record of any bytes."""
        name = f"{number:03}-{'0' * 64}.json"
        self.records.mkdir(exist_ok=True)
        (self.records / name).write_bytes(data)
        return name

    def told(self, commands: Sequence[Command] = (), head: Head = HEAD) -> dict[str, Any]:
        """Its trajectory."""
        path = self.folder / "trajectory.json"
        write_trajectory(path, head, commands, self.records)
        found: dict[str, Any] = json.loads(path.read_bytes().decode("utf-8"))
        return found

    def steps(self, commands: Sequence[Command] = ()) -> list[dict[str, Any]]:
        """The steps of its trajectory after the instruction."""
        steps: list[dict[str, Any]] = self.told(commands)["steps"]
        return steps[1:]


def chat(*messages: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """A request in either protocol."""
    return {"model": "small", "messages": list(messages), **more}


def user(content: object) -> dict[str, Any]:
    return {"role": "user", "content": content}


def assistant(content: object, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content, **more}


def completion(text: str | None = "Done.", **more: Any) -> dict[str, Any]:
    """A chat completion of 11 prompt and 7 completion tokens."""
    message = {"role": "assistant", "content": text, **more}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "small-2026-01-01",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }


def function(identity: str, name: str, arguments: str) -> dict[str, Any]:
    """A tool call of a chat completion."""
    return {
        "id": identity,
        "type": "function",
        "function": {"name": name, "arguments": arguments},
    }


def message(*content: Mapping[str, Any], **usage: int) -> dict[str, Any]:
    """One of Anthropic's messages."""
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "large-2026-01-01",
        "content": list(content),
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 11, "output_tokens": 7, **usage},
    }


def stream(*events: object) -> str:
    """Events as a server sends them; a mapping with a type is named by it, as Anthropic's are."""
    lines = []
    for event in events:
        if isinstance(event, Mapping) and "type" in event:
            lines.append(f"event: {event['type']}\n")
        data = event if isinstance(event, str) else json.dumps(event)
        lines.append(f"data: {data}\n\n")
    return "".join(lines)


def delta(index: int = 0, finish: str | None = None, **told: Any) -> dict[str, Any]:
    """A chunk of a streamed chat completion."""
    choice = {"index": index, "delta": told, "finish_reason": finish}
    return {"object": "chat.completion.chunk", "model": "small-2026-01-01", "choices": [choice]}
