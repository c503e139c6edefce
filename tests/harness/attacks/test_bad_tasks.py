"""Tasks that are broken, not agents: none is taken for sound, and none costs another its result."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.harness.attacks.lab import TINY
from tests.harness.backends import Backend

from pae_harness.main import main

RULES, GENERATOR = "tests/rules.py", "environment/generate.py"
CRASH = "raise RuntimeError('broken')\n"
# What is appended to which file of a task or its oracle, and what becomes of the oracle's trial.
BROKEN = {
    "sound": ("", "", ("scored", 1.0, True)),
    "solve-exits-with-7": ("solve.sh", "exit 7\n", ("scored", 1.0, False)),
    "verifier-crashes": (
        RULES,
        f"def names_the_fee(candidate, facts):\n    {CRASH}",
        ("unscored", None, False),
    ),
    "verifier-says-1-and-crashes": (
        RULES,
        "import os, pathlib\n"
        "reward = pathlib.Path('/logs/verifier/reward.json')\n"
        'reward.write_text(\'{"reward": 1, "numeric_consistency": 1, "judge_rubric": 1}\')\n'
        "os._exit(9)\n",
        ("unscored", None, False),
    ),
    "generator-crashes": (GENERATOR, CRASH, ("unscored", None, False)),
}


def test_a_broken_task_costs_no_other_and_is_not_taken_for_sound(
    tmp_path: Path,
    backend: Backend,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, value in backend.environment.items():
        monkeypatch.setenv(name, value)
    for name, (path, more, _) in BROKEN.items():
        task = Path(shutil.copytree(TINY / "tasks" / "tiny-note", tmp_path / "tasks" / name))
        oracle = Path(shutil.copytree(TINY / "oracles" / "tiny-note", tmp_path / "oracles" / name))
        manifest = task / "task.toml"
        manifest.write_text(manifest.read_text().replace("tests/tiny-note", f"tests/{name}"))
        if path:
            with ((oracle if path == "solve.sh" else task) / path).open("a") as file:
                file.write(more)
    arguments = ["-s", "1", "-k", "/oracle", "-j", "2", "-o", "out", "--sandbox", backend.name]
    code = main(["validate", "--tasks", str(tmp_path / "tasks"), "--json", *arguments])
    said = capsys.readouterr()
    assert said.out, said.err
    data = json.loads(said.out)
    found = {row["task"]: (row["outcome"], row["reward"], row["ok"]) for row in data["results"]}
    assert found == {name: becomes for name, (_, _, becomes) in BROKEN.items()}
    assert [problem["task"] for problem in data["fixtures"]] == ["generator-crashes"]
    assert code == 1
