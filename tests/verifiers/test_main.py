"""The command that the box runs: files in, files out, exit status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.verifiers.conftest import Case

Edit = Callable[[str, str], None]


def command(case: Case, judge: str | None = None) -> subprocess.CompletedProcess[str]:
    folders = {
        "--tests": case.tests,
        "--fixtures": case.fixtures,
        "--outputs": case.outputs,
        "--logs": case.logs,
    }
    arguments = [str(part) for pair in folders.items() for part in pair]
    environment = {key: value for key, value in os.environ.items() if key != "PAE_JUDGE"}
    return subprocess.run(
        [sys.executable, "-I", "-m", "pae_verifiers", *arguments],
        env=environment if judge is None else {**environment, "PAE_JUDGE": judge},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def written(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_reward_and_details_are_written(case: Case) -> None:
    done = command(case)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert written(case.logs) == ["details.json", "reward.json"]
    assert json.loads((case.logs / "reward.json").read_text()) == {
        "reward": 1.0,
        "numeric_consistency": 1.0,
        "judge_rubric": 1.0,
    }


def test_two_runs_write_the_same_bytes(case: Case) -> None:
    command(case)
    first = [(case.logs / name).read_bytes() for name in written(case.logs)]
    command(case, judge="rules")
    assert [(case.logs / name).read_bytes() for name in written(case.logs)] == first


def test_a_missing_document_is_a_reward_of_zero_and_no_failure(case: Case) -> None:
    case.memo.unlink()
    assert command(case).returncode == 0
    assert json.loads((case.logs / "reward.json").read_text())["reward"] == 0.0
    details = json.loads((case.logs / "details.json").read_text())
    assert details["reason"] == "there is no /app/output/memo.md"


def test_the_task_s_folders_are_left_as_they_were(case: Case) -> None:
    before = {path for path in case.root.rglob("*") if case.logs not in path.parents}
    command(case)
    after = {path for path in case.root.rglob("*") if case.logs not in path.parents}
    assert after - before == {case.logs}


@pytest.mark.parametrize(
    ("name", "old", "new", "sentence"),
    [
        ("verifier.yaml", "weight: 0.5", "weight: 0.6", "verifier.yaml:6: the weights sum to 1.1, "
         "not 1"),
        ("rubric.yaml", "weight: 0.5", "weight: 0.4", "rubric.yaml:3: the weights of the required "
         "items sum to 0.9, not 1"),
        ("facts.yaml", "facts:", "facts: [", "facts.yaml:3: not valid YAML: "),
        ("rules.py", "def says_why", "def says_y", "rules.py: there is no function "
         "says_why(candidate, facts)"),
        ("rules.py", "bool(found), ", "found[5], ", "rules.py: says_why raised IndexError: "),
    ],
)  # fmt: skip
def test_a_broken_task_is_one_sentence_and_no_reward(
    case: Case, name: str, old: str, new: str, sentence: str
) -> None:
    path = case.tests / name
    path.write_text(path.read_text().replace(old, new, 1))
    case.logs.mkdir()
    (case.logs / "reward.json").write_text('{"reward": 1.0}')  # as if left by someone
    done = command(case)
    assert done.returncode == 2
    assert done.stderr.startswith(f"pae_verifiers: {sentence}")
    assert done.stderr.count("\n") == 1
    assert written(case.logs) == []


def test_a_missing_source_is_the_task_s_fault(case: Case) -> None:
    (case.fixtures / "app/policy/ips.yaml").unlink()
    done = command(case)
    assert done.returncode == 2
    assert done.stderr.startswith("pae_verifiers: /app/policy/ips.yaml: cannot be read: ")


def test_a_broken_task_is_found_before_a_missing_document(case: Case) -> None:
    case.memo.unlink()
    (case.tests / "rules.py").write_text("says_why = polite = None\n")
    assert command(case).returncode == 2


def test_a_judge_that_there_is_not_is_one_sentence(case: Case) -> None:
    done = command(case, judge="some-model@http://localhost")
    assert done.returncode == 2
    assert done.stderr == (
        "pae_verifiers: there is no judge 'some-model@http://localhost'; there is: rules\n"
    )


def test_heavy_packages_are_not_imported(case: Case) -> None:
    program = (
        "import sys; from pathlib import Path; from pae_verifiers.__main__ import run\n"
        f"root = Path({str(case.root)!r})\n"
        "score = run(root / 'tests', root / 'fixtures', root / 'outputs')\n"
        "assert score.reward == 1.0\n"
        "heavy = {'pint', 'jsonschema', 'rich', 'docker', 'httpx', 'asyncio'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_importing_the_package_imports_nothing_of_it() -> None:
    program = (
        "import sys, pae_verifiers; print(sorted(n for n in sys.modules if n.startswith('pae_')))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "['pae_verifiers']\n"
