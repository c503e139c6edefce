"""A model's message is read from the record of its reply: either protocol, whole or streamed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.harness.agents.anything import ANYTHING
from tests.harness.agents.exchanges import completion, delta, function, message, stream

from pae_harness.agents.replies import Message, ToolCall, message_of

ORDERS = '{"path": "orders.csv"}'
READ = ToolCall("call_1", "read", {"path": "orders.csv"})


def whole(reply: object) -> Message | None:
    return message_of({"reply": reply})


def streamed(*events: object) -> Message | None:
    return message_of({"text": stream(*events)})


def test_a_chat_completion() -> None:
    reply = completion(
        "I read it.", reasoning_content="First…", tool_calls=[function("call_1", "read", ORDERS)]
    )
    assert whole(reply) == Message("I read it.", "First…", (READ,), "stop")


def test_one_of_anthropics_messages() -> None:
    reply = message(
        {"type": "thinking", "thinking": "First…", "signature": "x"},
        {"type": "text", "text": "I read it."},
        {"type": "tool_use", "id": "call_1", "name": "read", "input": {"path": "orders.csv"}},
        cache_read_input_tokens=5,
    )
    assert whole(reply) == Message("I read it.", "First…", (READ,), "end_turn", cached=5)


def test_a_streamed_chat_completion() -> None:
    found = streamed(
        delta(role="assistant", reasoning="Fir"),
        delta(reasoning="st…"),
        delta(content="I read"),
        delta(content=" it."),
        delta(tool_calls=[{"index": 0, **function("call_1", "read", '{"path": ')}]),
        delta(tool_calls=[{"index": 0, "function": {"arguments": '"orders.csv"}'}}]),
        delta(finish="tool_calls"),
        {
            "choices": [],
            "usage": {"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": 4}},
        },
        "[DONE]",
    )
    assert found == Message("I read it.", "First…", (READ,), "tool_calls", cached=4)


def begin(index: int, **block: Any) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": block}


def add(index: int, kind: str, **more: str) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **more}}


MESSAGE_STREAM = (
    {"type": "message_start", "message": message(cache_read_input_tokens=5)},
    begin(0, type="thinking", thinking=""),
    add(0, "thinking_delta", thinking="First…"),
    add(0, "signature_delta", signature="x"),
    begin(1, type="text", text=""),
    {"type": "ping"},
    add(1, "text_delta", text="I read"),
    add(1, "text_delta", text=" it."),
    begin(2, type="tool_use", id="call_1", name="read", input={}),
    add(2, "input_json_delta", partial_json='{"path": '),
    add(2, "input_json_delta", partial_json='"orders.csv"}'),
    {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 7}},
    {"type": "message_stop"},
)


def test_a_streamed_message_of_anthropics() -> None:
    expected = Message("I read it.", "First…", (READ,), "tool_use", cached=5)
    assert streamed(*MESSAGE_STREAM) == expected


def test_a_stream_that_breaks_off_is_read_as_far_as_it_came() -> None:
    text = stream(*MESSAGE_STREAM[:10])
    found = message_of({"text": text + 'event: content_block_delta\ndata: {"type": "content_blo'})
    assert found is not None
    assert (found.text, found.tool_calls) == (
        "I read it.",
        (ToolCall("call_1", "read", text='{"path": '),),
    )


def test_a_stream_says_what_went_wrong_in_its_midst() -> None:
    overloaded = {"type": "error", "error": {"type": "overloaded_error"}}
    found = streamed(delta(content="I re"), overloaded)
    assert found == Message("I re", error='{"type": "overloaded_error"}')


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_line_end_ends_a_line_and_no_other_character_does(end: str) -> None:
    text = 'data: {"choices": [{"delta": {"content": "a\u2028b\x85c"}}]}\n\n'.replace("\n", end)
    found = message_of({"text": text})
    assert found is not None
    assert found.text == "a\u2028b\x85c"


def test_calls_side_by_side_may_share_an_index() -> None:
    found = streamed(
        delta(tool_calls=[{"index": 0, **function("a", "read", "{}")}]),
        delta(tool_calls=[{"index": 0, **function("b", "list", "{}")}]),
    )
    assert found is not None
    assert found.tool_calls == (ToolCall("a", "read"), ToolCall("b", "list"))


@pytest.mark.parametrize("arguments", ["[1, 2]", "ls -l", '{"path": ', "12", "[" * 100_000])
def test_arguments_that_are_no_object_are_kept_as_they_came(arguments: str) -> None:
    found = whole(completion(None, tool_calls=[function("a", "run", arguments)]))
    assert found is not None
    assert found.tool_calls == (ToolCall("a", "run", text=arguments),)


@pytest.mark.parametrize("arguments", ["", " ", None, {}])
def test_no_arguments_are_an_empty_object(arguments: Any) -> None:
    found = whole(completion(None, tool_calls=[function("a", "run", arguments)]))
    assert found is not None
    assert found.tool_calls == (ToolCall("a", "run"),)


def test_a_custom_tool_and_a_function_of_old() -> None:
    custom = {"id": "a", "type": "custom", "custom": {"name": "shell", "input": "ls"}}
    old = {"name": "read", "arguments": ORDERS}
    found = whole(completion(None, tool_calls=[custom], function_call=old))
    assert found is not None
    assert found.tool_calls == (
        ToolCall("a", "shell", text="ls"),
        ToolCall("", "read", {"path": "orders.csv"}),
    )


def test_what_is_no_text_is_named() -> None:
    parts = [{"type": "text", "text": "See"}, {"type": "image", "source": {"data": "iVBOR"}}, 7]
    found = whole(message(*parts))  # type: ignore[arg-type]
    assert found is not None
    assert found.text == "See\n\n[image]\n\n[something without a type]"


def test_a_refusal_is_what_the_model_said() -> None:
    found = whole(completion(None, refusal="I cannot."))
    assert found is not None
    assert found.text == "I cannot."


def test_of_several_choices_the_first_is_read() -> None:
    reply = completion("One.")
    reply["choices"] += completion("Two.")["choices"]
    assert whole(reply) == Message("One.", finish="stop", choices=2)
    assert streamed(delta(1, content="Two."), delta(0, content="One.")) == Message(
        "One.", choices=2
    )


@pytest.mark.parametrize(
    "record",
    [
        {"reply": {}},
        {"reply": {"error": {"message": "no such model"}}},
        {"reply": {"choices": []}},
        {"reply": {"choices": [{"message": "hello"}]}},
        {"text": "<html>502</html>"},
        {"text": ""},
        {},
    ],
)
def test_what_holds_no_message_has_none(record: dict[str, Any]) -> None:
    assert message_of(record) is None


@given(ANYTHING)
def test_no_reply_raises(reply: object) -> None:
    message_of({"reply": reply})


@given(st.lists(ANYTHING, max_size=5))
def test_no_stream_raises(events: list[object]) -> None:
    message_of({"text": stream(*events)})


@given(st.text())
def test_no_text_raises(text: str) -> None:
    message_of({"text": text})
    message_of({"text": f"data: {text}\n\n"})
