"""A chat with a model, in the terms of the chat-completions protocol."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol


@dataclass(frozen=True)
class Message:
    """One message of a chat."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class ChatRequest:
    """What a model is asked, before it is said which model.

    ``max_tokens`` caps the output. ``response_format`` is the protocol's own object. None leaves a
    parameter out.
    """

    messages: tuple[Message, ...]
    max_tokens: int
    temperature: float | None = 0.0
    reasoning_effort: str | None = None
    response_format: Mapping[str, Any] | None = None

    def body(self, model: str) -> dict[str, Any]:
        """The JSON body that is posted to ``/chat/completions``."""
        optional = {
            "temperature": self.temperature,
            "reasoning_effort": self.reasoning_effort,
            "response_format": self.response_format,
        }
        return {
            "model": model,
            "messages": [{"role": m.role, "content": m.content} for m in self.messages],
            "max_tokens": self.max_tokens,
            **{key: value for key, value in optional.items() if value is not None},
        }


@dataclass(frozen=True)
class Completion:
    """What a model answered.

    Where it refused, ``finish_reason`` is ``content_filter`` and ``text`` what it said. ``model``
    is the one that the provider says it was; ``usage`` counts tokens as the provider does;
    ``dropped`` are the parameters that it refused; ``digest`` is that of the body which this
    answers (:func:`pae_verifiers.canonical.digest`).
    """

    text: str
    finish_reason: str
    model: str = ""
    usage: Mapping[str, float] = field(default_factory=dict)
    dropped: tuple[str, ...] = ()
    digest: str = ""


class Chat(Protocol):
    """Somebody who answers chat requests: one model at one endpoint."""

    def complete(self, request: ChatRequest, until: float) -> Completion:
        """The answer, by ``until`` in ``time.monotonic`` seconds.

        Raises JudgeUnavailableError where there is none in time, whatever the cause.
        """
        ...
