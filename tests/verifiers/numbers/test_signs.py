"""Which numbers a direction word or a loss makes negative, over coordination as well."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pae_verifiers.numbers import markdown, scanner
from pae_verifiers.numbers.model import EXEMPT_KINDS


def values(text: str) -> list[Decimal]:
    numbers = scanner.scan(markdown.render(text)).quantities
    assert all(q.sign_from_word == (q.value < 0) for q in numbers)
    return [q.value for q in numbers if q.kind not in EXEMPT_KINDS]


CHANGES = [
    "It narrowed by 1.2 points.",
    "The gap narrowed 1.2 points.",
    "It shrank by 1.2 points.",
    "It eased by 1.2 points.",
    "It slid 1.2%.",
    "It slipped by 1.2%.",
    "It shed 1.2%.",
    "It slumped 1.2%.",
    "It dipped 1.2%.",
    "It dropped 1.2%.",
    "It declined 1.2%.",
    "It retreated 1.2%.",
    "It gave up 1.2%.",
    "It gave back 1.2%.",
    "It edged down 1.2%.",
    "It edged lower by 1.2%.",
    "It came down by 1.2 points.",
    "It was trimmed by 1.2 points.",
    "We shaved off 1.2 points.",
    "We took 1.2 points off US shares.",
    "We cut 1.2 points from US shares.",
    "It is below target by 1.2 points.",
    "The net realised loss was $1.2.",
    "A realised short-term loss: $1.2",
    "The losses were $1.2.",
    "The loss on these lots amounted to $1.2.",
    "The loss on these lots came to about $1.2.",
    "The loss totalled $1.2.",
    "Net loss = $1.2",
    "The loss (locked in by selling) was $1.2.",
]


@pytest.mark.parametrize("text", CHANGES)
def test_change_is_negative(text: str) -> None:
    assert values(text) == [Decimal("-1.2")]


LEVELS = [
    "A loss limit of 23%.",
    "The loss limit is 23%.",
    "Stop-loss at 23%.",
    "A loss carry-forward of $23.",
    "The loss carry-forward used was $23.",
    "The tax-loss harvest was $23.",
    "The monthly loss is $23.",
    "The loss in a bad month is 23%.",
    "After the loss, the weight was 23%.",
    "The gain (profit less losses): $23",
    "Gains less losses were $23.",
    "Drawdown (loss in a severe fall): 23%",
    "It sold at a loss and the weight was 23%.",
    "The gap narrowed to 23 points.",
    "We took $23 from the till.",
]


@pytest.mark.parametrize("text", LEVELS)
def test_level_stays_positive(text: str) -> None:
    assert values(text) == [Decimal(23)]


COORDINATED = [
    ("The US fund's price fell 15.6% and the international fund's 13.6%.", "-15.6", "-13.6"),
    ("The US fund’s price fell 15.6%, and the international fund’s 13.6%.", "-15.6", "-13.6"),
    ("They fell by 22.2% and 11.1% respectively.", "-22.2", "-11.1"),
    ("They fell 3–5%.", "-3", "-5"),
    ("Shares fell 3%, bonds 2%.", "-3", "-2"),
    ("Shares fell 3% and bonds 2%.", "-3", "-2"),
    ("A loss of $8,748.32 on bonds and of $3,084.41 on bills.", "-8748.32", "-3084.41"),
    ("We lost $300 on bonds and $200 on shares.", "-300", "-200"),
    ("It fell 3% in May 2026 and 2% in June 2026.", "-3", "-2"),
    ("It rose 2.7% and fell 1.1%.", "2.7", "-1.1"),
    ("It fell 1.1% and rose 2.7%.", "-1.1", "2.7"),
    ("It fell 3%, while bonds rose 2%.", "-3", "2"),
    ("It fell 3% and costs were 2%.", "-3", "2"),
    ("It fell 3%, leaving bonds 2% higher.", "-3", "2"),
    ("It fell 3%, to 20%.", "-3", "20"),
    ("It fell 3% and +2%.", "-3", "2"),
    ("It fell 3% and 2% was added.", "-3", "2"),
    ("It fell 3%. And 2% is cash.", "-3", "2"),
    ("It fell 3% and $2.", "-3", "2"),
    ("It rose 3% and 2%.", "3", "2"),
]


@pytest.mark.parametrize(("text", "first", "second"), COORDINATED)
def test_numbers_share_a_direction_word(text: str, first: str, second: str) -> None:
    assert values(text) == [Decimal(first), Decimal(second)]
