"""What is taken for advice on the reader's own affairs, and what not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import ModuleType

import pytest

from pae_verifiers.judge import advice
from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.numbers.markdown import render

ADVICE = (
    "You should consider putting some of your savings into our growth fund.",
    "You should buy more gold.",
    "You should sell your other technology shares as well.",
    "We recommend that you top up your pension before year-end.",
    "We suggest moving your spare cash into bonds.",
    "It would be wise for you to pay off your mortgage first.",
    "Consider increasing your risk tolerance now that you have time on your side.",
    "You may want to move your emergency fund into short-term bonds.",
    "Now is a good time to add to your equity holdings.",
    "If I were you, I would hold more cash.",
    "Don't sell your other investments.",
    "Why not use the proceeds to pay down your debts?",
    "Our advice is to stay invested and ignore the noise.",
    "You ought to review your will and your life insurance.",
    "You'd be better off holding the international fund in your IRA.",
    "Take advantage of the lower price and buy now.",
    "I'd urge you to convert part of your retirement account to a Roth.",
    "You might consider delaying your retirement.",
    "Put your bonus into the bond fund.",
    "Personally, I think you need to take more risk.",
    "You could use the losses to offset gains in your other accounts.",
    "It makes sense for you to open a second account.",
    "Time to remortgage, if you ask us.",
    "My tip: put your bonus into the gold fund.",
    "Clients like you would be wise to hold more cash.",
    "We would encourage you to raise your pension contributions.",
    "You might sell some of your own shares as well.",
    "I would hold off on buying a house until rates fall.",
    "Use the spare cash to pay down your mortgage.",
    "This would be a good moment to review your pension.",
    "Consider a higher allocation to shares, given your age.",
    "We'd suggest raising your risk level a notch.",
    "Think about gifting some shares to your children.",
    "Maybe it is time to move your savings account here.",
    "Keep buying on dips.",
    "Please add $50,000 before the next review.",
    "A man of your age ought to hold more bonds.",
    "You really should be saving more for retirement.",
    "My suggestion would be to harvest losses in your other account.",
    "Do not sell anything until spring.",
    "Hold on to your gold.",
    "We advise you to set aside the tax in a savings account.",
    "You'd do well to keep six months of spending in cash.",
    "Set some money aside for the tax.",
    "Put the tax money aside now.",
    "It may be smart to convert to a Roth this year.",
)
NO_ADVICE = (
    "Please call us with any questions.",
    "You may withdraw money at any time.",
    "You do not need to do anything.",
    "Please keep this memo with your tax records.",
    "You should read this together with your policy statement.",
    "Tell us if your circumstances change.",
    "If you plan a large withdrawal, please tell us first so that we can plan for it.",
    "We sold some of your international shares and bought bonds.",
    "Please speak to your tax adviser about the gains.",
    "You should expect the value of your portfolio to go up and down.",
    "We recommend no change to the targets in your policy statement.",
    "The policy says that we must sell when a holding passes its upper limit.",
    "You will receive a statement from the custodian.",
    "It was sensible to leave property alone, because it was inside its range.",
    "We would sell shares and buy bonds if the weight passed 55%.",
    "This memo is not advice to buy or sell anything.",
    "We have held back one trade because the tax would have outweighed the benefit.",
    "You could lose money in a bad year.",
    "No action is needed from you, and there is nothing you should sell or buy.",
    "We needed to raise cash, and selling the fund with the smallest gain kept your tax bill low.",
    "If you need cash earlier than planned, let us know and we will adjust.",
    "Holding more bonds makes your portfolio steadier.",
    "You may wish to raise this with your accountant.",
    "You should know that the tax figure is an estimate.",
    "Bring the weight back to target: that is what your policy asks us to do.",
    "Any questions? Ring me.",
    "Nothing is needed from you; simply file this with your records.",
    "You might see a small cash balance for a day or two until the trades settle.",
    "We bought the bond fund and sold part of your US shares.",
    "If a withdrawal is planned, tell us early.",
    "You asked us to keep turnover low, and we did.",
    "Nothing is asked of you.",
    "Please ring me if anything is not clear.",
    "Keep this memo with your tax records.",
    "You could lose $60,996 in a bad month.",
    "If you pay in or take out $60,000 or more, we rebalance.",
    "Should you wish to change the policy, please call us.",
    "It is worth knowing that the estimate may change.",
    "The policy requires us to sell shares and buy bonds.",
    "We had to buy bonds.",
    "Selling your bonds at a loss has one benefit: the loss can be set against gains.",
    "It made sense to sell the newest lots first.",
    "A large withdrawal would make us sell some of your holdings.",
    "Your accountant can use this figure in your tax return.",
    "You own fewer shares and more bonds now.",
    "You might also like to read the policy again.",
    "You will find the trades in your next statement.",
)
PassedOver = Callable[[ModuleType, Iterable[str]], list[tuple[str, str]]]


def found(memo: str) -> tuple[str, ...]:
    return advice.advice(Candidate(render(memo)))


@pytest.mark.parametrize("sentence", ADVICE)
def test_takes_for_advice(sentence: str) -> None:
    assert sentence in found(f"Dear client,\n\nAll is done. {sentence}\n")


@pytest.mark.parametrize("sentence", NO_ADVICE)
def test_takes_for_no_advice(sentence: str) -> None:
    assert found(f"Dear client,\n\nAll is done. {sentence}\n") == ()


def test_denial_before_advice_does_not_hide_it() -> None:
    memo = "This is not advice, but you should buy more of the gold fund yourself.\n"
    assert found(memo) == (memo.strip(),)


def test_a_table_of_trades_is_no_advice() -> None:
    memo = "| Trade | Fund |\n|---|---|\n| Buy | Gold |\n| Sell | US Treasuries |\n"
    assert found(memo) == ()


def test_no_wording_needs_more_than_it_matches(passed_over: PassedOver) -> None:
    assert passed_over(advice, (*ADVICE, *NO_ADVICE)) == []
