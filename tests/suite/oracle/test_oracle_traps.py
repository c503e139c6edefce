"""Every trap loses what traps.toml says, in the way that it says, on every seed."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pae_verifiers import Score

FOLDER = Path(__file__).parents[3] / "oracles" / "pf-judg-rebalance-memo"
TRAPS: dict[str, Any] = tomllib.loads((FOLDER / "traps.toml").read_text("utf-8"))
SEEDS = 10


@pytest.mark.parametrize("name", TRAPS)
def test_loses_credit_as_declared(
    name: str,
    rebalance_seeds: Any,
    trap_memo: Callable[[str, str], str],
    grade: Callable[[str, str, str], Score],
) -> None:
    trap = TRAPS[name]
    for seed in rebalance_seeds[:SEEDS]:
        score = grade(trap_memo(name, seed.text), seed.text, seed.policy_text)
        assert score.metrics[trap["metric"]] < 1, f"seed {seed.seed}"
        assert score.reward is not None
        assert 1 - score.reward >= trap["min_loss"], f"seed {seed.seed}: {score.metrics}"
        assert _shows(trap["expect"], score), f"seed {seed.seed}: {_summary(score)}"


def test_traps_toml_and_scripts_name_the_same(oracle_folder: Path, rebalance_task: Path) -> None:
    listed = tomllib.loads((rebalance_task / "task.toml").read_text("utf-8"))["metadata"]["traps"]
    scripts = {path.stem for path in (oracle_folder / "traps").glob("*.sh")}
    assert set(TRAPS) == scripts == set(listed)


@pytest.mark.parametrize("name", TRAPS)
def test_script_runs_the_oracle_and_its_own_edit(name: str, oracle_folder: Path) -> None:
    lines = (oracle_folder / "traps" / f"{name}.sh").read_text("utf-8").splitlines()
    assert lines[-2:] == ['bash "$here/solve.sh"', f'exec python3 -I "$here/edit.py" {name}']


@pytest.mark.parametrize("name", TRAPS)
def test_edit_that_finds_no_place_fails(name: str, oracle_folder: Path) -> None:
    code = (
        "import json, runpy, sys\n"
        f"edited = runpy.run_path({str(oracle_folder / 'edit.py')!r})['edited']\n"
        "edited(sys.argv[1], 'Dear client,\\n\\nNothing happened.\\n', {'sleeves': {}})\n"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code, name], capture_output=True, text=True)
    assert done.returncode == 1


def _shows(expect: dict[str, str], score: Score) -> bool:
    """Whether the details show the verdict or the item that a trap is expected to hit."""
    if "item" in expect:
        rubric: Any = score.details["rubric"]
        return any(i["id"] == expect["item"] and not i["passed"] for i in rubric["items"])
    numbers: Any = score.details["numbers"]
    return any(
        all(number[key] == value for key, value in expect.items()) for number in numbers["numbers"]
    )


def _summary(score: Score) -> str:
    numbers: Any = score.details["numbers"]
    bad = [n for n in numbers["numbers"] if n["verdict"] in ("mismatch", "fabricated")]
    return json.dumps([bad, numbers["missing_facts"]], default=str)
