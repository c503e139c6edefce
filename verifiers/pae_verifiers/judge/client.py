"""A chat with one model over one transport: asked again where that may help and there is time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pae_verifiers.canonical import digest
from pae_verifiers.errors import JudgeUnavailableError
from pae_verifiers.judge import answer as answers
from pae_verifiers.judge.chat import ChatRequest, Completion
from pae_verifiers.judge.parameters import adapted
from pae_verifiers.judge.patience import JudgePatience
from pae_verifiers.judge.transport import Answer, AttemptFailed, Transport


@dataclass(frozen=True)
class ModelChat:
    """A :class:`~pae_verifiers.judge.chat.Chat` with the model called ``model``.

    It remembers nothing from one request to the next: the same request has the same bodies.
    """

    model: str
    transport: Transport
    patience: JudgePatience = field(default_factory=JudgePatience)

    def complete(self, request: ChatRequest, until: float) -> Completion:
        """Raises JudgeUnavailableError, with the endpoint's own message, where it will not do."""
        body = request.body(self.model)
        dropped: list[str] = []
        while True:
            outcome = self._ask(body, until)
            if isinstance(outcome, Completion):
                return replace(outcome, dropped=tuple(dropped), digest=digest(body))
            changed = adapted(body, outcome)
            if changed is None:
                raise JudgeUnavailableError(str(answers.failure(outcome)))
            body, done = changed
            dropped.append(done)

    def _ask(self, body: Mapping[str, Any], until: float) -> Completion | Answer:
        """A completion, or an answer that refuses the request as it stands."""

        def attempt() -> Completion | Answer:
            seconds = self.patience.attempt(until)
            if seconds <= 0:
                raise AttemptFailed("there is no time left", again=False)
            answer = self.transport.send(body, seconds)
            if adapted(body, answer) is not None:
                return answer
            return answers.completion(answer)

        return self.patience.persistently(attempt, until)
