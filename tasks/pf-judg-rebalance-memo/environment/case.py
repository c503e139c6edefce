"""One client's case: a portfolio, its policy, and the rebalance that follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from amounts import ZERO, percent_of
from draw import Draw
from limits import SINGLE_FUND_LIMIT, TOLERANCE_SHARE, Policy, draw_policy
from lots import Lot, SoldLot, Tax, draw_lots, is_protected, sell, tax_on
from portfolio import Portfolio, draw_portfolio, weights
from risk import Risk, measure
from trading import Cost, Trade, costs_of, drifts, make_trades, sum_of, traded_sleeves


@dataclass(frozen=True)
class Case:
    portfolio: Portfolio
    policy: Policy
    lots: dict[str, list[Lot]]
    trades: list[Trade]

    @cached_property
    def value_before(self) -> Decimal:
        return self.portfolio.total()

    @cached_property
    def costs(self) -> dict[str, Cost]:
        return costs_of(self.trades, self.policy, self.value_before)

    @cached_property
    def values_after(self) -> list[Decimal]:
        """Dollars by sleeve, cash last; trades and their costs are settled in cash."""
        signed = {
            trade.sleeve.kind.id: trade.amount * (1 if trade.side == "buy" else -1)
            for trade in self.trades
        }
        before = self.portfolio.values()
        after = [
            value + signed.get(sleeve.kind.id, ZERO)
            for value, sleeve in zip(before, self.portfolio.sleeves, strict=True)
        ]
        after[-1] -= sum(signed.values(), ZERO) + self.costs["total"].amount
        return after

    @cached_property
    def value_after(self) -> Decimal:
        return sum(self.values_after, ZERO)

    @cached_property
    def weights_before(self) -> list[Decimal]:
        return weights(self.portfolio.values())

    @cached_property
    def weights_after(self) -> list[Decimal]:
        return weights(self.values_after)

    @cached_property
    def targets(self) -> list[Decimal]:
        return [sleeve.target for sleeve in self.portfolio.sleeves]

    @cached_property
    def drift_before(self) -> list[Decimal]:
        return drifts(self.portfolio)

    @cached_property
    def drift_after(self) -> list[Decimal]:
        return [w - t for w, t in zip(self.weights_after, self.targets, strict=True)]

    @cached_property
    def sold_lots(self) -> list[SoldLot]:
        return [sold for trade in self.trades for sold in trade.sold]

    @cached_property
    def tax(self) -> Tax:
        return tax_on(self.sold_lots, self.policy.rates)

    @cached_property
    def deferred(self) -> list[tuple[Trade, SoldLot]]:
        """Lots that highest cost first would have taken, and that were kept to turn long-term."""
        on = self.portfolio.calendar.trade
        found: list[tuple[Trade, SoldLot]] = []
        for trade in self.trades:
            if trade.side == "sell":
                plain = sell(
                    self.lots[trade.sleeve.kind.id], trade.shares, trade.sleeve.price, on, False
                )
                found += [(trade, s) for s in plain or [] if is_protected(s.lot, s.price, on)]
        return found

    @cached_property
    def left_alone(self) -> list[int]:
        """Sleeves that drifted, but by no more than half their band."""
        traded = traded_sleeves(self.portfolio)
        return [i for i in range(len(self.targets) - 1) if i not in traded]

    @cached_property
    def outside(self) -> list[int]:
        """Sleeves outside their band before the trades."""
        return [
            index
            for index, (drift, sleeve) in enumerate(
                zip(self.drift_before, self.portfolio.sleeves, strict=True)
            )
            if abs(drift) > sleeve.band
        ]

    @cached_property
    def risk_before(self) -> Risk:
        return self._risk(self.weights_before, self.value_before)

    @cached_property
    def risk_after(self) -> Risk:
        return self._risk(self.weights_after, self.value_after)

    def _risk(self, mix: list[Decimal], value: Decimal) -> Risk:
        sleeves = self.portfolio.sleeves
        return measure(
            mix,
            self.targets,
            value,
            [sleeve.volatility for sleeve in sleeves],
            [sleeve.stress for sleeve in sleeves],
            self.portfolio.correlations,
        )


def draw_case(key: str) -> Case:
    """The first portfolio of the key's stream that needs a rebalance the policy allows."""
    for attempt in range(2000):
        case = _attempt(Draw(key, str(attempt)))
        if case is not None and worth_a_memo(case) and within_policy(case):
            return case
    raise RuntimeError(f"no portfolio for this seed in 2000 attempts (key {key[:12]})")


def _attempt(draw: Draw) -> Case | None:
    portfolio = draw_portfolio(draw)
    policy = draw_policy(draw, portfolio)
    young = draw.pick((0, 1, 1))
    over = max(range(len(portfolio.sleeves) - 1), key=lambda i: drifts(portfolio)[i])
    lots = {
        sleeve.kind.id: draw_lots(draw, sleeve, portfolio.calendar, bool(young) and index == over)
        for index, sleeve in enumerate(portfolio.sleeves[:-1])
    }
    if not traded_sleeves(portfolio):
        return None
    trades = make_trades(portfolio, lots, portfolio.calendar.trade)
    return None if trades is None else Case(portfolio, policy, lots, trades)


def worth_a_memo(case: Case) -> bool:
    """Whether there is something to tell: drift, trades both ways, a visible change of risk."""
    sides = [trade.side for trade in case.trades]
    sizes = sorted((abs(drift) for drift in case.drift_before), reverse=True)
    change = case.risk_after.volatility - case.risk_before.volatility
    return (
        bool(case.outside)
        and sides.count("sell") >= 2
        and sides.count("buy") >= 2
        and bool(case.left_alone)
        and sizes[0] > sizes[1]
        and abs(case.drift_before[-1]) < sizes[0]
        and abs(change) >= Decimal("0.05")
        and case.risk_after.tracking_error < case.risk_before.tracking_error
        and case.drift_before[-1] != 0
    )


def within_policy(case: Case) -> bool:
    """Whether the rebalanced portfolio keeps every limit of the policy."""
    policy, after = case.policy, case.risk_after
    traded = sum_of(case.trades, "sell") + sum_of(case.trades, "buy")
    return (
        all(
            abs(drift) <= sleeve.band * TOLERANCE_SHARE
            for drift, sleeve in zip(case.drift_after, case.portfolio.sleeves, strict=True)
        )
        and case.weights_after[-1] >= policy.cash_floor
        and max(case.weights_after) < SINGLE_FUND_LIMIT
        and percent_of(traded, case.value_before) <= policy.turnover_limit
        and min(trade.amount for trade in case.trades) >= policy.minimum_trade
        and case.tax.total <= policy.tax_budget
        and after.var < policy.var_limit
        and after.drawdown < policy.drawdown_limit
        and after.tracking_error < policy.tracking_limit
    )
