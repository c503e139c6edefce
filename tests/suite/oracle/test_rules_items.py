"""What the rules judge takes for each required item met, in unlike voices, and for unmet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

WHAT = "## What changed and why\n\n"
COST = "## Cost and tax impact\n\n"
RISKS = "## What risks remain\n\n"
NEXT = "## What would trigger the next rebalance\n\n"
RESULTS: dict[str, Any] = {
    "trades": [
        {"side": "sell", "sleeve": "us_large_cap", "amount_usd": 90000.5}
        | {
            "name": "US large-cap shares",
            "ticker": "QZLC",
            "fund": "Quillon US Large Companies ETF",
        },
        {"side": "sell", "sleeve": "gold", "amount_usd": 1000.0}
        | {"name": "Gold", "ticker": "QZGD", "fund": "Quillon Physical Gold ETF"},
        {"side": "buy", "sleeve": "ig_bonds", "amount_usd": 80000.0}
        | {"name": "Investment-grade bonds", "ticker": "QZIG", "fund": "Quillon Bond ETF"},
    ]
}
MET = [
    ("explains_why", WHAT + "We sold US shares because they had grown past their agreed range."),
    ("explains_why", WHAT + "Bonds had slid under target. So we topped up the bond fund."),
    ("explains_why", WHAT + "Shares ran. We trimmed them to get the mix back in line."),
    ("explains_why", WHAT + "- Sold: gold, since it had drifted above its band"),
    ("names_largest_moves", WHAT + "We trimmed large American companies. We bought QZIG."),
    ("names_largest_moves", WHAT + "The biggest sale was US stocks; we added corporate bonds."),
    (
        "names_largest_moves",
        WHAT + "| Fund | Side |\n|---|---|\n| US large-cap shares | sell |\n"
        "| Investment-grade bonds | buy |",
    ),
    ("cost_and_tax_separate", COST + "Dealing cost $412. We put the tax at $9,000."),
    ("cost_and_tax_separate", COST + "You paid $412 in fees, and will owe about $9,000 in tax."),
    ("cost_and_tax_separate", COST + "Costs were 3 bps. No tax is due."),
    (
        "cost_and_tax_separate",
        COST + "| Item | Amount |\n|---|---|\n| Trading cost | $412 |\n| Tax | $0 |",
    ),
    ("tax_is_estimate", COST + "Our tax estimate is $9,000."),
    ("tax_is_estimate", COST + "Tax: $9,000. The actual bill comes with your return."),
    ("tax_is_estimate", COST + "The tax of $9,000 is provisional."),
    ("risk_before_and_after", RISKS + "Yearly swings fall from 11.2% to 9.8%."),
    ("risk_before_and_after", RISKS + "A crash might cost 24%. It was 27% before."),
    (
        "risk_before_and_after",
        RISKS + "| Risk | Before | After |\n|---|---|---|\n| Volatility | 11.2% | 9.8% |",
    ),
    (
        "remaining_risks",
        RISKS + "Shares can still drop a long way. Rising interest rates would hurt your bonds.",
    ),
    (
        "remaining_risks",
        RISKS + "- Your portfolio may lose value in any year\n"
        "- A weak dollar makes foreign holdings swing more",
    ),
    ("trigger_concrete", NEXT + "If US shares pass 45%, we trade."),
    ("trigger_concrete", NEXT + "We look again on 30 June, or when a sleeve leaves its band."),
    ("trigger_concrete", NEXT + "- A withdrawal of $50,000 or more will trigger a check"),
    ("explains_restraint", "Gold stayed where it was: it is inside its range."),
    ("explains_restraint", "We did not touch Treasuries. They sat close to target."),
    ("explains_restraint", "We left property alone, as the cost would outweigh the gain."),
    ("explains_restraint", "Some lots were kept to avoid the higher rate."),
    ("plain_language", "We sold some shares. Volatility (how much values swing) is lower."),
    ("plain_language", "The cost was 4 bps. The value at risk means a bad month's loss."),
    ("addressed_to_client", "Your portfolio has changed. Call us if you have questions."),
    (
        "cost_and_tax_separate",
        COST + "Trading came to twelve hundred dollars. Tax is another matter: we "
        "estimate three thousand dollars.",
    ),
    (
        "cost_and_tax_separate",
        COST + "| Trading cost (USD) | Tax estimate (USD) |\n|---|---|\n| 412 | 9,000 |",
    ),
    (
        "cost_and_tax_separate",
        COST + "| | Trading | Tax |\n|---|---|---|\n| Amount | $412 | $9,000 |",
    ),
    (
        "cost_and_tax_separate",
        COST + "### Trading cost\n\n$412 in all.\n\n### Tax\n\nAn estimated $9,000.",
    ),
    ("cost_and_tax_separate", COST + "**Cost.** About $412.\n\n**Tax.** About $9,000."),
    (
        "cost_and_tax_separate",
        COST + "What did it cost? Twelve hundred dollars. And the tax? Nine thousand "
        "dollars, we think.",
    ),
    ("cost_and_tax_separate", COST + "Costs and tax were $412 and $9,000 respectively."),
    (
        "cost_and_tax_separate",
        COST + "The cost of $412 and the tax of $9,000 come to $9,412 together.",
    ),
    ("cost_and_tax_separate", COST + "- Cost: $412\n- Tax: none"),
    (
        "cost_and_tax_separate",
        COST + "The fees were four hundred and twelve dollars, and there is no tax to pay.",
    ),
    (
        "risk_before_and_after",
        RISKS + "| | Volatility |\n|---|---|\n| Before | 11.2% |\n| After | 9.8% |",
    ),
    (
        "risk_before_and_after",
        RISKS + "| | Volatility | Value at risk |\n|---|---|---|\n| Then | 11.2% | 5% |\n"
        "| Now | 9.8% | 4% |",
    ),
    (
        "risk_before_and_after",
        RISKS + "| Measure | 31 March | 5 April |\n|---|---|---|\n| Volatility | 11.2% | 9.8% |",
    ),
    (
        "risk_before_and_after",
        RISKS + "| Item | Before | After |\n|---|---|---|\n| Value | $100 | $99 |\n"
        "| Shares | 40% | 38% |\n| Volatility | 11.2% | 9.8% |",
    ),
    (
        "risk_before_and_after",
        RISKS + "Volatility, the size of the swings, stood at 11.2%. It now stands at 9.8%.",
    ),
    (
        "risk_before_and_after",
        RISKS + "The loss in a bad month was $900. After the trades, the loss in a bad "
        "month is $800.",
    ),
    (
        "risk_before_and_after",
        RISKS + "Volatility is how much the value swings. It was twelve percent. Now "
        "it is ten percent.",
    ),
    ("risk_before_and_after", RISKS + "Volatility:\n\n- before: 11.2%\n- after: 9.8%"),
    ("risk_before_and_after", RISKS + "### Volatility\n\nBefore: 11.2%. After: 9.8%."),
    ("risk_before_and_after", RISKS + "The swings shrank to 9.8%, from 11.2%."),
    ("risk_before_and_after", RISKS + "Volatility 11.2% → 9.8%."),
    (
        "risk_before_and_after",
        RISKS + "| Measure | Then | Now |\n|---|---|---|\n| Drawdown | 27% | 24% |",
    ),
    (
        "explains_restraint",
        WHAT + "We refrained from trading gold, which lay within half of its band.",
    ),
    (
        "explains_restraint",
        WHAT + "| Fund | Trade |\n|---|---|\n| Gold | none |\n| Bonds | sold $5 |\n\n"
        "None means that a fund was close enough to its target.",
    ),
    (
        "trigger_concrete",
        NEXT + "| Holding | Lower limit (%) | Upper limit (%) |\n|---|---|---|\n| Gold | 4 | 7 |",
    ),
    ("trigger_concrete", NEXT + "A withdrawal of fifty thousand dollars or more."),
    (
        "cost_and_tax_separate",
        COST + "Two amounts leave your pocket. Dealing took $412. The taxman may ask "
        "for $9,000 more, by our estimate of the tax.",
    ),
    (
        "cost_and_tax_separate",
        COST + "The bill for trading is $412, or 2 basis points.\n\n"
        "No tax arises: the sales made a loss of $5,600.",
    ),
    (
        "cost_and_tax_separate",
        COST + "| | Amount |\n|---|---|\n| Commissions | $50 |\n| Total | $412 |\n\n"
        "Estimated tax on the gain of $31,000: $9,000.",
    ),
    ("cost_and_tax_separate", COST + "Cost: 0.02% of the portfolio.\nTax estimate: nil."),
    (
        "cost_and_tax_separate",
        COST + "Expenses amounted to USD 412; the estimated tax amounts to USD 9'000.",
    ),
    (
        "cost_and_tax_separate",
        COST + "We spent $412 on the trades (fees and spreads). On the realised gain "
        "of $31,000 we reckon with $9,000 of tax.",
    ),
    ("tax_is_estimate", COST + "Tax: about $9,000. This may change once your return is filed."),
    ("tax_is_estimate", COST + "| Item | Amount |\n|---|---|\n| Estimated tax | $9,000 |"),
    (
        "tax_is_estimate",
        COST + "The tax will be roughly $9,000; your accountant will work out the precise sum.",
    ),
    ("tax_is_estimate", COST + "Tax of $9,000. That is a provisional figure."),
    (
        "risk_before_and_after",
        RISKS + "The value at risk has come down to $157,187. Before we traded it was $166,951.",
    ),
    (
        "risk_before_and_after",
        RISKS + "In a bad month you could have lost $166,951 before the trades; now it "
        "is $157,187.",
    ),
    ("risk_before_and_after", RISKS + "Volatility eased by 0.45 points, from 7.58% to 7.13%."),
    (
        "risk_before_and_after",
        RISKS + "| | Before trades | After trades |\n|---|---|---|\n"
        "| Yearly swings (volatility) | 7.58% | 7.13% |",
    ),
    (
        "risk_before_and_after",
        RISKS + "Before the trades, volatility (a year's swings) came to 7.58%. After "
        "the trades, it came to 7.13%.",
    ),
    (
        "risk_before_and_after",
        RISKS + "*Volatility* (how far values swing): 7.58% before, 7.13% after.",
    ),
    ("risk_before_and_after", RISKS + "Drawdown: $747,106 became $677,433."),
    (
        "risk_before_and_after",
        RISKS + "A crisis would now cost 14.61%. The old mix would have lost 16.11%.",
    ),
    (
        "explains_restraint",
        WHAT + "Gold and property were fine where they were, less than half a band "
        "off, so nothing was done there.",
    ),
    ("explains_restraint", WHAT + "No trade was made in gold because it was near its target."),
    (
        "explains_restraint",
        WHAT + "We held back a lot of 8 shares: its gain will soon be taxed less.",
    ),
    (
        "explains_restraint",
        WHAT + "Three funds needed no trade; all were inside half of their band.",
    ),
    ("explains_restraint", WHAT + "- Not traded: gold (within half its band)"),
    ("explains_restraint", WHAT + "Gold remains as it was, since it lies inside its band."),
    (
        "explains_restraint",
        WHAT + "You still own all of your gold. It was close to its target, and the "
        "policy asks for no trade in that case.",
    ),
    ("trigger_concrete", NEXT + "Review date: 30 September 2027."),
    ("trigger_concrete", NEXT + "- VaR over 3.75%\n- drawdown over 17%"),
    ("trigger_concrete", NEXT + "Bands: US large-cap 14.5% to 18.5%."),
    (
        "remaining_risks",
        RISKS + "- Equity crash: shares are two fifths of the portfolio and could be "
        "cut down\n- Inflation eats into bond payments",
    ),
    (
        "explains_why",
        WHAT + "Two holdings were outside their bands. Sales: US large-cap shares, $90,000.",
    ),
    (
        "explains_why",
        WHAT + "| Holding | Target (%) | Before (%) | Off target (pp) | Trade |\n"
        "|---|---|---|---|---|\n| US large-cap shares | 19 | 21.27 | +2.27 | sold $88,297 |\n\n"
        "The large-cap fund broke through its band's upper edge, and so we sold some.",
    ),
]
UNMET = [
    ("explains_why", WHAT + "Several trades were made on Monday. The market was busy."),
    ("explains_why", WHAT + "We left gold alone because it was inside its band."),
    ("explains_why", WHAT + "Because target drift policy."),
    ("names_largest_moves", WHAT + "We sold some funds and bought others."),
    ("names_largest_moves", WHAT + "We sold gold and bought investment-grade bonds."),
    ("cost_and_tax_separate", COST + "Cost and tax came to $9,412 together."),
    ("cost_and_tax_separate", COST + "The cost was $412. Tax follows later in the year."),
    ("tax_is_estimate", COST + "The tax is $9,000. Trading took a day."),
    ("risk_before_and_after", RISKS + "Risk is lower than it was, which is good."),
    ("risk_before_and_after", RISKS + "Volatility is 9.8%."),
    ("remaining_risks", RISKS + "All is well now. Your portfolio is in line with its targets."),
    ("remaining_risks", RISKS + "Risk, loss, shares, bonds."),
    (
        "remaining_risks",
        RISKS + "Bonds stood three points below their target. Shares were below their band too.",
    ),
    ("trigger_concrete", NEXT + "We will act when we think it is needed."),
    ("trigger_concrete", NEXT + "If circumstances change, we will be in touch."),
    ("explains_restraint", "You do not need to do anything, so relax."),
    ("explains_restraint", "We sold shares and bought bonds, as the policy asks."),
    ("plain_language", "Drawdown is 22%. Tracking error is 1%. Volatility is 9%."),
    ("plain_language", "We " + "sold and " * 70 + "bought."),
    ("plain_language", "| Cost | Tax |\n|---|---|\n| $1 | $2 |"),
    ("addressed_to_client", "The client's portfolio has changed. Please file the memo."),
    ("cost_and_tax_separate", COST + "All in, cost and tax come to $9,412, or 22 bps."),
    ("cost_and_tax_separate", COST + "The total cost, tax included, is $9,412 (0.22%)."),
    ("cost_and_tax_separate", COST + "The rebalance cost you $9,412 including tax."),
    ("cost_and_tax_separate", COST + "Trading cost $412. The gain of $31,000 is subject to tax."),
    ("cost_and_tax_separate", COST + "Trading cost $412. Gains are taxed at 35%."),
    ("cost_and_tax_separate", COST + "Trading cost $412. Tax falls due on 15 April 2028."),
    (
        "cost_and_tax_separate",
        COST + "One is cost, the other tax. Together they are nine thousand dollars.",
    ),
    ("cost_and_tax_separate", COST + "| Item | USD |\n|---|---|\n| Cost and tax | 9,412 |"),
    (
        "cost_and_tax_separate",
        COST + "The trading cost was $412. With tax, the total is an estimated $9,412.",
    ),
    (
        "risk_before_and_after",
        RISKS + "Volatility is 9.8% after the trades. The loss in a bad month is 4%.",
    ),
    ("risk_before_and_after", RISKS + "Value at risk is 3.4%, against a limit of 3.75%."),
    (
        "risk_before_and_after",
        RISKS + "| Measure | After | Limit |\n|---|---|---|\n| Value at risk | 3.4% | 3.75% |",
    ),
    (
        "risk_before_and_after",
        RISKS + "Volatility before the trades was 11.2%. Value at risk was 5%.",
    ),
    ("risk_before_and_after", RISKS + "Shares were 41% of the portfolio. Volatility is 9.8%."),
    ("risk_before_and_after", RISKS + "Volatility fell by 0.45 percentage points, to 9.8%."),
    (
        "risk_before_and_after",
        RISKS + "The trades were made in July. Volatility is 7.13%, value at risk 3.39%.",
    ),
    ("explains_restraint", WHAT + "Gold was not traded."),
    ("explains_restraint", WHAT + "| Fund | Trade |\n|---|---|\n| Gold | none |"),
    (
        "explains_why",
        WHAT + "We sold US large-cap shares for $90,000 and bought bonds for $80,000.",
    ),
    (
        "trigger_concrete",
        NEXT + "| Holding | Comment |\n|---|---|\n| Gold | we keep an eye on it |",
    ),
    ("cost_and_tax_separate", COST + "Fees and taxes of $9,412 were charged."),
    ("cost_and_tax_separate", COST + "You will owe $9,000 of tax. Trading was cheap."),
    ("cost_and_tax_separate", COST + "Altogether the exercise cost $9,412, of which most is tax."),
    ("tax_is_estimate", COST + "The tax is $9,000, due in April."),
    (
        "risk_before_and_after",
        RISKS + "Your portfolio was worth $100 before the trades and $99 after them. "
        "Risk is lower.",
    ),
    ("risk_before_and_after", RISKS + "Shares went from 42% to 38%, so risk is lower."),
    ("explains_restraint", WHAT + "There is no change to your fees, as agreed."),
    ("explains_restraint", WHAT + "You can retain this letter, as it may be useful."),
    ("trigger_concrete", NEXT + "We act when markets move a lot."),
]
Rule = Callable[[str, str, dict[str, Any]], Any]


@pytest.mark.parametrize(("item", "memo"), MET)
def test_takes_for_met(item: str, memo: str, apply_rule: Rule) -> None:
    finding = apply_rule(item, memo + "\n", RESULTS)
    assert finding.passed, finding.rationale
    assert finding.evidence


@pytest.mark.parametrize(("item", "memo"), UNMET)
def test_takes_for_unmet(item: str, memo: str, apply_rule: Rule) -> None:
    assert not apply_rule(item, memo + "\n", RESULTS).passed


def test_missing_section_is_graded_by_its_own_item_only(apply_rule: Rule) -> None:
    memo = "Our tax estimate is $9,000. Trading cost $412.\n"
    assert apply_rule("cost_and_tax_separate", memo, RESULTS).passed


def test_evidence_is_quoted_as_written(apply_rule: Rule) -> None:
    memo = COST + "The *tax* estimate is **$9,000**.\n"
    assert apply_rule("tax_is_estimate", memo, RESULTS).evidence == (
        "The *tax* estimate is **$9,000**.",
    )


def test_reads_headings_for_forecasts(apply_rule: Rule) -> None:
    assert not apply_rule("market_forecast", "## Shares will rise next year\n\nDone.\n", {}).passed


def test_a_very_long_sentence_is_read_to_its_end(apply_rule: Rule) -> None:
    memo = "We sold and bought " + "this and that, " * 400 + "and shares will rise next year.\n"
    assert not apply_rule("market_forecast", memo, {}).passed
