"""The rebalance task's fixtures for 200 seeds, made by its own generator in one process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml

Expected = Callable[[dict[str, Any]], dict[str, Any]]
SEEDS = range(1, 201)
TASK = Path(__file__).parents[2] / "tasks" / "pf-judg-rebalance-memo"
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
MANY = """
import json, sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
from generate import fixtures
for seed in range(int(sys.argv[2]), int(sys.argv[3])):
    print(json.dumps(fixtures(seed)))
"""


@dataclass(frozen=True)
class Fixtures:
    """One seed's files as text, and parsed; the numbers of ``results`` are Fractions."""

    seed: int
    text: str
    results: dict[str, Any]
    policy_text: str
    policy: dict[str, Any]


@pytest.fixture(scope="session")
def rebalance_task() -> Path:
    return TASK


@pytest.fixture(scope="session")
def rebalance_seeds(rebalance_task: Path) -> tuple[Fixtures, ...]:
    environment = rebalance_task / "environment"
    done = subprocess.run(
        [sys.executable, "-I", "-c", MANY, str(environment), str(SEEDS.start), str(SEEDS.stop)],
        check=True,
        capture_output=True,
        text=True,
    )
    lines = done.stdout.splitlines()
    return tuple(_read(seed, json.loads(line)) for seed, line in zip(SEEDS, lines, strict=True))


@pytest.fixture(scope="session")
def rebalance_expected() -> Expected:
    """The recomputation: results.json as it must be, from the inputs in results.json."""
    sys.path.insert(0, str(Path(__file__).parent / "recompute"))
    expected: Expected = import_module("rebalance_rows").expected
    return expected


def _read(seed: int, files: Mapping[str, str]) -> Fixtures:
    text = files["app/output/results.json"]
    results = json.loads(text, parse_float=Fraction, parse_int=Fraction)
    policy_text = files["app/policy/ips.yaml"]
    return Fixtures(seed, text, results, policy_text, yaml.load(policy_text, Loader=LOADER))
