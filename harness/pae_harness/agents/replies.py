"""What a model said, read from the record of an exchange: either protocol, whole or streamed.

Nothing raises: a reply comes from an endpoint, and may hold anything.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pae_harness.agents import streamed

_TEXTS = {"text": "text", "input_text": "text", "output_text": "text", "refusal": "refusal"}
_MOST_COUNT = 2**63 - 1  # what other programs read as a whole number


@dataclass(frozen=True)
class ToolCall:
    """A tool call that a model asks for; ``id`` is empty where it has none.

    ``text`` is what came as the arguments where that is no JSON object, and ``arguments`` is empty.
    """

    id: str
    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""


@dataclass(frozen=True)
class Message:
    """What a model said in one reply.

    ``finish`` is why it ended, in the endpoint's word; ``error`` what a stream says went wrong in
    its midst; ``cached`` how many tokens of the prompt the endpoint had ready, None where it does
    not tell; ``choices`` how many answers the reply holds, of which this is the first.
    """

    text: str
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    finish: str = ""
    error: str = ""
    cached: int | None = None
    choices: int = 1


def message_of(record: Mapping[str, Any]) -> Message | None:
    """The message of the exchange's reply; None where it has none in either protocol."""
    whole = record.get("reply")
    if not isinstance(whole, Mapping):
        text = record.get("text")
        whole = streamed.whole(text) if isinstance(text, str) else None
    if whole is None:
        return None
    said, finish, choices = whole, whole.get("stop_reason"), 1
    if isinstance(whole.get("choices"), list):
        first = whole["choices"][0] if whole["choices"] else None
        if not isinstance(first, Mapping) or not isinstance(first.get("message"), Mapping):
            return None
        said, finish = first["message"], first.get("finish_reason")
        choices = len(whole["choices"])
    elif not isinstance(whole.get("content"), list):
        return None
    text, reasoning, calls = parts(said)
    error = whole.get("error")
    return Message(
        text,
        reasoning,
        calls,
        finish if isinstance(finish, str) else "",
        as_json(error) if error else "",
        _cached(whole.get("usage")),
        choices,
    )


def parts(message: Mapping[str, Any]) -> tuple[str, str, tuple[ToolCall, ...]]:
    """Text, reasoning and tool calls of a message, as a reply or a request holds it.

    Images and the like are named in the text, in brackets; tool results are no part of it.
    """
    texts: list[str] = []
    thoughts = [message.get("reasoning_content") or message.get("reasoning")]
    calls: list[ToolCall] = []
    for part in _list(message.get("content")):
        kind = part.get("type") if isinstance(part, Mapping) else None
        if kind == "thinking":
            thoughts.append(part.get("thinking"))
        elif kind == "redacted_thinking":
            thoughts.append("[redacted]")
        elif kind in ("tool_use", "server_tool_use"):
            calls.append(_call(part.get("id"), part.get("name"), part.get("input")))
        elif kind != "tool_result":
            texts.append(_shown(part))
    texts.append(_text(message.get("refusal")))
    calls += _tool_calls(message)
    reasoning = "\n\n".join(thought for thought in thoughts if thought and _text(thought))
    return "\n\n".join(text for text in texts if text), reasoning, tuple(calls)


def text_of(content: object) -> str:
    """The text of a ``content``, which is a text or a list of parts."""
    return "\n\n".join(text for part in _list(content) if (text := _shown(part)))


def is_text(part: object) -> bool:
    """Whether ``text_of`` holds all that a part of a content says."""
    if not isinstance(part, Mapping):
        return isinstance(part, str)
    name = _TEXTS.get(_text(part.get("type")))
    return name is not None and isinstance(part.get(name), str)


def as_json(value: object) -> str:
    """``value``, which comes from JSON, as JSON; a text as it is."""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "[nested too deep to show]"


def _tool_calls(message: Mapping[str, Any]) -> Iterator[ToolCall]:
    """Those of a chat completion, functions and custom tools."""
    told = message.get("tool_calls")
    for call in told if isinstance(told, list) else ():
        if not isinstance(call, Mapping):
            continue
        function, custom = call.get("function"), call.get("custom")
        if isinstance(function, Mapping):
            yield _call(call.get("id"), function.get("name"), function.get("arguments"))
        elif isinstance(custom, Mapping):
            yield ToolCall(
                _text(call.get("id")), _text(custom.get("name")), text=_text(custom.get("input"))
            )
        else:
            yield _call(call.get("id"), call.get("name"), call.get("arguments"))
    old = message.get("function_call")
    if isinstance(old, Mapping):
        yield _call(None, old.get("name"), old.get("arguments"))


def _call(identity: object, name: object, arguments: object) -> ToolCall:
    text = ""
    if isinstance(arguments, str):
        text = arguments
        try:
            arguments = json.loads(text) if text.strip() else {}
        except (ValueError, RecursionError):
            arguments = text
    if arguments is None:
        arguments = {}
    if isinstance(arguments, Mapping):
        return ToolCall(_text(identity), _text(name), arguments)
    return ToolCall(_text(identity), _text(name), text=text or as_json(arguments))


def _shown(part: object) -> str:
    """A part of a content: its text, else its kind in brackets."""
    if isinstance(part, str):
        return part
    kind = _text(part.get("type")) if isinstance(part, Mapping) else ""
    if isinstance(part, Mapping) and is_text(part):
        return str(part[_TEXTS[kind]])
    return f"[{kind[:40] or 'something without a type'}]"


def _cached(usage: object) -> int | None:
    if not isinstance(usage, Mapping):
        return None
    details = usage.get("prompt_tokens_details")
    told = [details.get("cached_tokens")] if isinstance(details, Mapping) else []
    told += [usage.get("cache_read_input_tokens"), usage.get("prompt_cache_hit_tokens")]
    return next((count for value in told if (count := count_of(value)) is not None), None)


def count_of(value: object) -> int | None:
    """``value`` where it is a count of something, else None."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    return value if isinstance(value, int) and whole and 0 <= value <= _MOST_COUNT else None


def _list(content: object) -> list[Any]:
    """The parts of a content."""
    if content is None:
        return []
    return content if isinstance(content, list) else [content]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
