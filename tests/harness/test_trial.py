"""Whole trials in real boxes: what an agent does, and the one outcome that it gives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pae_harness import TrialResult, run_trial
from pae_harness.errors import TaskError, UsageError
from pae_harness.solutions import parse
from pae_harness.tasks import Task, load

HONEST = 'echo "The fee is \\$101.25." > /app/output/note.md'


def run(task: Task, command: str, folder: Path | None = None) -> TrialResult:
    return run_trial(task, 1, f"cmd:{command}", sandbox="local", folder=folder)


def test_the_oracle_earns_one(tiny: Task, tmp_path: Path) -> None:
    result = run_trial(tiny, 1, "oracle", sandbox="local", folder=tmp_path / "trial")
    assert (result.outcome, result.reward, result.reason) == ("scored", 1.0, "")
    assert result.metrics == {"numeric_consistency": 1.0, "judge_rubric": 1.0}
    note = tmp_path / "trial" / "output" / "app" / "output" / "note.md"
    assert note.read_text() == "The fee is $101.25.\n"
    reward = json.loads((tmp_path / "trial" / "verifier" / "reward.json").read_text())
    assert reward == {"reward": 1.0, "numeric_consistency": 1.0, "judge_rubric": 1.0}


def test_a_trap_loses(tiny: Task) -> None:
    result = run_trial(tiny, 1, "trap:invented", sandbox="local")
    assert (result.outcome, result.reward) == ("scored", 0.0)
    assert result.metrics == {"numeric_consistency": 0.0}


def test_nop_earns_nothing(tiny: Task) -> None:
    result = run_trial(tiny, 1, "nop", sandbox="local")
    assert (result.outcome, result.reward) == ("agent_failed", 0.0)
    assert result.reason == "the output /app/output/note.md is missing"


def test_seeds_have_their_own_data(tiny: Task) -> None:
    assert run_trial(tiny, 7, f"cmd:{HONEST}", sandbox="local").reward == 0.0


def test_a_strangers_script_is_run_from_its_folder(tiny: Task, tmp_path: Path) -> None:
    agent = tmp_path / "agent"
    agent.mkdir(mode=0o755)
    (agent / "write.sh").write_text(HONEST + "\n")
    solution = parse("cmd:sh /agent/write.sh", agent)
    assert run_trial(tiny, 1, solution, sandbox="local").reward == 1.0


def test_a_non_zero_exit_alone_is_still_scored(tiny: Task) -> None:
    result = run(tiny, f"{HONEST}; exit 3")
    assert (result.outcome, result.reward, result.exit_code) == ("scored", 1.0, 3)


def test_a_time_out_is_a_failure_even_with_a_document(tiny: Task) -> None:
    task = run_trial(tiny, 1, f"cmd:{HONEST}; sleep 60", sandbox="local", timeout_scale=0.05)
    assert (task.outcome, task.reward) == ("agent_failed", 0.0)
    assert task.reason == "the agent ran into its time limit of 1 s"


def test_the_agents_copy_of_the_data_is_never_trusted(tiny: Task) -> None:
    lie = "echo '{\"fee_usd\": 5}' > /app/data/results.json; "
    lie += 'echo "The fee is \\$5." > /app/output/note.md'
    assert run(tiny, lie).reward == 0.0
    assert run(tiny, f"echo '{{}}' > /app/data/results.json; {HONEST}").reward == 1.0


def test_the_agent_sees_instruction_and_data_but_nothing_that_decides(tiny: Task) -> None:
    look = (
        "set -e; test -s /app/instruction.md; test -s /app/data/results.json; "
        "for p in /solution /tests /fixtures /gen /agent; do if test -e $p; then exit 9; fi; done; "
        "if python3 -c 'import pae_verifiers' 2> /dev/null; then exit 8; fi; "
        "if python3 -c 'import yaml' 2> /dev/null; then exit 7; fi; " + HONEST
    )
    result = run(tiny, look)
    assert (result.exit_code, result.reward) == (0, 1.0)


def test_a_verifier_that_crashes_is_no_zero(tiny: Task) -> None:
    rules = tiny.path / "tests" / "rules.py"
    rules.write_text("def names_the_fee(candidate, facts):\n    raise RuntimeError('boom')\n")
    result = run_trial(load(tiny.path), 1, "oracle", sandbox="local")
    assert (result.outcome, result.reward) == ("unscored", None)
    assert "the verifier failed with exit code 2" in result.reason


def test_a_generator_that_fails_is_no_zero(tiny: Task) -> None:
    (tiny.path / "environment" / "generate.py").write_text("raise SystemExit('no data')\n")
    result = run_trial(load(tiny.path), 1, "oracle", sandbox="local")
    assert (result.outcome, result.reward) == ("unscored", None)
    assert "generate.py: failed on seed 1 with exit code 1: no data" in result.reason


def test_all_that_was_left_can_be_kept(tiny: Task, tmp_path: Path) -> None:
    run_trial(
        tiny,
        1,
        f"cmd:{HONEST}; echo draft > /app/draft.txt",
        sandbox="local",
        keep=True,
        folder=tmp_path / "trial",
    )
    assert (tmp_path / "trial" / "app" / "draft.txt").read_text() == "draft\n"


def test_what_was_run_is_in_the_result(tiny: Task) -> None:
    result = run_trial(tiny, 1, "oracle", sandbox="local")
    assert (result.sandbox, result.judge) == ("local", "rules")
    assert set(result.enforced) >= {"memory", "pids", "cpus", "storage", "time"}
    assert set(result.digests) == {"task", "verifier", "fixtures", "output"}
    assert set(result.timings) == {"fixtures", "agent", "verifier"}


def test_the_salt_gives_other_data(tiny: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    generator = tiny.path / "environment" / "generate.py"
    text = generator.read_text().replace("+ args.seed", "+ len(os.environ['PAE_SEED_SALT'])")
    generator.write_text(text.replace("import json\n", "import json\nimport os\n"))
    monkeypatch.setenv("PAE_SEED_SALT", "x")
    assert run_trial(load(tiny.path), 1, f"cmd:{HONEST}", sandbox="local").reward == 1.0
    monkeypatch.setenv("PAE_SEED_SALT", "xx")
    assert run_trial(load(tiny.path), 1, f"cmd:{HONEST}", sandbox="local").reward == 0.0


def test_an_unknown_judge_is_refused(tiny: Task) -> None:
    with pytest.raises(UsageError, match="unknown judge 'gpt'"):
        run_trial(tiny, 1, "oracle", sandbox="local", judge="gpt")


def test_fixtures_may_not_replace_the_system(tiny: Task) -> None:
    generator = tiny.path / "environment" / "generate.py"
    more = "(args.out / 'usr' / 'data').mkdir(parents=True)\n"
    generator.write_text(f"{generator.read_text()}{more}(args.out / 'usr/data/x').touch()\n")
    result = run_trial(load(tiny.path), 1, "oracle", sandbox="local")
    assert result.outcome == "unscored"
    assert "may not lie under /usr" in result.reason


def test_a_broken_task_is_refused_before_anything_runs(tiny: Task) -> None:
    (tiny.path / "instruction.md").unlink()
    with pytest.raises(TaskError, match=r"instruction\.md: is missing"):
        run_trial(tiny.path, 1, "oracle", sandbox="local")


def test_a_command_that_fails_says_how(tiny: Task) -> None:
    assert run(tiny, "echo starting; echo no such model >&2; exit 7").reason == (
        "the output /app/output/note.md is missing; "
        "the agent ended with exit code 7 and last said in agent.log: no such model"
    )


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (("results.json", "result.json"), "did not write the input /app/data/results.json"),
        (("json.dumps(", "repr("), "wrote an input /app/data/results.json for seed 1 that is not"),
    ],
)
def test_an_input_that_the_generator_owes_is_no_zero_of_the_agent(
    tiny: Task, edit: tuple[str, str], why: str
) -> None:
    generator = tiny.path / "environment" / "generate.py"
    generator.write_text(generator.read_text().replace(*edit))
    result = run_trial(load(tiny.path), 1, f"cmd:{HONEST}", sandbox="local")
    assert (result.outcome, result.exit_code) == ("unscored", None)
    assert f"generate.py: {why}" in result.reason


def test_a_task_can_be_given_as_text(tiny: Task) -> None:
    assert run_trial(str(tiny.path), 1, "nop", sandbox="local").outcome == "agent_failed"


@pytest.mark.parametrize("seed", [-1, 1.5, "1", True])
def test_a_seed_is_a_whole_number_of_at_least_0(tiny: Task, seed: Any) -> None:
    with pytest.raises(UsageError, match="is no whole number of at least 0"):
        run_trial(tiny, seed, "nop", sandbox="local")
