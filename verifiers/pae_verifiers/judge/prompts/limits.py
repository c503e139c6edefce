"""How long an answer may be, and how much of a bad one is shown again."""

from __future__ import annotations

from collections.abc import Sequence

PER_QUESTION, LEAST, MOST = 800, 2048, 16000
REPLY_SHOWN = 20_000
FAULT_SHOWN = 400
FAULTS_SHOWN = 20
LIMITS = (PER_QUESTION, LEAST, MOST, REPLY_SHOWN, FAULT_SHOWN, FAULTS_SHOWN)


def output_cap(questions: int) -> int:
    """The cap on the output in tokens: ``min(16000, max(2048, 800 * questions))``."""
    return min(MOST, max(LEAST, PER_QUESTION * questions))


def cut(text: str, length: int) -> str:
    """The text, or its first and last parts where it is longer than ``length`` characters."""
    if len(text) <= length:
        return text
    tail = length // 4
    return f"{text[: length - tail]} [...] {text[-tail:]}"


def shown_faults(faults: Sequence[str]) -> list[str]:
    """At most 20 faults of at most some 400 characters, and how many there were beyond."""
    shown = [cut(fault, FAULT_SHOWN) for fault in faults[:FAULTS_SHOWN]]
    more = len(faults) - len(shown)
    return [*shown, f"and {more} more of the kind"] if more else shown
