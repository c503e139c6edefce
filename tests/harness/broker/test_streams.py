"""A reply that comes in pieces passes as it comes, and is recorded whole."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.client import IncompleteRead

import pytest
from tests.fake_model import KEY, Answer, FakeModel
from tests.harness.broker.client import CHAT, Client, request

Connect = Callable[..., Client]
EVENTS = (
    b'data: {"model": "small-2", "choices": [{"delta": {"content": "ye"}}]}\n\n',
    b'data: {"model": "small-2", "choices": [{"delta": {"content": "s"}}]}\n\n',
    b'data: {"choices": [], "usage": {"prompt_tokens": 4, "completion_tokens": 2}}\n\n',
    b"data: [DONE]\n\n",
)
STREAM = {"content-type": "text/event-stream"}


def test_pieces_pass_as_they_come(connect: Connect, upstream: FakeModel) -> None:
    rest = threading.Event()
    upstream.answers = [Answer(pieces=EVENTS, headers=STREAM, pause=rest)]
    client = connect()
    connection = client.connection()
    head = {"authorization": f"Bearer {client.grant.token}"}
    connection.request("POST", CHAT, json.dumps(request(stream=True)), head)
    response = connection.getresponse()
    assert response.getheader("content-type") == "text/event-stream"
    assert response.read(len(EVENTS[0])) == EVENTS[0]
    rest.set()
    assert response.read() == b"".join(EVENTS[1:])
    connection.close()


def test_the_whole_is_recorded_with_its_usage(connect: Connect, upstream: FakeModel) -> None:
    upstream.answers = [Answer(pieces=EVENTS, headers=STREAM)]
    client = connect()
    client.ask(stream=True)
    (record,) = client.records()
    assert record["text"] == b"".join(EVENTS).decode()
    assert (record["status"], record["model"]) == (200, "small-2")
    assert record["usage"] == {"prompt_tokens": 4, "completion_tokens": 2}


def test_a_key_is_cut_out_though_it_comes_in_two_pieces(
    connect: Connect, upstream: FakeModel
) -> None:
    for cut in range(1, len(KEY)):
        pieces = (f"data: {KEY[:cut]}".encode(), f"{KEY[cut:]} end\n\n".encode())
        upstream.answers.append(Answer(pieces=pieces, headers=STREAM))
    client = connect()
    for _ in range(1, len(KEY)):
        assert client.ask(stream=True).body == b"data: [key] end\n\n"


def test_a_failure_before_the_first_piece_is_waited_out(
    connect: Connect, upstream: FakeModel
) -> None:
    upstream.answers = [Answer(500), Answer(pieces=EVENTS, headers=STREAM)]
    assert connect().ask(stream=True).body == b"".join(EVENTS)


def test_a_stream_that_breaks_off_breaks_off_for_the_box_too(
    connect: Connect, upstream: FakeModel
) -> None:
    upstream.answers = [Answer(pieces=EVENTS[:2], headers=STREAM, drop=True)]
    client = connect()
    with pytest.raises(IncompleteRead):
        client.ask(stream=True)
    (record,) = client.records()
    assert (record["status"], record["text"]) == (None, b"".join(EVENTS[:2]).decode())
    assert "broke off" in record["why"]
    assert len(upstream.seen) == 1


def test_a_stream_ends_at_the_deadline(connect: Connect, upstream: FakeModel) -> None:
    upstream.answers = [Answer(pieces=EVENTS, headers=STREAM, pause=threading.Event())]
    client = connect(seconds=0.3)
    with pytest.raises(IncompleteRead):
        client.ask(stream=True)
    assert client.records()[0]["why"] == "the trial's 0.3 s for its model are over"
    assert upstream.left.wait(20)
