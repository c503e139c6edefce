"""The verifier's runtime: what is in it, and that it stays light."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pae_harness.runtime import PACKAGES, verifier_runtime
from pae_verifiers.rubric.load import shipped_names


def test_what_it_takes_beside_python_stays_below_15_mb() -> None:
    runtime = verifier_runtime()
    others = [p for p in runtime.rglob("*") if p.relative_to(runtime).parts[0] not in PACKAGES]
    assert sum(path.stat().st_size for path in others if path.is_file()) < 15_000_000


@pytest.mark.parametrize("unused", ["pint/testsuite", "jsonschema/tests", "jsonschema/benchmarks"])
def test_what_wheels_hold_and_nobody_imports_is_left_out(unused: str) -> None:
    assert (verifier_runtime() / unused).parent.is_dir()
    assert not (verifier_runtime() / unused).exists()


def test_a_model_judge_can_be_made_of_it_alone() -> None:
    runtime = verifier_runtime()
    program = (
        f"import sys; sys.path = [p for p in sys.path if 'site-packages' not in p]; "
        f"sys.path.insert(0, {str(runtime)!r})\n"
        "import pae_verifiers, httpx2\n"
        "from pathlib import Path\n"
        "from pae_verifiers.judge.select import select\n"
        "from pae_verifiers.rubric.items import ItemsRubric\n"
        "print(select('qwen@ollama', Path(), ItemsRubric(()), environ={}).name)\n"
        f"print(all(m.__file__.startswith({str(runtime)!r}) for m in (pae_verifiers, httpx2)))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "qwen@ollama\nTrue\n"


def test_it_holds_the_rubrics_and_the_schemas() -> None:
    runtime = verifier_runtime()
    rubrics = {path.stem for path in (runtime / "pae_verifiers" / "rubrics").glob("*.yaml")}
    assert rubrics == set(shipped_names())
    assert (runtime / "pae_schemas" / "rubric_likert.schema.json").is_file()
