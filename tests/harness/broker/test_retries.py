"""Failures that pass are waited out within the deadline; others, and the last, are passed on."""

from __future__ import annotations

import shutil
import ssl
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.fake_model import KEY, Answer, FakeModel, completion
from tests.harness.broker.client import Client

from pae_harness.broker.broker import Broker
from pae_harness.broker.terms import Patience
from pae_verifiers.judge.models import parse

Connect = Callable[..., Client]
BUSY = b'{"error": {"message": "busy"}}'


def self_signed(folder: Path) -> Path:
    """A certificate for this machine that nobody signed, and its key, in one file."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl here")
    path = folder / "own.pem"
    subprocess.run(
        [
            *(openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"),
            *("-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"),
            *("-keyout", path, "-out", folder / "certificate"),
        ],
        check=True,
        capture_output=True,
    )
    path.write_bytes(path.read_bytes() + (folder / "certificate").read_bytes())
    return path


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 522, 529])
def test_a_failure_that_passes_is_not_seen_by_the_box(
    connect: Connect, upstream: FakeModel, status: int
) -> None:
    upstream.answers = [Answer(status, BUSY), Answer(status, BUSY), completion()]
    client = connect()
    assert client.ask().text == "yes"
    (record,) = client.records()
    assert record["failed_attempts"] == [f"HTTP {status}"] * 2


@pytest.mark.parametrize(
    "answer",
    [
        Answer(429, b'{"error": {"code": "insufficient_quota"}}'),
        Answer(503, BUSY, {"x-should-retry": "false"}),
    ],
    ids=["no money left", "the endpoint says so"],
)
def test_what_will_not_pass_is_passed_on_at_once(
    connect: Connect, upstream: FakeModel, answer: Answer
) -> None:
    upstream.answers = [answer]
    assert connect().ask().status == answer.status
    assert len(upstream.seen) == 1


def test_a_connection_that_drops_is_made_again(connect: Connect, upstream: FakeModel) -> None:
    upstream.answers = [Answer(drop=True), completion()]
    client = connect()
    assert client.ask().text == "yes"
    assert "cannot be reached" in client.records()[0]["failed_attempts"][0]


def test_an_answer_that_breaks_off_is_asked_for_again(
    connect: Connect, upstream: FakeModel
) -> None:
    upstream.answers = [Answer(pieces=(b'{"mod',), drop=True), completion()]
    assert connect().ask().text == "yes"


def test_an_attempt_that_takes_too_long_is_given_up(connect: Connect, upstream: FakeModel) -> None:
    upstream.answers = [Answer(hold=threading.Event()), completion()]
    patience = Patience(deadline=20, attempt=0.2, first_wait=0.001)
    client = connect({"patience": patience})
    assert client.ask().text == "yes"
    assert client.records()[0]["failed_attempts"] == ["the endpoint took too long"]


def test_the_last_failure_is_passed_on_and_not_to_be_tried_again(
    connect: Connect, upstream: FakeModel
) -> None:
    upstream.otherwise = lambda seen: Answer(503, BUSY, {"retry-after": "0"})
    client = connect()
    heard = client.ask()
    assert (heard.status, heard.body, len(upstream.seen)) == (503, BUSY, 4)
    assert heard.headers["x-should-retry"] == "false"
    assert client.records()[0]["failed_attempts"] == ["HTTP 503"] * 4


def test_an_endpoint_that_is_not_there_is_said(connect: Connect, upstream: FakeModel) -> None:
    client = connect()
    upstream.close()
    heard = client.ask()
    assert (heard.status, heard.code) == (502, "upstream_unreachable")
    assert client.records()[0]["status"] == 502


def test_a_wait_beyond_the_deadline_is_not_begun(connect: Connect, upstream: FakeModel) -> None:
    upstream.otherwise = lambda seen: Answer(429, BUSY, {"retry-after": "3600"})
    heard = connect().ask()
    assert (heard.status, len(upstream.seen)) == (429, 1)
    assert heard.headers["retry-after"] == "3600"


def test_the_deadline_ends_what_is_under_way(connect: Connect, upstream: FakeModel) -> None:
    upstream.answers = [Answer(hold=threading.Event())]
    client = connect(seconds=0.3)
    heard = client.ask()
    assert (heard.status, heard.code) == (504, "deadline_exceeded")
    assert "the trial's 0.3 s for its model are over" in heard.json["error"]["message"]
    assert upstream.left.wait(20)
    assert client.records()[0]["status"] == 504


def test_after_the_deadline_nobody_is_asked(connect: Connect, upstream: FakeModel) -> None:
    client = connect(seconds=0.01)
    time.sleep(0.05)
    assert client.ask().status == 504
    assert upstream.seen == []


def test_an_endpoint_that_nobody_vouches_for_is_said_at_once(
    upstream: FakeModel, tmp_path: Path
) -> None:
    """A certificate that is not trusted will not be trusted the next time either."""
    pem = self_signed(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    upstream.wrap(context)
    model = parse(f"small@{upstream.url.replace('http:', 'https:')}")
    with Broker(model, KEY) as broker, broker.grant(tmp_path, models=["small"]) as grant:
        heard = Client(grant, tmp_path).ask()
    assert (heard.status, heard.code) == (502, "upstream_unreachable")
    assert "certificate" in heard.json["error"]["message"].lower()
    assert upstream.seen == []


def test_a_proxy_is_not_asked_the_way_to_this_machine(
    connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert connect().ask().text == "yes"
