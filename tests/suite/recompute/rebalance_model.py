"""A rebalance worked out from lots, prices, targets and policy, on Fractions.

Nothing here comes from the generator: inputs are read from results.json's ``workings``, ``policy``
and targets, and every rule is the policy's, written a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, localcontext
from fractions import Fraction
from math import floor
from typing import Any

F = Fraction
Tree = dict[str, Any]


def rounded(value: Fraction, places: int = 2) -> Fraction:
    """Half away from zero."""
    scale = 10**places
    size = F(floor(abs(value) * scale + F(1, 2)), scale)
    return size if value >= 0 else -size


def to_total(parts: Sequence[Fraction], total: Fraction) -> list[Fraction]:
    """Parts in hundredths that sum to the total: the largest remainders are rounded up."""
    cents = [floor(part * 100) for part in parts]
    rest = [part * 100 - cent for part, cent in zip(parts, cents, strict=True)]
    for _ in range(int(total * 100) - sum(cents)):
        best = max(range(len(rest)), key=lambda i: (rest[i], -i))
        cents[best] += 1
        rest[best] = F(-1)
    return [F(cent, 100) for cent in cents]


def root(value: Fraction) -> Fraction:
    with localcontext() as context:
        context.prec = 60
        return F((Decimal(value.numerator) / Decimal(value.denominator)).sqrt())


@dataclass
class Lot:
    name: str
    bought: date
    shares: Fraction
    cost: Fraction


class Inputs:
    """What the file states and nothing can be worked out from."""

    def __init__(self, results: Tree) -> None:
        work, sleeves = results["workings"], results["sleeves"]
        self.ids = list(sleeves)
        self.funds = self.ids[:-1]
        self.policy: dict[str, Fraction] = results["policy"]
        self.target = {i: sleeves[i]["target_pct"] for i in self.ids}
        self.band = {i: sleeves[i]["band_pp"] for i in self.ids}
        self.name = {i: sleeves[i]["name"] for i in self.ids}
        self.cash: Fraction = results["portfolio"]["cash_before_usd"]
        self.traded_on = date.fromisoformat(results["dates"]["trades"])
        self.price = {i: F(work["price"][i]) for i in self.funds}
        self.price_then = {i: F(work["price_at_last_rebalance"][i]) for i in self.funds}
        self.spread = {i: F(work["half_spread_bps"][i]) for i in self.funds}
        self.volatility = {i: F(work["volatility_pct"][i]) for i in self.ids}
        self.stress = {i: F(work["stress_return_pct"][i]) for i in self.ids}
        self.rho = {i: [F(r) for r in work["correlations"][i].split()] for i in self.ids}
        self.lots = {i: [self._lot(row) for row in work["lots"][i]] for i in self.funds}

    @staticmethod
    def _lot(row: str) -> Lot:
        name, bought, shares, cost = row.split(", ")
        return Lot(name, date.fromisoformat(bought), F(shares), F(cost))


class Side:
    """Values, weights, drift and risk at one moment."""

    def __init__(self, given: Inputs, values: dict[str, Fraction]) -> None:
        self.values = values
        self.total = sum(values.values(), F(0))
        shares = [value / self.total * 100 for value in values.values()]
        self.weight = dict(zip(given.ids, to_total(shares, F(100)), strict=True))
        self.drift = {i: self.weight[i] - given.target[i] for i in given.ids}
        self.risk = {
            "volatility": rounded(self._deviation(given, self.weight)),
            "drawdown": rounded(
                sum((-self.weight[i] * given.stress[i] for i in given.ids), F(0)) / 100
            ),
            "tracking_error": rounded(self._deviation(given, self.drift)),
        }
        self.risk["var"] = rounded(F("1.645") * self.risk["volatility"] / root(F(12)))

    @staticmethod
    def _deviation(given: Inputs, exposure: Mapping[str, Fraction]) -> Fraction:
        scaled = [exposure[i] * given.volatility[i] / 100 for i in given.ids]
        return root(
            sum(
                (
                    scaled[a] * scaled[b] * given.rho[i][b]
                    for a, i in enumerate(given.ids)
                    for b in range(len(given.ids))
                ),
                F(0),
            )
        )

    def money(self, measure: str) -> Fraction:
        return rounded(self.total * self.risk[measure] / 100)


@dataclass
class Sold:
    sleeve: str
    lot: Lot
    shares: Fraction
    price: Fraction
    long: bool

    @property
    def gain(self) -> Fraction:
        return self.shares * (self.price - self.lot.cost)


class Rebalance:
    """The policy's rules, applied."""

    def __init__(self, given: Inputs) -> None:
        self.given = given
        held = {i: sum((lot.shares for lot in given.lots[i]), F(0)) for i in given.funds}
        values = {i: held[i] * given.price[i] for i in given.funds} | {"cash": given.cash}
        self.before = Side(given, values)
        self.alone = [i for i in given.funds if abs(self.before.drift[i]) <= given.band[i] / 2]
        orders = self._orders()
        self.sells = sorted(
            (i for i in orders if orders[i] < 0), key=lambda i: orders[i] * given.price[i]
        )
        self.buys = sorted(
            (i for i in orders if orders[i] > 0), key=lambda i: -orders[i] * given.price[i]
        )
        self.shares = {i: abs(orders[i]) for i in (*self.sells, *self.buys)}
        self.amount = {i: self.shares[i] * given.price[i] for i in self.shares}
        self.sold = sum((self.amount[i] for i in self.sells), F(0))
        self.bought = sum((self.amount[i] for i in self.buys), F(0))
        self.costs = self._costs()
        self.cost = sum(self.costs.values(), F(0))
        values = {i: values[i] + orders.get(i, F(0)) * given.price[i] for i in given.funds}
        values["cash"] = given.cash + self.sold - self.bought - self.cost
        self.after = Side(given, values)
        self.lots: list[Sold] = []
        self.kept: list[Sold] = []
        for i in self.sells:
            self._take(i)

    def _orders(self) -> dict[str, Fraction]:
        """Shares by fund, negative for sales."""
        given, before = self.given, self.before
        traded = [i for i in given.funds if i not in self.alone]
        left = sum((before.drift[i] for i in self.alone), F(0))
        width = sum((given.band[i] for i in traded), F(0))
        orders: dict[str, Fraction] = {}
        for i in traded:
            goal = given.target[i] - left * given.band[i] / width
            gap = before.total * goal / 100 - before.values[i]
            orders[i] = rounded(gap / given.price[i], 0)
        return orders

    def _costs(self) -> dict[str, Fraction]:
        given, policy = self.given, self.given.policy
        fees = (self.amount[i] * policy["regulatory_fee_bps"] / 100 for i in self.sells)
        return {
            "commissions": policy["commission_per_trade_usd"] * len(self.amount),
            "dealing_fee": sum(
                (rounded(a * policy["dealing_fee_bps"] / 10000) for a in self.amount.values()), F(0)
            ),
            "spread": sum(
                (rounded(a * given.spread[i] / 10000) for i, a in self.amount.items()), F(0)
            ),
            "regulatory_fee": sum((F(-floor(-cents), 100) for cents in fees), F(0)),
        }

    def _take(self, sleeve: str) -> None:
        """Highest cost first; a lot at a gain that is about to turn long-term is kept."""
        price, wanted = self.given.price[sleeve], self.shares[sleeve]
        plainly = wanted
        for lot in sorted(self.given.lots[sleeve], key=lambda lot: (-lot.cost, lot.bought)):
            held = (self.given.traded_on - lot.bought).days
            long = held > self.given.policy["long_term_after_days"]
            wait = self.given.policy["long_term_after_days"] + 1 - held
            keep = lot.cost < price and 0 < wait <= self.given.policy["gain_deferral_days"]
            if keep and plainly > 0:
                self.kept.append(Sold(sleeve, lot, lot.shares, price, long))
            plainly -= min(plainly, lot.shares)
            if not keep and wanted > 0:
                self.lots.append(Sold(sleeve, lot, min(wanted, lot.shares), price, long))
                wanted -= min(wanted, lot.shares)
        assert wanted == 0

    def gain(self, wanted: Callable[[Sold], bool]) -> Fraction:
        return sum((sold.gain for sold in self.lots if wanted(sold)), F(0))
