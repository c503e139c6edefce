"""A trial's trajectory: what its agent asked, was told and did, in order of time."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.harness.agents.anything import RECORDS
from tests.harness.agents.exchanges import (
    HEAD,
    MESSAGES,
    Trial,
    assistant,
    at,
    chat,
    completion,
    delta,
    function,
    message,
    stream,
    user,
)

from pae_harness.agents import atif
from pae_harness.agents.trajectory import Command, Head, write

RULES = {"role": "system", "content": "You write notes."}
TASK = user("Write the note, please.")
READ = function("call_1", "read", '{"path": "orders.csv"}')
ANSWER = {"role": "tool", "tool_call_id": "call_1", "content": "3 orders"}


@pytest.fixture
def trial(tmp_path: Path) -> Trial:
    return Trial(tmp_path)


def command(second: float = 15, **more: Any) -> Command:
    told = {"seconds": 0.25, "exit_code": 0, "limit": None, "output": "3 orders\n", **more}
    return Command(("cat", "orders.csv"), "/app", at(second), **told)


def told(step: dict[str, Any]) -> tuple[str, str]:
    return step["source"], step["message"]


def test_a_conversation_with_a_tool(trial: Trial) -> None:
    first = trial.record(chat(RULES, TASK), completion("I look.", tool_calls=[READ]))
    said = assistant("I look.", tool_calls=[READ])
    second = trial.record(chat(RULES, TASK, said, ANSWER), completion("Done."))
    metrics = {"prompt_tokens": 11, "completion_tokens": 7, "cost_usd": 0.000081}
    assert trial.told() == {
        "schema_version": "ATIF-v1.7",
        "session_id": "tiny-note/seed-1/my-agent",
        "agent": {"name": "my_agents:Writer", "version": "1.2", "model_name": "small"},
        "steps": [
            {"step_id": 1, "source": "user", "message": "Write the note."},
            {
                "step_id": 2,
                "timestamp": at(10),
                "source": "system",
                "message": "You write notes.",
                "extra": {"record": first},
            },
            {
                "step_id": 3,
                "timestamp": at(10),
                "source": "user",
                "message": "Write the note, please.",
                "extra": {"record": first},
            },
            {
                "step_id": 4,
                "timestamp": at(10),
                "source": "agent",
                "model_name": "small-2026-01-01",
                "message": "I look.",
                "tool_calls": [
                    {
                        "tool_call_id": "call_1",
                        "function_name": "read",
                        "arguments": {"path": "orders.csv"},
                    }
                ],
                "observation": {"results": [{"source_call_id": "call_1", "content": "3 orders"}]},
                "metrics": metrics,
                "llm_call_count": 1,
                "extra": {"record": first, "seconds": 1.5, "finish_reason": "stop"},
            },
            {
                "step_id": 5,
                "timestamp": at(20),
                "source": "agent",
                "model_name": "small-2026-01-01",
                "message": "Done.",
                "metrics": metrics,
                "llm_call_count": 1,
                "extra": {"record": second, "seconds": 1.5, "finish_reason": "stop"},
            },
        ],
        "final_metrics": {
            "total_prompt_tokens": 22,
            "total_completion_tokens": 14,
            "total_cost_usd": 0.000162,
            "total_steps": 5,
        },
    }


def test_a_conversation_in_anthropics_protocol(trial: Trial) -> None:
    use = {"type": "tool_use", "id": "call_1", "name": "read", "input": {"path": "orders.csv"}}
    thought = {"type": "thinking", "thinking": "First…", "signature": "x"}
    answers = user(
        [
            {
                "type": "tool_result",
                "tool_use_id": "call_1",
                "content": [{"type": "text", "text": "no such file"}],
                "is_error": True,
            },
            {"type": "text", "text": "Go on."},
        ]
    )
    rules = [{"type": "text", "text": "You write notes.", "cache_control": {"type": "ephemeral"}}]
    trial.record(
        chat(TASK, system=rules), message(thought, use, cache_read_input_tokens=4), path=MESSAGES
    )
    trial.record(
        chat(TASK, assistant([thought, use]), answers, system="You write notes."),
        message({"type": "text", "text": "Done."}, cache_read_input_tokens=5),
        path=MESSAGES,
    )
    steps = trial.steps()
    assert [told(step) for step in steps] == [
        ("system", "You write notes."),
        ("user", "Write the note, please."),
        ("agent", ""),
        ("user", "Go on."),
        ("agent", "Done."),
    ]
    assert steps[2]["reasoning_content"] == "First…"
    assert steps[2]["observation"]["results"] == [
        {"source_call_id": "call_1", "content": "no such file", "extra": {"is_error": True}}
    ]
    assert steps[2]["metrics"]["prompt_tokens"] == 15
    assert steps[2]["metrics"]["cached_tokens"] == 4
    assert trial.told()["final_metrics"]["total_cached_tokens"] == 9


def test_a_streamed_reply(trial: Trial) -> None:
    usage = {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}
    trial.record(chat(TASK), stream(delta(content="Do"), delta(content="ne."), usage, "[DONE]"))
    step = trial.steps()[-1]
    assert (step["message"], step["metrics"]["prompt_tokens"]) == ("Done.", 3)


def test_a_command_lies_where_it_was_run(trial: Trial) -> None:
    trial.record(chat(TASK), completion("I look."), second=10)
    trial.record(chat(TASK, assistant("I look."), user("3 orders")), completion(), second=20)
    steps = trial.steps([command(25, exit_code=None, limit="time", output=""), command(15)])
    assert [step["llm_call_count"] for step in steps if step["source"] == "agent"] == [1, 0, 1, 0]
    assert [told(step) for step in steps if step["source"] == "user"] == [
        ("user", "Write the note, please."),
        ("user", "3 orders"),
    ]
    assert steps[2] == {
        "step_id": 4,
        "timestamp": at(15),
        "source": "agent",
        "message": "",
        "tool_calls": [
            {
                "tool_call_id": "exec-1",
                "function_name": "exec",
                "arguments": {"argv": ["cat", "orders.csv"], "cwd": "/app"},
            }
        ],
        "observation": {
            "results": [
                {
                    "source_call_id": "exec-1",
                    "content": "3 orders\n",
                    "extra": {"exit_code": 0, "seconds": 0.25},
                }
            ]
        },
        "llm_call_count": 0,
    }
    assert steps[-1]["observation"]["results"][0]["extra"] == {
        "exit_code": None,
        "seconds": 0.25,
        "limit": "time",
    }


def test_a_trial_without_a_model_has_its_commands(trial: Trial) -> None:
    found = trial.told([command()], Head("cmd", "unknown", "", "t/seed-1/cmd", "Write."))
    assert found["agent"] == {"name": "cmd", "version": "unknown"}
    assert len(found["steps"]) == 2
    assert found["final_metrics"] == {"total_steps": 2}


def test_the_same_question_again_has_an_answer_of_its_own(trial: Trial) -> None:
    trial.record(chat(TASK), completion("One."))
    trial.record(chat(TASK), completion("Two."))
    assert [told(step) for step in trial.steps()] == [
        ("user", "Write the note, please."),
        ("agent", "One."),
        ("agent", "Two."),
    ]


def test_the_instruction_is_not_told_twice(trial: Trial) -> None:
    trial.record(chat(user("Write the note.")), completion())
    assert [told(step) for step in trial.steps()] == [("agent", "Done.")]


def test_the_same_words_again_in_a_conversation_are_told_again(trial: Trial) -> None:
    talk: list[dict[str, Any]] = [TASK]
    for text in ("One.", "Two.", "Three."):
        trial.record(chat(*talk), completion(text))
        talk += [assistant(text), user("Go on.")]
    assert [told(step) for step in trial.steps()] == [
        *(("user", "Write the note, please."), ("agent", "One.")),
        *(("user", "Go on."), ("agent", "Two.")),
        *(("user", "Go on."), ("agent", "Three.")),
    ]


def test_conversations_side_by_side_are_told_apart(trial: Trial) -> None:
    one, other = user("Check the prices."), user("Check the weights.")
    trial.record(chat(one), completion("Prices?"))
    trial.record(chat(other), completion("Weights?"))
    trial.record(chat(one, assistant("Prices?"), user("Yes.")), completion("A."))
    trial.record(chat(other, assistant("Weights?"), user("Yes.")), completion("B."))
    assert [told(step) for step in trial.steps()] == [
        *(("user", "Check the prices."), ("agent", "Prices?")),
        *(("user", "Check the weights."), ("agent", "Weights?")),
        *(("user", "Yes."), ("agent", "A.")),
        *(("user", "Yes."), ("agent", "B.")),
    ]


def test_a_result_goes_to_the_call_of_its_own_conversation(trial: Trial) -> None:
    """Some servers count the calls of every reply from 0."""
    read = function("call_0", "read", "{}")
    said, answer = assistant(None, tool_calls=[read]), {"role": "tool", "tool_call_id": "call_0"}
    trial.record(chat(user("A")), completion(None, tool_calls=[read]))
    trial.record(chat(user("B")), completion(None, tool_calls=[read]))
    trial.record(chat(user("A"), said, {**answer, "content": "of A"}), completion())
    trial.record(chat(user("B"), said, {**answer, "content": "of B"}), completion())
    found = [s["observation"]["results"][0]["content"] for s in trial.steps() if "tool_calls" in s]
    assert found == ["of A", "of B"]


def test_a_context_that_was_cut_down_repeats_nothing(trial: Trial) -> None:
    said = assistant("I look.", tool_calls=[READ])
    trial.record(chat(RULES, TASK), completion("I look.", tool_calls=[READ]))
    trial.record(chat(RULES, TASK, said, ANSWER), completion("Now I write."))
    shorter = [{**ANSWER, "content": "[cleared]"}, assistant("Now I write."), user("Go on.")]
    trial.record(chat(RULES, TASK, said, *shorter), completion("Done."))
    summary = user("You have read the orders.")
    trial.record(chat(RULES, summary, user("Go on.")), completion("Bye."))
    steps = trial.steps()
    assert [told(step) for step in steps] == [
        *(("system", "You write notes."), ("user", "Write the note, please.")),
        *(("agent", "I look."), ("agent", "Now I write.")),
        *(("user", "Go on."), ("agent", "Done.")),
        *(("user", "You have read the orders."), ("agent", "Bye.")),
    ]
    results = steps[2]["observation"]["results"]
    assert [result["content"] for result in results] == ["3 orders", "[cleared]"]


def test_instructions_that_change_each_time_end_no_conversation(trial: Trial) -> None:
    talk: list[dict[str, Any]] = [TASK]
    for text in ("One.", "Two.", "Three."):
        system = [{"type": "text", "text": f"before {text}"}, {"type": "text", "text": "Rules."}]
        trial.record(chat(*talk, system=system), message({"type": "text", "text": text}))
        talk += [assistant(text), user("Go on.")]
    assert [told(step)[1] for step in trial.steps()] == [
        *("before One.", "Rules.", "Write the note, please.", "One."),
        *("before Two.", "Go on.", "Two."),
        *("before Three.", "Go on.", "Three."),
    ]


def test_marks_for_a_cache_of_prompts_tell_nothing_new(trial: Trial) -> None:
    mark = {"cache_control": {"type": "ephemeral"}}
    marked = user([{"type": "text", "text": "Write the note, please.", **mark}])
    trial.record(chat(marked), completion("One."))
    trial.record(chat(TASK, assistant("One."), user("Go on.")), completion("Two."))
    assert [told(step)[1] for step in trial.steps()] == [
        *("Write the note, please.", "One.", "Go on.", "Two."),
    ]


def test_the_models_words_as_the_agent_repeats_them_are_no_step(trial: Trial) -> None:
    trial.record(chat(TASK), completion("<think>Hm.</think>One."))
    trial.record(chat(TASK, assistant("One."), user("Go on.")), completion("Two."))
    assert [told(step)[1] for step in trial.steps()] == [
        *("Write the note, please.", "<think>Hm.</think>One.", "Go on.", "Two."),
    ]


def test_words_put_into_the_models_mouth_are_marked(trial: Trial) -> None:
    example = [user("An example"), assistant(None, tool_calls=[READ]), ANSWER, assistant("So.")]
    name = trial.record(chat(*example, TASK), completion())
    steps = trial.steps()
    why = "the agent tells the model that it said this"
    assert steps[1]["extra"] == {"record": name, "why": why}
    assert steps[1]["llm_call_count"] == 0
    assert steps[1]["observation"]["results"] == [
        {"source_call_id": "call_1", "content": "3 orders"}
    ]
    assert [told(step)[1] for step in steps[2:]] == ["So.", "Write the note, please.", "Done."]


def test_a_result_without_its_call_is_a_step_of_its_own(trial: Trial) -> None:
    name = trial.record(chat(TASK, ANSWER), completion())
    assert trial.steps()[1] == {
        "step_id": 3,
        "timestamp": at(10),
        "source": "system",
        "message": "",
        "observation": {"results": [{"content": "3 orders", "extra": {"answers": "call_1"}}]},
        "extra": {"record": name, "why": "it answers no tool call that the model made"},
    }


def test_arguments_that_are_no_object_are_kept_as_text(trial: Trial) -> None:
    trial.record(chat(TASK), completion(None, tool_calls=[function("a", "run", "ls -l")]))
    assert trial.steps()[-1]["tool_calls"] == [
        {
            "tool_call_id": "a",
            "function_name": "run",
            "arguments": {"text": "ls -l"},
            "extra": {"why": "the arguments are no JSON object: they are in text, as they came"},
        }
    ]


def test_every_call_of_a_step_has_an_id_of_its_own(trial: Trial) -> None:
    calls = [function(identity, "run", "{}") for identity in ("a", "a", "")]
    trial.record(chat(TASK), completion(None, tool_calls=calls))
    found = trial.steps()[-1]["tool_calls"]
    assert [call["tool_call_id"] for call in found] == ["a", "a-call-1-2", "call-1-3"]
    assert found[1]["extra"] == {"id": "a"}


def test_a_call_that_failed_says_how(trial: Trial) -> None:
    error = {"error": {"message": "Rate limit reached"}}
    name = trial.record(chat(TASK), error, status=429)
    assert trial.steps()[-1] == {
        "step_id": 3,
        "timestamp": at(10),
        "source": "agent",
        "message": "",
        "llm_call_count": 1,
        "extra": {
            "record": name,
            "seconds": 1.5,
            "status": 429,
            "reply": '{"error": {"message": "Rate limit reached"}}',
        },
    }


def test_a_call_that_broke_off_has_what_came(trial: Trial) -> None:
    why = "the box left before the answer came"
    trial.record(chat(TASK), stream(delta(content="I re")), status=None, why=why)
    step = trial.steps()[-1]
    assert step["message"] == "I re"
    assert (step["extra"]["status"], step["extra"]["why"]) == (None, why)


def test_a_call_that_nobody_answered_says_why(trial: Trial) -> None:
    why = "the trial's 60 s for its model are over"
    name = trial.record(chat(TASK), "", status=None, why=why)
    step = trial.steps()[-1]
    assert step["extra"] == {"record": name, "seconds": 1.5, "status": None, "why": why}


def test_what_the_endpoint_refused_costs_nothing(trial: Trial) -> None:
    trial.record(chat(TASK), {"error": {}}, status=429)
    trial.record(chat(TASK), completion())
    assert trial.told()["final_metrics"]["total_prompt_tokens"] == 11


def test_a_total_that_some_call_does_not_tell_is_left_out(trial: Trial) -> None:
    trial.record(chat(TASK), completion(), price=None)
    trial.record(chat(TASK), completion())
    final = trial.told()["final_metrics"]
    assert final == {
        "total_prompt_tokens": 22,
        "total_completion_tokens": 14,
        "total_steps": 4,
    }
    trial.record(chat(TASK), stream(delta(content="I re")), status=None, why="it broke off")
    assert trial.told()["final_metrics"] == {"total_steps": 5}


def test_an_answer_from_a_record_says_so_and_costs_nothing(trial: Trial) -> None:
    trial.record(chat(TASK), completion(), source="replay")
    trial.record(chat(TASK), completion())
    assert trial.steps()[1]["extra"]["source"] == "replay"
    assert trial.told()["final_metrics"]["total_completion_tokens"] == 7


def test_what_the_broker_asks_itself_is_not_the_agents(trial: Trial) -> None:
    trial.record(chat(user("Reply with OK.")), completion("OK"), source="control")
    assert trial.steps() == []


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b'{"request": ', "Expecting value: line 1 column 13 (char 12)"),
        (b"[1]", "it is no record of an exchange"),
        (b"[" * 100_000, "it is nested too deep"),
    ],
)
def test_a_record_that_cannot_be_read_is_a_step_that_says_so(
    trial: Trial, data: bytes, why: str
) -> None:
    name = trial.put(data)
    found = trial.told()
    assert found["steps"][1:] == [
        {
            "step_id": 2,
            "source": "system",
            "message": f"a call of the model is not shown: its record cannot be read: {why}",
            "extra": {"record": name},
        }
    ]
    assert found["final_metrics"] == {"total_steps": 2}


def test_other_files_are_no_records(trial: Trial) -> None:
    trial.record(chat(TASK), completion())
    (trial.records / "notes.json").write_text("{}")
    (trial.records / f"002-{'0' * 64}.json.part").write_text("{")
    assert len(trial.steps()) == 2


def test_records_are_told_by_their_numbers(trial: Trial) -> None:
    """Their names sort otherwise from the thousandth on, and a clock may be set back."""
    trial.number = 998
    for second, text in ((50, "999"), (40, "1000"), (45, "1001")):
        trial.record(chat(TASK), completion(text), second=second)
    assert [told(step)[1] for step in trial.steps([command(42)])] == [
        *("", "Write the note, please.", "999", "1000", "1001"),
    ]


def test_a_long_text_has_its_beginning_and_its_end(trial: Trial) -> None:
    trial.record(chat(TASK), completion("a" + "€" * 100_000 + "z"))
    text = trial.steps()[-1]["message"]
    assert text.startswith("a€€")
    assert text.endswith("€€z")
    assert f"€\n[… {100_002 - text.count('€') - 2} characters left out …]\n€" in text
    assert 65_000 < len(text.encode()) <= 65_536


def test_of_long_arguments_the_longest_texts_are_cut(trial: Trial) -> None:
    arguments = json.dumps({"path": "memo.md", "content": "x" * 200_000})
    trial.record(chat(TASK), completion(None, tool_calls=[function("a", "write", arguments)]))
    call = trial.steps()[-1]["tool_calls"][0]
    assert call["arguments"]["path"] == "memo.md"
    assert "characters left out" in call["arguments"]["content"]
    assert call["extra"] == {"why": "the arguments were too long: their longest texts are cut"}


def test_arguments_with_too_many_parts_are_a_text_that_is_cut(trial: Trial) -> None:
    arguments = json.dumps({"lines": ["x" * 100] * 2000})
    trial.record(chat(TASK), completion(None, tool_calls=[function("a", "write", arguments)]))
    call = trial.steps()[-1]["tool_calls"][0]
    assert call["arguments"]["text"].startswith('{"lines": ["xxx')
    assert len(call["arguments"]["text"]) <= 65_536


def test_halves_of_characters_become_whole_or_are_replaced(trial: Trial) -> None:
    trial.record(chat(TASK), stream(delta(content="\ud83d"), delta(content="\ude00 and \ud800")))
    assert trial.steps()[-1]["message"] == "😀 and \ufffd"


def test_numbers_that_json_lacks_become_texts(trial: Trial) -> None:
    arguments = '{"a": NaN, "b": 1e999, "c": [-Infinity, 1.5]}'
    trial.record(chat(TASK), completion(None, tool_calls=[function("a", "f", arguments)]))
    assert trial.steps()[-1]["tool_calls"][0]["arguments"] == {
        "a": "nan",
        "b": "inf",
        "c": ["-inf", 1.5],
    }


def depth(value: object) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(depth, inner), default=0)


@pytest.mark.parametrize("levels", [30, 60, 500, 900, 990, 5000])
def test_what_is_nested_deeper_than_anybody_reads_becomes_a_text(trial: Trial, levels: int) -> None:
    deep = "[" * levels + "]" * levels
    call = f'{{"type": "tool_use", "id": "a", "name": "f", "input": {{"deep": {deep}}}}}'
    said = f'{{"role": "assistant", "content": [{call}]}}'
    told = f'{{"role": "user", "content": [{{"type": "image", "source": {deep}}}]}}'
    request, reply = f'{{"messages": [{told}, {said}]}}', f'{{"content": [{call}]}}'
    trial.put(f'{{"source": "upstream", "request": {request}, "reply": {reply}}}'.encode())
    assert depth(trial.told()) < 50


def test_a_trajectory_that_is_full_says_what_it_lacks(
    trial: Trial, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An agent can make up conversations of any size; every call of the model stays a step."""
    monkeypatch.setattr(atif, "ROOM", 20_000)
    trial.record(chat(*(user(str(n)) for n in range(1000))), completion())
    found = trial.told([command()])
    assert [step["message"] for step in found["steps"][:3]] == ["Write the note.", "0", "1"]
    assert len(found["steps"]) == 22
    assert [step["llm_call_count"] for step in found["steps"][-2:]] == [1, 0]
    assert re.fullmatch(
        r"98\d messages, .* left out, .*; the records have them all.", found["notes"]
    )


