"""``pae regrade``: the kept outputs are judged again, and no agent runs."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from pae_harness.agents.hosted import describe as describe_class
from pae_harness.main import main


def tasks(suite: Path) -> list[str]:
    return ["--tasks", str(suite / "tasks")]


def run(suite: Path, out: str, *more: str, agent: str = "oracle") -> None:
    argv = ["run", *tasks(suite), "-a", agent, "-s", "1", "-o", out, "-q", "--sandbox", "local"]
    main([*argv, *more])


def regrade(suite: Path, source: str, *more: str) -> int:
    return main(["regrade", source, *tasks(suite), "--sandbox", "local", "-q", *more])


def trial(out: str, solution: str = "oracle") -> dict[str, Any]:
    path = Path(out) / "tiny-note" / "seed-1" / solution / "trial.json"
    data: dict[str, Any] = json.loads(path.read_text())
    return data


def stricter(suite: Path) -> None:
    """From now on the rules find no fee in any note."""
    rules = suite / "tasks" / "tiny-note" / "tests" / "rules.py"
    rules.write_text(rules.read_text().replace('"fee" in candidate.source', "False"))


def test_the_same_judge_gives_the_same_reward(
    tiny_suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(tiny_suite, "old")
    assert regrade(tiny_suite, "old", "-o", "new") == 0
    old, new = trial("old"), trial("new")
    for key in ("outcome", "reward", "metrics", "exit_code", "judge", "enforced"):
        assert new[key] == old[key], key
    assert new["digests"] == old["digests"]
    shown = capsys.readouterr().out
    assert "1 of 1 trials judged again, of " in shown
    assert "mean reward (rules) was 1.0000" in shown


def test_the_new_run_is_whole_and_names_the_old_one(tiny_suite: Path) -> None:
    run(tiny_suite, "old", agent="cmd:echo 'The fee is $101.25.' > /app/output/note.md; echo done")
    before = sorted(p.relative_to("old") for p in Path("old").rglob("*"))
    assert regrade(tiny_suite, "old", "-o", "new") == 0
    assert sorted(p.relative_to("new") for p in Path("new").rglob("*")) == before
    assert (Path("new/tiny-note/seed-1/cmd/agent.log")).read_text().strip() == "done"
    described = json.loads(Path("new/run.json").read_text())
    assert described["label"] == "regrade-cmd"
    assert described["regraded_from"]["run"] == str(Path("old").resolve())
    assert described["regraded_from"]["judge"] == {"name": "rules", "stand_in": True}
    assert described["agent"] == json.loads(Path("old/run.json").read_text())["agent"]
    assert len(Path("new/trials.jsonl").read_text().splitlines()) == 1


def test_no_agent_runs(tiny_suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(tiny_suite, "old")
    solve = tiny_suite / "oracles" / "tiny-note" / "solve.sh"
    solve.write_text("exit 1\n")
    capsys.readouterr()
    assert regrade(tiny_suite, "old", "-o", "new", "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert [result["reward"] for result in data["results"]] == [1.0]
    assert data["before"]["mean"] == 1.0


def test_a_changed_task_is_refused_unless_that_is_wanted(
    tiny_suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(tiny_suite, "old")
    stricter(tiny_suite)
    assert regrade(tiny_suite, "old", "-o", "new") == 2
    assert "the task tiny-note has changed since its outputs were made; --allow-changed" in (
        capsys.readouterr().err
    )
    assert not Path("new").exists()
    assert regrade(tiny_suite, "old", "-o", "new", "--allow-changed") == 0
    assert trial("new")["metrics"] == {"numeric_consistency": 1.0, "judge_rubric": 0.5}
    assert trial("new")["digests"]["task"] != trial("old")["digests"]["task"]


def test_other_fixtures_are_refused(
    tiny_suite: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    generator = tiny_suite / "tasks" / "tiny-note" / "environment" / "generate.py"
    salted = "len(__import__('os').environ.get('PAE_SEED_SALT', ''))"
    generator.write_text(generator.read_text().replace("args.seed}", f"args.seed + {salted}}}"))
    run(tiny_suite, "old")
    monkeypatch.setenv("PAE_SEED_SALT", "salt")
    assert regrade(tiny_suite, "old", "-o", "new") == 2
    assert "the fixtures of tiny-note, seed 1, are not those that" in capsys.readouterr().err
    assert regrade(tiny_suite, "old", "-o", "new", "--allow-changed") == 0
    assert trial("new")["reward"] == 0.0


def test_an_output_that_was_edited_is_refused(
    tiny_suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(tiny_suite, "old")
    Path("old/tiny-note/seed-1/oracle/output/app/output/note.md").write_text("Better.\n")
    assert regrade(tiny_suite, "old", "-o", "new") == 2
    assert "the output of tiny-note/seed-1/oracle is not what the run recorded" in (
        capsys.readouterr().err
    )


def test_the_agents_class_need_not_be_there(
    tiny_suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Path.cwd()
    place = tmp_path / "classes"
    place.mkdir()
    (place / "gone_agents.py").write_text(
        "class Writer:\n    def run(self, work):\n"
        "        work.write('/app/output/note.md', 'The fee is $101.25.')\n"
    )
    monkeypatch.chdir(place)
    run(tiny_suite, str(here / "old"), agent="gone_agents:Writer")
    (place / "gone_agents.py").unlink()
    monkeypatch.chdir(here)
    describe_class.cache_clear()
    assert regrade(tiny_suite, "old", "-o", "new") == 0
    agents = [json.loads(Path(out, "run.json").read_text())["agent"] for out in ("old", "new")]
    assert agents[0] == agents[1]
    assert agents[1]["class"] == "gone_agents:Writer"


def test_a_failed_agent_s_trial_stays_as_it_is(tiny_suite: Path) -> None:
    run(tiny_suite, "old", agent="nop")
    assert regrade(tiny_suite, "old", "-o", "new") == 0
    assert trial("new", "nop") == trial("old", "nop")


def test_an_unscored_trial_with_an_output_is_judged(tiny_suite: Path) -> None:
    run(tiny_suite, "old", "--judge", "off")
    assert trial("old")["outcome"] == "unscored"
    assert regrade(tiny_suite, "old", "-o", "new", "--judge", "rules") == 0
    assert (trial("new")["outcome"], trial("new")["reward"]) == ("scored", 1.0)
    assert trial("new")["reason"] == ""


def test_a_judge_that_fails_leaves_the_trial_unscored(tiny_suite: Path) -> None:
    run(tiny_suite, "old")
    rules = tiny_suite / "tasks" / "tiny-note" / "tests" / "rules.py"
    rules.write_text("def names_the_fee(candidate, facts):\n    raise RuntimeError('boom')\n")
    assert regrade(tiny_suite, "old", "-o", "new", "--allow-changed") == 3
    assert (trial("new")["outcome"], trial("new")["reward"]) == ("unscored", None)


def test_by_default_it_goes_beside_other_runs(tiny_suite: Path) -> None:
    run(tiny_suite, "old")
    assert regrade(tiny_suite, "old") == 0
    (folder,) = Path("runs").glob("*-regrade-oracle")
    assert Path("runs/latest").resolve() == folder.resolve()
    assert regrade(tiny_suite, "runs/latest", "-o", "again") == 0


def test_what_is_no_run_is_refused(tiny_suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert regrade(tiny_suite, str(tiny_suite)) == 2
    assert "is no run folder" in capsys.readouterr().err


def test_a_task_that_is_gone_is_named(tiny_suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(tiny_suite, "old")
    (tiny_suite / "tasks" / "tiny-note").rename(tiny_suite / "tasks" / "other-note")
    assert regrade(tiny_suite, "old") == 2
    assert "tiny-note" in capsys.readouterr().err


def test_a_dry_run_judges_nothing(tiny_suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(tiny_suite, "old")
    capsys.readouterr()
    assert regrade(tiny_suite, "old", "--dry-run", "--judge", "m@openai") == 0
    shown = capsys.readouterr()
    assert shown.out == "tiny-note/seed-1/oracle\n"
    assert "judge m@openai at https://api.openai.com/v1" in shown.err


def test_a_task_with_tests_of_its_own_has_no_judge_to_change(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(__file__).parent / "data" / "harbor"
    out = str(tmp_path / "run")
    argv = ["run", "greet", "--tasks", str(folder), "-a", "oracle", "-o", out, "--sandbox", "local"]
    main([*argv, "-q"])
    capsys.readouterr()
    assert main(["regrade", out, "--tasks", str(folder), "--sandbox", "local"]) == 2
    assert "brings its own tests, which no judge takes part in" in capsys.readouterr().err


def rewrite(run: str, **more: object) -> None:
    """Say something else of the run's one trial."""
    path = Path(run) / "trials.jsonl"
    path.write_text(json.dumps({**json.loads(path.read_text()), **more}) + "\n")


