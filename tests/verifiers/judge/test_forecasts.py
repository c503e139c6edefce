"""What is taken for a forecast of markets or returns, and what not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import ModuleType

import pytest

from pae_verifiers.judge import forecasts, outlooks
from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.numbers.markdown import render

FORECASTS = (
    "We expect global equities to outperform over the coming year.",
    "Looking ahead, markets should continue to recover as central banks cut rates.",
    "Shares will rise next year, and your portfolio will benefit.",
    "Bond prices look set to climb as inflation cools.",
    "Our outlook for emerging markets remains positive.",
    "Analysts expect the economy to strengthen in the second half.",
    "We are optimistic about small companies.",
    "Small caps are poised for a rebound.",
    "With rates likely to fall, bonds ought to do well from here.",
    "Equities have further to climb.",
    "Expect bonds to recover.",
    "I'd bet on gold beating everything else in the months ahead.",
    "A soft landing is in sight, which is good for your holdings.",
    "The worst is over for property.",
    "You can look forward to a return of about 6% a year on this mix.",
    "The portfolio should return around 5% over the next twelve months.",
    "2027 promises to be a good year for shares.",
    "We don't forecast returns, but stocks look likely to keep climbing.",
    "Markets are heading higher in the coming quarters.",
    "If history is any guide, shares will recover quickly.",
    "Inflation is going to ease, and yields will come down with it.",
    "Brighter days lie ahead for international shares.",
    "We believe technology shares will lead the market again.",
    "A recession is coming, so bonds will rally.",
    "We anticipate stronger returns from credit this spring.",
    "My view, for what it is worth, is that the dollar will weaken.",
    "Rates will be cut twice in 2027.",
    "We remain bullish on commodities.",
    "The coming months look bright for shares, and bonds will hold up well.",
    "In our house view equities outperform cash over the next three years.",
    "Nobody rings a bell at the bottom, but emerging markets are set to bounce.",
    "Patience pays: stocks will deliver gains of 8% a year.",
)
DRESSED = (  # in idioms, as positions, as promises
    "We see the S&P higher by year end.",
    "Markets look poised to extend their gains.",
    "The path of least resistance for stocks is higher.",
    "Our central scenario is for bonds to outperform.",
    "There is more to come from small companies.",
    "Momentum favours equities into year-end.",
    "Bonds are overdue a recovery.",
    "Valuations point to higher returns from international shares.",
    "Yields have peaked.",
    "It is only a matter of time before shares recover.",
    "This bodes well for equities.",
    "The sell-off is nearly over.",
    "History suggests that the coming year will be a strong one for stocks.",
    "Your new mix is positioned to benefit from lower rates.",
    "We look for mid-single-digit gains in the year to come.",
    "Next year looks like a good one for bonds.",
    "We're confident in a rebound.",
    "A correction is overdue.",
    "Growth is slowing and earnings will follow.",
    "If shares fall, they will recover within a year.",
    "Better returns lie ahead for bondholders.",
    "Your portfolio will reach $5 million by 2030.",
    "Real estate faces headwinds in 2027.",
    "Odds are that shares will finish the year up.",
    "Stocks won't stay this cheap for long.",
    "Our forecast is for lower rates.",
    "Bonds are likely to keep doing well as the central bank eases.",
    "The pullback in bonds is a pause, not the end: prices will be higher in a year.",
    "A recession looks unlikely, so shares can keep rising.",
    "Interest rates will probably come down over the next few quarters.",
    "Markets are pricing in lower rates, and we agree.",
    "As rates fall, your bonds will gain in value.",
    "We are positive on real estate.",
    "Analysts forecast that profits will rise by 8%.",
    "We project growth of 4% for your mix.",
    "Falling inflation will lift bond prices next year.",
    "We trimmed shares because we think they will fall.",
    "Buying now means you will profit when shares rebound next year.",
    "US shares are overvalued and due for a fall.",
    "Rates will stay low.",
    "With the election behind us, markets will calm down.",
    "International shares should continue their recovery.",
    "We feel good about the months ahead for your portfolio.",
    "A stronger economy will lift company profits next year.",
    "You bought low, and you will be glad when prices return to their highs.",
    "Investors can look forward to falling rates.",
    "This is the right moment to own bonds, since yields are about to fall.",
    "Rates are set to fall.",
    "Markets look poised to break out.",
    "The path of least resistance is up.",
    "Our base case is a mild recovery in shares.",
    "The next few years should be kinder to bond investors.",
    "We think emerging markets have the most to gain.",
    "Lower rates are coming.",
    "Over time, this mix will beat inflation by three points a year.",
    "US shares have become too dear and a setback is likely.",
    "Bank analysts are calling for a 10% rise in the index.",
    "The dollar is bound to weaken after the election.",
    "In five years your portfolio will be worth far more.",
    "Markets will shrug this off.",
    "The recovery will broaden out to smaller companies.",
)
NO_FORECASTS = (
    "We do not forecast returns.",
    "Nothing in this letter is a forecast, and we take no view on where markets go next.",
    "If markets fall, the equity holding would shrink below its range.",
    "Should share prices drop again, the portfolio will lose value too.",
    "A move beyond the band would trigger the next rebalance.",
    "The tax estimate is $4,120 and may change when your return is filed.",
    "We expect to review the portfolio in March.",
    "The trades are expected to settle on Friday.",
    "In a bad month the portfolio could lose 4% or more.",
    "We expect losses larger than this in about one month out of twenty.",
    "The portfolio can fall as well as rise, and it will do both.",
    "Shares remain the main source of ups and downs, and they may fall sharply.",
    "No one can know whether markets will rise or fall.",
    "We sold because the weight had climbed, not because we expect shares to fall.",
    "When interest rates rise, bond prices usually fall.",
    "The weight of bonds will return to its target once the trades settle.",
    "Equities rose strongly this year and took the holding above its limit.",
    "The final tax bill could be higher or lower than our estimate.",
    "Volatility, the usual size of the swings, falls from 11.2% to 9.8%.",
    "We will look at the portfolio again on 31 March, or sooner if a holding leaves its range.",
    "International shares have done better than bonds, which is why they outgrew their target.",
    "Estimated volatility is 9.8% a year, which describes the past and is not a promise.",
    "A rise in the weight of shares above 55% will prompt us to sell.",
    "Nobody can promise that the next fall will be smaller than the last.",
    "Any large deposit or withdrawal will also set off a review.",
    "Prices move every day, so the weights will drift again.",
    "Selling now will bring forward a tax bill that you would otherwise have paid later.",
    "The remaining risk is that shares and bonds fall together, as they have before.",
    "On nineteen months out of twenty we would expect the portfolio to lose less than this.",
    "Your portfolio still rises and falls with markets.",
    "The portfolio will be checked every quarter, and the next check is in January.",
    "Gold is now back at its target of 5%.",
    "The change should make the portfolio a little steadier, though it can still lose money.",
    "If you were hoping for our view of the market, we have none to offer.",
    "Should anything here be unclear, we would be glad to explain it.",
    "Fact: shares ran, bonds didn't, so the mix got out of shape.",
    "We are not in the business of guessing where rates go.",
    "Your adviser will call you after the review on 30 June 2026.",
    "What happens next depends on prices, and those we cannot predict.",
    "A drop like that of our stress scenario would cost about 21% of the portfolio.",
    "The value at risk says how much the portfolio could lose in a bad month.",
)
HYPOTHETICAL = (  # conditions, risk measures, rules, what is only possible
    "Should rates rise, your bonds would lose value.",
    "In case of a market slump, shares would fall hardest.",
    "If a severe crisis struck, then your portfolio would lose up to a fifth of its value.",
    "Over the next month, there is a one in twenty chance that the portfolio will lose "
    "more than $157,187.",
    "Had rates risen further, bonds would have fallen more.",
    "A rise in interest rates would push bond prices down.",
    "Your bonds will lose value if interest rates rise.",
    "Nobody knows whether shares will rise or fall next year.",
    "No matter where the market goes next year, we follow the policy.",
    "Unless weights drift out of their bands, we will not trade.",
    "The loss to expect in a bad month is $157,187.",
    "The rebalance is expected to lower volatility from 7.58% to 7.13%.",
    "Once markets move a sleeve beyond its band, we will sell or buy.",
    "Gold will be sold if it climbs past 7.5%.",
    "The scenario assumes that markets will fall by a third.",
    "That is a measure of risk, not a forecast of what markets will do.",
    "Past swings are no guide to future returns.",
    "The return on cash is not part of this memo.",
    "US large-cap shares have 2.15 points of room to rise before they reach their limit.",
    "The tax bill is expected to be lower than last year's.",
    "Markets will go on moving, and the weights with them.",
    "Sooner or later some sleeve will drift out of its band again.",
    "Expect the value to swing by about 7% in an ordinary year.",
    "Lower-rated borrowers could default if the economy weakens.",
    "Bonds would be hurt by rising rates, shares by a recession.",
    "A recession could push shares down and, with them, your portfolio.",
    "The policy does not let us trade on a view that prices will rise.",
    "Selling shares does not mean we expect them to fall.",
    "Future gains are uncertain.",
    "Should shares fall by a third, as in our scenario, the portfolio would be worth "
    "$677,433 less.",
    "On a bad month you might see the value drop by $60,996 or more.",
    "Expect some months to be worse.",
    "We have not tried to guess what shares will do.",
    "US large-cap shares will be sold if they rise above 18.5%, and bought if they fall "
    "below 14.5%.",
    "Treasuries would have to fall by 1.85 points before a trade.",
    "The next review is due on 31 December.",
    "Shares have come a long way since last year.",
    "Bonds lagged, because interest rates rose.",
    "We expect the final tax to be close to this figure.",
    "Your tax bill will rise by the estimate, $9,633.39.",
    "The coming review will look at the same limits.",
    "The trade will be reported in the next statement.",
    "More bonds should mean smaller swings.",
    "With fewer shares, the portfolio is likely to swing less.",
    "The holding will count as long-term from 15 August 2027.",
    "A worse crisis than the one in our scenario is possible.",
    "If shares fell by half it might take many years for them to recover.",
    "No one can promise that a loss will be recovered.",
    "The direction of markets played no part in these trades.",
    "Value at risk is computed with no expected return.",
    "In the worst case we tested, the portfolio would lose a sixth of its value.",
    "Inflation-linked bonds pay more when inflation rises.",
    "Credit losses would rise in a recession.",
    "If share prices bounce back, US large-cap shares may pass 24.5%.",
    "Expected shortfall is not part of this memo.",
    "Higher inflation would make your bonds' fixed payments worth less.",
    "Bonds will not always cushion a fall in shares.",
    "Because the policy is a rule, nobody has to judge where the market is going.",
    "The next crisis will not look like the last.",
    "Should the value at risk rise above 4.5%, we must act before the review.",
    "Shares will now make up 38.73% of the portfolio.",
    "Your funds will keep paying out dividends.",
    "You will see losses at times; that is what the risk figures describe.",
    "If prices stayed where they are, no trade would be due.",
    "Were markets to fall by a third, your portfolio would lose about 18%.",
    "If a crisis like the one we test for came, your portfolio would lose up to $285,492.",
    "In a bad month your portfolio could fall by as much as 3.39%.",
    "If stock markets dropped by a third, you should be prepared for a loss of about $677,000.",
    "There is no telling how much further shares might fall.",
    "Higher rates mean lower bond prices.",
    "Be prepared for swings of this size.",
    "We cannot promise returns.",
    "Prices have since moved, so the weights may differ a little from those shown.",
    "Costs will be higher if we trade more often.",
    "Rebalancing sells what has gone up and buys what has gone down.",
    "Had we done nothing, the portfolio would have swung more.",
    "Shares that have risen take up more room.",
    "Even in calm times, a month can turn out bad.",
    "Sooner or later there will be another crash.",
    "We do not try to time the market.",
    "Your policy was written without any view of future prices.",
    "The next rebalance could come soon if shares keep rising.",
    "Cash is likely to dip a little when the fees are charged.",
    "The tax will be due in April of next year.",
    "Nothing here should be read as saying that markets will do well or badly.",
)
PassedOver = Callable[[ModuleType, Iterable[str]], list[tuple[str, str]]]


def found(memo: str) -> tuple[str, ...]:
    return forecasts.forecasts(Candidate(render(memo)))


@pytest.mark.parametrize("sentence", (*FORECASTS, *DRESSED))
def test_takes_for_a_forecast(sentence: str) -> None:
    assert sentence in found(f"Dear client,\n\nAll is done. {sentence}\n")


@pytest.mark.parametrize("sentence", (*NO_FORECASTS, *HYPOTHETICAL))
def test_takes_for_no_forecast(sentence: str) -> None:
    assert found(f"Dear client,\n\nAll is done. {sentence}\n") == ()


def test_finds_a_forecast_in_a_list() -> None:
    memo = "- Shares: **up**.\n- Bonds are *likely to recover* next year.\n"
    assert found(memo) == ("Bonds are *likely to recover* next year.",)


def test_finds_a_forecast_in_a_table() -> None:
    memo = "| Sleeve | Comment |\n|---|---|\n| Gold | Gold will rise next year |\n"
    assert found(memo) == ("Gold | Gold will rise next year",)


def test_denial_before_a_forecast_does_not_hide_it() -> None:
    memo = "We never forecast; still, shares will climb in the coming months.\n"
    assert found(memo) == (memo.strip(),)


def test_finds_a_forecast_in_a_heading() -> None:
    assert found("## Shares will rise next year\n\nDone.\n") == ("Shares will rise next year",)


def test_reads_a_very_long_sentence_to_its_end() -> None:
    memo = "We sold " + "this and that, " * 400 + "and shares will rise next year.\n"
    assert len(found(memo)) == 1


def test_no_wording_needs_more_than_it_matches(passed_over: PassedOver) -> None:
    sentences = (*FORECASTS, *DRESSED, *NO_FORECASTS, *HYPOTHETICAL)
    assert passed_over(forecasts, sentences) == []
    assert passed_over(outlooks, sentences) == []
