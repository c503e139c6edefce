"""Whether a model is out of reach is what the broker's own plain question says, not a box's."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.fake_model import KEY, Answer, FakeModel, Seen, completion
from tests.harness.broker.client import CHAT, Client, request, until

from pae_harness.broker.control import brief
from pae_harness.broker.terms import Budget, Patience

Connect = Callable[..., Client]
MESSAGES = "/v1/messages"
DOWN = Answer(503, b'{"error": {"message": "busy"}}', {"retry-after": "0"})
PLAIN = {"model": "small", "messages": [{"role": "user", "content": "Reply with OK."}]}


@pytest.fixture
def agent(connect: Connect) -> Client:
    """An agent's box."""
    return connect(role="agent")


def to_marked(answer: Answer) -> Callable[[Seen], Answer]:
    """Gives ``answer`` to what says "odd", else a completion."""
    return lambda seen: answer if b"odd" in seen.body else completion()


def test_an_endpoint_that_is_down_is_out_of_reach(agent: Client, upstream: FakeModel) -> None:
    upstream.otherwise = lambda seen: DOWN
    agent.ask()
    host = upstream.url.removeprefix("http://").removesuffix("/v1")
    assert agent.grant.trouble() == (
        f"the agent's model gave no answer: small at {host}: 503 Service Unavailable: busy"
    )
    assert [seen.json for seen in upstream.seen[4:6]] == [PLAIN, PLAIN]


def test_an_endpoint_that_is_not_there_is_out_of_reach(agent: Client, upstream: FakeModel) -> None:
    upstream.close()
    agent.ask()
    assert "small at 127.0.0.1:" in agent.grant.trouble()
    assert "the endpoint cannot be reached" in agent.grant.trouble()


@pytest.mark.parametrize("status", [401, 402, 403, 404, 429, 500, 529])
def test_whatever_an_endpoint_says_to_all_is_told(
    agent: Client, upstream: FakeModel, status: int
) -> None:
    upstream.otherwise = lambda seen: Answer(status, b"no", {"retry-after": "0"})
    agent.ask()
    assert f": {status}" in agent.grant.trouble()


def test_a_key_that_is_refused_is_not_told(agent: Client, upstream: FakeModel) -> None:
    said = json.dumps({"error": {"message": f"Incorrect API key provided: {KEY}"}}).encode()
    upstream.otherwise = lambda seen: Answer(401, said)
    agent.ask()
    assert agent.grant.trouble().endswith(": 401 Unauthorized: Incorrect API key provided: [key]")


@pytest.mark.parametrize("status", [400, 403, 413, 422, 500, 503])
def test_a_request_that_makes_the_endpoint_fail_is_no_trouble(
    agent: Client, upstream: FakeModel, status: int
) -> None:
    upstream.otherwise = to_marked(Answer(status, b"{}", {"retry-after": "0"}))
    assert agent.ask(request("odd")).status == status
    assert agent.grant.trouble() == ""
    assert upstream.seen[-1].json == PLAIN


@pytest.mark.parametrize(
    "answer",
    [
        Answer(body=b'{"error": {"message": "odd", "code": 502}}'),
        Answer(body=b"<html>odd</html>"),
        Answer(body=b""),
        Answer(pieces=(b'data: {"type": "error", "error": {"type": "overloaded"}}\n\n',)),
        Answer(pieces=(b"data: {}\n\n",), drop=True),
    ],
    ids=["error", "no answer", "nothing", "error in a stream", "broken stream"],
)
def test_an_answer_that_is_none_has_failed(
    agent: Client, upstream: FakeModel, answer: Answer
) -> None:
    upstream.otherwise = lambda seen: answer
    with ThreadPoolExecutor(1) as pool:  # a stream that breaks has no end that a client likes
        pool.submit(agent.ask, request(stream=bool(answer.pieces))).exception()
    until(agent.records)
    assert agent.grant.trouble().startswith("the agent's model gave no answer: small at 127.")


def test_a_last_call_that_went_well_is_not_looked_into(agent: Client, upstream: FakeModel) -> None:
    upstream.otherwise = to_marked(DOWN)
    agent.ask(request("odd"))
    agent.ask()
    assert agent.grant.trouble() == ""
    assert len(upstream.seen) == 5
    assert agent.grant.usage["agent_calls"] == 2
    assert "agent_control_calls" not in agent.grant.usage


def test_who_never_asked_has_no_trouble(agent: Client, upstream: FakeModel) -> None:
    upstream.otherwise = lambda seen: DOWN
    assert agent.grant.trouble() == ""
    assert upstream.seen == []


