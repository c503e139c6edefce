"""The chat with a model over real HTTP: what is asked again, what is not, and what is said."""

from __future__ import annotations

import gzip
import json
import threading
import time
from email.utils import formatdate
from pathlib import Path

import pytest
from tests.fake_model import (
    DROP,
    Answer,
    FakeModel,
    as_json,
    fake_model,
    refused,
    said,
)

from pae_verifiers.canonical import digest
from pae_verifiers.errors import JudgeUnavailableError, VerifierInputError
from pae_verifiers.judge.chat import ChatRequest, Completion, Message
from pae_verifiers.judge.client import ModelChat
from pae_verifiers.judge.endpoint import Endpoint
from pae_verifiers.judge.patience import JudgePatience

KEY = "sk-test-0123456789abcdef"
QUICK = JudgePatience(deadline=20, first_wait=0.001, longest_wait=0.002)
REQUEST = ChatRequest(
    (Message("system", "Judge."), Message("user", "A memo: 你好")),
    max_tokens=2048,
    reasoning_effort="high",
    response_format={"type": "json_object"},
)
BODY = {
    "model": "gm",
    "messages": [
        {"role": "system", "content": "Judge."},
        {"role": "user", "content": "A memo: 你好"},
    ],
    "max_tokens": 2048,
    "temperature": 0.0,
    "reasoning_effort": "high",
    "response_format": {"type": "json_object"},
}


def ask(model: FakeModel, patience: JudgePatience = QUICK, key: str = KEY) -> Completion:
    chat = ModelChat("gm", Endpoint(model.url, key), patience)
    return chat.complete(REQUEST, patience.until())


def unavailable(model: FakeModel, patience: JudgePatience = QUICK) -> str:
    with pytest.raises(JudgeUnavailableError) as caught:
        ask(model, patience)
    return str(caught.value)


