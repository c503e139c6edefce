"""What a model's reply must be before it counts, and what is done where it is not.

Parse → schema → the rubric's own checks, evidence above all → one repair request with what was
wrong → else no reply. A reply that was cut off is asked for once more, with twice the room.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Literal

from jsonschema import Draft202012Validator, ValidationError

from pae_verifiers.judge.answer import REFUSED, shortened
from pae_verifiers.judge.chat import Chat, Completion
from pae_verifiers.judge.prompts import Prompt
from pae_verifiers.judge.reply import ReplyError, parse
from pae_verifiers.rubric.model import Case, Rubric

MOST_FAULTS = 20
MOST_SOUGHT = 1000  # each costs memory and time, which would be counted as the document's
SHOWN = 60  # characters of a value that is wrong
_COUNTS = {"minItems": "at least", "maxItems": "at most"}
CUT_OFF = ("length", "max_tokens", "MAX_TOKENS")

Purpose = Literal["first", "longer", "repair"]
FaultKind = Literal["length", "refusal", "reply", "schema", "rubric"]


@dataclass(frozen=True)
class Fault:
    """Why a completion is no reply: at which step it failed, and in sentences for the model."""

    kind: FaultKind
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Attempt:
    """One request that was answered, and what was wrong with the answer, if anything was."""

    purpose: Purpose
    max_tokens: int
    completion: Completion
    fault: Fault | None = None


@dataclass(frozen=True)
class Accepted:
    """A reply that keeps the contract."""

    reply: Mapping[str, Any]


@dataclass(frozen=True)
class Rejected:
    """No such reply, for the ``reason`` given: a case for a person, never a zero."""

    reason: str


@dataclass
class Negotiation:
    """Questions about one case, put to a chat until there is a reply or no more hope of one.

    ``attempts`` tells what has happened so far, also where the chat gave up.
    """

    chat: Chat
    prompt: Prompt
    rubric: Rubric
    case: Case
    attempts: list[Attempt] = field(default_factory=list)

    def run(self, until: float) -> Accepted | Rejected:
        """At most three requests. Raises JudgeUnavailableError, as the chat does."""
        request = self.prompt.request(self.rubric, self.case)
        purpose: Purpose = "first"
        done: set[Purpose] = set()
        while True:
            completion = self.chat.complete(request, until)
            reply = self._checked(completion)
            fault = reply if isinstance(reply, Fault) else None
            self.attempts.append(Attempt(purpose, request.max_tokens, completion, fault))
            if not isinstance(reply, Fault):
                return Accepted(reply)
            purpose = "longer" if reply.kind == "length" else "repair"
            if purpose in done:
                return Rejected(_reason(reply, repaired="repair" in done))
            done.add(purpose)
            if purpose == "longer":
                request = replace(request, max_tokens=2 * request.max_tokens)
            else:
                request = self.prompt.repair(request, completion.text, reply.sentences)

    def _checked(self, completion: Completion) -> Mapping[str, Any] | Fault:
        """The reply that the completion holds, or what is wrong with it."""
        if completion.finish_reason in CUT_OFF:
            return Fault("length", ("the reply was cut off",))
        if completion.finish_reason == REFUSED:
            said = shortened(completion.text)
            return Fault("refusal", (f"the request was refused{said and ': '}{said}",))
        try:
            reply = parse(completion.text)
        except ReplyError as error:
            return Fault("reply", (str(error),))
        if wrong := schema_faults(reply, self.rubric.reply_schema()):
            return Fault("schema", wrong)
        if wrong := self.rubric.faults(reply, self.case):
            return Fault("rubric", tuple(wrong)[:MOST_FAULTS])
        return reply


def schema_faults(reply: Mapping[str, Any], schema: Mapping[str, Any]) -> tuple[str, ...]:
    """Where the reply does not fit the schema: ``criteria[2].passed: 5 is not of type …``."""
    errors = sorted(
        islice(Draft202012Validator(schema).iter_errors(reply), MOST_SOUGHT),
        key=lambda error: [(isinstance(part, str), part) for part in error.path],
    )
    return tuple(f"{_place(error.path)}{_message(error)}" for error in errors[:MOST_FAULTS])


def _message(error: ValidationError) -> str:
    """What is wrong, without a long value, which would leave no room for it."""
    if error.validator in _COUNTS and isinstance(error.instance, list):
        wanted = f"{_COUNTS[error.validator]} {error.validator_value}"
        return f"there must be {wanted} entries, not {len(error.instance)}"
    value = repr(error.instance)
    if len(value) > SHOWN and error.message.startswith(value):
        return shortened(f"{value[:SHOWN]} …{error.message.removeprefix(value)}")
    return shortened(error.message)


def _place(path: Sequence[str | int]) -> str:
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return place.removeprefix(".") + ": " if place else ""


def _reason(fault: Fault, *, repaired: bool) -> str:
    said = shortened("; ".join(fault.sentences))
    if fault.kind == "length":
        return "the judge's reply was cut off, with twice the room too"
    if fault.kind == "refusal":
        return f"the judge refuses to answer: {said}"
    return f"the judge's reply cannot be used{', nor its repair' if repaired else ''}: {said}"
