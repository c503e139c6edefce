"""What the calls of a trial's model took, each and together."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pae_harness.agents.atif import finite
from pae_harness.agents.replies import count_of


@dataclass
class Totals:
    """The sums over all calls; None where one call does not tell."""

    calls: int = 0
    sums: dict[str, float | None] = field(
        default_factory=lambda: dict.fromkeys(
            ("prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd"), 0
        )
    )

    def add(self, record: Mapping[str, Any], cached: int | None) -> dict[str, float]:
        """Count the call of ``record``; its metrics, as far as they are known."""
        usage = record.get("usage")
        told = usage if isinstance(usage, Mapping) else {}
        known = {
            "prompt_tokens": count_of(told.get("prompt_tokens")),
            "completion_tokens": count_of(told.get("completion_tokens")),
            "cached_tokens": cached if told else None,
            "cost_usd": finite(told.get("cost_usd")),
        }
        self.calls += 1
        if not _is_free(record):
            for name, value in known.items():
                total = self.sums[name]
                self.sums[name] = None if value is None or total is None else total + value
        return {name: value for name, value in known.items() if value is not None}

    def unknown(self) -> None:
        self.sums = dict.fromkeys(self.sums)

    def told(self) -> dict[str, float]:
        """The sums that are known, by ATIF's names; none where nothing was called."""
        if not self.calls:
            return {}
        known = {name: total for name, total in self.sums.items() if total is not None}
        return {f"total_{n}": round(v, 10) for n, v in known.items() if math.isfinite(v)}


def _is_free(record: Mapping[str, Any]) -> bool:
    """Whether nobody charges for the call: it was answered before, or the endpoint said no."""
    status = record.get("status")
    refused = isinstance(status, int) and status >= 400 and not record.get("why")
    return record.get("source") != "upstream" or refused
