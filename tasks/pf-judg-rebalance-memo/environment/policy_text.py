"""ips.yaml: the client's investment policy, as it was written."""

from __future__ import annotations

from amounts import HUNDRED, plain
from case import Case
from limits import SINGLE_FUND_LIMIT, TOLERANCE_SHARE
from lots import DEFERRAL_DAYS, LONG_TERM_DAYS
from outlook import WASH_SALE_DAYS
from risk import VAR_Z


def policy_text(case: Case) -> str:
    """YAML. Every number in it is also in results.json, under sleeves, triggers or policy."""
    return "\n".join((_header(case), _sleeves(case), _rebalancing(case), _limits(case), _tax(case)))


def _header(case: Case) -> str:
    portfolio = case.portfolio
    return f"""\
# Investment policy statement. The adviser may act within it and no further.
client: {portfolio.client}
adviser: "{portfolio.adviser}"
account: taxable
base_currency: USD
profile: {portfolio.profile}
purpose: >-
  Keep the portfolio close to its agreed mix at low cost. The mix is reviewed on a fixed date and
  rebalanced by rule, not on a view of where markets are heading.
"""


def _sleeves(case: Case) -> str:
    rows = [
        "# One fund a sleeve. The band is how far the weight may move either side of the target."
    ]
    rows.append("sleeves:")
    for sleeve in case.portfolio.sleeves:
        rows.append(f"  {sleeve.kind.id}:")
        rows.append(f"    name: {sleeve.kind.name}")
        if sleeve.ticker:
            rows.append(f"    fund: {sleeve.fund} ({sleeve.ticker})")
        rows.append(f"    target_pct: {plain(sleeve.target)}")
        rows.append(f"    band_pp: {plain(sleeve.band)}")
    return "\n".join(rows) + "\n"


def _rebalancing(case: Case) -> str:
    policy, calendar = case.policy, case.portfolio.calendar
    return f"""\
rebalancing:
  last_done: {calendar.prior.isoformat()}
  next_review: {calendar.next_review.isoformat()}
  review_every_months: {calendar.review_months}
  cash_flow_trigger_usd: {policy.cash_flow}
  tolerance_share_of_band_pct: {plain(TOLERANCE_SHARE * HUNDRED)}
  minimum_trade_usd: {policy.minimum_trade}
  turnover_limit_pct: {policy.turnover_limit}
  rules:
    - A rebalance is due when a sleeve is outside its band at a review, when a risk limit is passed,
      or when money of at least the cash-flow trigger comes in or goes out.
    - Every fund further from its target than the tolerance, a share of its band, is traded. Funds
      nearer than that are left alone.
    - Traded funds go back to target, less a share (in proportion to their bands) of what the others
      are off target all together, so that cash returns to its own target.
    - Orders are in whole shares, sized and reported at the prices of the valuation date. Cash pays
      the costs and takes up the rounding.
    - Turnover counts sales and purchases together, against the value before the trades.
"""


def _limits(case: Case) -> str:
    policy = case.policy
    return f"""\
limits:
  single_fund_limit_pct: {SINGLE_FUND_LIMIT}
  cash_floor_pct: {plain(policy.cash_floor)}
  var_limit_pct: {plain(policy.var_limit)}
  var_confidence_pct: 95
  var_horizon_months: 1
  drawdown_limit_pct: {plain(policy.drawdown_limit)}
  tracking_error_limit_pct: {plain(policy.tracking_limit)}
  measures:
    - Volatility is a year's, from each sleeve's volatility and the correlations between them.
    - Value at risk is volatility scaled to the horizon, times {VAR_Z}, with no return assumed.
    - Drawdown is the loss in the stress scenario, a severe fall of shares and real estate.
    - Tracking error is the volatility of the difference between the portfolio and its target mix.

costs:
  commission_per_trade_usd: {policy.commission}
  dealing_fee_bps: {plain(policy.dealing_fee)}
  regulatory_fee_bps: {policy.regulatory_fee}
  notes:
    - The dealing fee is on all that is traded, the regulatory fee on sales only.
    - The spread is each fund's half-spread on the amount traded.
"""


def _tax(case: Case) -> str:
    policy, rates = case.policy, case.policy.rates
    return f"""\
tax:
  tax_budget_usd: {policy.tax_budget}
  long_term_after_days: {LONG_TERM_DAYS}
  long_term_tax_rate_pct: {plain(rates.long_term)}
  short_term_tax_rate_pct: {plain(rates.short_term)}
  investment_surtax_pct: {plain(rates.surtax)}
  gain_deferral_days: {DEFERRAL_DAYS}
  wash_sale_days: {WASH_SALE_DAYS}
  rules:
    - Sales take the lots with the highest cost first.
    - A lot at a gain that turns long-term within the deferral period is kept, and the next is sold.
    - A fund sold at a loss is not bought again within the wash-sale period.
    - Short-term and long-term results are netted, then losses from earlier years are used up,
      against short-term gains first. The surtax comes on top of both rates.
    - A net loss costs no tax and is carried forward. Trading costs are not deducted.
    - The estimate is paid later, from outside the portfolio.

communication:
  - Memos to the client explain what was done under this policy. They do not forecast markets or
    returns and do not advise on anything that the policy does not cover.
"""
