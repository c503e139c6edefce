"""What the broker does not pass on: each refusal has a status, a code and a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.client import RemoteDisconnected

import pytest
from tests.fake_model import FakeModel
from tests.harness.broker.client import CHAT, Client, request

from pae_harness.broker.terms import Sizes

Connect = Callable[..., Client]


@pytest.fixture(autouse=True)
def nobody_is_asked(upstream: FakeModel) -> Iterator[None]:
    """No refusal costs anything."""
    yield
    assert upstream.seen == []


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"authorization": "Bearer "},
        {"authorization": "Bearer pae-guess"},
        {"x-api-key": "pae-guess"},
        {"authorization": "Basic cGFlOng="},
    ],
)
def test_who_has_no_token_is_refused(connect: Connect, headers: dict[str, str]) -> None:
    heard = connect().send("POST", CHAT, request(), headers)
    assert (heard.status, heard.code) == (401, "invalid_api_key")
    assert heard.headers["x-should-retry"] == "false"


def test_a_token_opens_no_other_trial_s_socket(connect: Connect) -> None:
    one, other = connect(), connect()
    head = {"authorization": f"Bearer {one.grant.token}"}
    assert other.send("GET", "/v1/models", headers=head).status == 401


@pytest.mark.parametrize("model", ["large", "", None, ["small"], {"small": 1}, "small "])
def test_no_other_model_can_be_asked(connect: Connect, model: object) -> None:
    client = connect()
    heard = client.ask({**request(), "model": model})
    assert (heard.status, heard.code) == (403, "model_not_allowed")
    assert "this trial may ask small, no other model" in heard.json["error"]["message"]
    assert client.records() == []


@pytest.mark.parametrize("name", ["models", "fallbacks"])
@pytest.mark.parametrize("value", [["large"], ["small", "large"], [{"model": "large"}], "large"])
def test_no_other_model_can_step_in(connect: Connect, name: str, value: object) -> None:
    """As OpenRouter and LiteLLM's proxy let a request ask for."""
    heard = connect().ask({**request(), name: value})
    assert (heard.status, heard.code) == (403, "model_not_allowed")


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"5", b'{"model": NaN}', b"[" * 100_000, b"\xff{}"]
)
def test_what_is_no_json_object_is_refused(connect: Connect, body: bytes) -> None:
    heard = connect().send("POST", CHAT, body)
    assert (heard.status, heard.code) == (400, "invalid_json")


def test_a_request_has_a_bound(connect: Connect) -> None:
    client = connect({"sizes": Sizes(request=1000)})
    heard = client.ask(request("x" * 1000))
    assert (heard.status, heard.code) == (413, "request_too_large")


def test_a_request_of_unknown_length_has_the_same_bound(connect: Connect) -> None:
    client = connect({"sizes": Sizes(request=1000)})
    pieces = iter([b'{"model": "small", "x": "', b"x" * 2000, b'"}'])
    connection = client.connection()
    head = {"authorization": f"Bearer {client.grant.token}", "transfer-encoding": "chunked"}
    connection.request("POST", CHAT, pieces, head, encode_chunked=True)
    assert connection.getresponse().status == 413
    connection.close()


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1/chat/completions", 405),
        ("POST", "/v1/models", 405),
        ("POST", "/v1/embeddings", 404),
        ("POST", "/v1/files", 404),
        ("GET", "/", 404),
        ("POST", "/v1/chat/completions/../files", 404),
        ("POST", "//v1/chat/completions", 404),
    ],
)
def test_there_is_nothing_else(connect: Connect, method: str, path: str, status: int) -> None:
    assert connect().send(method, path, request()).status == status


def test_a_refusal_reads_as_openai_s_own(connect: Connect) -> None:
    heard = connect().send("GET", "/v2/models")
    error = json.loads(heard.body)["error"]
    assert error == {
        "message": "there is /v1/chat/completions, /v1/messages, /v1/models, and nothing else",
        "type": "broker_error",
        "param": None,
        "code": "not_found",
    }


def test_a_box_cannot_use_up_the_host_s_connections(connect: Connect) -> None:
    client = connect({"sizes": Sizes(connections=3)})
    head = {"authorization": f"Bearer {client.grant.token}"}
    with ExitStack() as stack:
        for _ in range(3):
            connection = client.connection()
            stack.callback(connection.close)
            connection.connect()
        with pytest.raises((RemoteDisconnected, ConnectionError)):
            client.send("GET", "/v1/models", headers=head)
