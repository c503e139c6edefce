"""From a trial's metrics to its reward: the one place where they are combined."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from typing import Literal, get_args

Combine = Literal["geometric", "product", "weighted_sum"]

COMBINES: tuple[Combine, ...] = get_args(Combine)

_PLACES = Decimal("1e-12")  # the reward is rounded to these, so that every machine writes one value


def combine(metrics: Mapping[str, float], weights: Mapping[str, float], how: Combine) -> float:
    """The reward in [0, 1] of ``metrics``, each in [0, 1], under ``weights`` that sum to 1.

    ``geometric`` is ∏ mᵢ^wᵢ, ``product`` is ∏ mᵢ, ``weighted_sum`` is Σ wᵢ·mᵢ. Under the first
    two a metric of 0 gives 0 whatever its weight, and metrics that were not measured may be
    missing beside it. The result is rounded to 12 decimals and is 1.0 when every metric is 1.

    Raises ValueError for a metric outside [0, 1], one without a weight, or one that is missing
    without a 0 beside it.
    """
    for name, value in metrics.items():
        if name not in weights:
            raise ValueError(f"the metric {name!r} has no weight")
        if not (math.isfinite(value) and 0 <= value <= 1):
            raise ValueError(f"the metric {name!r} is {value}, not a number from 0 to 1")
    if how != "weighted_sum" and any(value == 0 for value in metrics.values()):
        return 0.0
    missing = [name for name in weights if name not in metrics]
    if missing:
        raise ValueError(f"not measured: {', '.join(missing)}")
    pairs = [(_exact(metrics[name]), _exact(weight)) for name, weight in weights.items()]
    # Decimal's power, unlike the C library's, gives the same digits on every machine.
    with localcontext(Context(prec=50)):
        total = _total(pairs, how)
        return float(total.quantize(_PLACES, rounding=ROUND_HALF_EVEN))


def _total(pairs: list[tuple[Decimal, Decimal]], how: Combine) -> Decimal:
    if how == "weighted_sum":
        return sum((value * weight for value, weight in pairs), Decimal(0))
    total = Decimal(1)
    for value, weight in pairs:
        total *= value**weight if how == "geometric" else value
    return total


def _exact(number: float) -> Decimal:
    return Decimal(repr(number))
