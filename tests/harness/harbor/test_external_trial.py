"""Whole trials of a Harbor task whose tests are shared, in local boxes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.harness.harbor.conftest import edit

from pae_harness import TrialResult, run_trial
from pae_harness.main import main

HONEST = "echo 'hello, world' > greeting.txt"


def run(task: Path, command: str, folder: Path | None = None, **more: float) -> TrialResult:
    scale = more.get("timeout_scale", 1.0)
    return run_trial(task, 1, f"cmd:{command}", sandbox="local", folder=folder, timeout_scale=scale)


def outcome(result: TrialResult) -> tuple[str, float | None, str]:
    return result.outcome, result.reward, result.reason


def test_the_oracle_is_the_tasks_own_solution(greet: Path, tmp_path: Path) -> None:
    result = run_trial(greet, 1, "oracle", sandbox="local", folder=tmp_path / "trial")
    assert outcome(result) == ("scored", 1.0, "")
    assert (tmp_path / "trial" / "output" / "job" / "greeting.txt").read_text() == (
        "hello, world\n"
    )
    assert (tmp_path / "trial" / "verifier" / "reward.txt").read_text() == "1\n"


def test_nop_earns_what_the_tests_say(greet: Path) -> None:
    assert outcome(run_trial(greet, 1, "nop", sandbox="local")) == ("scored", 0.0, "")


def test_validate_holds_oracle_and_nop_against_the_tests(greet: Path) -> None:
    assert main(["validate", str(greet), "-q", "--sandbox", "local", "-o", "out"]) == 0
    assert len(Path("out/trials.jsonl").read_text().splitlines()) == 2


def test_an_agent_works_in_the_working_folder_with_its_instruction_in_app(greet: Path) -> None:
    look = "grep -q greeting.txt /app/instruction.md && test $(pwd) = /job && "
    assert run(greet, look + HONEST).reward == 1.0


def test_solution_and_tests_are_in_no_agents_box(greet: Path) -> None:
    look = f"{HONEST}; for p in /solution /tests; do if test -e $p; then exit 9; fi; done"
    result = run(greet, look)
    assert (result.exit_code, result.reward) == (0, 1.0)


def test_a_working_folder_that_is_asked_for(greet: Path) -> None:
    edit(greet / "task.toml", "cpus = 1", 'cpus = 1\nworkdir = "/srv/deep/er"')
    assert run(greet, f"test $(pwd) = /srv/deep/er && {HONEST}").reward == 1.0
    assert run_trial(greet, 1, "oracle", sandbox="local").reward == 1.0


def test_a_working_folder_that_no_box_can_write(greet: Path) -> None:
    edit(greet / "task.toml", "cpus = 1", 'cpus = 1\nworkdir = "/usr/src"')
    result = run(greet, HONEST)
    assert result.outcome == "unscored"
    assert "the task works in /usr/src, which no box here can write: set [env" in result.reason


def test_variables_reach_the_boxes_that_they_are_for(greet: Path, tmp_path: Path) -> None:
    with (greet / "task.toml").open("a") as file:
        file.write('[environment.env]\nTONE = "kind"\n[solution.env]\nWHO = "world"\n')
    (greet / "solution" / "solve.sh").write_text(
        '#!/bin/sh\ntest "$TONE$WHOM" = kind && echo "hello, $WHO" > greeting.txt\n'
    )
    (greet / "tests" / "test.sh").write_text(
        '#!/bin/sh\ntest "$TONE$WHO$WHOM" = kindworld && echo 1 > /logs/verifier/reward.txt\n'
    )
    assert outcome(run_trial(greet, 1, "oracle", sandbox="local")) == ("scored", 1.0, "")


def test_a_reward_in_json_with_its_metrics(greet: Path) -> None:
    (greet / "tests" / "test.sh").write_text(
        '#!/bin/sh\necho \'{"reward": 0.5, "style": 0.25}\' > /logs/verifier/reward.json\nexit 1\n'
    )
    result = run(greet, HONEST)
    assert outcome(result) == ("scored", 0.5, "")
    assert result.metrics == {"style": 0.25}


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("echo 2 > /logs/verifier/reward.txt", "reward.txt: reward is 2.0, outside 0 to 1"),
        ("exit 4", "wrote neither reward.json nor reward.txt; test.sh ended with 4"),
        ("sleep 60", "the verifier ran into its time limit of 3 s"),
    ],
)
def test_tests_that_say_nothing_are_no_zero(greet: Path, script: str, reason: str) -> None:
    (greet / "tests" / "test.sh").write_text(f"#!/bin/sh\n{script}\n")
    result = run(greet, HONEST, timeout_scale=0.1)
    assert (result.outcome, result.reward) == ("unscored", None)
    assert reason in result.reason


def test_a_time_out_is_a_failure_even_with_a_result(greet: Path) -> None:
    result = run(greet, f"{HONEST}; sleep 60", timeout_scale=0.05)
    assert outcome(result) == ("agent_failed", 0.0, "the agent ran into its time limit of 1 s")


def test_programs_that_an_agent_wrote_can_be_run_by_the_tests(greet: Path) -> None:
    (greet / "tests" / "test.sh").write_text(
        "#!/bin/sh\n/job/bin/answer > /logs/verifier/reward.txt\n"
    )
    write = "mkdir bin; printf '#!/bin/sh\\necho 1\\n' > bin/answer; chmod 755 bin/answer"
    assert outcome(run(greet, write)) == ("scored", 1.0, "")


def test_all_that_was_left_in_shared_folders_reaches_the_tests(greet: Path) -> None:
    (greet / "tests" / "test.sh").write_text(
        "#!/bin/sh\nset -e\ntest -f /logs/agent/a -a -f /logs/artifacts/b -a -f deep/c\n"
        "test ! -e /app/instruction.md\necho 1 > /logs/verifier/reward.txt\n"
    )
    leave = "mkdir deep; touch /logs/agent/a /logs/artifacts/b deep/c"
    assert outcome(run(greet, leave)) == ("scored", 1.0, "")


def test_of_separate_tests_only_the_artifacts(greet: Path) -> None:
    edit(greet / "task.toml", "[verifier]", '[verifier]\nenvironment_mode = "separate"')
    edit(greet / "task.toml", 'schema_version = "1.2"', 'artifacts = ["greeting.txt", "none"]')
    (greet / "tests" / "test.sh").write_text(
        '#!/bin/sh\nset -e\ntest "$(ls /job /logs/agent | xargs)" = "/job: greeting.txt '
        '/logs/agent:"\ntest -f /logs/artifacts/b\necho 1 > /logs/verifier/reward.txt\n'
    )
    leave = f"{HONEST}; touch other /logs/agent/a /logs/artifacts/b"
    assert outcome(run(greet, leave)) == ("scored", 1.0, "")


FORGERIES = [
    "for d in /logs/verifier /logs/agent /logs/artifacts /app /job /tmp; do "
    "mkdir -p $d; echo 1 > $d/reward.txt; echo '{\"reward\": 1}' > $d/reward.json; done",
    "(while true; do for f in /logs/*/reward.txt; do echo 1 > $f; done; done) & sleep 0.2",
    "mkdir -p /tests; echo 'echo 1 > /logs/verifier/reward.txt' > /tests/test.sh",
    "echo 'echo 1 > /logs/verifier/reward.txt' > ~/.bashrc; cp ~/.bashrc ~/.profile",
    "mkdir -p /app/logs/verifier /job/tests; echo 1 > /app/logs/verifier/reward.txt",
]


@pytest.mark.parametrize("forge", FORGERIES)
def test_what_forges_a_reward_in_a_shared_container_forges_nothing_here(
    greet: Path, forge: str
) -> None:
    assert outcome(run(greet, f"{forge}; true")) == ("scored", 0.0, "")


PLANTED = [
    "echo 'raise SystemExit(0)' > /job/json.py; cp /job/json.py /app; touch /job/conftest.py",
    "for d in $(python3 -c 'import sys; print(*filter(None, sys.path))'); do "
    "echo 'import os; os._exit(0)' > $d/sitecustomize.py; done",
    "mkdir -p ~/bin /job/bin; echo 'echo 1' > /job/bin/cat; chmod 755 /job/bin/cat; "
    "export PATH=/job/bin:$PATH",
]


@pytest.mark.parametrize("plant", PLANTED)
def test_what_is_planted_for_the_tests_python_is_never_imported(greet: Path, plant: str) -> None:
    (greet / "tests" / "test.sh").write_text("#!/bin/sh\nexec python3 /tests/check.py\n")
    (greet / "tests" / "check.py").write_text(
        "import json, pathlib\n"
        "right = pathlib.Path('greeting.txt').exists()\n"
        "reward = json.dumps({'reward': int(right)})\n"
        "pathlib.Path('/logs/verifier/reward.json').write_text(reward)\n"
    )
    assert outcome(run(greet, f"{plant}; true")) == ("scored", 0.0, "")


def test_no_box_shows_what_this_machine_has_in_its_environment(
    greet: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    spy = "cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr '\\0' '\\n'; env"
    (greet / "tests" / "test.sh").write_text(
        f"#!/bin/sh\n({spy}) > /logs/verifier/seen\necho 1 > /logs/verifier/reward.txt\n"
    )
    run(greet, spy, tmp_path / "trial")
    for seen in ("agent.log", "verifier/seen"):
        text = (tmp_path / "trial" / seen).read_text()
        assert "PATH=" in text
        assert "sk-very-secret" not in text


@pytest.mark.parametrize("leave", ["ln -s /logs/verifier/reward.txt x", "mkfifo x"])
def test_a_link_or_a_pipe_among_what_was_left_cannot_be_used(greet: Path, leave: str) -> None:
    result = run(greet, f"{HONEST}; {leave}")
    assert (result.outcome, result.reward) == ("agent_failed", 0.0)
    assert "what the agent left at /job cannot be used" in result.reason


def test_a_file_in_the_place_of_the_working_folder_is_a_zero(greet: Path) -> None:
    """Without a folder to begin in the tests would not start, and the trial would be unscored."""
    edit(greet / "task.toml", "cpus = 1", 'cpus = 1\nworkdir = "/job/deep"')
    result = run(greet, "cd /; rmdir /job/deep; touch /job/deep")
    assert outcome(result) == (
        "agent_failed",
        0.0,
        "what the agent left stands in the place of the working folder /job/deep",
    )


def test_more_than_the_tests_box_can_hold_is_a_zero(greet: Path) -> None:
    edit(greet / "task.toml", "[verifier]", '[verifier]\nenvironment_mode = "separate"')
    edit(greet / "task.toml", 'schema_version = "1.2"', 'artifacts = ["greeting.txt"]')
    with (greet / "task.toml").open("a") as file:
        file.write("[verifier.environment]\nstorage_mb = 16\n")
    result = run(greet, "head -c 20000000 /dev/zero > greeting.txt")
    assert (result.outcome, result.reward) == ("agent_failed", 0.0)
    assert "what the agent left cannot be given to the tests" in result.reason
    assert "No space left" in result.reason


def test_a_healthcheck_that_never_passes_is_no_zero_of_the_agent(greet: Path) -> None:
    with (greet / "task.toml").open("a") as file:
        file.write('[environment.healthcheck]\ncommand = "false"\ninterval_sec = 0\nretries = 2\n')
    result = run(greet, HONEST)
    assert (result.outcome, result.exit_code) == ("unscored", None)
    assert "the healthcheck failed 2 times: false" in result.reason


def test_a_task_without_a_solution_runs_agents_but_no_oracle(greet: Path) -> None:
    (greet / "solution" / "solve.sh").unlink()
    (greet / "solution").rmdir()
    assert run(greet, HONEST).reward == 1.0
    result = run_trial(greet, 1, "oracle", sandbox="local")
    assert (result.outcome, result.reason) == (
        "unscored",
        "the task has no solution/solve.sh to run as its oracle",
    )


def test_an_image_of_its_own_needs_containers(
    count_words: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(count_words), "-a", "oracle", "--sandbox", "local"]) == 2
    assert "installs software, which the local sandbox cannot do" in capsys.readouterr().err


def test_what_was_run_is_in_the_result(greet: Path, tmp_path: Path) -> None:
    result = run_trial(greet, 1, "oracle", sandbox="local", folder=tmp_path / "trial")
    assert set(result.digests) == {"task", "verifier", "output"}
    assert set(result.timings) == {"agent", "verifier"}
    assert result.judge == "none"
    assert not [p.name for p in (tmp_path / "trial").iterdir() if p.name.startswith(".")]
    json.dumps(result.to_json())
