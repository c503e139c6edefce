"""``pae run --model``: what is refused, what a run says of its model, and an external task."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.fake_model import FakeModel, fake_model, refused, said
from tests.harness.agents.conftest import KEY

from pae_harness.main import main

HARBOR = Path(__file__).parents[1] / "data" / "harbor" / "greet"
ASK = """\
import json, os, urllib.request
body = {"model": os.environ["OPENAI_MODEL"], "messages": [{"role": "user", "content": "Well?"}]}
headers = {"content-type": "application/json",
           "authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}
request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions",
                                 json.dumps(body).encode(), headers)
print(json.load(urllib.request.urlopen(request))["choices"][0]["message"]["content"])
"""
Shown = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AGENT_API_KEY", "JUDGE_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def argv(tiny_suite: Path) -> list[str]:
    """A run of an agent that writes what its model says."""
    Path("mine").mkdir(mode=0o755)
    Path("mine/ask.py").write_text(ASK)
    command = "cmd:python3 -I /agent/ask.py > /app/output/note.md"
    where = ["--tasks", str(tiny_suite / "tasks"), "--sandbox", "local", "-o", "out"]
    return ["run", "-a", command, "--agent-dir", "mine", "-s", "1", "-q", *where]


def test_a_key_that_is_missing_is_said_before_any_trial(argv: list[str], capsys: Shown) -> None:
    assert main([*argv, "-m", "m@openai"]) == 2
    assert capsys.readouterr().err == (
        "pae: m@openai needs a key: set AGENT_API_KEY or OPENAI_API_KEY\n"
    )
    assert not Path("out").exists()


def test_the_judges_key_is_not_the_agents(
    argv: list[str], capsys: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUDGE_API_KEY", "sk-of-the-judge")
    assert main([*argv, "-m", "m@openai"]) == 2


@pytest.mark.parametrize("model", ["gpt-5", "gpt-5@opnai", "m@http://user:pass@host/v1"])
def test_what_names_no_model_is_refused(argv: list[str], capsys: Shown, model: str) -> None:
    assert main([*argv, "-m", model, "--dry-run"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("pae: --model: ")
    assert said.count("\n") == 1


def test_a_plan_names_the_model(argv: list[str], capsys: Shown) -> None:
    assert main([*argv, "-m", "m@openai", "--dry-run"]) == 0
    assert "pae: the agent's model m@openai at https://api.openai.com/v1\n" in (
        capsys.readouterr().err
    )


def test_judge_and_agent_of_one_family_are_told_and_can_be_refused(
    argv: list[str], capsys: Shown
) -> None:
    argv = [
        *argv,
        "--dry-run",
        "-m",
        "claude-haiku-4@openrouter",
        "--judge",
        "claude-opus-4@anthropic",
    ]
    assert main(argv) == 0
    assert "both of the family claude" in capsys.readouterr().err
    assert main([*argv, "--strict-family"]) == 2
    assert "(--strict-family); take another --judge" in capsys.readouterr().err
    assert main([*argv[:-1], "gpt-5@openai", "--strict-family"]) == 0


def served(argv: list[str], model: FakeModel) -> list[str]:
    return [*argv, "-m", f"fake-1@{model.url}"]


def test_a_run_says_which_model_it_was_and_what_it_spent(
    argv: list[str], capsys: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENT_API_KEY", KEY)
    Path("pae.toml").write_text('[prices]\n"fake-1" = {input = 1, output = 10}\n')
    with fake_model(said("The fee is $101.25.")) as model:
        assert main([*served(argv, model), "--agent-usd", "1", "--json"]) == 0
        url = model.url
    shown = json.loads(capsys.readouterr().out)
    assert shown["usage"] == {
        "agent_calls": 1,
        "agent_prompt_tokens": 100,
        "agent_completion_tokens": 20,
        "agent_cost_usd": 0.0003,
    }
    agent = json.loads(Path("out/run.json").read_text())["agent"]
    assert agent["model"] == {
        "name": f"fake-1@{url}",
        "model": "fake-1",
        "base_url": url,
        "provider": "",
        "price": {"input": 1.0, "output": 10.0},
    }


def test_a_model_that_was_down_is_asked_again_on_resume(
    argv: list[str], capsys: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENT_API_KEY", KEY)
    answers = [refused("down for now", 503, retry_after="0")]
    with fake_model(said("The fee is $101.25.")) as model:
        model.otherwise = lambda seen: answers[0]
        assert main([*served(argv, model), "--retries", "0", "--timeout-scale", "0.2"]) == 3
        assert "unscored: the agent's model gave no answer: fake-1 at " in capsys.readouterr().out
        answers[0] = said("The fee is $101.25.")
        assert main(["resume", "out", "-q", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)["results"][0]
    assert (result["outcome"], result["reward"], len(result["tries"])) == ("scored", 1.0, 1)


def test_an_external_task_has_it_too(capsys: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_API_KEY", KEY)
    Path("mine").mkdir(mode=0o755)
    Path("mine/ask.py").write_text(ASK)
    agent = ["-a", "cmd:python3 -I /agent/ask.py > greeting.txt", "--agent-dir", "mine"]
    with fake_model(said("hello, world")) as model:
        run = ["run", str(HARBOR), *agent, "-m", f"fake-1@{model.url}", "--sandbox", "local"]
        assert main([*run, "-q", "--json", "-o", "out"]) == 0
    result = json.loads(capsys.readouterr().out)["results"][0]
    assert (result["outcome"], result["reward"]) == ("scored", 1.0)
    assert result["usage"]["agent_calls"] == 1