def test_what_the_broker_refuses_is_no_trouble(connect: Connect, upstream: FakeModel) -> None:
    agent = connect(role="agent", budget=Budget(calls=1))
    agent.ask()
    upstream.otherwise = lambda seen: DOWN
    refused = [
        agent.ask(),
        agent.ask(model="large"),
        agent.send("POST", CHAT, b"{"),
        agent.send("POST", CHAT, request(), {}),
    ]
    assert [heard.status for heard in refused] == [429, 403, 400, 401]
    assert agent.grant.trouble() == ""
    assert len(upstream.seen) == 1


def test_neither_budget_nor_deadline_keeps_it_from_asking(
    connect: Connect, upstream: FakeModel
) -> None:
    upstream.otherwise = lambda seen: Answer(hold=threading.Event())
    agent = connect(role="agent", budget=Budget(calls=1, tokens=1000), seconds=0.2)
    assert agent.ask().code == "deadline_exceeded"
    upstream.otherwise = lambda seen: completion("OK")
    assert agent.grant.trouble() == ""
    assert upstream.seen[-1].json == PLAIN


def test_who_leaves_before_anything_came_has_failed(agent: Client, upstream: FakeModel) -> None:
    """As a box that is killed at its time limit."""
    upstream.answers = [Answer(hold=threading.Event())]
    upstream.otherwise = lambda seen: DOWN
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(agent.ask)
        until(lambda: upstream.seen)
        assert "503 Service Unavailable" in agent.grant.trouble()
        assert asked.result().status == 503
    assert agent.ask().code == "ended"


def test_who_leaves_while_the_answer_comes_has_not(agent: Client, upstream: FakeModel) -> None:
    pieces = (b'data: {"choices": []}\n\n', b"data: [DONE]\n\n")
    upstream.answers = [Answer(pieces=pieces, pause=threading.Event())]
    upstream.otherwise = lambda seen: DOWN
    connection = agent.connection()
    head = {"authorization": f"Bearer {agent.grant.token}"}
    connection.request("POST", CHAT, json.dumps(request(stream=True)), head)
    response = connection.getresponse()
    assert response.read1() == pieces[0]
    response.close()
    connection.close()
    assert agent.grant.trouble() == ""
    assert len(upstream.seen) == 1


def test_it_is_asked_on_the_path_that_the_box_used(agent: Client, upstream: FakeModel) -> None:
    upstream.otherwise = to_marked(DOWN)
    agent.send("POST", MESSAGES, request("odd", max_tokens=1))
    assert agent.grant.trouble() == ""
    assert (upstream.seen[-1].path, upstream.seen[-1].json) == (
        *(MESSAGES, {**PLAIN, "max_tokens": 16}),
    )
    assert upstream.seen[-1].headers["x-api-key"] == KEY


def test_a_protocol_that_the_endpoint_does_not_speak_is_no_trouble(
    agent: Client, upstream: FakeModel
) -> None:
    """Otherwise a box could have any trial set aside by asking in that one."""
    upstream.otherwise = lambda seen: (
        Answer(404, b"no such path") if seen.path == MESSAGES else completion()
    )
    agent.send("POST", MESSAGES, request(max_tokens=1))
    assert agent.grant.trouble() == ""
    assert [seen.path for seen in upstream.seen] == [MESSAGES, MESSAGES, CHAT]


def test_it_is_asked_once(agent: Client, upstream: FakeModel) -> None:
    upstream.otherwise = lambda seen: Answer(401, b"no")
    agent.ask()
    assert agent.grant.trouble() == agent.grant.trouble() != ""
    assert len(upstream.seen) == 3  # in either protocol


def test_it_is_recorded_and_counted_apart(agent: Client, upstream: FakeModel) -> None:
    upstream.otherwise = to_marked(Answer(400, b"{}"))
    agent.ask()
    agent.ask(request("odd"))
    assert agent.grant.trouble() == ""
    assert [record["source"] for record in agent.records()] == ["upstream", "upstream", "control"]
    assert [record["number"] for record in agent.records()] == [1, 2, 3]
    assert agent.records()[2]["request"] == PLAIN
    assert agent.grant.usage == {
        "agent_calls": 2,
        "agent_control_calls": 1,
        "agent_prompt_tokens": 22,
        "agent_completion_tokens": 14,
    }


def test_its_patience_is_short() -> None:
    """Two attempts of 14 s and a wait between them are within 30 s, however long the usual ones."""
    assert brief(Patience()) == Patience(
        deadline=30, attempt=14, connect=10, first_wait=0.5, longest_wait=1, attempts=2
    )
