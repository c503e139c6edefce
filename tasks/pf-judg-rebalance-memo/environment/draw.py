"""Draws from a SHA-256 stream: the same on every Python, platform and hash seed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from decimal import Decimal
from typing import TypeVar

T = TypeVar("T")


class Draw:
    """A stream of draws that the given parts fix completely."""

    def __init__(self, *parts: str) -> None:
        self._key = hashlib.sha256("\0".join(parts).encode()).digest()
        self._count = 0

    def below(self, n: int) -> int:
        """An integer in [0, n). The bias of the remainder is under n / 2**64."""
        block = self._key + self._count.to_bytes(8, "big")
        self._count += 1
        return int.from_bytes(hashlib.sha256(block).digest()[:8], "big") % n

    def between(self, low: str, high: str, step: str) -> Decimal:
        """A multiple of ``step`` from ``low``, at most ``high``; both ends can come up."""
        start, unit = Decimal(low), Decimal(step)
        return start + unit * self.below(int((Decimal(high) - start) / unit) + 1)

    def integer(self, low: int, high: int) -> int:
        """An integer in [low, high]."""
        return low + self.below(high - low + 1)

    def pick(self, choices: Sequence[T]) -> T:
        return choices[self.below(len(choices))]

    def sample(self, choices: Sequence[T], count: int) -> list[T]:
        """``count`` different choices, in the order of the sequence."""
        left = list(range(len(choices)))
        chosen = sorted(left.pop(self.below(len(left))) for _ in range(count))
        return [choices[index] for index in chosen]
