"""A trial's budget: set aside before a call, so that calls side by side cannot overspend."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest
from tests.fake_model import Answer, FakeModel, completion
from tests.harness.broker.client import Client, request, until

from pae_harness.broker.ledger import Ledger, most_completion
from pae_harness.broker.refusal import Refusal
from pae_harness.broker.terms import Budget, Price
from pae_harness.broker.usage import Usage
from pae_verifiers.canonical import canonical

MESSAGES = "/v1/messages"
Connect = Callable[..., Client]
PRICE = Price(input=Decimal(10), output=Decimal(20))


def test_calls_are_counted(connect: Connect, upstream: FakeModel) -> None:
    client = connect(budget=Budget(calls=2))
    assert [client.ask().status for _ in range(3)] == [200, 200, 429]
    heard = client.ask()
    assert heard.code == "budget_exhausted"
    assert heard.headers["x-should-retry"] == "false"
    assert "all 2 calls of the trial's budget are made" in heard.json["error"]["message"]
    assert (len(upstream.seen), len(client.records())) == (2, 2)


def test_calls_side_by_side_do_not_overspend(connect: Connect, upstream: FakeModel) -> None:
    go = threading.Event()
    upstream.otherwise = lambda seen: Answer(body=completion().body, hold=go)
    client = connect(budget=Budget(calls=5))
    with ThreadPoolExecutor(20) as pool:
        asked = [pool.submit(client.ask) for _ in range(20)]
        until(lambda: sum(future.done() for future in asked) == 15)
        go.set()
        assert sorted(future.result().status for future in asked) == [200] * 5 + [429] * 15
    assert len(upstream.seen) == 5


def test_tokens_side_by_side_do_not_overspend(connect: Connect, upstream: FakeModel) -> None:
    """Each may use all its bytes and 100 tokens: there is room for two at once."""
    go = threading.Event()
    upstream.otherwise = lambda seen: Answer(body=completion().body, hold=go)
    body = request(max_tokens=100)
    most = len(canonical(body)) + 100
    client = connect(budget=Budget(tokens=3 * most - 1))
    with ThreadPoolExecutor(6) as pool:
        asked = [pool.submit(client.ask, body) for _ in range(6)]
        until(lambda: sum(future.done() for future in asked) == 4)
        go.set()
        assert sorted(future.result().status for future in asked) == [200] * 2 + [429] * 4
    assert client.ask(body).status == 200  # what was set aside and not used is there again


def test_who_leaves_before_the_end_pays_for_all_of_it(
    connect: Connect, upstream: FakeModel
) -> None:
    """Anthropic's streams begin with what the prompt took, and one token of the reply."""
    begin = {"message": {"usage": {"input_tokens": 10, "output_tokens": 1}}}
    pieces = (b"data: %s\n\n" % json.dumps(begin).encode(), b"data: {}\n\n")
    upstream.answers = [Answer(pieces=pieces, pause=threading.Event())]
    client = connect(budget=Budget(tokens=5000))
    connection = client.connection()
    body = json.dumps({**request(), "max_tokens": 4000, "stream": True})
    connection.request("POST", MESSAGES, body, {"x-api-key": client.grant.token})
    response = connection.getresponse()
    assert response.read1() == pieces[0]
    response.close()
    connection.close()
    until(client.records)
    heard = client.ask(max_tokens=4000)
    assert (heard.status, heard.code) == (429, "budget_exhausted")
    assert "judge_completion_tokens" not in client.grant.usage


@pytest.mark.parametrize(
    "more", [{"service_tier": "priority"}, {"service_tier": ["x"]}, {"speed": "fast"}]
)
def test_a_budget_in_dollars_pays_for_no_dearer_tier(
    connect: Connect, upstream: FakeModel, more: dict[str, object]
) -> None:
    client = connect({"price": PRICE}, budget=Budget(usd=Decimal(5)))
    heard = client.ask(max_tokens=10, **more)
    assert (heard.status, heard.code) == (400, "dearer_tier")
    assert client.ask(max_tokens=10, service_tier="flex").status == 200
    assert connect().ask(**more).status == 200


