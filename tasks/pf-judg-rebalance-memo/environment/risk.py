"""Risk of a mix of sleeves from volatilities and correlations, before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from amounts import HUNDRED, ZERO, shown

VAR_Z = Decimal("1.645")  # the normal distribution's 95 % quantile
MONTHS_PER_YEAR = Decimal(12)


@dataclass(frozen=True)
class Risk:
    """Percent, two decimals, and dollars. VaR and drawdown are losses, shown without a sign."""

    volatility: Decimal
    var: Decimal
    var_usd: Decimal
    drawdown: Decimal
    drawdown_usd: Decimal
    tracking_error: Decimal


def deviation(
    exposures: Sequence[Decimal],
    volatilities: Sequence[Decimal],
    correlations: Sequence[Sequence[Decimal]],
) -> Decimal:
    """sqrt(x' C x) in percent, for exposures and volatilities in percent."""
    scaled = [x * v / HUNDRED for x, v in zip(exposures, volatilities, strict=True)]
    variance = sum(
        (
            a * b * rho
            for a, row in zip(scaled, correlations, strict=True)
            for b, rho in zip(scaled, row, strict=True)
        ),
        ZERO,
    )
    return max(variance, ZERO).sqrt()


def measure(
    weights: Sequence[Decimal],
    targets: Sequence[Decimal],
    value: Decimal,
    volatilities: Sequence[Decimal],
    stress: Sequence[Decimal],
    correlations: Sequence[Sequence[Decimal]],
) -> Risk:
    """Figures follow from shown ones: VaR from the shown volatility, dollars from percents."""
    volatility = shown(deviation(weights, volatilities, correlations))
    var = shown(VAR_Z * volatility / MONTHS_PER_YEAR.sqrt())
    drawdown = shown(-sum((w * s for w, s in zip(weights, stress, strict=True)), ZERO) / HUNDRED)
    active = [w - t for w, t in zip(weights, targets, strict=True)]
    return Risk(
        volatility=volatility,
        var=var,
        var_usd=shown(value * var / HUNDRED),
        drawdown=drawdown,
        drawdown_usd=shown(value * drawdown / HUNDRED),
        tracking_error=shown(deviation(active, volatilities, correlations)),
    )
