"""Tax lots: how holdings were built up, which a sale takes, what it realises, what is owed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from amounts import HUNDRED, ZERO, shown
from draw import Draw
from portfolio import Calendar, Sleeve, trading_day

LONG_TERM_DAYS = 365  # held longer than this
DEFERRAL_DAYS = 45


@dataclass(frozen=True)
class Lot:
    id: str
    ticker: str
    bought: date
    shares: int
    cost: Decimal  # dollars a share

    def long_term(self, on: date) -> bool:
        return (on - self.bought).days > LONG_TERM_DAYS

    def turns_long_term(self) -> date:
        return self.bought + timedelta(days=LONG_TERM_DAYS + 1)


@dataclass(frozen=True)
class SoldLot:
    lot: Lot
    shares: int
    price: Decimal
    long_term: bool

    @property
    def proceeds(self) -> Decimal:
        return self.price * self.shares

    @property
    def basis(self) -> Decimal:
        return self.lot.cost * self.shares

    @property
    def gain(self) -> Decimal:
        return self.proceeds - self.basis


@dataclass(frozen=True)
class Rates:
    """Percent. The surtax is added to both rates; losses are dollars from earlier years."""

    long_term: Decimal
    short_term: Decimal
    surtax: Decimal
    carried_in: Decimal


@dataclass(frozen=True)
class Tax:
    """Dollars. ``taxable_*`` is what is left after netting and after earlier losses."""

    taxable_short: Decimal
    taxable_long: Decimal
    on_short: Decimal
    on_long: Decimal
    losses_used: Decimal
    carried_out: Decimal

    @property
    def total(self) -> Decimal:
        return self.on_short + self.on_long


def draw_lots(draw: Draw, sleeve: Sleeve, calendar: Calendar, young: bool) -> list[Lot]:
    """Lots that sum to the sleeve's shares, oldest first.

    ``young`` adds a lot that is a few weeks short of long-term.
    """
    growth = draw.between(*sleeve.kind.growth, "0.1") / HUNDRED
    days = {(calendar.trade - calendar.prior).days: draw.integer(20, 60)}
    days |= {draw.integer(430, 2300): draw.integer(20, 60) for _ in range(draw.integer(1, 3))}
    days |= {draw.integer(70, 420): draw.integer(1, 3) for _ in range(draw.integer(1, 3))}
    if young:
        days[LONG_TERM_DAYS + 1 - draw.integer(6, DEFERRAL_DAYS - 4)] = draw.integer(2, 4)
    dated: dict[date, int] = {}
    for age, size in days.items():
        dated[trading_day(calendar.trade - timedelta(days=age), -1)] = size
    bought = sorted(dated)
    shares = [sleeve.shares * dated[day] // sum(dated.values()) for day in bought]
    shares[0] += sleeve.shares - sum(shares)
    return [
        Lot(
            f"{sleeve.ticker}-{n}",
            sleeve.ticker,
            day,
            count,
            _cost(draw, sleeve, calendar, day, growth),
        )
        for n, (day, count) in enumerate(zip(bought, shares, strict=True), start=1)
    ]


def _cost(draw: Draw, sleeve: Sleeve, calendar: Calendar, day: date, growth: Decimal) -> Decimal:
    """The fund's price on a day: on a line between known prices, give or take three percent."""
    if day == calendar.prior:
        return sleeve.price_then
    if day > calendar.prior:
        span = Decimal((day - calendar.prior).days) / (calendar.valuation - calendar.prior).days
        base = sleeve.price_then + (sleeve.price - sleeve.price_then) * span
    else:
        years = Decimal((calendar.prior - day).days) / 365
        base = sleeve.price_then / (1 + growth * years)
    return shown(base * draw.between("0.97", "1.03", "0.001"))


def is_protected(lot: Lot, price: Decimal, trade: date) -> bool:
    """At a gain, and long-term within the policy's deferral window."""
    wait = (lot.turns_long_term() - trade).days
    return price > lot.cost and 0 < wait <= DEFERRAL_DAYS


def sell(
    lots: list[Lot], shares: int, price: Decimal, trade: date, protect: bool = True
) -> list[SoldLot] | None:
    """Highest cost first, older first among equals; None where unprotected lots do not suffice."""
    free = [lot for lot in lots if not (protect and is_protected(lot, price, trade))]
    sold: list[SoldLot] = []
    for lot in sorted(free, key=lambda one: (-one.cost, one.bought)):
        taken = min(lot.shares, shares)
        if taken:
            sold.append(SoldLot(lot, taken, price, lot.long_term(trade)))
            shares -= taken
    return None if shares else sold


def tax_on(sold: list[SoldLot], rates: Rates) -> Tax:
    """Net short against long term, then use earlier losses, short-term first; never below zero."""
    short = sum((one.gain for one in sold if not one.long_term), ZERO)
    long = sum((one.gain for one in sold if one.long_term), ZERO)
    if short < 0 < long or long < 0 < short:
        offset = min(abs(short), abs(long))
        short += offset if short < 0 else -offset
        long += offset if long < 0 else -offset
    new_loss = -min(short, ZERO) - min(long, ZERO)
    short, long = max(short, ZERO), max(long, ZERO)
    used_short = min(short, rates.carried_in)
    used_long = min(long, rates.carried_in - used_short)
    short, long = short - used_short, long - used_long
    return Tax(
        taxable_short=short,
        taxable_long=long,
        on_short=shown(short * (rates.short_term + rates.surtax) / HUNDRED),
        on_long=shown(long * (rates.long_term + rates.surtax) / HUNDRED),
        losses_used=used_short + used_long,
        carried_out=rates.carried_in - used_short - used_long + new_loss,
    )
