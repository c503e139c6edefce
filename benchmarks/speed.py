"""What the harness costs over what it cannot do without, in ratios of one run.

    python benchmarks/speed.py

Each line pairs the project's command with a floor that was timed in turn with it on the same
machine; medians of ROUNDS. Absolute times drift on shared machines, ratios hardly do.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from pae_harness import run_trial
from pae_harness.sandbox import open_sandbox
from pae_harness.sandbox.protocol import BoxSpec
from pae_harness.tasks import load

ROUNDS = 9
MODEL_JUDGE = """\
from pathlib import Path
from pae_verifiers.judge.select import select
from pae_verifiers.rubric.items import ItemsRubric
where = {"JUDGE_MODEL": "gm", "JUDGE_BASE_URL": "unix:///broker/broker.sock"}
select("model", Path(), ItemsRubric(()), environ=where)
"""
ROOT = Path(__file__).parents[1]


def python(*argv: str) -> Callable[[], object]:
    command = [sys.executable, *argv]
    return lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def two_boxes() -> object:
    sandbox = open_sandbox("local")
    for _ in range(2):
        with sandbox.start(BoxSpec()) as box:
            box.exec(["python3", "-I", "-c", "pass"], timeout=60)
            box.kill()
    return None


def trial(solution: str) -> Callable[[], object]:
    task = load(ROOT / "tasks" / "pf-judg-rebalance-memo")
    sandbox = open_sandbox("local")
    return lambda: run_trial(task, 1, solution, sandbox=sandbox)


def validate() -> object:
    with tempfile.TemporaryDirectory() as scratch:
        command = ["-m", "pae_harness", "validate", "--tasks", str(ROOT / "tasks"), "-q"]
        return python(*command, "-o", f"{scratch}/run")()


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def compare(
    name: str, ours: Callable[[], object], floor_name: str, floor: Callable[[], object]
) -> None:
    ours(), floor()  # caches warm, byte code written
    pairs = [(seconds(ours), seconds(floor)) for _ in range(ROUNDS)]
    mine, theirs = median(p[0] for p in pairs), median(p[1] for p in pairs)
    ratio = median(p[0] / p[1] for p in pairs)
    print(f"{name:28} {mine:7.3f} s   {floor_name:34} {theirs:7.3f} s   ratio {ratio:5.2f}")


def main() -> None:
    bare = python("-c", "import argparse")
    compare(
        "pae --help", python("-m", "pae_harness", "--help"), "python -c 'import argparse'", bare
    )
    compare("a model judge, made", python("-c", MODEL_JUDGE), "python -c 'import argparse'", bare)
    compare("an oracle trial", trial("oracle"), "two boxes that run python -c pass", two_boxes)
    print(f"{'make validate, 80 trials':28} {seconds(validate):7.3f} s")


if __name__ == "__main__":
    main()
