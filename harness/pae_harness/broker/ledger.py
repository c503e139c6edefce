"""A trial's budget: what a call may cost at most is set aside before it is made.

So calls side by side cannot overspend together. Used on the broker's own thread alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeGuard

from pae_harness.broker.refusal import Refusal
from pae_harness.broker.terms import Budget, Price
from pae_harness.broker.usage import Usage
from pae_verifiers.canonical import canonical

_USUAL = {
    "service_tier": ("auto", "default", "flex", "standard_only"),
    "speed": ("standard",),
}


@dataclass(frozen=True)
class Reserved:
    """What one call has set aside."""

    tokens: int = 0
    usd: Decimal = Decimal(0)


class Ledger:
    """What a trial has spent and set aside."""

    def __init__(self, budget: Budget, price: Price | None) -> None:
        self._budget, self._price = budget, price
        self.calls = 0
        self._tokens = self._bytes = 0
        self._usd = Decimal(0)

    def reserve(self, request: Mapping[str, Any]) -> Reserved:
        """Set aside what ``request`` may cost at most. Raises Refusal where that is not left.

        A token is at least a byte, so a prompt has at most as many as bytes. A request that sets no
        ``max_tokens`` may cost anything, and takes all that is left.
        """
        budget = self._budget
        if budget.calls is not None and self.calls >= budget.calls:
            raise _used_up(f"all {budget.calls} calls of the trial's budget are made")
        if self._bytes >= budget.record_bytes:
            raise Refusal(
                *(429, "records_full"),
                f"the records of the trial's calls have {self._bytes} bytes, and no more are kept",
            )
        prompt, completion = len(canonical(request)), most_completion(request)
        tokens, usd = 0, Decimal(0)
        if budget.tokens is not None:
            left = budget.tokens - self._tokens
            tokens = max(left, prompt + 1) if completion is None else prompt + completion
            if tokens > left:
                raise _used_up(f"{_may(tokens)} tokens, and {left} of {budget.tokens} are left")
        if budget.usd is not None and (tier := _dearer(request)):
            raise Refusal(
                *(400, "dearer_tier"),
                f"{tier} is refused: it may cost more than the price that the budget counts with",
            )
        if budget.usd is not None and self._price is not None:
            dollars = budget.usd - self._usd
            usd = self._price.of(prompt, completion or 0)
            if completion is None:
                usd = max(dollars, usd)
            if usd > dollars or dollars <= 0:
                raise _used_up(f"{_may(usd)} dollars, and {dollars:f} of {budget.usd:f} are left")
        self.calls += 1
        self._tokens += tokens
        self._usd += usd
        return Reserved(tokens, usd)

    def keep(self, size: int) -> None:
        """Count a record of ``size`` bytes."""
        self._bytes += size

    def settle(self, reserved: Reserved, usage: Usage | None) -> None:
        """Put what was used in the place of what was set aside; where nobody knows, it is kept."""
        if usage is None:
            return
        if self._budget.tokens is not None:
            self._tokens += usage.tokens - reserved.tokens
        if self._budget.usd is not None and usage.cost is not None:
            self._usd += usage.cost - reserved.usd


def most_completion(request: Mapping[str, Any]) -> int | None:
    """How many tokens the replies to ``request`` have at most; None where it does not say.

    Where it says two things, servers differ in which they heed, so the larger one counts.
    """
    told = [request.get(name) for name in ("max_completion_tokens", "max_tokens")]
    limits = [value for value in told if _is_count(value)]
    asked = [value for name in ("n", "best_of") if (value := request.get(name)) is not None]
    copies = [value for value in asked if _is_count(value)]
    if not limits or copies != asked:
        return None
    return max(limits) * max([1, *copies])


def _dearer(request: Mapping[str, Any]) -> str:
    """The key by which ``request`` asks for what may have a higher price, or nothing."""
    for name, usual in _USUAL.items():
        if (told := request.get(name)) is not None and told not in usual:
            return name
    return ""


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _used_up(why: str) -> Refusal:
    return Refusal(429, "budget_exhausted", f"the trial's budget does not allow this call: {why}")


def _may(most: int | Decimal) -> str:
    return f"it may use {most:f}" if isinstance(most, Decimal) else f"it may use {most}"
