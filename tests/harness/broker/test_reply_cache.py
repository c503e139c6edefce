"""Accepted replies are kept for the same request, endpoint, attempt and time, and for no other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.fake_model import Answer, FakeModel, completion
from tests.harness.broker.client import Client, request

from pae_harness.broker.reply_cache import ReplyCache, accepted_requests
from pae_verifiers.canonical import digest

Connect = Callable[..., Client]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAE_CACHE", str(tmp_path / "cache"))


def test_an_accepted_reply_serves_the_same_request(connect: Connect, upstream: FakeModel) -> None:
    cache = ReplyCache(upstream.url, 1)
    first = connect(cache=cache)
    heard = first.ask()
    cache.keep(first.grant.exchanges, [digest(request())])
    again = connect(cache=cache)
    assert again.ask().json == heard.json
    assert again.grant.usage == {"judge_calls": 0, "judge_reused": 1}
    assert [record["source"] for record in again.records()] == ["cache"]
    assert len(upstream.seen) == 1


def test_a_reply_that_no_verifier_accepted_is_not_kept(
    connect: Connect, upstream: FakeModel
) -> None:
    cache = ReplyCache(upstream.url, 1)
    client = connect(cache=cache)
    client.ask(request("rejected"))
    client.ask(request("accepted"))
    cache.keep(client.grant.exchanges, [digest(request("accepted"))])
    again = connect(cache=cache)
    again.ask(request("rejected"))
    assert len(upstream.seen) == 3


@pytest.mark.parametrize(
    ("url", "attempt", "body"),
    [
        (None, 2, request()),
        ("http://127.0.0.1:1/v1", 1, request()),
        (None, 1, request(temperature=1)),
    ],
)
def test_nothing_else_is_served(
    connect: Connect, upstream: FakeModel, url: str | None, attempt: int, body: dict[str, Any]
) -> None:
    cache = ReplyCache(upstream.url, 1)
    client = connect()
    client.ask()
    cache.keep(client.grant.exchanges, [digest(request())])
    assert ReplyCache(url or upstream.url, attempt).find(digest(body), 0) is None


def test_two_samples_of_one_request_stay_two(connect: Connect, upstream: FakeModel) -> None:
    upstream.answers = [completion("one"), completion("two"), completion("three")]
    cache = ReplyCache(upstream.url, 1)
    client = connect()
    client.ask()
    client.ask()
    cache.keep(client.grant.exchanges, [digest(request())] * 2)
    again = connect(cache=cache)
    assert [again.ask().text for _ in range(3)] == ["one", "two", "three"]


def test_an_error_is_never_kept(connect: Connect, upstream: FakeModel) -> None:
    upstream.answers = [Answer(400, b"{}")]
    cache = ReplyCache(upstream.url, 1)
    client = connect()
    client.ask()
    cache.keep(client.grant.exchanges, [digest(request())])
    assert cache.find(digest(request()), 0) is None


def test_a_broken_entry_is_none(connect: Connect, upstream: FakeModel, tmp_path: Path) -> None:
    cache = ReplyCache(upstream.url, 1)
    client = connect()
    client.ask()
    cache.keep(client.grant.exchanges, [digest(request())])
    (entry,) = (tmp_path / "cache").rglob("reply.json")
    entry.write_text("{")
    assert cache.find(digest(request()), 0) is None


@pytest.mark.parametrize(
    ("details", "accepted"),
    [
        ({"rubric": {"judge_record": {"accepted": "ab"}}}, ["ab"]),
        ({"rubric": {"judge_record": {"accepted": ["ab", "cd"]}}}, ["ab", "cd"]),
        ({"rubric": {"judge_record": {"accepted": None}}}, []),
        ({"rubric": {"judge": "rules"}}, []),
        ({"rubric": None}, []),
        ({}, []),
    ],
)
def test_the_verifier_says_what_it_accepted(details: dict[str, Any], accepted: list[str]) -> None:
    assert accepted_requests(details) == accepted
