"""What is taken for a forecast of markets or returns, and what not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import ModuleType

import pytest

from pae_verifiers.judge import forecasts
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
PassedOver = Callable[[ModuleType, Iterable[str]], list[tuple[str, str]]]


def found(memo: str) -> tuple[str, ...]:
    return forecasts.forecasts(Candidate(render(memo)))


@pytest.mark.parametrize("sentence", FORECASTS)
def test_takes_for_a_forecast(sentence: str) -> None:
    assert sentence in found(f"Dear client,\n\nAll is done. {sentence}\n")


@pytest.mark.parametrize("sentence", NO_FORECASTS)
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
    assert passed_over(forecasts, (*FORECASTS, *NO_FORECASTS)) == []
