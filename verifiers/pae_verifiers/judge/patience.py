"""How long a judgement may take, and when an endpoint is asked again."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt

from pae_verifiers.errors import JudgeUnavailableError, VerifierInputError
from pae_verifiers.judge.backoff import wait
from pae_verifiers.judge.transport import AttemptFailed

VARIABLE = "JUDGE_DEADLINE_SEC"

T = TypeVar("T")


@dataclass(frozen=True)
class JudgePatience:
    """For one judgement; the broker has a ``Patience`` of its own for all that a trial asks.

    All in seconds, but for ``attempts``, how often one request is sent at most.

    ``deadline`` is for one judgement with all its requests; one attempt gets ``share`` of it, so
    that an endpoint that hangs leaves time for another. Waits double from ``first_wait`` to
    ``longest_wait``, and half of each is left to chance.
    """

    deadline: float = 240.0
    share: float = 0.625
    attempts: int = 8
    first_wait: float = 0.5
    longest_wait: float = 20.0

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> JudgePatience:
        """Raises VerifierInputError for a JUDGE_DEADLINE_SEC that is no number of seconds."""
        text = environ.get(VARIABLE, "")
        if not text:
            return cls()
        try:
            seconds = float(text)
        except ValueError:
            seconds = 0.0
        if not 0 < seconds <= 86400:
            raise VerifierInputError(f"{VARIABLE}: {text!r} is no number of seconds up to 86400")
        return cls(deadline=seconds)

    def until(self) -> float:
        """When a judgement that begins now must end, in ``time.monotonic`` seconds."""
        return time.monotonic() + self.deadline

    def attempt(self, until: float) -> float:
        """How long the next attempt may take."""
        return max(0.0, min(until - time.monotonic(), self.deadline * self.share))

    def persistently(self, attempt: Callable[[], T], until: float) -> T:
        """What ``attempt`` returns, called until it raises no AttemptFailed that may pass.

        Raises JudgeUnavailableError, with the last failure, where there are no more attempts.
        """
        try:
            return Retrying(
                retry=retry_if_exception(lambda error: _failure(error).again),
                wait=self._wait,
                stop=_Ends(self, until),
                reraise=True,
            )(attempt)
        except AttemptFailed as failed:
            raise JudgeUnavailableError(_why(failed, until)) from failed

    def _wait(self, state: RetryCallState) -> float:
        asked = _failure(state.outcome.exception() if state.outcome else None).wait
        return wait(state.attempt_number, asked, first=self.first_wait, longest=self.longest_wait)


class _Ends:
    """Tenacity's question whether to stop: no attempt starts at or after the deadline."""

    def __init__(self, patience: JudgePatience, until: float) -> None:
        self._attempts, self._until = stop_after_attempt(patience.attempts), until

    def __call__(self, state: RetryCallState) -> bool:
        too_late = time.monotonic() + state.upcoming_sleep >= self._until
        return too_late or self._attempts(state)


def _failure(error: BaseException | None) -> AttemptFailed:
    return error if isinstance(error, AttemptFailed) else AttemptFailed("", again=False)


def _why(failed: AttemptFailed, until: float) -> str:
    left = max(0.0, until - time.monotonic())
    if failed.again and failed.wait is not None and failed.wait >= left:
        return f"{failed}; it asks to wait {failed.wait:.0f} s, and {left:.0f} s are left"
    return str(failed)
