"""``pae demo``: real memos, really scored, in one command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from tests.harness.terminal import on_terminal, plain, styled

from pae_harness.demo import SEED, TASK, demo_files, demo_memos
from pae_harness.main import main
from pae_harness.trial import run_trial

ROOT = Path(__file__).parents[2]
NAMES = ["the oracle's memo", "with two slips", "with an invented number too"]


def as_json(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    assert main(["demo", "--json"]) == 0
    memos: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["memos"]
    return memos


def test_what_each_memo_earns(capsys: pytest.CaptureFixture[str]) -> None:
    memos = as_json(capsys)
    assert [(m["name"], round(m["reward"], 3), m["metrics"]) for m in memos] == [
        (NAMES[0], 1.0, {"numeric_consistency": 1.0, "judge_rubric": 1.0}),
        (NAMES[1], 0.949, {"numeric_consistency": 0.9, "judge_rubric": 1.0}),
        (NAMES[2], 0.0, {"numeric_consistency": 0.0}),
    ]


def test_what_cost_them_credit_is_one_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    right, slips, wrong = (memo["why"] for memo in as_json(capsys))
    assert right == []
    assert [line.split(": ")[-1] for line in slips] == [
        "wrong_fact (this is /costs/dealing_fee/amount_usd)",
        "unit_slip ÷100",
    ]
    assert wrong[:2] == slips
    assert [line.split(": ", 1)[1] for line in wrong[2:]] == ["13.7% → in no source: fabricated"]


def test_every_miss_is_a_number_of_the_document(capsys: pytest.CaptureFixture[str]) -> None:
    for memo in as_json(capsys):
        missed = [n for n in memo["numbers"] if n["verdict"] in ("mismatch", "fabricated")]
        assert len(missed) == len(memo["why"])


def test_the_verdicts_shown_are_those_behind_the_reward() -> None:
    from pae_verifiers.numbers.tie import tie_json

    for memo in demo_memos():
        numbers: Any = memo.score.details["numbers"]
        assert tie_json(memo.tied)["numbers"] == numbers["numbers"]


def test_a_trial_in_a_box_gives_the_same(tmp_path: Path) -> None:
    oracle = demo_memos()[0]
    done = run_trial(ROOT / "tasks" / TASK, SEED, "oracle", folder=tmp_path / "trial")
    (memo,) = (tmp_path / "trial").rglob("memo.md")
    assert (memo.read_text("utf-8"), done.metrics) == (oracle.text, oracle.score.metrics)


def test_a_secret_salt_does_not_change_it(monkeypatch: pytest.MonkeyPatch) -> None:
    before = [memo.text for memo in demo_memos()]
    monkeypatch.setenv("PAE_SEED_SALT", "other")
    assert [memo.text for memo in demo_memos()] == before


def test_the_files_are_the_suite_s_own() -> None:
    assert [demo_files(kind) for kind in ("tasks", "oracles")] == [
        ROOT / "tasks" / TASK,
        ROOT / "oracles" / TASK,
    ]


def test_side_by_side_where_there_is_room() -> None:
    code, shown = on_terminal("demo", columns=140)
    lines = plain(shown).splitlines()
    assert code == 0
    assert any(line.count("# Your rebalancing memo") == 2 for line in lines)
    assert max(map(len, lines)) <= 140


@pytest.mark.parametrize("columns", [119, 60])
def test_one_above_the_other_where_there_is_not(columns: int) -> None:
    _, shown = on_terminal("demo", columns=columns)
    lines = plain(shown).splitlines()
    assert lines.count("# Your rebalancing memo") == 2
    titles = [f"{NAMES[0]}: reward 1.000", f"{NAMES[2]}: reward 0.000"]
    assert [line for line in lines if line in titles] == titles


@pytest.mark.parametrize("columns", [140, 60])
def test_the_wrong_numbers_stand_out(columns: int) -> None:
    _, shown = on_terminal("demo", columns=columns)
    memos = shown.split("matched")[0]
    stand_out = [text for style, text in styled(memos) if style in ("1;33", "1;4;31")]
    assert [text.strip() for text in stand_out] == ["$579", "1.63%", "13.7%"]


def test_quietly_the_memos_are_left_out() -> None:
    _, shown = on_terminal("demo", "-q")
    assert "Dear" not in shown
    assert "reward 0.949" in shown


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT))
    (found,) = folder.glob("*.whl")
    return found


def pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    subprocess.run(command, check=True, timeout=300)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["tasks", "oracles"])
def test_a_wheel_holds_the_suite_s_own_files(wheel: Path, kind: str) -> None:
    prefix = f"pae_harness/demo_files/{kind}/{TASK}/"
    with zipfile.ZipFile(wheel) as archive:
        packed = {
            name.removeprefix(prefix): archive.read(name)
            for name in archive.namelist()
            if name.startswith(prefix)
        }
    folder = ROOT / kind / TASK
    there = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert packed == there


@pytest.mark.slow
def test_an_installed_wheel_shows_the_same(
    wheel: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pip("install", "--no-deps", "--target", str(tmp_path / "site"), str(wheel))
    installed = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    run = [sys.executable, "-P", "-c"]
    ask = "import pae_harness.demo as d; print(d.demo_files('tasks'), d.demo_files('oracles'))"
    options: dict[str, Any] = {"env": installed, "cwd": "/", "text": True, "timeout": 60}
    where = subprocess.check_output([*run, ask], **options).split()
    files = tmp_path / "site" / "pae_harness" / "demo_files"
    assert where == [str(files / "tasks" / TASK), str(files / "oracles" / TASK)]
    show = "from pae_harness.main import run; run()"
    shown = subprocess.check_output([*run, show, "demo", "--json"], **options)
    assert json.loads(shown)["memos"] == as_json(capsys)