def test_a_completion_tells_text_model_usage_and_what_it_answers() -> None:
    with fake_model(said("Hello")) as model:
        completion = ask(model)
    assert completion == Completion(
        text="Hello",
        finish_reason="stop",
        model="fake-1-2026-11-01",
        usage={"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
        digest=digest(BODY),
    )


def test_the_protocol_s_body_goes_to_the_protocol_s_path_with_the_key() -> None:
    with fake_model(said("Hello")) as model:
        ask(model)
    (asked,) = model.seen
    assert (asked.path, asked.json) == ("/v1/chat/completions", BODY)
    assert asked.headers["authorization"] == f"Bearer {KEY}"


def test_without_a_key_none_is_sent() -> None:
    with fake_model(said("Hello")) as model:
        ask(model, key="")
    assert "authorization" not in model.seen[0].headers


def test_a_unix_socket_is_asked_in_the_same_way(tmp_path: Path) -> None:
    with fake_model(said("Hello"), at=tmp_path / "broker.sock") as model:
        assert ask(model).text == "Hello"
    (asked,) = model.seen
    assert (asked.path, asked.json) == ("/v1/chat/completions", BODY)
    assert asked.headers["host"] == "broker"


def test_a_proxy_is_not_asked_for_this_machine_s_own_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with fake_model(said("Hello")) as model:
        assert ask(model).text == "Hello"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("ALL_PROXY", "socks5://127.0.0.1:9"),
        ("ALL_PROXY", "gopher://127.0.0.1:9"),
        ("SSL_CERT_FILE", "/nowhere/ca.pem"),
    ],
)
def test_a_proxy_or_certificates_of_no_use_are_a_sentence(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(VerifierInputError) as caught:
        Endpoint("https://models.example/v1")
    assert str(caught.value).startswith("there is no way to https://models.example/v1: ")
    assert str(caught.value).endswith("; look at SSL_CERT_FILE and the proxy variables")


# What may pass


@pytest.mark.parametrize(
    "fault",
    [
        refused("slow down", 429, retry_after="0"),
        refused("slow down", 429, retry_after=formatdate(0, usegmt=True)),
        refused("slow down", 429, retry_after="soon"),
        refused("too late", 408),
        refused("try again", 409),
        refused("broken", 500),
        refused("bad gateway", 502),
        Answer(503, b"<html>Service unavailable</html>"),
        refused("gateway time-out", 504),
        refused("overloaded", 529),
        DROP,
        Answer(200, b'{"choices": [{"message": {"content": "Hel', cut=20),
        Answer(200, b'{"choices": [{"message": {"content": "Hel'),
        Answer(200, b"<html>Log in to this network</html>"),
        Answer(200, b""),
        as_json([]),
        as_json({"choices": []}),
        as_json({"choices": [{"finish_reason": "stop"}]}),
        as_json({"error": {"code": 502, "message": "Provider returned error"}}),
        said("Hel", finish_reason="error"),
    ],
)
def test_what_may_pass_is_asked_again(fault: Answer) -> None:
    with fake_model(fault, fault, said("Hello")) as model:
        completion = ask(model)
    assert (completion.text, completion.dropped) == ("Hello", ())
    assert [asked.json for asked in model.seen] == [BODY] * 3


def test_an_endpoint_that_hangs_leaves_time_for_another_attempt() -> None:
    patience = JudgePatience(deadline=20, share=0.01, first_wait=0.001)
    with fake_model(Answer(delay=2.0), said("Hello")) as model:
        assert ask(model, patience).text == "Hello"


def test_attempts_come_to_an_end() -> None:
    with fake_model(refused("broken", 500)) as model:
        assert unavailable(model) == "HTTP 500: broken"
    assert len(model.seen) == QUICK.attempts


def test_the_deadline_ends_an_attempt() -> None:
    with fake_model(Answer(delay=3.0)) as model:
        why = unavailable(model, JudgePatience(deadline=0.3, share=1.0))
    assert why == "the endpoint took longer than 0.3 s"
    assert len(model.seen) == 1


def test_a_trickle_of_bytes_does_not_put_the_deadline_off() -> None:
    slow = Answer(200, said("Hello").body, trickle=0.1)  # each byte within any read's time-out
    with fake_model(slow) as model:
        why = unavailable(model, JudgePatience(deadline=0.5, share=1.0))
    assert why == "the endpoint took longer than 0.5 s"


def test_no_request_is_sent_after_the_deadline() -> None:
    with fake_model(said("Hello")) as model:
        chat = ModelChat("gm", Endpoint(model.url), QUICK)
        with pytest.raises(JudgeUnavailableError, match="there is no time left"):
            chat.complete(REQUEST, time.monotonic())
    assert model.seen == []


@pytest.mark.parametrize("as_date", [False, True])
def test_a_wait_beyond_the_deadline_is_not_begun(as_date: bool) -> None:
    after = formatdate(time.time() + 3600, usegmt=True) if as_date else "3600"
    with fake_model(refused("quota for this hour", 429, retry_after=after)) as model:
        why = unavailable(model)
    assert why.startswith("HTTP 429: quota for this hour; it asks to wait 3")
    assert why.endswith("s are left")
    assert len(model.seen) == 1


def test_nobody_there_is_a_sentence() -> None:
    patience = JudgePatience(deadline=5, attempts=2, first_wait=0.001)
    with fake_model(said("Hello")) as model:
        pass
    assert unavailable(model, patience) == (
        f"{model.url} cannot be reached: [Errno 111] Connection refused"
    )


# What will not pass


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (refused("Incorrect API key", 401), "HTTP 401: Incorrect API key"),
        (refused("no access to gm", 403), "HTTP 403: no access to gm"),
        (as_json({"detail": "Not Found"}, 404), "HTTP 404: Not Found"),
        (
            as_json([{"error": {"message": "API key not valid"}}], 400),
            "HTTP 400: API key not valid",
        ),
        (as_json({"error": None, "message": "no"}, 400), "HTTP 400: no"),
        (as_json({"error": "invalid model"}, 400), "HTTP 400: invalid model"),
        (as_json({"fault": 1}, 400), 'HTTP 400: {"fault": 1}'),
        (Answer(400, b"Bad\nRequest"), "HTTP 400: Bad Request"),
        (Answer(413, b""), "HTTP 413"),
        (refused("max context is 8192 tokens", 400), "HTTP 400: max context is 8192 tokens"),
        (refused("\x1b[31mred\n\nline", 400), "HTTP 400: [31mred line"),
        (refused("broken for good", 503, x_should_retry="false"), "HTTP 503: broken for good"),
        (
            as_json({"error": {"message": "pay first", "code": "insufficient_quota"}}, 429),
            "HTTP 429: pay first",
        ),
        (
            as_json({"error": {"code": 402, "message": "no credits"}}),
            "the endpoint answers: no credits",
        ),
        (
            Answer(200, b"x" * ((8 << 20) + 1)),
            "the endpoint's answer has over 8 MB",
        ),
    ],
)
def test_what_will_not_pass_ends_it_with_the_endpoint_s_message(
    fault: Answer, sentence: str
) -> None:
    with fake_model(fault) as model:
        assert unavailable(model) == sentence
    assert len(model.seen) == 1


