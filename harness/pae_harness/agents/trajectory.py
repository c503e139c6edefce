"""The trajectory of a trial: what its agent asked a model, was told and did, in order of time.

It is one JSON file in ATIF, Harbor's Agent Trajectory Interchange Format, made of the records of
the exchanges and of the commands. Records repeat their conversation each time and may have
megabytes, so they are read one by one, and nothing is kept of them but steps and digests.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

from pae_harness.agents import atif
from pae_harness.agents.recorded import Record, read
from pae_harness.agents.replies import Message, as_json, message_of
from pae_harness.agents.totals import Totals
from pae_harness.agents.turns import Conversations, Result, Turn

_OWN = ("upstream", "cache", "replay")  # the sources of what the agent itself asked


@dataclass(frozen=True)
class Command:
    """A command that was run in the agent's box, as its trajectory has it.

    ``started`` is ISO 8601, in UTC; ``exit_code`` None where the box was killed under it; ``limit``
    what it ran into ("time", "memory", …), if anything; ``output`` stdout, then stderr.
    """

    argv: tuple[str, ...]
    cwd: str
    started: str
    seconds: float
    exit_code: int | None
    limit: str | None
    output: str


@dataclass(frozen=True)
class Head:
    """Whose trajectory it is.

    ``version`` is the agent's, or "unknown"; ``model`` may be empty; ``session`` is the trial's
    path, such as ``pf-judg-rebalance-memo/seed-1/cmd``.
    """

    agent: str
    version: str
    model: str
    session: str
    instruction: str


def write(path: Path, head: Head, commands: Sequence[Command], records: Path) -> None:
    """Write the trial's trajectory to ``path``: all of it, or nothing under that name.

    ``records`` is the folder of its exchanges, which need not exist. Raises OSError where the disk
    refuses, and for nothing else.
    """
    story = _Story(head.instruction)
    for happened in _in_order(read(records), commands):
        if isinstance(happened, Command):
            story.command(happened)
        elif happened.why:
            story.unread(happened)
        elif happened.data["source"] in _OWN:
            story.exchange(happened)
    draft = path.with_name(f"{path.name}.part")
    try:
        with draft.open("w", encoding="utf-8") as file:
            _write(file, head, story)
        draft.rename(path)
    except OSError:
        with suppress(OSError):
            draft.unlink()
        raise


_Callers = dict[str, dict[str, Any]]


class _Story:
    """The steps so far, and what is needed for the next."""

    def __init__(self, instruction: str) -> None:
        self.room = atif.Room()
        self.steps = [atif.step("user", self.room.text(instruction))]
        self.totals = Totals()
        self.commands = 0
        self._conversations = Conversations([Turn("user", instruction)])
        self._callers: _Callers = {}  # the last step that has a tool call of this id
        self._called: dict[int, _Callers] = {}  # the same, of each exchange alone

    def exchange(self, record: Record) -> None:
        """What the agent told the model, and what that said."""
        data, when = record.data, _timestamp(record.data.get("started"))
        before, turns = self._conversations.begin(data.get("request"), record.number)
        callers = {} if before is None else self._called.get(before, {})
        for turn in turns:
            self._told(turn, record.name, when, callers)
        message = message_of(data)
        if message is not None:
            self._conversations.answered(message)
        said = message or Message("")
        calls = atif.called(said.tool_calls, self.room, f"call-{record.number}")
        step = atif.step(
            "agent",
            self.room.text(said.text),
            timestamp=when,
            model_name=atif.cut(_text(data.get("model")), 256),
            reasoning_content=self.room.text(said.reasoning),
            tool_calls=calls,
            metrics=self.totals.add(data, said.cached),
            llm_call_count=1,
            extra=_about(record, message),
        )
        self._called[record.number] = self._add(step)

    def command(self, command: Command) -> None:
        self.commands += 1
        call = f"exec-{self.commands}"
        argv = [self.room.text(word) for word in command.argv]
        extra: dict[str, Any] = {"exit_code": command.exit_code}
        if (seconds := atif.finite(command.seconds)) is not None:
            extra["seconds"] = round(seconds, 4)
        if command.limit is not None:
            extra["limit"] = command.limit
        content = self.room.text(command.output)
        result = {"source_call_id": call, "content": content, "extra": extra}
        arguments = {"argv": argv, "cwd": self.room.text(command.cwd)}
        told = {"tool_call_id": call, "function_name": "exec", "arguments": arguments}
        step = atif.step(
            "agent",
            "",
            timestamp=_timestamp(command.started),
            tool_calls=[told],
            observation={"results": [result]},
            llm_call_count=0,
        )
        self.steps.append(step)

    def unread(self, record: Record) -> None:
        self.totals.unknown()
        why = f"a call of the model is not shown: its record cannot be read: {record.why}"
        self.steps.append(atif.step("system", why, extra={"record": record.name}))

    def _told(self, turn: Turn, record: str, when: str | None, callers: _Callers) -> None:
        """What a message adds; ``callers`` are of the exchange that its request goes on from."""
        for result in turn.results:
            self._observe(result, record, when, callers)
        if (turn.results and not turn.text) or not self.room.take():
            return
        extra = {"record": record}
        text = self.room.text(turn.text)
        if turn.role != "assistant":
            source = "system" if turn.role == "system" else "user"
            self.steps.append(atif.step(source, text, timestamp=when, extra=extra))
            return
        # Words that the agent puts into the model's mouth, as examples are.
        extra["why"] = "the agent tells the model that it said this"
        calls = atif.called(turn.calls, self.room, f"told-{len(self.steps)}")
        self._add(
            atif.step(
                *("agent", text), timestamp=when, tool_calls=calls, llm_call_count=0, extra=extra
            )
        )

    def _observe(self, result: Result, record: str, when: str | None, callers: _Callers) -> None:
        """Put ``result`` into the step whose call it answers, else into one of its own."""
        if not self.room.take():
            return
        call = atif.cut(result.id, 256)
        caller = callers.get(call) or self._callers.get(call)
        if caller is not None:
            seen = caller.setdefault("observation", {"results": []})
            seen["results"].append(atif.observed(result, call, self.room))
            return
        seen = {"results": [atif.observed(result, None, self.room)]}
        extra = {"record": record, "why": "it answers no tool call that the model made"}
        self.steps.append(atif.step("system", "", timestamp=when, observation=seen, extra=extra))

    def _add(self, step: dict[str, Any]) -> _Callers:
        self.steps.append(step)
        callers = {call["tool_call_id"]: step for call in step.get("tool_calls", ())}
        self._callers.update(callers)
        return callers


def _about(record: Record, message: Message | None) -> dict[str, Any]:
    """What a call's step says besides what the model said, and first where all of it is."""
    data = record.data
    extra: dict[str, Any] = {"record": record.name}
    if data.get("source") != "upstream":
        extra["source"] = data.get("source")
    if (seconds := atif.finite(data.get("seconds"))) is not None:
        extra["seconds"] = seconds
    status, why = data.get("status"), _text(data.get("why"))
    if status != 200 or why:
        extra["status"] = status if isinstance(status, int) else None
    if why:
        extra["why"] = atif.cut(why, atif.MOST_SHOWN)
    if message is None:
        if reply := data.get("reply", data.get("text")):
            extra["reply"] = atif.cut(as_json(reply), atif.MOST_SHOWN)
        return extra
    if message.finish:
        extra["finish_reason"] = atif.cut(message.finish, 256)
    if message.error:
        extra["error"] = atif.cut(message.error, atif.MOST_SHOWN)
    if message.choices > 1:
        extra["choices"] = message.choices  # the first is shown
    return extra


