"""``pae resume``: what is missing of a run is run, and the whole is as if nothing had happened."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import pae_schemas
from pae_harness.main import main
from pae_harness.runs.lock import hold

Shown = pytest.CaptureFixture[str]
AGENT = "cmd:cat /agent/note.md > /app/output/note.md"


@pytest.fixture
def agent_dir(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "note.md").write_text("The fee is $101.25.\n")
    return folder


def run(suite: Path, *more: str, agent: str = "oracle") -> int:
    argv = ["run", "--tasks", str(suite / "tasks"), "-a", agent, "-s", "1-3", "-o", "out", "-q"]
    return main([*argv, "--sandbox", "local", *more])


def lines() -> list[str]:
    return Path("out/trials.jsonl").read_text().splitlines(keepends=True)


def keep_lines(count: int, and_then: str = "") -> None:
    Path("out/trials.jsonl").write_text("".join(lines()[:count]) + and_then)


def forget(seed: int) -> None:
    """As if the trial had never been run."""
    shutil.rmtree(f"out/tiny-note/seed-{seed}")
    left = [line for line in lines() if json.loads(line)["seed"] != seed]
    Path("out/trials.jsonl").write_text("".join(left))


def trial(seed: int, solution: str = "oracle") -> dict[str, Any]:
    path = Path(f"out/tiny-note/seed-{seed}/{solution}/trial.json")
    data: dict[str, Any] = json.loads(path.read_text())
    return data


def break_rules(suite: Path) -> str:
    """From now on no trial can be scored; the text that was there."""
    rules = suite / "tasks" / "tiny-note" / "tests" / "rules.py"
    was = rules.read_text()
    rules.write_text("def names_the_fee(candidate, facts):\n    raise RuntimeError('boom')\n")
    return was


def test_what_is_missing_is_run_and_the_rest_is_left(tiny_suite: Path) -> None:
    run(tiny_suite)
    forget(2)
    before = lines()
    stamp = Path("out/tiny-note/seed-1/oracle").stat().st_mtime_ns
    assert main(["resume", "out", "-q"]) == 0
    assert lines()[:2] == before
    assert [json.loads(line)["seed"] for line in lines()[2:]] == [2]
    assert Path("out/tiny-note/seed-1/oracle").stat().st_mtime_ns == stamp


def test_its_report_is_of_the_whole_run(tiny_suite: Path, capsys: Shown) -> None:
    run(tiny_suite)
    forget(2)
    capsys.readouterr()
    assert main(["resume", "out", "--json", "-q"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [result["seed"] for result in data["results"]] == [1, 2, 3]
    assert (data["mean"], data["scored"], data["not_run"]) == (1.0, 3, 0)


def test_a_finished_run_is_only_reported(tiny_suite: Path, capsys: Shown) -> None:
    run(tiny_suite)
    before = lines()
    assert main(["resume", "out"]) == 0
    shown = capsys.readouterr()
    assert "nothing is missing of" in shown.err
    assert "3 scored, 0 failed, 0 unscored" in shown.out
    assert lines() == before


def test_a_failed_agent_is_not_tried_again(tiny_suite: Path, capsys: Shown) -> None:
    run(tiny_suite, agent="nop")
    assert main(["resume", "out"]) == 0
    assert "nothing is missing of" in capsys.readouterr().err


def test_an_unscored_trial_is_tried_again_and_its_last_line_counts(
    tiny_suite: Path, capsys: Shown
) -> None:
    was = break_rules(tiny_suite)
    assert run(tiny_suite, "-s", "1") == 3
    (tiny_suite / "tasks" / "tiny-note" / "tests" / "rules.py").write_text(was)
    assert main(["resume", "out", "-q", "--allow-changed"]) == 0
    assert [json.loads(line)["outcome"] for line in lines()] == ["unscored", "scored"]
    assert (trial(1)["outcome"], trial(1)["reward"]) == ("scored", 1.0)
    assert len(trial(1)["tries"]) == 1
    assert "boom" in trial(1)["tries"][0]
    capsys.readouterr()
    assert main(["regrade", "out", "--tasks", str(tiny_suite / "tasks"), "--sandbox", "local"]) == 0
    assert "1 of 1 trials judged again" in capsys.readouterr().out


def test_what_is_tried_again_counts_only_when_it_ends(tiny_suite: Path, capsys: Shown) -> None:
    was = break_rules(tiny_suite)
    run(tiny_suite, "-j", "1")
    (tiny_suite / "tasks" / "tiny-note" / "tests" / "rules.py").write_text(was)
    capsys.readouterr()
    assert main(["resume", "out", "--allow-changed", "-j", "1"]) == 0
    counts = [line.split()[0] for line in capsys.readouterr().err.splitlines() if line[0] == "["]
    assert counts == ["[1/3]", "[2/3]", "[3/3]"]


def test_a_half_written_last_line_is_no_trial(tiny_suite: Path) -> None:
    run(tiny_suite)
    third = lines()[2]
    shutil.rmtree(f"out/tiny-note/seed-{json.loads(third)['seed']}")
    keep_lines(2, third[:40])
    assert main(["resume", "out", "-q"]) == 0
    assert sorted(json.loads(line)["seed"] for line in lines()) == [1, 2, 3]


def test_a_line_that_lacks_only_its_end_is_given_it(tiny_suite: Path) -> None:
    run(tiny_suite)
    whole = lines()
    forget(2)
    left = "".join(lines())
    Path("out/trials.jsonl").write_text(left.rstrip("\n"))
    assert main(["resume", "out", "-q"]) == 0
    assert "".join(lines()).startswith(left)
    assert len(lines()) == len(whole)


def test_a_trial_in_its_place_without_a_line_is_not_run_again(tiny_suite: Path) -> None:
    run(tiny_suite)
    last = json.loads(lines()[2])
    keep_lines(2)
    assert main(["resume", "out", "-q"]) == 0
    assert json.loads(lines()[2]) == last


def test_drafts_of_the_dead_are_removed(tiny_suite: Path) -> None:
    run(tiny_suite)
    forget(1)
    Path("out/.drafts/tiny-note--seed-1--oracle/output").mkdir(parents=True)
    Path("out/.drafts-abandoned").mkdir()
    Path("out/.run.json").write_text("{")
    assert main(["resume", "out", "-q"]) == 0
    assert sorted(p.name for p in Path("out").iterdir()) == [
        *("run.json", "tiny-note", "trials.jsonl")
    ]


def test_a_killed_run_that_has_no_run_json_is_begun_again(tiny_suite: Path) -> None:
    Path("out/.drafts").mkdir(parents=True)
    Path("out/.run.json").write_text('{"label": ')
    Path("out/trials.jsonl").touch()
    assert main(["resume", "out"]) == 2
    assert run(tiny_suite) == 0


def test_the_settings_are_the_runs_own(
    tiny_suite: Path, agent_dir: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run(tiny_suite, "--agent-dir", "../mine", "--keep", "--timeout-scale", "2", agent=AGENT)
    forget(1)
    out = Path("out").absolute()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PAE_SEEDS", "7-9")
    monkeypatch.setenv("PAE_JUDGE", "off")
    assert main(["resume", str(out), "-q", "-j", "1"]) == 0
    monkeypatch.chdir(out.parent)
    assert (trial(1, "cmd")["outcome"], trial(1, "cmd")["reward"]) == ("scored", 1.0)
    assert Path("out/tiny-note/seed-1/cmd/app/output/note.md").is_file()
    described = json.loads(Path("out/run.json").read_text())
    Draft202012Validator(pae_schemas.load("run")).validate(described)
    assert [entry["options"] for entry in described["resumed"]] == [{"jobs": 1}]


def test_the_bar_of_the_run_holds_for_the_whole(tiny_suite: Path, agent_dir: Path) -> None:
    agent = "cmd:echo 'The fee is $101.25.' > /app/output/note.md"
    assert run(tiny_suite, "--min-reward", "0.5", agent=agent) == 1
    forget(1)
    assert main(["resume", "out", "-q"]) == 1


@pytest.mark.parametrize("what", ["task", "agent", "salt"])
def test_what_has_changed_is_refused_unless_that_is_wanted(
    tiny_suite: Path, agent_dir: Path, monkeypatch: pytest.MonkeyPatch, capsys: Shown, what: str
) -> None:
    run(tiny_suite, "--agent-dir", str(agent_dir), agent=AGENT)
    forget(2)
    if what == "task":
        with (tiny_suite / "tasks" / "tiny-note" / "instruction.md").open("a") as file:
            file.write("Be brief.\n")
    elif what == "agent":
        (agent_dir / "more").write_text("")
    else:
        monkeypatch.setenv("PAE_SEED_SALT", "secret")
    says = {
        "task": "the task tiny-note has changed since the run began; --allow-changed goes on",
        "agent": "the agent has changed since the run began; --allow-changed",
        "salt": "PAE_SEED_SALT is not what it was when the run began; --allow-changed",
    }
    assert main(["resume", "out"]) == 2
    assert says[what] in capsys.readouterr().err
    assert len(lines()) == 2
    assert main(["resume", "out", "-q", "--allow-changed"]) == 0
    assert len(lines()) == 3


def test_another_verifier_is_refused(tiny_suite: Path, capsys: Shown) -> None:
    run(tiny_suite)
    forget(2)
    described = json.loads(Path("out/run.json").read_text())
    described["digests"]["verifier"] = "0" * 64
    Path("out/run.json").write_text(json.dumps(described))
    assert main(["resume", "out"]) == 2
    assert "the verifier is another than the run began with" in capsys.readouterr().err
    assert main(["resume", "out", "--allow-changed", "-q"]) == 0
    resumed = json.loads(Path("out/run.json").read_text())["resumed"]
    assert resumed[0]["verifier"] == trial(2)["digests"]["verifier"]


def test_two_processes_are_not_let_into_one_run(tiny_suite: Path, capsys: Shown) -> None:
    run(tiny_suite)
    forget(2)
    hold(Path("out"))
    assert main(["resume", "out"]) == 2
    assert "another pae is writing to" in capsys.readouterr().err
    assert len(lines()) == 2


def test_a_task_that_was_moved_is_found_in_another_folder(
    tiny_suite: Path, tmp_path: Path, capsys: Shown
) -> None:
    run(tiny_suite)
    forget(2)
    moved = tiny_suite.rename(tmp_path / "moved")
    assert main(["resume", "out"]) == 2
    assert "tiny-note" in capsys.readouterr().err
    assert main(["resume", "out", "-q", "--tasks", str(moved / "tasks")]) == 0


def test_run_on_an_unfinished_folder_names_resume(tiny_suite: Path, capsys: Shown) -> None:
    run(tiny_suite)
    assert run(tiny_suite) == 2
    assert "--out out already holds a finished run; give a new folder" in capsys.readouterr().err
    forget(2)
    assert run(tiny_suite) == 2
    assert "holds an unfinished run: `pae resume out` goes on with it" in capsys.readouterr().err


def test_only_a_run_can_be_gone_on_with(tiny_suite: Path, capsys: Shown) -> None:
    main(["validate", "--tasks", str(tiny_suite / "tasks"), "-s", "1", "-q", "-o", "gate"])
    assert main(["resume", "gate"]) == 2
    assert "this was pae validate: run it again" in capsys.readouterr().err
    assert main(["resume", str(tiny_suite)]) == 2
    assert "is no run folder" in capsys.readouterr().err


def test_a_run_json_that_lacks_something_is_a_sentence(tiny_suite: Path, capsys: Shown) -> None:
    run(tiny_suite)
    described = json.loads(Path("out/run.json").read_text())
    del described["sandbox"]
    Path("out/run.json").write_text(json.dumps(described))
    assert main(["resume", "out"]) == 2
    assert "out/run.json cannot be gone on with: 'sandbox' is a required" in capsys.readouterr().err


def test_a_refusal_lets_go_of_the_folder(tiny_suite: Path, capsys: Shown) -> None:
    run(tiny_suite)
    forget(2)
    Path("out/.drafts").write_text("")
    assert main(["resume", "out"]) == 2
    assert "cannot write to the run folder" in capsys.readouterr().err
    Path("out/.drafts").unlink()
    assert main(["resume", "out", "-q"]) == 0


def test_a_dry_run_names_what_is_missing(tiny_suite: Path, capsys: Shown) -> None:
    run(tiny_suite)
    forget(2)
    capsys.readouterr()
    assert main(["resume", "out", "--dry-run"]) == 0
    assert capsys.readouterr().out == "tiny-note/seed-2/oracle\n"
    assert len(lines()) == 2


def test_a_dry_run_names_the_agents_model(tiny_suite: Path, capsys: Shown) -> None:
    run(tiny_suite, "-m", "small@http://127.0.0.1:9/v1", agent="cmd:true")
    forget(2)
    capsys.readouterr()
    assert main(["resume", "out", "--dry-run"]) == 0
    assert "the agent's model small@http://127.0.0.1:9/v1" in capsys.readouterr().err