def test_a_long_message_is_cut() -> None:
    with fake_model(refused("word " * 1000, 400)) as model:
        assert len(unavailable(model)) == len("HTTP 400: ") + 300


def test_an_answer_that_is_compressed_twice_is_not_unpacked() -> None:
    body = gzip.compress(gzip.compress(said("yes").body))
    with fake_model(Answer(200, body, {"content-encoding": "gzip, gzip"})) as model:
        assert unavailable(model) == "the endpoint's answer is compressed more than once"


def test_a_redirect_is_not_followed() -> None:
    with (
        fake_model(said("stolen")) as other,
        fake_model(Answer(307, b"", {"location": f"{other.url}/chat/completions"})) as model,
    ):
        assert unavailable(model) == (
            "the endpoint redirects to another address, which is not given the key: "
            "name that address as the base URL"
        )
        assert other.seen == []


# The key


@pytest.mark.parametrize(
    "form",
    [
        KEY,
        KEY.encode().hex(),
        KEY.replace("-", "\\u002D"),
        "c2stdGVzdC0wMTIzNDU2Nzg5YWJjZGVm",  # base64
        "QmVhcmVyIHNrLXRlc3QtMDEyMzQ1Njc4OWFiY2RlZg==",  # base64 of "Bearer KEY"
    ],
)
def test_a_key_that_the_endpoint_echoes_is_not_repeated(form: str) -> None:
    with fake_model(refused(f"Incorrect API key provided: {form}.", 401)) as model:
        why = unavailable(model)
    assert why.startswith("HTTP 401: Incorrect API key provided: ")
    assert "[key]" in why
    assert form not in why


def test_a_key_in_a_completion_is_not_repeated_either() -> None:
    with fake_model(said(f"your key is {KEY}")) as model:
        assert ask(model).text == "your key is [key]"


@pytest.mark.parametrize("key", ["two words", "line\nbreak", "clé-0123456"])
def test_a_key_that_no_header_can_carry_is_refused_unquoted(key: str) -> None:
    with pytest.raises(VerifierInputError) as caught:
        Endpoint("http://127.0.0.1:1/v1", key)
    assert key not in str(caught.value)


# Parameters that are refused


def without(*names: str) -> dict[str, object]:
    return {key: value for key, value in BODY.items() if key not in names}


@pytest.mark.parametrize(
    ("fault", "dropped", "second"),
    [
        (
            refused("Unsupported value: 'temperature' does not support 0.0", param="temperature"),
            ("temperature",),
            without("temperature"),
        ),
        (
            refused("temperature may only be set to 1 when thinking is enabled"),
            ("temperature",),
            without("temperature"),
        ),
        (
            refused("Unrecognized request argument supplied: reasoning_effort"),
            ("reasoning_effort",),
            without("reasoning_effort"),
        ),
        (
            as_json({"detail": [{"loc": ["body", "response_format"], "msg": "extra"}]}, 422),
            ("response_format",),
            without("response_format"),
        ),
        (
            refused("no", param="response_format.type"),
            ("response_format",),
            without("response_format"),
        ),
        (
            refused(
                "Unsupported parameter: 'max_tokens' is not supported with this model. "
                "Use 'max_completion_tokens' instead.",
                param="max_tokens",
            ),
            ("max_tokens (sent as max_completion_tokens)",),
            {**without("max_tokens"), "max_completion_tokens": 2048},
        ),
    ],
)
def test_a_refused_parameter_is_given_up_and_that_is_recorded(
    fault: Answer, dropped: tuple[str, ...], second: dict[str, object]
) -> None:
    with fake_model(fault, said("Hello")) as model:
        completion = ask(model)
    assert (completion.text, completion.dropped) == ("Hello", dropped)
    assert [asked.json for asked in model.seen] == [BODY, second]
    assert completion.digest == digest(second)


