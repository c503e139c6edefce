"""The judge that is a model: one reply per document, kept only if it keeps the contract."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pae_verifiers.errors import JudgeUnavailableError
from pae_verifiers.judge.chat import Chat
from pae_verifiers.judge.contract import Accepted, Attempt, Negotiation
from pae_verifiers.judge.fingerprint import fingerprint
from pae_verifiers.judge.patience import JudgePatience
from pae_verifiers.judge.prompts import Prompt
from pae_verifiers.judge.protocol import Judgement
from pae_verifiers.rubric.model import Case, Rubric

SHOWN = 4000  # characters of a faulty reply


@dataclass(frozen=True)
class ModelJudge:
    """A :class:`~pae_verifiers.judge.protocol.Judge` called ``name``, usually ``NAME@PROVIDER``.

    ``model`` is what the chat's endpoint calls the model.
    """

    name: str
    model: str
    chat: Chat
    prompt: Prompt
    patience: JudgePatience = field(default_factory=JudgePatience)

    def judge(self, rubric: Rubric, case: Case) -> Judgement:
        """Quarantined where the model gives no reply of use, or none in time; raises nothing.

        ``record`` has ``attempts``, ``usage`` (their sum), ``dropped``, ``fingerprint``,
        ``accepted`` (the digest of the request body whose reply is used, or None) and
        ``unavailable`` (whether the reason is that the endpoint gave no answer).
        """
        negotiation = Negotiation(self.chat, self.prompt, rubric, case)
        try:
            outcome = negotiation.run(self.patience.until())
        except JudgeUnavailableError as error:
            record = self._record(rubric, case, negotiation.attempts, unavailable=True)
            reason = f"the judge {self.name} is unavailable: {error}"
            return Judgement(status="quarantined", reason=reason, record=record)
        record = self._record(rubric, case, negotiation.attempts, unavailable=False)
        if isinstance(outcome, Accepted):
            return Judgement(outcome.reply, record=record)
        return Judgement(status="quarantined", reason=outcome.reason, record=record)

    def _record(
        self, rubric: Rubric, case: Case, attempts: Sequence[Attempt], *, unavailable: bool
    ) -> dict[str, Any]:
        last = attempts[-1].completion if attempts else None
        accepted = attempts and attempts[-1].fault is None and not unavailable
        dropped = list(dict.fromkeys(d for a in attempts for d in a.completion.dropped))
        print_ = fingerprint(
            self.prompt,
            rubric,
            self.prompt.request(rubric, case),
            dropped=dropped,
            requested=self.model,
            resolved=last.model if last else "",
        )
        return {
            "attempts": [_attempt(attempt) for attempt in attempts],
            "usage": _summed([attempt.completion.usage for attempt in attempts]),
            "dropped": dropped,
            "fingerprint": print_.to_json(),
            "accepted": last.digest if last and accepted else None,
            "unavailable": unavailable,
        }


def _attempt(attempt: Attempt) -> dict[str, Any]:
    completion, fault = attempt.completion, attempt.fault
    return {
        "purpose": attempt.purpose,
        "request": completion.digest,
        "max_tokens": attempt.max_tokens,
        "model": completion.model,
        "finish_reason": completion.finish_reason,
        "usage": dict(completion.usage),
        "fault": fault.kind if fault else None,
        "faults": list(fault.sentences) if fault else [],
        "reply": completion.text[:SHOWN] if fault else None,  # for the person who looks into it
    }


def _summed(usages: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Only what every answer tells: a sum of some would look like a sum of all."""
    shared = [key for key in (usages[0] if usages else ()) if all(key in u for u in usages)]
    return {key: sum(usage[key] for usage in usages) for key in shared}