@pytest.mark.parametrize(
    "lie",
    [
        {"task": "../tasks/tiny-note"},
        {"task": ".."},
        {"task": "tasks/tiny-note"},
        {"solution": ".."},
        {"solution": "."},
        {"reward": float("nan")},
    ],
)
def test_a_trial_that_pae_cannot_have_made_is_refused(
    tiny_suite: Path, capsys: pytest.CaptureFixture[str], lie: dict[str, object]
) -> None:
    run(tiny_suite, "old")
    rewrite("old", **lie)
    assert regrade(tiny_suite, "old", "-o", "new", "--allow-changed") == 2
    assert "old is no run folder: trials.jsonl: " in capsys.readouterr().err
    assert not Path("new").exists()


@pytest.mark.parametrize("place", ["tiny-note/seed-1", "oracle", "output", "app", "note.md"])
def test_a_link_in_a_run_leads_nowhere(
    tiny_suite: Path, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    """Else whoever made the run would have a judge read a file of this machine."""
    run(tiny_suite, "old")
    path = min(path for path in Path("old").rglob("*") if str(path).endswith(f"/{place}"))
    path.rename("elsewhere")
    path.symlink_to(Path("elsewhere").resolve())
    assert regrade(tiny_suite, "old", "-o", "new", "--allow-changed") == 2
    assert f"{place} is a link: in a run folder there are plain" in capsys.readouterr().err
    assert not Path("new").exists()


def test_a_pipe_in_a_run_holds_nothing_up(
    tiny_suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(tiny_suite, "old")
    os.mkfifo("old/tiny-note/seed-1/oracle/more")
    assert regrade(tiny_suite, "old", "-o", "new", "--allow-changed") == 2
    assert "oracle/more is a device, a socket or a pipe" in capsys.readouterr().err


def test_a_label_does_not_say_where_the_new_run_goes(tiny_suite: Path) -> None:
    run(tiny_suite, "old")
    described = json.loads(Path("old/run.json").read_text())
    Path("old/run.json").write_text(json.dumps({**described, "label": "../../../elsewhere"}))
    assert regrade(tiny_suite, "old") == 0
    (folder,) = (path for path in Path("runs").iterdir() if path.name != "latest")
    assert folder.name.endswith("-regrade-..-..-..-elsewhere")


def test_a_reward_without_its_output_is_not_taken_over(tiny_suite: Path) -> None:
    run(tiny_suite, "old")
    (Path("old") / "tiny-note/seed-1/oracle/output/app/output/note.md").unlink()
    assert regrade(tiny_suite, "old", "-o", "new", "--allow-changed") == 3
    assert (trial("new")["outcome"], trial("new")["reward"]) == ("unscored", None)
    assert (
        trial("new")["reason"] == "its outputs were not kept, so that nobody can judge them again"
    )
