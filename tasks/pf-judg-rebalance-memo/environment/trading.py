"""The rebalance: which sleeves are traded, how far, in whole shares, and what trading costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_UP, Decimal

from amounts import BPS_PER_UNIT, CENT, HUNDRED, ZERO, bps_of, shown, shown_parts, whole
from limits import TOLERANCE_SHARE, Policy
from lots import Lot, SoldLot, sell
from portfolio import Portfolio, Sleeve, weights


@dataclass(frozen=True)
class Trade:
    sleeve: Sleeve
    side: str  # sell or buy
    shares: int
    sold: tuple[SoldLot, ...] = ()

    @property
    def amount(self) -> Decimal:
        return self.sleeve.price * self.shares


@dataclass(frozen=True)
class Cost:
    amount: Decimal  # dollars
    of_traded: Decimal  # bps
    of_portfolio: Decimal  # bps


def drifts(portfolio: Portfolio) -> list[Decimal]:
    """Shown weight less target, in percentage points, by sleeve."""
    shown_weights = weights(portfolio.values())
    return [w - s.target for w, s in zip(shown_weights, portfolio.sleeves, strict=True)]


def traded_sleeves(portfolio: Portfolio) -> list[int]:
    """Sleeves further from target than half their band; never cash, which balances."""
    return [
        index
        for index, (drift, sleeve) in enumerate(
            zip(drifts(portfolio)[:-1], portfolio.sleeves[:-1], strict=True)
        )
        if abs(drift) > sleeve.band * TOLERANCE_SHARE
    ]


def goals(portfolio: Portfolio, traded: Sequence[int]) -> dict[int, Decimal]:
    """The weight in percent that each traded sleeve is brought to.

    What the others are off target, all together, is shared among the traded ones by band, so that
    cash comes back to its own target.
    """
    left = sum((d for i, d in enumerate(drifts(portfolio)[:-1]) if i not in traded), ZERO)
    bands = sum((portfolio.sleeves[i].band for i in traded), ZERO)
    return {
        i: portfolio.sleeves[i].target - left * portfolio.sleeves[i].band / bands for i in traded
    }


def make_trades(portfolio: Portfolio, lots: dict[str, list[Lot]], on: date) -> list[Trade] | None:
    """Sells first, larger first; None where a sale would need lots that are protected."""
    total = portfolio.total()
    trades: list[Trade] = []
    for index, goal in goals(portfolio, traded_sleeves(portfolio)).items():
        sleeve = portfolio.sleeves[index]
        gap = total * goal / HUNDRED - sleeve.price * sleeve.shares
        shares = whole(abs(gap) / sleeve.price)
        if not shares:
            return None
        if gap > 0:
            trades.append(Trade(sleeve, "buy", shares))
            continue
        sold = sell(lots[sleeve.kind.id], shares, sleeve.price, on)
        if sold is None:
            return None
        trades.append(Trade(sleeve, "sell", shares, tuple(sold)))
    return sorted(trades, key=lambda trade: (trade.side == "buy", -trade.amount))


def sum_of(trades: Sequence[Trade], side: str) -> Decimal:
    return sum((trade.amount for trade in trades if trade.side == side), ZERO)


def costs_of(trades: Sequence[Trade], policy: Policy, portfolio_value: Decimal) -> dict[str, Cost]:
    """By kind, and their total; each trade's costs are rounded to the cent."""
    commission = policy.commission * len(trades)
    spread = sum(
        (shown(trade.amount * trade.sleeve.half_spread / BPS_PER_UNIT) for trade in trades), ZERO
    )
    dealing = sum(
        (shown(trade.amount * policy.dealing_fee / BPS_PER_UNIT) for trade in trades), ZERO
    )
    fee = sum(
        (
            (trade.amount * policy.regulatory_fee / BPS_PER_UNIT).quantize(CENT, rounding=ROUND_UP)
            for trade in trades
            if trade.side == "sell"
        ),
        ZERO,
    )
    amounts = [commission, dealing, spread, fee]
    total = sum(amounts, ZERO)
    traded = sum((trade.amount for trade in trades), ZERO)
    total_cost = Cost(total, shown(bps_of(total, traded)), shown(bps_of(total, portfolio_value)))
    of_traded = shown_parts([bps_of(a, traded) for a in amounts], total_cost.of_traded)
    of_value = shown_parts([bps_of(a, portfolio_value) for a in amounts], total_cost.of_portfolio)
    parts = [Cost(*cost) for cost in zip(amounts, of_traded, of_value, strict=True)]
    return dict(
        zip(("commissions", "dealing_fee", "spread", "regulatory_fee"), parts, strict=True)
    ) | {"total": total_cost}
