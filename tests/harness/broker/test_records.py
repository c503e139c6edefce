"""Every exchange is kept as one file, named by its number and its request, and without the key."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.fake_model import KEY, Answer, FakeModel
from tests.harness.broker.client import CHAT, Client, request, until

Connect = Callable[..., Client]


def test_a_record_has_request_and_reply(connect: Connect, upstream: FakeModel) -> None:
    client = connect()
    client.ask(request("One?"))
    client.ask(request("Two?"))
    first, second = client.records()
    assert first["request"] == request("One?")
    assert first["reply"]["choices"][0]["message"]["content"] == "yes"
    assert (first["number"], second["number"]) == (1, 2)
    assert (first["status"], first["source"], first["model"]) == (
        *(200, "upstream"),
        "small-2026-01-01",
    )
    assert first["usage"] == {"prompt_tokens": 11, "completion_tokens": 7}
    assert first["failed_attempts"] == []
    assert first["seconds"] >= 0


def test_its_name_is_the_request_s_digest(connect: Connect) -> None:
    client = connect()
    client.ask(request("One?"))
    text = '{"messages":[{"content":"One?","role":"user"}],"model":"small"}'
    name = hashlib.sha256(text.encode()).hexdigest()
    assert [path.name for path in client.folder.glob("judge/*")] == [f"001-{name}.json"]


def test_a_reply_that_is_no_json_is_kept_as_text(connect: Connect, upstream: FakeModel) -> None:
    upstream.answers = [Answer(body=b"<html>\xff", headers={"content-type": "text/html"})]
    client = connect()
    assert client.ask().body == b"<html>\xff"
    assert client.records()[0]["text"] == "<html>\ufffd"


def test_who_leaves_has_its_request_cancelled_and_recorded(
    connect: Connect, upstream: FakeModel
) -> None:
    upstream.answers = [Answer(hold=threading.Event())]
    client = connect()
    connection = client.connection()
    head = {"authorization": f"Bearer {client.grant.token}"}
    connection.request("POST", CHAT, json.dumps(request()), head)
    until(lambda: upstream.seen)
    connection.close()
    assert upstream.left.wait(20)
    until(client.records)
    (record,) = client.records()
    assert (record["status"], record["why"]) == (None, "the box left before the answer came")


def test_a_record_that_cannot_be_written_is_no_verdict(
    connect: Connect, upstream: FakeModel
) -> None:
    client = connect()
    (client.folder / "judge").write_text("in the way")
    heard = client.ask()
    assert (heard.status, heard.code) == (500, "not_recorded")


def _forms() -> dict[str, str]:
    key = KEY.encode()
    return {
        "plain": KEY,
        "hex": key.hex(),
        "hex in capitals": key.hex().upper(),
        **{
            f"base64 after {n}": base64.b64encode(b"x" * n + key + b"yz").decode() for n in range(3)
        },
        "url-safe base64": base64.urlsafe_b64encode(b"Bearer " + key).decode(),
        "percent-encoded": "sk-test-0123456789abcdef%2F%2B%3D",
        "percent-encoded in small letters": "sk-test-0123456789abcdef%2f%2b%3d",
    }


@pytest.mark.parametrize("form", _forms().values(), ids=_forms().keys())
@pytest.mark.parametrize("status", [200, 401])
def test_a_key_that_the_endpoint_quotes_goes_no_further(
    connect: Connect, upstream: FakeModel, form: str, status: int
) -> None:
    body = json.dumps({"error": {"message": f"wrong key {form}!"}}).encode()
    upstream.answers = [Answer(status, body, {"x-request-id": KEY})]
    client = connect()
    heard = client.ask()
    kept = b"".join(path.read_bytes() for path in client.folder.rglob("*.json"))
    for place in (heard.body, kept, str(heard.headers).encode()):
        for secret in _forms().values():
            assert secret.encode() not in place
            assert secret[3:-6].encode() not in place
    assert b"[key]" in heard.body


@pytest.mark.parametrize(
    "escaped",
    [
        KEY.replace("/", "\\/"),
        KEY.replace("s", "\\u0073").replace("+", "\\u002B"),
        KEY.replace("k", "\\\\u006b"),
        "".join(f"\\u{ord(c):04x}" for c in KEY),
    ],
)
def test_a_key_that_is_quoted_with_json_s_escapes_goes_no_further(
    connect: Connect, upstream: FakeModel, escaped: str
) -> None:
    upstream.answers = [Answer(401, b'{"error": {"message": "wrong key %s!"}}' % escaped.encode())]
    client = connect()
    heard = client.ask()
    [kept] = client.records()
    for said in (heard.json, kept["reply"]):
        assert said["error"]["message"] == "wrong key [key]!"


def test_the_key_is_in_no_representation(connect: Connect, upstream: FakeModel) -> None:
    from pae_harness.broker.broker import Broker

    assert KEY not in repr(Broker(upstream.model, KEY))


def test_what_is_kept_appears_whole(connect: Connect, tmp_path: Path) -> None:
    client = connect()
    client.ask()
    assert [path.suffix for path in client.folder.glob("judge/*")] == [".json"]


def test_an_agents_exchanges_are_on_the_disk_and_not_in_memory(connect: Connect) -> None:
    client = connect(role="agent")
    question = request("long " * 1000)
    client.ask(question)
    (kept,) = client.grant.exchanges
    assert kept.request == {"model": "small"}
    assert kept.body == b""
    assert client.grant.usage["agent_calls"] == 1.0
    (path,) = client.folder.glob("agent/*.json")
    assert json.loads(path.read_text())["request"] == question
