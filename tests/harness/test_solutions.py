"""What -a names, and what is run for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pae_harness.errors import UsageError
from pae_harness.solutions import parse
from pae_harness.tasks import Task


def test_the_oracle_runs_solve_sh_and_sees_its_own_folder(tiny: Task) -> None:
    oracle = parse("oracle")
    assert oracle.command() == ["bash", "/solution/solve.sh"]
    assert [(m.source, m.target) for m in oracle.mounts(tiny)] == [(tiny.oracle, "/solution")]


def test_a_trap_runs_its_own_script(tiny: Task) -> None:
    trap = parse("trap:invented")
    assert trap.command() == ["bash", "/solution/traps/invented.sh"]
    assert (trap.name, trap.slug) == ("trap:invented", "trap-invented")


def test_nop_runs_nothing() -> None:
    assert parse("nop").command() is None


def test_a_command_is_run_by_a_shell_and_sees_no_oracle(tiny: Task, tmp_path: Path) -> None:
    agent = parse("cmd:python3 /agent/write.py", tmp_path)
    assert agent.command() == ["sh", "-c", "python3 /agent/write.py"]
    assert [(m.source, m.target) for m in agent.mounts(tiny)] == [(tmp_path.resolve(), "/agent")]
    assert agent.name == "cmd"


@pytest.mark.parametrize(
    ("spec", "hosted"),
    [
        ("my_agents:Writer", "my_agents:Writer"),
        ("team.agents.v2:Writer", "team.agents.v2:Writer"),
        ("mini-swe-agent", "pae_harness.agents.mini_swe:MiniSweAgent"),
        ("cmd:Writer", None),
        ("trap:invented", None),
        ("oracle", None),
    ],
)
def test_a_class_is_no_command(spec: str, hosted: str | None) -> None:
    agent = parse(spec)
    assert agent.hosted == hosted
    assert (agent.command() is None) == (hosted is not None)
    assert agent.name == ("cmd" if spec == "cmd:Writer" else spec)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("oracel", "unknown agent 'oracel'; did you mean 'oracle'?"),
        (
            "gpt",
            "unknown agent 'gpt'; "
            "use one of oracle, nop, trap:NAME, cmd:COMMAND, MODULE:CLASS, mini-swe-agent",
        ),
        ("mini-swe", "unknown agent 'mini-swe'; did you mean 'mini-swe-agent'?"),
        ("cmd:", "agent 'cmd:' names nothing to run"),
        ("cmd:  ", "agent 'cmd:  ' names nothing to run"),
        ("trap:", "agent 'trap:' names nothing to run"),
        (
            "my_agents:",
            "unknown agent 'my_agents:'; "
            "use one of oracle, nop, trap:NAME, cmd:COMMAND, MODULE:CLASS, mini-swe-agent",
        ),
    ],
)
def test_what_is_no_agent(spec: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(spec)
    assert str(caught.value) == message


def test_an_unknown_trap_names_the_nearest(tiny: Task) -> None:
    with pytest.raises(UsageError, match="no trap 'invent'; did you mean 'invented'"):
        parse("trap:invent").check(tiny)


def test_an_agents_folder_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a folder"):
        parse("cmd:true", tmp_path / "none")


def test_an_agents_folder_goes_with_a_command_only(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match="--agent-dir goes with an agent of your own, not with oracle"
    ):
        parse("oracle", tmp_path)