def test_several_parameters_may_be_refused_one_after_the_other() -> None:
    with fake_model(
        refused("no", param="max_tokens"), refused("no", param="temperature"), said("Hello")
    ) as model:
        completion = ask(model)
    assert completion.dropped == ("max_tokens (sent as max_completion_tokens)", "temperature")


@pytest.mark.parametrize("name", ["temperature", "max_completion_tokens", "messages"])
def test_a_parameter_is_given_up_once_at_most(name: str) -> None:
    with fake_model(
        refused("no", param="temperature"),
        refused("no", param="max_tokens"),
        refused(f"still not {name}", param=name),
    ) as model:
        assert unavailable(model) == f"HTTP 400: still not {name}"
    assert len(model.seen) == 3


def test_the_same_request_is_asked_in_the_same_way_each_time() -> None:
    with fake_model(
        refused("no", param="temperature"), said("a"), refused("no", param="temperature"), said("b")
    ) as model:
        chat = ModelChat("gm", Endpoint(model.url), QUICK)
        first, second = (chat.complete(REQUEST, QUICK.until()) for _ in range(2))
    assert first.digest == second.digest


# What a completion may look like


def test_content_may_be_a_list_of_parts_of_which_the_text_counts() -> None:
    parts = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": '{"a": '},
        {"type": "output_text", "text": "1}"},
        {"type": "image_url", "image_url": {"url": "x"}},
    ]
    with fake_model(said(parts)) as model:
        assert ask(model).text == '{"a": 1}'


@pytest.mark.parametrize("content", [None, []])
def test_no_content_is_an_empty_text(content: object) -> None:
    with fake_model(said(content, tool_calls=[])) as model:
        assert ask(model).text == ""


def test_a_refusal_is_a_reason_to_finish_of_its_own() -> None:
    with fake_model(said(None, refusal="I cannot help with that.")) as model:
        completion = ask(model)
    assert (completion.finish_reason, completion.text) == (
        "content_filter",
        "I cannot help with that.",
    )


def test_what_no_file_can_hold_is_in_no_completion() -> None:
    with fake_model(said("half \ud800", finish_reason="\ud800", model="gm\ud800\n")) as model:
        completion = ask(model)
    assert (completion.text, completion.finish_reason, completion.model) == ("half ?", "", "gm")


def test_only_plain_figures_of_the_usage_are_kept() -> None:
    usage = {
        "prompt_tokens": 5,
        "cost": 0.25,
        "prompt_tokens_details": {"cached_tokens": 4},
        "note": "x",
        "is_byok": False,
        "odd": -1,
        "large": 10**400,
        "endless": 1e999,
        "\ud800": 1,
    }
    with fake_model(said("Hello", usage=usage)) as model:
        assert ask(model).usage == {"prompt_tokens": 5, "cost": 0.25}


def test_threads_may_share_a_chat() -> None:
    texts: list[str] = []
    with fake_model(lambda asked: said(json.dumps(asked.json["messages"][1]))) as model:
        chat = ModelChat("gm", Endpoint(model.url), QUICK)

        def one(number: int) -> None:
            request = ChatRequest((Message("system", ""), Message("user", str(number))), 5)
            texts.append(chat.complete(request, QUICK.until()).text)

        threads = [threading.Thread(target=one, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(json.loads(text)["content"] for text in texts) == list("01234567")


# Patience


def test_the_deadline_comes_from_the_environment() -> None:
    assert JudgePatience.from_environment({}).deadline == 240
    assert JudgePatience.from_environment({"JUDGE_DEADLINE_SEC": "90.5"}).deadline == 90.5


@pytest.mark.parametrize("text", ["0", "-1", "soon", "nan", "inf"])
def test_a_deadline_of_no_use_is_refused(text: str) -> None:
    with pytest.raises(VerifierInputError, match=r"JUDGE_DEADLINE_SEC: .* is no number of seconds"):
        JudgePatience.from_environment({"JUDGE_DEADLINE_SEC": text})
