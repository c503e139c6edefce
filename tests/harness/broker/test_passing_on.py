"""A request from a box reaches the endpoint with the key, and its answer comes back without it."""

from __future__ import annotations

from collections.abc import Callable

from tests.harness.broker.client import Client
from tests.harness.broker.endpoint import KEY, Endpoint

Connect = Callable[..., Client]


def test_the_token_is_replaced_by_the_key(connect: Connect, upstream: Endpoint) -> None:
    client = connect()
    assert client.ask().text == "yes"
    (seen,) = upstream.seen
    assert seen.path == "/v1/chat/completions"
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert client.grant.token not in str(seen)