def test_of_a_request_with_too_many_messages_the_first_are_told(trial: Trial) -> None:
    trial.record(chat(*(user(str(n)) for n in range(12_000))), completion())
    steps = trial.steps()
    assert [step["message"] for step in steps[9_999:]] == [
        *("9999", "[2000 more messages: see the record]", "Done."),
    ]


def test_what_the_disk_refuses_is_the_callers(trial: Trial, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write(tmp_path / "missing" / "trajectory.json", HEAD, [], trial.records)


def test_nothing_stays_of_a_trajectory_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "trajectory.json" / "in-the-way").mkdir(parents=True)
    with pytest.raises(OSError, match="directory"):
        write(tmp_path / "trajectory.json", HEAD, [], tmp_path / "agent")
    assert list(tmp_path.glob("trajectory*")) == [tmp_path / "trajectory.json"]


def refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")


@given(RECORDS, st.text(), st.text())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_was_said_is_told_in_sound_json(
    tmp_path: Path, exchanges: list[dict[str, Any]], text: str, time: str
) -> None:
    trial = Trial(tmp_path)
    for number, exchange in enumerate(exchanges):
        trial.put(json.dumps(exchange).encode(), number)
    trial.told(
        [Command((text,), text, time, float("nan"), None, text, text)],
        Head(text, text, text, text, text),
    )
    data = (tmp_path / "trajectory.json").read_bytes().decode("utf-8")
    json.loads(data, parse_constant=refuse)
    assert not re.search("[\ud800-\udfff]", data)


def test_the_step_that_the_documentation_shows(trial: Trial) -> None:
    page = Path(__file__).parents[3] / "docs" / "runs.md"
    shown = re.search(r"```json\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    assert shown
    reply = completion("I look at the orders.", tool_calls=[READ])
    reply["choices"][0]["finish_reason"] = "tool_calls"
    name = trial.record(chat(RULES, TASK), reply)
    said = assistant("I look at the orders.", tool_calls=[READ])
    trial.record(chat(RULES, TASK, said, ANSWER), completion())
    assert trial.steps()[2] == json.loads(shown[1].replace("<SHA-256>", name[4:-5]))
