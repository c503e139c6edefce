"""The client's portfolio before the rebalance: sleeves, funds, targets, prices, holdings, dates."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from amounts import HUNDRED, ZERO, percent_of, shown, shown_parts, whole
from draw import Draw
from pool import ADVISERS, CASH, CLIENTS, ISSUERS, KINDS, MARKETS, PROFILES, Kind, correlation

HOLIDAYS = {(1, 1), (7, 4), (12, 25)}
CLOSED = {date(2026, 4, 3), date(2026, 7, 3), date(2027, 7, 5)}  # near the ends of quarters


@dataclass(frozen=True)
class Sleeve:
    """A sleeve and the one fund that fills it (for cash: no fund, a price of 1)."""

    kind: Kind
    ticker: str
    fund: str
    target: Decimal  # percent
    band: Decimal  # percentage points either side
    price_then: Decimal  # at the last rebalance
    price: Decimal
    shares: int
    half_spread: Decimal  # bps
    volatility: Decimal  # percent a year
    stress: Decimal  # percent


@dataclass(frozen=True)
class Calendar:
    prior: date
    valuation: date
    trade: date
    next_review: date
    review_months: int


@dataclass(frozen=True)
class Portfolio:
    client: str
    adviser: str
    profile: str
    market: str
    calendar: Calendar
    sleeves: tuple[Sleeve, ...]  # cash is last
    cash: Decimal
    correlations: tuple[tuple[Decimal, ...], ...]

    def values(self) -> list[Decimal]:
        """Dollars by sleeve; cash last."""
        return [s.price * s.shares for s in self.sleeves[:-1]] + [self.cash]

    def total(self) -> Decimal:
        return sum(self.values(), ZERO)


def weights(values: list[Decimal]) -> list[Decimal]:
    """Weights in percent, two decimals, that sum to exactly 100."""
    total = sum(values, ZERO)
    return shown_parts([percent_of(value, total) for value in values], HUNDRED)


def draw_portfolio(draw: Draw) -> Portfolio:
    market = draw.pick(("rally", "rally", "slump", "rotation"))
    profile = draw.pick(tuple(PROFILES))
    kinds = _kinds(draw)
    targets = _targets(draw, kinds, PROFILES[profile])
    value_then = draw.between("800000", "5200000", "10000")
    calendar = _calendar(draw)
    issuer, prefix = draw.pick(ISSUERS)
    sleeves = [
        _sleeve(draw, kind, target, value_then, MARKETS[market][kind.group], (issuer, prefix))
        for kind, target in zip(kinds, targets[:-1], strict=True)
    ]
    cash = shown(value_then * targets[-1] / HUNDRED * draw.between("0.9", "1.4", "0.0001"))
    cash_sleeve = Sleeve(
        CASH,
        "",
        "",
        targets[-1],
        Decimal(1),
        Decimal(1),
        Decimal(1),
        0,
        ZERO,
        draw.between(*CASH.volatility, "0.1"),
        ZERO,
    )
    everything = [*kinds, CASH]
    return Portfolio(
        client=draw.pick(CLIENTS),
        adviser=draw.pick(ADVISERS),
        profile=profile,
        market=market,
        calendar=calendar,
        sleeves=(*sleeves, cash_sleeve),
        cash=cash,
        correlations=_correlations(draw, everything),
    )


def _kinds(draw: Draw) -> list[Kind]:
    core = {"us_large_cap", "intl_developed", "ig_bonds"}
    others = [kind for kind in KINDS if kind.id not in core]
    chosen = {kind.id for kind in draw.sample(others, draw.integer(2, 5))} | core
    return [kind for kind in KINDS if kind.id in chosen]


def _targets(draw: Draw, kinds: list[Kind], shares_range: tuple[int, int]) -> list[Decimal]:
    """Percent by sleeve, cash last; they sum to 100."""
    cash = Decimal(draw.integer(2, 4))
    shares = Decimal(draw.integer(*shares_range))
    targets: dict[str, Decimal] = {}
    for kind in kinds:
        if kind.id in ("us_small_cap", "emerging_markets", "real_estate", "gold"):
            targets[kind.id] = draw.between("4", "7", "0.5")
    small = sum((targets.get(i, ZERO) for i in ("us_small_cap", "emerging_markets")), ZERO)
    real = sum((targets.get(i, ZERO) for i in ("real_estate", "gold")), ZERO)
    targets["intl_developed"] = Decimal(
        whole((shares - small) * draw.between("0.27", "0.38", "0.01"))
    )
    targets["us_large_cap"] = shares - small - targets["intl_developed"]
    bonds = HUNDRED - cash - shares - real
    for name in ("treasuries", "tips"):
        if any(kind.id == name for kind in kinds):
            targets[name] = Decimal(whole(bonds * draw.between("0.22", "0.34", "0.01")))
    targets["ig_bonds"] = bonds - targets.get("treasuries", ZERO) - targets.get("tips", ZERO)
    return [targets[kind.id] for kind in kinds] + [cash]


def band_for(target: Decimal) -> Decimal:
    """The policy's drift band by size of the target, in percentage points."""
    if target >= 25:
        return Decimal(3)
    return Decimal(2) if target >= 10 else Decimal("1.5")


def _sleeve(
    draw: Draw,
    kind: Kind,
    target: Decimal,
    value_then: Decimal,
    returns: tuple[str, str],
    issuer: tuple[str, str],
) -> Sleeve:
    price_then = draw.between("22", "260", "0.01")
    price = shown(price_then * (1 + draw.between(*returns, "0.01") / HUNDRED))
    held = value_then * (target + draw.between("-0.30", "0.30", "0.01")) / HUNDRED
    return Sleeve(
        kind=kind,
        ticker=issuer[1] + kind.code,
        fund=f"{issuer[0]} {kind.fund}",
        target=target,
        band=band_for(target),
        price_then=price_then,
        price=price,
        shares=whole(held / price_then),
        half_spread=draw.between(*kind.half_spread_bps, "0.1"),
        volatility=draw.between(*kind.volatility, "0.1"),
        stress=draw.between(*kind.stress, "0.5"),
    )


def _correlations(draw: Draw, kinds: list[Kind]) -> tuple[tuple[Decimal, ...], ...]:
    """The pool's matrix, shrunk towards the identity (which keeps it a correlation matrix)."""
    shrink = draw.between("0.85", "1.00", "0.01")
    return tuple(
        tuple(shown(correlation(a, b) * (1 if a is b else shrink)) for b in kinds) for a in kinds
    )


def _calendar(draw: Draw) -> Calendar:
    year, month = draw.pick([(y, m) for y in (2025, 2026, 2027) for m in (3, 6, 9, 12)])
    valuation = trading_day(month_end(year, month), -1)
    review_months = draw.pick((3, 6, 12))
    later = month - 1 + review_months
    review_day = month_end(year + later // 12, later % 12 + 1)
    return Calendar(
        prior=trading_day(valuation - timedelta(days=draw.integer(170, 420)), -1),
        valuation=valuation,
        trade=trading_day(valuation + timedelta(days=draw.integer(1, 4)), 1),
        next_review=trading_day(review_day, -1),
        review_months=review_months,
    )


def month_end(year: int, month: int) -> date:
    first_of_next = date(year + month // 12, month % 12 + 1, 1)
    return first_of_next - timedelta(days=1)


def trading_day(day: date, step: int) -> date:
    """The day itself, or the next in the direction of ``step`` on which the market is open."""
    while day.weekday() > 4 or (day.month, day.day) in HOLIDAYS or day in CLOSED:
        day += timedelta(days=step)
    return day
