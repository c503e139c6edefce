"""A request from a box reaches the endpoint with the key, and its answer comes back as it is."""

from __future__ import annotations

import gzip
from collections.abc import Callable

import pytest
from tests.fake_model import KEY, Answer, FakeModel, completion
from tests.harness.broker.client import Client, request

Connect = Callable[..., Client]


def test_the_token_is_replaced_by_the_key(connect: Connect, upstream: FakeModel) -> None:
    client = connect()
    assert client.ask().text == "yes"
    (seen,) = upstream.seen
    assert seen.path == "/v1/chat/completions"
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert client.grant.token not in str(seen)


def test_the_request_is_passed_on_as_it_is(connect: Connect, upstream: FakeModel) -> None:
    asked = request("Fünf «Zitate»\n\ud83d", temperature=0.0, seed=7, response_format={"type": "x"})
    connect().ask(asked)
    assert upstream.seen[0].json == asked
    assert list(upstream.seen[0].json) == list(asked)


def test_of_a_key_that_stands_twice_the_endpoint_sees_what_was_checked(
    connect: Connect, upstream: FakeModel
) -> None:
    client = connect()
    body = b'{"model": "dear", "model": "small", "messages": []}'
    assert client.send("POST", "/v1/chat/completions", body).status == 200
    assert upstream.seen[0].body.count(b"model") == 1


def test_no_other_header_of_the_box_goes_out(connect: Connect, upstream: FakeModel) -> None:
    client = connect()
    own = {
        "x-api-key": client.grant.token,
        "cookie": "a=b",
        "x-forwarded-for": "1.2.3.4",
        "openai-organization": "another",
    }
    client.send("POST", "/v1/chat/completions", request(), own)
    assert set(upstream.seen[0].headers) == {
        *("accept", "accept-encoding", "authorization", "connection", "content-length"),
        *("content-type", "host", "user-agent"),
    }


def test_anthropic_s_messages_pass_with_its_own_header(
    connect: Connect, upstream: FakeModel
) -> None:
    reply = b'{"model": "small", "usage": {"input_tokens": 5, "output_tokens": 2}}'
    upstream.answers = [Answer(body=reply)]
    client = connect()
    heard = client.send("POST", "/v1/messages", request(), {"x-api-key": client.grant.token})
    (seen,) = upstream.seen
    assert (heard.status, heard.body, seen.path) == (200, reply, "/v1/messages")
    assert (seen.headers["x-api-key"], seen.headers["anthropic-version"]) == (KEY, "2023-06-01")
    assert "authorization" not in seen.headers
    assert client.grant.usage["judge_prompt_tokens"] == 5


def test_an_endpoint_without_a_key_is_sent_none(connect: Connect, upstream: FakeModel) -> None:
    connect({"key": ""}).ask()
    assert "authorization" not in upstream.seen[0].headers


@pytest.mark.parametrize("status", [400, 401, 404, 422])
def test_an_error_that_stays_is_passed_on_at_once(
    connect: Connect, upstream: FakeModel, status: int
) -> None:
    upstream.answers = [Answer(status, b'{"error": {"message": "no temperature"}}')]
    heard = connect().ask()
    assert (heard.status, heard.body) == (status, b'{"error": {"message": "no temperature"}}')
    assert heard.headers["x-should-retry"] == "false"
    assert len(upstream.seen) == 1


def test_a_redirect_is_not_followed(connect: Connect, upstream: FakeModel) -> None:
    upstream.answers = [Answer(307, headers={"location": f"{upstream.url}/elsewhere"})]
    heard = connect().ask()
    assert (heard.status, heard.code) == (502, "upstream_redirect")
    assert len(upstream.seen) == 1


def test_a_reply_has_a_bound(connect: Connect, upstream: FakeModel) -> None:
    from pae_harness.broker.terms import Sizes

    upstream.answers = [Answer(body=b" " * 2000)]
    heard = connect({"sizes": Sizes(reply=1000)}).ask()
    assert (heard.status, heard.code) == (502, "reply_too_large")


@pytest.mark.parametrize("stream", [False, True])
def test_a_reply_that_is_compressed_twice_is_not_unpacked(
    connect: Connect, upstream: FakeModel, stream: bool
) -> None:
    """A few bytes could become any number."""
    body = gzip.compress(gzip.compress(completion().body))
    upstream.answers = [Answer(body=body, headers={"content-encoding": "gzip, gzip"})]
    heard = connect().ask(stream=stream)
    assert (heard.status, heard.code) == (502, "reply_compressed_twice")


def test_a_reply_that_is_compressed_is_unpacked(connect: Connect, upstream: FakeModel) -> None:
    body = gzip.compress(completion().body)
    upstream.answers = [Answer(body=body, headers={"content-encoding": "gzip"})]
    assert connect().ask().text == "yes"


def test_a_header_of_any_letters_is_passed_on(connect: Connect, upstream: FakeModel) -> None:
    name = "日".encode().decode("latin-1")
    upstream.answers = [Answer(body=completion().body, headers={"x-request-id": name})]
    heard = connect().ask()
    assert (heard.status, heard.headers["x-request-id"]) == (200, "?")


def test_the_models_are_those_that_are_allowed(connect: Connect, upstream: FakeModel) -> None:
    heard = connect(models=["small", "large"]).send("GET", "/v1/models")
    assert [model["id"] for model in heard.json["data"]] == ["small", "large"]
    assert upstream.seen == []


def test_a_connection_is_kept(connect: Connect) -> None:
    client = connect()
    connection = client.connection()
    head = {"authorization": f"Bearer {client.grant.token}"}
    for _ in range(3):
        connection.request("GET", "/v1/models", headers=head)
        assert connection.getresponse().read()
    connection.close()
