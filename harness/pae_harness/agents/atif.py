"""The parts of a trajectory in ATIF, Harbor's format, with texts that any reader can take.

What goes in comes from agents and models, and may be anything; what comes out is JSON without NaN,
without halves of characters, and of a bounded size.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from pae_harness.agents.replies import ToolCall, as_json
from pae_harness.agents.turns import Result

VERSION = "ATIF-v1.7"
MOST = 64 << 10  # bytes of a text
MOST_SHOWN = 2000  # bytes of what only says what went wrong
ROOM = 64 << 20  # characters of all steps of a trajectory
_STEP = 1024  # how many characters a step counts for that has none
_DEEP = 40
_FULL = "[left out: the trajectory is full]"
# Harbor's order of a step's fields.
_FIELDS = (
    *("step_id", "timestamp", "source", "model_name", "message", "reasoning_content"),
    *("tool_calls", "observation", "metrics", "llm_call_count", "extra"),
)


@dataclass
class Room:
    """What a trajectory still has room for; ``lost`` counts what it had none for."""

    left: int = field(default_factory=lambda: ROOM)
    lost: int = 0

    def take(self, more: int = _STEP) -> bool:
        """Whether there is room for ``more`` characters, which are then taken."""
        if more > self.left:
            self.lost += 1
            return False
        self.left -= more
        return True

    def text(self, text: str, most: int = MOST) -> str:
        short = cut(text, most)
        return short if self.take(len(short)) else _FULL


def cut(text: str, most: int = MOST) -> str:
    """``text``, of which more than ``most`` bytes of UTF-8 are only its beginning and its end."""
    text = sound(text)
    data = text.encode()
    if len(data) <= most:
        return text
    half = most // 2 - 32  # the words between them need room as well
    head, tail = data[:half].decode(errors="ignore"), data[-half:].decode(errors="ignore")
    left = len(text) - len(head) - len(tail)
    return f"{head}\n[… {left} characters left out …]\n{tail}"


def sound(text: str) -> str:
    """``text`` without halves of characters: two that fit become one, others a ``\\ufffd``."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def plain(value: object, depth: int = 0) -> Any:
    """``value`` as JSON can hold it; what is nested deeper than anybody reads becomes a text."""
    if isinstance(value, str):
        return sound(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if depth >= _DEEP or not isinstance(value, Mapping | Sequence):
        return cut(as_json(value), MOST_SHOWN)
    if isinstance(value, Mapping):
        return {sound(str(key)): plain(part, depth + 1) for key, part in value.items()}
    return [plain(part, depth + 1) for part in value]


def step(source: str, message: str, **more: Any) -> dict[str, Any]:
    """A step; a field that is None or empty is left out."""
    return {"source": source, "message": message, **{k: v for k, v in more.items() if _is(v)}}


def numbered(step: Mapping[str, Any], number: int) -> dict[str, Any]:
    """``step`` as the file holds it."""
    told = {"step_id": number, **step}
    ordered = {name: told[name] for name in _FIELDS if name in told}
    result: dict[str, Any] = plain(ordered)
    return result


def called(calls: Sequence[ToolCall], room: Room, unnamed: str) -> list[dict[str, Any]]:
    """The tool calls of a step, each with an id of its own; one without gets ``unnamed-N``."""
    made: list[dict[str, Any]] = []
    ids: set[str] = set()
    for number, call in enumerate(calls, 1):
        if not room.take():
            continue
        extra: dict[str, Any] = {}
        identity = cut(call.id, 256) or f"{unnamed}-{number}"
        if identity in ids:
            extra["id"], identity = identity, f"{identity}-{unnamed}-{number}"
        ids.add(identity)
        arguments = _arguments(call, room, extra)
        made.append(
            {
                "tool_call_id": identity,
                "function_name": cut(call.name, 256),
                "arguments": arguments,
                **({"extra": extra} if extra else {}),
            }
        )
    return made


def _arguments(call: ToolCall, room: Room, extra: dict[str, Any]) -> Mapping[str, Any]:
    if call.text:
        extra["why"] = "the arguments are no JSON object: they are in text, as they came"
        return {"text": room.text(call.text)}
    whole = as_json(call.arguments)
    if len(whole.encode("utf-8", "replace")) <= MOST:
        return call.arguments if room.take(len(whole)) else {"text": _FULL}
    short = {k: cut(v, MOST // 2) if isinstance(v, str) else v for k, v in call.arguments.items()}
    size = len(as_json(short).encode("utf-8", "replace"))
    if size > MOST:
        extra["why"] = "the arguments are too long: they are in text, as JSON that is cut"
        return {"text": room.text(whole)}
    extra["why"] = "the arguments were too long: their longest texts are cut"
    return short if room.take(size) else {"text": _FULL}


def observed(result: Result, call: str | None, room: Room) -> dict[str, Any]:
    """A result of a tool call; ``call`` is the id that its step has the call under, if any."""
    extra: dict[str, Any] = {"is_error": True} if result.failed else {}
    if call is None and result.id:
        extra["answers"] = cut(result.id, 256)
    made = {"source_call_id": call, "content": room.text(result.text), "extra": extra}
    return {name: value for name, value in made.items() if _is(value) or name == "content"}


def instant(text: object) -> datetime | None:
    """The time that an ISO 8601 text names, in UTC unless it says otherwise; None for no such."""
    if not isinstance(text, str) or not text.isascii():
        return None
    try:
        when = datetime.fromisoformat(text)
        return when if when.tzinfo else when.replace(tzinfo=UTC)
    except ValueError:
        return None


def finite(value: object) -> float | None:
    """``value`` where it is a number of 0 or more, else None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _is(value: object) -> bool:
    return value is not None and value != "" and value != [] and value != {}
