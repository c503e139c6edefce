"""The command line: exit codes, what goes to stdout, and one sentence for each mistake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import pae_schemas
from pae_harness.main import main
from pae_verifiers.judge.prompts import load


def tasks(suite: Path) -> list[str]:
    return ["--tasks", str(suite / "tasks")]


def conforms(data: Any, schema: str) -> None:
    jsonschema.Draft202012Validator(pae_schemas.load(schema)).validate(data)


def test_validate_passes_on_a_sound_task(
    tiny_suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["validate", *tasks(tiny_suite), "-s", "1-2", "-o", "out"]) == 0
    shown = capsys.readouterr()
    assert "ok: 6 of 6 trials" in shown.out
    assert "a stand-in: not for publishing" in shown.out
    assert "[6/6]" in shown.err
    assert len(Path("out/trials.jsonl").read_text().splitlines()) == 6


def test_validate_as_json_keeps_stdout_for_data(
    tiny_suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["validate", *tasks(tiny_suite), "-s", "1", "--json", "-q"]) == 0
    shown = capsys.readouterr()
    data = json.loads(shown.out)
    conforms(data, "validate")
    assert shown.err == ""
    assert data["ok"] is True
    assert [(r["solution"], r["reward"]) for r in data["results"]] == [
        ("oracle", 1.0),
        ("nop", 0.0),
        ("trap:invented", 0.0),
    ]


def test_validate_says_which_oracle_falls_short(
    tiny_suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    solve = tiny_suite / "oracles" / "tiny-note" / "solve.sh"
    solve.write_text(solve.read_text().replace("$fee", "9"))
    assert main(["validate", *tasks(tiny_suite), "-s", "1"]) == 1
    assert "tiny-note/seed-1/oracle: the oracle earned 0.0" in capsys.readouterr().out


def test_validate_finds_a_generator_that_draws_anew_each_time(
    tiny_suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    generator = tiny_suite / "tasks" / "tiny-note" / "environment" / "generate.py"
    text = generator.read_text().replace("import json\n", "import json\nimport time\n")
    generator.write_text(text.replace("+ args.seed", "+ time.time_ns() % 1000"))
    assert main(["validate", *tasks(tiny_suite), "-s", "1"]) == 1
    assert "seed 1 gives other bytes the second time" in capsys.readouterr().out


def test_validate_finds_seeds_that_are_the_same(
    tiny_suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    generator = tiny_suite / "tasks" / "tiny-note" / "environment" / "generate.py"
    generator.write_text(generator.read_text().replace("+ args.seed", "+ 1"))
    assert main(["validate", *tasks(tiny_suite), "-s", "1-2"]) == 1
    assert "seeds 1 and 2 give the same fixtures" in capsys.readouterr().out


def test_an_unscored_trial_is_exit_3_and_no_verdict(
    tiny_suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = tiny_suite / "tasks" / "tiny-note" / "tests" / "rules.py"
    rules.write_text("def names_the_fee(candidate, facts):\n    raise RuntimeError('boom')\n")
    assert main(["validate", *tasks(tiny_suite), "-s", "1", "-k", "oracle"]) == 3
    assert "the verifier failed" in capsys.readouterr().out


def test_run_reports_what_an_agent_earned(
    tiny_suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agent = "cmd:echo 'The fee is $101.25.' > /app/output/note.md"
    assert main(["run", *tasks(tiny_suite), "-a", agent, "-s", "1-2", "--json", "-o", "out"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [r["reward"] for r in data["results"]] == [1.0, 0.0]
    assert (data["mean"], data["scored"], data["judge"]) == (0.5, 2, "rules")
    run = json.loads(Path("out/run.json").read_text())
    conforms(run, "run")
    for line in Path("out/trials.jsonl").read_text().splitlines():
        conforms(json.loads(line), "trial")


def test_attempts_are_trials_of_their_own(
    tiny_suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = ["run", *tasks(tiny_suite), "-a", "oracle", "-s", "3", "--attempts", "2", "-o", "out"]
    assert main(argv) == 0
    assert sorted(p.name for p in Path("out/tiny-note/seed-3").iterdir()) == ["oracle", "oracle-2"]


@pytest.mark.parametrize(("bar", "code"), [("0.5", 0), ("0.51", 1)])
def test_min_reward_is_a_verdict(tiny_suite: Path, bar: str, code: int) -> None:
    agent = "cmd:echo 'The fee is $101.25.' > /app/output/note.md"
    argv = ["run", *tasks(tiny_suite), "-a", agent, "-s", "1-2", "--min-reward", bar, "-q"]
    assert main(argv) == code


def test_a_missed_min_reward_says_so(tiny_suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["run", *tasks(tiny_suite), "-a", "nop", "-s", "1", "--min-reward", "0.9", "-q"])
    assert "below --min-reward 0.9: the mean is 0.0000, unscored counted as 0" in (
        capsys.readouterr().out
    )


def test_fail_fast_starts_none_after_the_failure_and_is_no_success(
    tiny_suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = ["run", *tasks(tiny_suite), "-a", "nop", "-s", "1-5", "-j", "1", "-x"]
    assert main([*argv, "--json", "-o", "out"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert (len(data["results"]), data["not_run"], data["interrupted"]) == (1, 4, False)
    assert main(argv) == 1
    assert "stopped after a failure (--fail-fast), 4 trials not run" in capsys.readouterr().out


def test_a_failure_is_told_once_where_there_is_no_terminal(
    tiny_suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["run", *tasks(tiny_suite), "-a", "nop", "-s", "1"])
    shown = capsys.readouterr()
    assert (shown.out + shown.err).count("note.md is missing") == 1
    assert "[1/1] agent_failed" in shown.err


def test_what_cannot_be_kept_is_told(tiny_suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agent = "cmd:ln -s /etc/passwd /app/link"
    main(["run", *tasks(tiny_suite), "-a", agent, "-s", "1", "-q", "--keep"])
    assert "tiny-note/seed-1/cmd: nothing of /app could be kept: " in capsys.readouterr().err


def test_what_ran_is_in_run_json(tiny_suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("mine").mkdir()
    Path("mine/write.py").write_text("first")
    argv = ["run", *tasks(tiny_suite), "-a", "cmd:true", "--agent-dir", "mine", "-s", "1", "-q"]
    main([*argv, "-o", "plain"])
    Path("mine/write.py").write_text("second")
    monkeypatch.setenv("PAE_SEED_SALT", "secret")
    main([*argv, "-o", "salted"])
    plain, salted = (json.loads(Path(p, "run.json").read_text()) for p in ("plain", "salted"))
    conforms(salted, "run")
    assert (plain["salted"], salted["salted"]) == (False, True)
    assert "salt" not in plain
    assert len(salted["salt"]) == 64
    assert plain["agent"]["command"] == salted["agent"]["command"] == "true"
    assert plain["agent"]["folder"] != salted["agent"]["folder"]


def test_validate_says_how_many_failed(
    tiny_suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    solve = tiny_suite / "oracles" / "tiny-note" / "solve.sh"
    solve.write_text(solve.read_text().replace("$fee", "9"))
    main(["validate", *tasks(tiny_suite), "-s", "1", "-k", "*/[on]*"])
    assert "not ok: of 2 trials 1 failed in " in capsys.readouterr().out


def test_a_task_without_a_rubric_names_no_judge(
    tiny_suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tests = tiny_suite / "tasks" / "tiny-note" / "tests"
    verifier = tests / "verifier.yaml"
    kept = [line for line in verifier.read_text().splitlines() if "rubric" not in line]
    verifier.write_text("\n".join(kept).replace("0.5", "1") + "\n")
    for name in ("rubric.yaml", "rules.py"):
        (tests / name).unlink()
    main(["run", *tasks(tiny_suite), "-a", "oracle", "-s", "1", "-q"])
    shown = capsys.readouterr().out
    assert "mean reward 1.0000: 1 scored" in shown
    assert "no judge took part" in shown


def test_a_run_folder_that_cannot_be_made_is_exit_2(
    tiny_suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("file").write_text("")
    assert main(["run", *tasks(tiny_suite), "-a", "nop", "-s", "1", "-o", "file/run"]) == 2
    assert "Not a directory; give a folder that can be written with --out" in (
        capsys.readouterr().err
    )


def test_dry_run_lists_and_runs_nothing(
    tiny_suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["validate", *tasks(tiny_suite), "-s", "4", "--dry-run"]) == 0
    assert capsys.readouterr().out.split() == [
        "tiny-note/seed-4/oracle",
        "tiny-note/seed-4/nop",
        "tiny-note/seed-4/trap-invented",
    ]
    assert not Path("runs").exists()


def test_dry_run_as_json(tiny_suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["run", *tasks(tiny_suite), "-a", "nop", "-s", "4", "--dry-run", "--json"])
    assert json.loads(capsys.readouterr().out) == {
        "trials": ["tiny-note/seed-4/nop"],
        "judge": {"name": "rules", "stand_in": True},
    }


def test_a_dry_run_shows_the_judge_and_needs_no_key(
    tiny_suite: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("JUDGE_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    argv = ["run", *tasks(tiny_suite), "-a", "nop", "-s", "4", "--judge", "m@openai"]
    assert main([*argv, "--dry-run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["judge"] == {
        "name": "m@openai",
        "stand_in": False,
        "model": "m",
        "base_url": "https://api.openai.com/v1",
        "provider": "openai",
        "prompt": {"name": "hardened", "digest": load("hardened").digest},
    }
    assert main([*argv, "--dry-run"]) == 0
    shown = capsys.readouterr()
    assert shown.out == "tiny-note/seed-4/nop\n"
    assert shown.err == "pae: judge m@openai at https://api.openai.com/v1\n"
    assert main([*argv, "-o", "out"]) == 2
    assert capsys.readouterr().err == (
        "pae: m@openai needs a key: set JUDGE_API_KEY or OPENAI_API_KEY\n"
    )
    assert not Path("out").exists()


def test_prices_stand_in_the_config_file(
    tiny_suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = ["run", *tasks(tiny_suite), "-a", "nop", "--judge", "m@ollama", "--judge-usd", "1"]
    assert main(argv) == 2
    assert "a budget in dollars needs the price of m: write [prices]" in capsys.readouterr().err
    Path("pae.toml").write_text("[prices]\nm = {input = 1.5, output = 6}\n")
    assert main([*argv, "--dry-run", "--json"]) == 0
    judge = json.loads(capsys.readouterr().out)["judge"]
    assert judge["price"] == {"input": 1.5, "output": 6.0}
    Path("pae.toml").write_text("[prices]\nm = {input = -1}\n")
    assert main([*argv, "--dry-run"]) == 2
    assert "prices: 'm' must be {input = X, output = Y}" in capsys.readouterr().err


def test_a_task_can_be_given_by_its_folder(tiny_suite: Path) -> None:
    folder = str(tiny_suite / "tasks" / "tiny-note")
    assert main(["run", folder, "-a", "oracle", "-s", "1", "-q"]) == 0


MISTAKES = [
    (["run", "-a", "oracel"], 2, "unknown agent 'oracel'; did you mean 'oracle'?"),
    (["run"], 2, "say what to run with -a"),
    (["run", "-a", "mini-swe-agent"], 2, "agent 'mini-swe-agent' needs a model: give one with"),
    (["run", "tiny-nope", "-a", "oracle"], 2, "there is no task 'tiny-nope'"),
    (["validate", "tiny-nope"], 2, "did you mean 'tiny-note'?"),
    (["run", "-a", "trap:invent"], 2, "has no trap 'invent'; did you mean 'invented'?"),
    (["run", "-a", "nop", "-k", "nothing-like-it"], 5, "no trial matches 'nothing-like-it'"),
    (["run", "-a", "nop", "-s", "x"], 2, "seeds 'x'"),
    (["run", "-a", "nop", "--sandbox", "locl"], 2, "did you mean 'local'?"),
]


@pytest.mark.parametrize(("argv", "code", "sentence"), MISTAKES)
def test_a_mistake_is_one_sentence_and_an_exit_code(
    tiny_suite: Path,
    capsys: pytest.CaptureFixture[str],
    argv: list[str],
    code: int,
    sentence: str,
) -> None:
    assert main([*argv, *tasks(tiny_suite)]) == code
    shown = capsys.readouterr()
    assert sentence in shown.err
    assert len(shown.err.splitlines()) == 1


def test_a_broken_task_folder_is_one_sentence_with_file_and_line(
    tiny_suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    toml = tiny_suite / "tasks" / "tiny-note" / "task.toml"
    toml.write_text(toml.read_text().replace("timeout_sec = 20.0", "timeout_secs = 20.0"))
    assert main(["run", *tasks(tiny_suite), "-a", "oracle"]) == 2
    assert capsys.readouterr().err == (
        f"pae: {toml}:30: unknown key 'timeout_secs' in [agent]; did you mean 'timeout_sec'?\n"
    )


@pytest.mark.parametrize("argv", [["frobnicate"], [], ["run", "--nonsense"]])
def test_what_the_parser_refuses_is_exit_2(argv: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(argv)
    assert caught.value.code == 2


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["run", "--sandbx", "local"], "there is no option --sandbx; did you mean --sandbox?"),
        (["run", "--seed", "3"], "there is no option --seed; did you mean --seeds?"),
        (["list", "tiny-note"], "'tiny-note' is one argument too many"),
    ],
)
def test_an_unknown_option_names_the_nearest(
    capsys: pytest.CaptureFixture[str], argv: list[str], sentence: str
) -> None:
    with pytest.raises(SystemExit):
        main(argv)
    assert sentence in capsys.readouterr().err


def test_tie_passes_a_document_that_ties_out(capsys: pytest.CaptureFixture[str]) -> None:
    Path("memo.md").write_text("The total cost was $12.50.\n")
    Path("results.json").write_text('{"total_cost_usd": 12.50}')
    assert main(["tie", "memo.md", "results.json"]) == 0
    assert "numeric_consistency 1.0000: 1 matched" in capsys.readouterr().out


def test_tie_says_what_the_source_says_and_why_it_missed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("memo.md").write_text("# Costs\n\nThe total cost was 0.35 bps.\n")
    Path("results.json").write_text('{"total_cost_bps": 35}')
    assert main(["tie", "memo.md", "results.json"]) == 1
    assert "line 3: 0.35 bps → source 35 bps at /total_cost_bps: unit_slip" in (
        capsys.readouterr().out
    )


def test_tie_quietly_shows_the_misses_and_the_summary_alone(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("memo.md").write_text("# Costs\n\nThe total cost was 0.35 bps.\n")
    Path("results.json").write_text('{"total_cost_bps": 35}')
    assert main(["tie", "-q", "memo.md", "results.json"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "line 3: 0.35 bps → source 35 bps at /total_cost_bps: unit_slip ×100",
        "numeric_consistency 0.0000: 0 matched, 1 not, 0 required facts missing",
    ]


@pytest.mark.parametrize("text", ["All is well.\n", "# 1. Costs on 30 November 2026\n"])
def test_tie_says_why_a_document_without_figures_is_not_ok(
    capsys: pytest.CaptureFixture[str], text: str
) -> None:
    Path("memo.md").write_text(text)
    Path("results.json").write_text('{"total_cost_bps": 35, "valued": "2026-11-30"}')
    assert main(["tie", "-q", "memo.md", "results.json"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "not ok: no number in the document needs a source, so nothing ties it to the data",
        "numeric_consistency 0.0000: 0 matched, 0 not, 0 required facts missing",
    ]


def test_tie_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    Path("memo.md").write_text("The total cost was $12.50.\n")
    Path("results.json").write_text('{"total_cost_usd": 12.50}')
    assert main(["tie", "memo.md", "results.json", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    conforms(data, "tie")
    assert [n["fact"] for n in data["numbers"]] == ["/total_cost_usd"]


def test_scan_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    Path("memo.md").write_text("Costs fell by 2.5%.\n")
    assert main(["scan", "memo.md", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    conforms(data, "scan")
    assert [(q["text"], q["value"], q["unit"]) for q in data["quantities"]] == [
        ("2.5%", "-2.5", "percent")
    ]


DOCUMENTS = [
    (["tie", "none.md", "results.json"], "cannot read none.md: No such file or directory"),
    (["tie", "memo.md", "none.json"], "cannot read none.json: No such file or directory"),
    (["scan", "latin.md"], "latin.md is not UTF-8 text (byte 3); convert it first"),
    (["tie", "memo.md", "broken.json"], "broken.json: the results are not JSON"),
    (["tie", "memo.md", "results.json", "--facts", "bad.yaml"], "bad.yaml:1: unknown key 'fact'"),
]


@pytest.mark.parametrize(("argv", "sentence"), DOCUMENTS)
def test_files_of_no_use_are_exit_2(
    capsys: pytest.CaptureFixture[str], argv: list[str], sentence: str
) -> None:
    Path("memo.md").write_text("x\n")
    Path("results.json").write_text("{}")
    Path("broken.json").write_text("{")
    Path("latin.md").write_bytes("caf\xe9".encode("latin-1"))
    Path("bad.yaml").write_text("fact: {}\n")
    assert main(argv) == 2
    assert sentence in capsys.readouterr().err


def test_a_document_cannot_drive_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    Path("memo.md").write_text("cost \x1b]0;owned\x07 $5\x1b[31m\n")
    Path("results.json").write_text('{"cost_usd": 5}')
    main(["tie", "memo.md", "results.json"])
    main(["scan", "memo.md"])
    assert "\x1b" not in capsys.readouterr().out


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out.startswith("pae 0.")


def test_shares_of_passed_attempts_are_told_where_there_are_several(
    tiny_suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agent = "cmd:echo 'The fee is $101.25.' > /app/output/note.md"
    argv = ["run", *tasks(tiny_suite), "-a", agent, "-s", "1-2", "--attempts", "2", "-q"]
    assert main([*argv, "--pass-at", "0.9"]) == 0
    told = "reward of at least 0.9: pass@1 0.5000; pass^2 0.5000"
    assert told in capsys.readouterr().out
    assert main([*argv, "--json"]) == 0
    half = {"value": 0.5, "worst": 0.5, "best": 0.5}
    assert json.loads(capsys.readouterr().out)["passes"] == {
        "at": 1.0,
        "attempts": 2,
        "pairs": 2,
        "measured": 2,
        "one": half,
        "every": half,
    }


def test_a_verifier_that_crashes_is_not_tried_again(tiny_suite: Path) -> None:
    rules = tiny_suite / "tasks" / "tiny-note" / "tests" / "rules.py"
    rules.write_text("def names_the_fee(candidate, facts):\n    raise RuntimeError('boom')\n")
    argv = ["run", *tasks(tiny_suite), "-a", "oracle", "-s", "1", "-q", "-o", "out"]
    assert main([*argv, "--retries", "3"]) == 3
    (line,) = Path("out/trials.jsonl").read_text().splitlines()
    assert json.loads(line)["tries"] == []
