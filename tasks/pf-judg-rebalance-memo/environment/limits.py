"""The investment policy's numbers: limits, rates and fees, drawn to fit the client."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal

from amounts import HUNDRED
from draw import Draw
from lots import Rates
from portfolio import Portfolio
from risk import measure

SINGLE_FUND_LIMIT = Decimal(50)
TOLERANCE_SHARE = Decimal("0.5")  # of a band: how near a traded sleeve must come


@dataclass(frozen=True)
class Policy:
    """Percent, dollars and basis points, as the names say."""

    turnover_limit: Decimal
    tax_budget: Decimal
    minimum_trade: Decimal
    cash_floor: Decimal
    var_limit: Decimal
    drawdown_limit: Decimal
    tracking_limit: Decimal
    cash_flow: Decimal
    commission: Decimal
    dealing_fee: Decimal  # bps of the amount traded
    regulatory_fee: Decimal  # bps of the amount sold
    rates: Rates


def draw_policy(draw: Draw, portfolio: Portfolio) -> Policy:
    value = portfolio.total()
    targets = [sleeve.target for sleeve in portfolio.sleeves]
    goal = measure(
        targets,
        targets,
        value,
        [sleeve.volatility for sleeve in portfolio.sleeves],
        [sleeve.stress for sleeve in portfolio.sleeves],
        portfolio.correlations,
    )
    return Policy(
        turnover_limit=draw.pick([Decimal(n) for n in (15, 20, 25, 30)]),
        tax_budget=_up(value * draw.between("0.6", "1.4", "0.1") / HUNDRED, "5000"),
        minimum_trade=draw.pick([Decimal(n) for n in (1000, 2000, 2500)]),
        cash_floor=targets[-1] - 1,
        var_limit=_up(goal.var * draw.between("1.06", "1.12", "0.01"), "0.25"),
        drawdown_limit=_up(goal.drawdown * draw.between("1.05", "1.15", "0.01"), "1"),
        tracking_limit=draw.pick([Decimal("1.25"), Decimal("1.5"), Decimal("1.75")]),
        cash_flow=_up(value * draw.between("2", "4", "0.5") / HUNDRED, "5000"),
        commission=draw.pick([Decimal(n) for n in ("4.95", "6.95", "9.95", "12.50")]),
        dealing_fee=draw.between("8", "16", "0.5"),
        regulatory_fee=draw.pick([Decimal("0.21"), Decimal("0.28")]),
        rates=Rates(
            long_term=draw.pick([Decimal(15), Decimal(20)]),
            short_term=draw.pick([Decimal(24), Decimal(32), Decimal(35), Decimal(37)]),
            surtax=draw.pick([Decimal(0), Decimal("3.8"), Decimal("3.8")]),
            carried_in=draw.pick([Decimal(0), Decimal(0), draw.between("1500", "18000", "0.01")]),
        ),
    )


def _up(value: Decimal, step: str) -> Decimal:
    unit = Decimal(step)
    return (value / unit).quantize(Decimal(1), rounding=ROUND_CEILING) * unit
