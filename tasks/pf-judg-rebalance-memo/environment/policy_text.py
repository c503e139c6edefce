"""ips.yaml: the client's investment policy, as it was written."""

from __future__ import annotations

from case import Case


def policy_text(case: Case) -> str:
    policy, rates, portfolio = case.policy, case.policy.rates, case.portfolio
    sleeves = "\n".join(
        f"  {s.kind.id}: {{target_pct: {s.target}, band_pp: {s.band}}}" for s in portfolio.sleeves
    )
    return f"""\
# Investment policy statement
client: {portfolio.client}
adviser: {portfolio.adviser}
account: taxable
base_currency: USD
profile: {portfolio.profile}
sleeves:
{sleeves}
cash_flow_trigger_usd: {policy.cash_flow}
long_term_tax_rate_pct: {rates.long_term}
"""
