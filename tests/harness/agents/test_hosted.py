"""Agents that are Python classes: beside pae, with their commands in the box."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.fake_model import FakeModel
from tests.harness.agents.conftest import NOTE, Run, steps

from pae_harness.agents.hosted import describe
from pae_harness.errors import UsageError
from pae_harness.sandbox.protocol import Sandbox

HEAD = "class Agent:\n    def run(self, work):\n"


def agent(*lines: str) -> str:
    return HEAD + "".join(f"        {line}\n" for line in lines)


def test_it_reads_asks_and_writes(
    run: Run, sandbox: Sandbox, model: FakeModel, tmp_path: Path
) -> None:
    source = agent(
        'data = work.exec("cat /app/data/results.json").stdout',
        'question = {"role": "user", "content": work.instruction + data}',
        "reply = work.complete([question], temperature=0)",
        f'work.write({NOTE!r}, reply["choices"][0]["message"]["content"])',
        f'print("wrote", work.read({NOTE!r}))',
    )
    result = run(source=source, sandbox=sandbox, model=model)
    assert (result.outcome, result.reward, result.exit_code) == ("scored", 1.0, 0)
    assert model.seen[0].json["temperature"] == 0
    assert "101.25" in model.seen[0].json["messages"][0]["content"]
    assert (tmp_path / "trial" / "agent.log").read_text() == "wrote b'The fee is $101.25.'\n\n"
    assert result.usage["agent_calls"] == 1.0
    told = steps(tmp_path / "trial")
    assert [step["message"] for step in told if step.get("llm_call_count") == 1] == [
        "The fee is $101.25."
    ]


def test_commands_run_in_the_box_as_its_user(run: Run, sandbox: Sandbox, tmp_path: Path) -> None:
    source = agent(
        'print(work.exec(["id", "-u"]).stdout.strip(), work.exec("pwd").stdout.strip())',
        'print(work.exec("echo out; echo err >&2; exit 3"))',
        'print(work.exec("pwd", cwd="/tmp", env={"A": "1"}).stdout.strip())',
        f'work.write({NOTE!r}, "The fee is $101.25.")',
    )
    run(source=source, sandbox=sandbox)
    lines = (tmp_path / "trial" / "agent.log").read_text().splitlines()
    assert lines[0].endswith(" /app")
    assert lines[0] != "0 /app"
    assert "exit_code=3, stdout='out\\n', stderr='err\\n'" in lines[1]
    assert lines[2] == "/tmp"


def test_a_command_can_be_given_the_model(run: Run, sandbox: Sandbox, model: FakeModel) -> None:
    source = agent(
        'ask = "python3 -c \'import os; print(os.environ[\\"OPENAI_BASE_URL\\"])\'"',
        "done = work.exec(ask, with_model=True)",
        'assert done.stdout == "http://127.0.0.1:4141/v1\\n", done',
        'assert "OPENAI" not in work.exec("env").stdout',
        f'work.write({NOTE!r}, "The fee is $101.25.")',
    )
    result = run(source=source, sandbox=sandbox, model=model)
    assert (result.reward, result.exit_code) == (1.0, 0)


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ('"x\\0y"', "contains a NUL"),
        ('["echo", "x" * 131_072]', "Argument list too long"),
        ('["echo", "\\ud800"]', "surrogate"),
        ('"true", cwd="/nowhere"', "cd"),
        ('"true", env={"A=B": "1"}', "cannot be called"),
        ('["no-such-program"]', "not found"),
    ],
)
def test_what_no_shell_could_do_either_is_the_agents_own_mistake(
    run: Run, sandbox: Sandbox, order: str, said: str
) -> None:
    source = agent(
        f"done = work.exec({order})",
        f"assert done.exit_code in (2, 126, 127) and {said!r} in done.stderr, done",
        f'work.write({NOTE!r}, "The fee is $101.25.")',
    )
    result = run(source=source, sandbox=sandbox)
    assert (result.outcome, result.reward, result.exit_code) == ("scored", 1.0, 0)


def test_what_a_model_made_up_is_no_command(run: Run, sandbox: Sandbox) -> None:
    """A class that passes on the arguments of a tool call as they come."""
    source = agent(
        "odd = [",
        '    dict(command=["true", 5]), dict(command=["true", None]),',
        '    dict(command=["a"] * 200_000),',
        '    dict(command="true", cwd=5), dict(command="true", cwd={"a": 1}),',
        '    dict(command="true", env={"A": 5}), dict(command="true", env=["A=5"]),',
        '    dict(command="true", timeout="60"), dict(command="true", timeout=float("nan")),',
        "]",
        "for how in odd:",
        "    done = work.exec(**how)",
        "    assert done.exit_code == 126, (how, done)",
        'assert work.exec("true", timeout=-(10**400)).timed_out',
        f'work.write({NOTE!r}, "The fee is $101.25.")',
    )
    result = run(source=source, sandbox=sandbox)
    assert (result.outcome, result.reward, result.exit_code) == ("scored", 1.0, 0)


def test_a_command_that_takes_too_long_for_itself_is_not_the_end(
    run: Run, sandbox: Sandbox
) -> None:
    source = agent(
        'done = work.exec("sleep 60", timeout=0.3)',
        "assert done.timed_out and done.exit_code is None",
        f'work.write({NOTE!r}, "The fee is $101.25.")',
    )
    assert run(source=source, sandbox=sandbox).reward == 1.0


def test_a_folder_that_it_locked_itself_out_of_is_not_the_boxs_failure(
    run: Run, sandbox: Sandbox
) -> None:
    source = agent(
        f'work.write({NOTE!r}, "The fee is $101.25.")',
        'work.exec("chmod 0 /app")',
        'assert work.exec("pwd").exit_code == 2',
        'work.exec("chmod 755 /app", cwd="/")',
    )
    result = run(source=source, sandbox=sandbox)
    assert (result.outcome, result.reward) == ("scored", 1.0)


def test_a_limit_of_the_box_ends_its_work(run: Run, sandbox: Sandbox) -> None:
    source = agent(
        f'work.write({NOTE!r}, "The fee is $101.25.")',
        "work.exec(\"python3 -c 'x = bytearray(2 << 30)'\")",
        'work.exec("true")',
        'print("still here")',
    )
    result = run(source=source, sandbox=sandbox)
    assert (result.outcome, result.reason) == (
        "agent_failed",
        "the agent ran into its memory limit of 256 MB",
    )


def test_one_that_never_returns_is_killed_at_the_time_limit(run: Run, local: Sandbox) -> None:
    source = agent("while True: pass")
    result = run(source=source, sandbox=local, timeout_scale=0.05)
    assert (result.outcome, result.reason.split(";")[0]) == (
        "agent_failed",
        "the agent ran into its time limit of 1 s",
    )
    assert result.exit_code is None


def test_an_exception_is_noted_and_what_it_wrote_is_verified(
    run: Run, local: Sandbox, tmp_path: Path
) -> None:
    source = agent(
        f'work.write({NOTE!r}, "The fee is $101.25.")', 'raise RuntimeError("lost the thread")'
    )
    result = run(source=source, sandbox=local)
    assert (result.outcome, result.reward, result.exit_code) == ("scored", 1.0, 1)
    assert "RuntimeError: lost the thread" in (tmp_path / "trial" / "agent.log").read_text()


@pytest.mark.parametrize(
    ("end", "code"), [("os._exit(9)", 9), ("os.kill(os.getpid(), 11)", -11), ("sys.exit(3)", 3)]
)
def test_however_its_process_ends_the_trial_has_a_result(
    run: Run, local: Sandbox, end: str, code: int
) -> None:
    result = run(source="import os, sys\n" + agent(end), sandbox=local)
    assert (result.outcome, result.exit_code) == ("agent_failed", code)


def test_what_it_prints_is_bounded(run: Run, local: Sandbox, tmp_path: Path) -> None:
    source = agent('print("x" * (40 << 20))', f'work.write({NOTE!r}, "The fee is $101.25.")')
    assert run(source=source, sandbox=local).reward == 1.0
    log = (tmp_path / "trial" / "agent.log").read_bytes()
    assert len(log) < (1 << 20) + 100
    assert log.endswith(b"[output beyond the limit was dropped]")


def test_no_key_is_in_its_environment(
    run: Run, local: Sandbox, model: FakeModel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("JUDGE_API_KEY", "sk-of-the-judge")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-openai")
    source = "import os\n" + agent('print([n for n in os.environ if n.endswith("_API_KEY")])')
    run(source=source, sandbox=local, model=model)
    assert (tmp_path / "trial" / "agent.log").read_text().splitlines()[0] == "[]"


def test_an_error_of_the_models_has_its_status_and_words(
    run: Run, local: Sandbox, model: FakeModel, tmp_path: Path
) -> None:
    source = "from pae_harness.agents.workplace import ModelError\n" + agent(
        "try:",
        '    work.complete([{"role": "user", "content": "?"}], model="another")',
        "except ModelError as error:",
        "    print(error)",
    )
    run(source=source, sandbox=local, model=model)
    assert (tmp_path / "trial" / "agent.log").read_text().startswith("403: ")


@pytest.mark.parametrize(
    ("source", "spec", "why"),
    [
        ("", "no_such:Agent", "there is no module 'no_such' in /"),
        ("", "broken.inner:Agent", "there is no module 'broken.inner' in /"),
        ("import nowhere", "broken:Agent", "the module 'broken' cannot be imported: Module"),
        ("Agent = 3", "broken:Agent", "the module 'broken' has no class 'Agent'"),
        ("class Agent: pass", "broken:Agent", "broken:Agent has no method run(self, work)"),
        ("import os\nos._exit(0)", "broken:Agent", "ends Python when imported"),
        (
            "from pae_harness.errors import AgentLoadError\nraise AgentLoadError('get it first')",
            "broken:Agent",
            "agent 'mine': get it first",
        ),
    ],
)
def test_a_class_that_cannot_be_had_is_said_before_any_trial(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, spec: str, why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.py").write_text(source)
    describe.cache_clear()
    with pytest.raises(UsageError) as caught:
        describe(spec, "mine")
    assert why in str(caught.value)


def test_its_version_and_its_files_digest_are_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(
        'print("hello")\nclass Agent:\n    version = "2.1"\n    def run(self, work): pass\n'
    )
    describe.cache_clear()
    told = describe("mine:Agent")
    assert told["version"] == "2.1"
    assert len(told["module"]) == 64


LIVES_ON = """\
import os, time, pathlib
class Agent:
    def run(self, work):
        pathlib.Path(os.environ["SAY_PID"]).write_text(str(os.getpid()))
        time.sleep(300)
"""


def test_it_dies_with_pae(tiny_suite: Path, tmp_path: Path, local: Sandbox) -> None:
    (tmp_path / "lasting.py").write_text(LIVES_ON)
    said = tmp_path / "pid"
    command = ["-a", "lasting:Agent", "-s", "1", "--sandbox", "local", "--tasks"]
    pae = subprocess.Popen(
        [sys.executable, "-m", "pae_harness", "run", *command, str(tiny_suite / "tasks")],
        cwd=tmp_path,
        env={**os.environ, "SAY_PID": str(said)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    ends = time.monotonic() + 60
    while not (said.exists() and said.read_text()):
        assert time.monotonic() < ends
        time.sleep(0.02)
    os.kill(pae.pid, signal.SIGKILL)
    pae.wait()
    while Path(f"/proc/{said.read_text()}").exists():
        assert time.monotonic() < ends
        time.sleep(0.02)
