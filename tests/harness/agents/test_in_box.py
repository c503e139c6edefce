"""A command in an offline box that asks a model."""

from __future__ import annotations

import base64
import json
from decimal import Decimal
from pathlib import Path

from tests.fake_model import Answer, FakeModel, fake_model, refused, said
from tests.harness.agents.conftest import KEY, NOTE, Run, steps

from pae_harness.judges import Spending
from pae_harness.sandbox.protocol import Sandbox

WRITE = f"""
text = ask("What is the fee?")["choices"][0]["message"]["content"]
open({NOTE!r}, "w").write(text + chr(10))
print("asked")
"""


def test_it_asks_at_the_address_that_its_clients_know(
    run: Run, sandbox: Sandbox, model: FakeModel, tmp_path: Path
) -> None:
    result = run(WRITE, sandbox=sandbox, model=model)
    assert (result.outcome, result.reward, result.exit_code) == ("scored", 1.0, 0)
    assert [(seen.path, seen.headers["authorization"]) for seen in model.seen] == [
        ("/v1/chat/completions", f"Bearer {KEY}")
    ]
    assert model.seen[0].json["model"] == "fake-1"
    assert result.usage == {
        "agent_calls": 1.0,
        "agent_prompt_tokens": 100.0,
        "agent_completion_tokens": 20.0,
    }
    (record,) = (tmp_path / "trial" / "agent").iterdir()
    kept = json.loads(record.read_text())
    assert kept["request"]["messages"] == [{"role": "user", "content": "What is the fee?"}]
    assert kept["reply"]["choices"][0]["message"]["content"] == "The fee is $101.25."


def test_what_it_did_is_its_trajectory(
    run: Run, sandbox: Sandbox, model: FakeModel, tmp_path: Path
) -> None:
    run(WRITE, sandbox=sandbox, model=model)
    told = steps(tmp_path / "trial")
    assert [step["source"] for step in told].count("agent") == 2
    calls = [step for step in told if step.get("llm_call_count") == 1]
    assert [step["message"] for step in calls] == ["The fee is $101.25."]
    commands = [step for step in told if step.get("llm_call_count") == 0]
    assert "asked" in json.dumps(commands[0]["observation"])


def test_the_key_is_nowhere_in_the_box_nor_in_what_is_kept(
    run: Run, sandbox: Sandbox, model: FakeModel, tmp_path: Path
) -> None:
    look = """
import glob
seen = []
for path in [*glob.glob("/proc/[0-9]*/environ"), *glob.glob("/proc/[0-9]*/cmdline"),
             *glob.glob("/broker/*.py")]:
    try:
        seen.append(open(path, "rb").read())
    except OSError:
        pass
print(b"\\n".join(seen).decode("latin-1"))
"""
    result = run(look + WRITE, sandbox=sandbox, model=model)
    assert result.outcome == "scored"
    forms = [KEY.encode(), base64.b64encode(KEY.encode()), KEY.encode().hex().encode()]
    for path in (tmp_path / "trial").rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert not [form for form in forms if form in data], path
    assert b"OPENAI_API_KEY=pae-" in (tmp_path / "trial" / "agent.log").read_bytes()


def test_anthropics_clients_find_it_too(run: Run, sandbox: Sandbox, tmp_path: Path) -> None:
    reply = Answer(
        body=json.dumps(
            {
                "type": "message",
                "role": "assistant",
                "model": "fake-1",
                "content": [{"type": "text", "text": "The fee is $101.25."}],
                "usage": {"input_tokens": 7, "output_tokens": 5},
            }
        ).encode()
    )
    program = f"""
body = {{"model": os.environ["ANTHROPIC_MODEL"], "max_tokens": 50,
        "messages": [{{"role": "user", "content": "Fee?"}}]}}
headers = {{"content-type": "application/json", "anthropic-version": "2023-06-01",
           "x-api-key": os.environ["ANTHROPIC_API_KEY"]}}
request = urllib.request.Request(os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages",
                                 json.dumps(body).encode(), headers)
text = json.load(urllib.request.urlopen(request))["content"][0]["text"]
open({NOTE!r}, "w").write(text + chr(10))
"""
    with fake_model(reply) as model:
        result = run(program, sandbox=sandbox, model=model)
    assert (result.outcome, result.reward) == ("scored", 1.0)
    assert model.seen[0].path == "/v1/messages"
    assert result.usage["agent_prompt_tokens"] == 7.0


def test_its_exit_status_is_kept(run: Run, sandbox: Sandbox, model: FakeModel) -> None:
    result = run(WRITE + "raise SystemExit(7)", sandbox=sandbox, model=model)
    assert (result.outcome, result.exit_code) == ("scored", 7)


def test_without_a_model_there_is_no_way_out(run: Run, sandbox: Sandbox) -> None:
    program = f"""
import os
open({NOTE!r}, "w").write(f"{{sorted(k for k in os.environ if 'API' in k)}} "
                          f"{{os.path.exists('/broker')}}")
"""
    result = run(program, sandbox=sandbox)
    assert result.outcome == "scored"
    assert result.usage == {}


def test_its_budget_ends_its_calls_and_not_its_work(
    run: Run, local: Sandbox, model: FakeModel
) -> None:
    more = """
try:
    ask("Once more?")
except urllib.error.HTTPError as error:
    print(error.code, json.load(error)["error"]["code"])
"""
    result = run(WRITE + more, sandbox=local, model=model, spending=Spending(calls=1))
    assert (result.outcome, result.reward) == ("scored", 1.0)
    assert len(model.seen) == 1


def test_it_costs_what_the_prices_say(run: Run, local: Sandbox, model: FakeModel) -> None:
    spending = Spending(prices={"fake-1": {"input": 2.0, "output": 10.0}})
    result = run(WRITE, sandbox=local, model=model, spending=spending)
    cost = (100 * Decimal(2) + 20 * Decimal(10)) / 1_000_000
    assert result.usage["agent_cost_usd"] == float(cost)


def test_a_call_under_way_ends_with_the_agents_time(
    run: Run, local: Sandbox, right: Answer
) -> None:
    slow = Answer(right.status, right.body, right.headers, delay=20)
    with fake_model(slow, right) as model:
        result = run(WRITE, sandbox=local, model=model, timeout_scale=0.1)
    assert result.outcome in ("agent_failed", "unscored")
    assert result.reward in (0.0, None)


def test_a_model_out_of_reach_is_no_zero(run: Run, local: Sandbox, tmp_path: Path) -> None:
    with fake_model(refused("no such model", 404)) as model:
        result = run(WRITE, sandbox=local, model=model)
    assert (result.outcome, result.reward) == ("unscored", None)
    assert "404" in result.reason
    assert result.passing
    assert (tmp_path / "trial" / "trajectory.json").is_file()


def test_a_request_that_is_refused_for_itself_is_the_agents_own_trouble(
    run: Run, local: Sandbox, right: Answer
) -> None:
    with fake_model(refused("messages: too odd", 400), right) as model:
        result = run(WRITE, sandbox=local, model=model)
    assert (result.outcome, result.reward) == ("agent_failed", 0.0)


def test_a_memo_that_was_written_all_the_same_counts(run: Run, local: Sandbox) -> None:
    last = """
try:
    ask("Anything else?")
except urllib.error.HTTPError:
    pass
"""
    script = [said("The fee is $101.25."), refused("odd", 400), said("OK")]
    with fake_model(*script) as model:
        result = run(WRITE + last, sandbox=local, model=model)
    assert (result.outcome, result.reward) == ("scored", 1.0)