def test_records_have_a_size_in_all(connect: Connect, upstream: FakeModel) -> None:
    client = connect(budget=Budget(record_bytes=20_000))
    assert client.ask(request("x" * 30_000)).status == 200
    heard = client.ask()
    assert (heard.status, heard.code) == (429, "records_full")
    assert len(client.records()) == len(upstream.seen) == 1


def test_the_endpoint_s_own_cost_counts_first(connect: Connect, upstream: FakeModel) -> None:
    usage = {"prompt_tokens": 11, "completion_tokens": 7, "cost": 0.25}
    upstream.otherwise = lambda seen: completion(usage=usage)
    client = connect({"price": PRICE}, budget=Budget(usd=Decimal("0.5")))
    assert client.ask(max_tokens=10).status == 200
    assert client.grant.usage["judge_cost_usd"] == 0.25
    assert [client.ask(max_tokens=10).status for _ in range(2)] == [200, 429]


def test_tokens_are_priced_where_the_endpoint_names_no_cost(connect: Connect) -> None:
    client = connect({"price": PRICE})
    client.ask()
    assert client.grant.usage["judge_cost_usd"] == pytest.approx((11 * 10 + 7 * 20) / 1e6)


def test_a_cost_that_nobody_knows_is_not_reported(connect: Connect, upstream: FakeModel) -> None:
    client = connect()
    client.ask()
    assert client.grant.usage == {
        "judge_calls": 1,
        "judge_prompt_tokens": 11,
        "judge_completion_tokens": 7,
    }
    upstream.answers = [Answer(body=b'{"choices": []}')]
    client.ask()
    assert client.grant.usage == {"judge_calls": 2}


def test_what_the_endpoint_refused_is_known_to_have_cost_nothing(
    connect: Connect, upstream: FakeModel
) -> None:
    upstream.answers = [Answer(400, b"{}")]
    client = connect()
    client.ask()
    assert client.grant.usage == {
        "judge_calls": 1,
        "judge_prompt_tokens": 0,
        "judge_completion_tokens": 0,
        "judge_cost_usd": 0.0,
    }


def test_money_is_set_aside_at_its_most() -> None:
    ask = request(max_tokens=1000)
    most = PRICE.of(len(canonical(ask)), 1000)
    ledger = Ledger(Budget(usd=most), PRICE)
    held = ledger.reserve(ask)
    with pytest.raises(Refusal, match="budget"):
        ledger.reserve(ask)
    ledger.settle(held, Usage(0, 0, Decimal(0)))
    assert ledger.reserve(ask).usd == most


def test_a_request_without_a_bound_takes_all_that_is_left() -> None:
    ledger = Ledger(Budget(tokens=1000), None)
    held = ledger.reserve(request())
    assert held.tokens == 1000
    with pytest.raises(Refusal, match="it may use"):
        ledger.reserve(request())
    ledger.settle(held, Usage(100, 50))
    assert ledger.reserve(request()).tokens == 850


def test_what_nobody_can_tell_stays_spent() -> None:
    ledger = Ledger(Budget(tokens=1000), None)
    ledger.settle(ledger.reserve(request()), None)
    with pytest.raises(Refusal):
        ledger.reserve(request())


def test_an_endpoint_that_refuses_costs_nothing(connect: Connect, upstream: FakeModel) -> None:
    upstream.answers = [Answer(400, b"{}")]
    client = connect(budget=Budget(tokens=2000))
    assert [client.ask().status for _ in range(2)] == [400, 200]


@pytest.mark.parametrize(
    ("more", "most"),
    [
        ({"max_tokens": 5}, 5),
        ({"max_completion_tokens": 7, "max_tokens": 5}, 7),
        ({"max_tokens": 5, "n": 3}, 15),
        ({"max_tokens": -1}, None),
        ({"max_tokens": True}, None),
        ({}, None),
        ({"max_tokens": 500, "max_completion_tokens": 1}, 500),  # servers differ in which counts
        ({"max_tokens": 10, "n": 3.0}, None),
        ({"max_tokens": 10, "n": "3"}, None),
        ({"max_tokens": 10, "n": None}, 10),
        ({"max_tokens": 10, "best_of": 4, "n": 2}, 40),
    ],
)
def test_how_long_a_reply_can_be(more: dict[str, object], most: int | None) -> None:
    assert most_completion({**request(), **more}) == most
