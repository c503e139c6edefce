"""What a trial may spend on a model, what that costs, and how long an answer is waited for."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

MILLION = 1_000_000


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens."""

    input: Decimal
    output: Decimal

    def of(self, prompt_tokens: int, completion_tokens: int) -> Decimal:
        """What so many tokens cost, in dollars."""
        return (prompt_tokens * self.input + completion_tokens * self.output) / MILLION


@dataclass(frozen=True)
class Budget:
    """What one trial may use; None is no limit. ``tokens`` are prompt and completion together.

    Once its records have ``record_bytes``, no further call is made: each holds all that was said.
    """

    calls: int | None = None
    tokens: int | None = None
    usd: Decimal | None = None
    record_bytes: int = 1 << 30


@dataclass(frozen=True)
class Patience:
    """Seconds, and how often: ``deadline`` is for all that a trial asks, from its start on.

    A single attempt has ``attempt`` seconds and the first second one comes after about
    ``first_wait``, each later one after twice as long, up to ``longest_wait``.
    """

    deadline: float = 600.0
    attempt: float = 180.0
    connect: float = 10.0
    first_wait: float = 0.5
    longest_wait: float = 30.0
    attempts: int = 8


@dataclass(frozen=True)
class Sizes:
    """What is taken in, in bytes and in connections; ``at_once`` calls, and others wait."""

    request: int = 4 << 20
    reply: int = 16 << 20
    connections: int = 64
    at_once: int = 16
