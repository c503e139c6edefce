"""results.json: everything a memo may cite, from one case. Shown parts sum to shown totals."""

from __future__ import annotations

from case import Case
from holdings import drift, mix, portfolio, sleeve_rows, trade_row, trading
from money import all_in, costs, gains, lots_sold, tax
from outlook import not_done, policy_echo, risk, triggers
from workings import workings

Json = dict[str, object]


def results(case: Case) -> Json:
    return {
        "client": _client(case),
        "dates": _dates(case),
        "portfolio": portfolio(case),
        "mix": mix(case),
        "sleeves": sleeve_rows(case),
        "drift": drift(case),
        "trades": [trade_row(case, trade) for trade in case.trades],
        "trading": trading(case),
        "costs": costs(case),
        "gains": gains(case),
        "lots_sold": lots_sold(case),
        "tax": tax(case),
        "all_in": all_in(case),
        "risk": risk(case),
        "not_done": not_done(case),
        "triggers": triggers(case),
        "policy": policy_echo(case),
        "workings": workings(case),
    }


def _client(case: Case) -> Json:
    return {
        "name": case.portfolio.client,
        "account": "taxable",
        "base_currency": "USD",
        "profile": case.portfolio.profile,
        "adviser": case.portfolio.adviser,
    }


def _dates(case: Case) -> Json:
    calendar = case.portfolio.calendar
    return {
        "last_rebalance": calendar.prior,
        "valuation": calendar.valuation,
        "trades": calendar.trade,
        "next_review": calendar.next_review,
    }