def _in_order(records: Iterator[Record], commands: Sequence[Command]) -> Iterator[Record | Command]:
    """Both by the time that they began; what tells none is where the one before it is."""
    timed = sorted(_timed(commands), key=lambda item: item[0])
    both = heapq.merge(_rising(_timed(records)), timed, key=lambda item: item[0])
    return (happened for _, happened in both)


def _timed(
    happened: Iterable[Record] | Iterable[Command],
) -> Iterator[tuple[datetime, Record | Command]]:
    at = datetime.min.replace(tzinfo=UTC)
    for each in happened:
        started = each.started if isinstance(each, Command) else each.data.get("started")
        at = atif.instant(started) or at
        yield at, each


def _rising(
    timed: Iterator[tuple[datetime, Record | Command]],
) -> Iterator[tuple[datetime, Record | Command]]:
    """In the order that they have already, whatever a clock that was set back says."""
    latest = datetime.min.replace(tzinfo=UTC)
    for at, each in timed:
        latest = max(latest, at)
        yield latest, each


def _timestamp(started: object) -> str | None:
    return started if isinstance(started, str) and atif.instant(started) is not None else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _write(file: TextIO, head: Head, story: _Story) -> None:
    """One step a line."""
    agent = {"name": head.agent, "version": head.version}
    if head.model:
        agent["model_name"] = head.model
    begin = {
        "schema_version": atif.VERSION,
        "session_id": atif.plain(head.session),
        "agent": atif.plain(agent),
    }
    final = {**story.totals.told(), "total_steps": len(story.steps)}
    end: dict[str, Any] = {"final_metrics": final}
    if story.room.lost:
        end["notes"] = (
            f"{story.room.lost} messages, texts or calls are left out, as a trajectory has at most"
            f" {atif.ROOM >> 20} Mi characters; the records have them all."
        )
    file.write("{\n")
    for name, value in begin.items():
        file.write(f" {_line(name)}: {_line(value)},\n")
    file.write(' "steps": [')
    for number, step in enumerate(story.steps, 1):
        file.write(f"{',' if number > 1 else ''}\n  {_line(atif.numbered(step, number))}")
    file.write("\n ]")
    for name, value in end.items():
        file.write(f",\n {_line(name)}: {_line(value)}")
    file.write("\n}\n")


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
