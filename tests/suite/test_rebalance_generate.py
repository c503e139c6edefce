"""What the rebalance task's generator promises: same bytes, other seeds, other shapes."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

# SHA-256 of results.json and ips.yaml. They change with the generator and with nothing else: not
# with the Python version, the platform or the hash seed.
GOLDEN: Mapping[int, tuple[str, str]] = {
    1: (
        "762aea9a73bb3c60102dad51cef1619d4cc5fef4733e3d55ce5a61ca91c2c47e",
        "59af2cf709da3f11596c2687bbd049212662aef73317679d4a17288c9464a026",
    ),
    2: (
        "bfe72b906599eb325312db41a3cc0c4036588abd4051e8fdd602e9f48512becd",
        "ff92720d87af26d56956ca2415771ad83f2dabbe2483ff16e489e2881e282748",
    ),
    3: (
        "ec2a521edc7e60b198e8d887d5117e070d4d85a4baeb8095d17fbc5da4134ecc",
        "6bb36e95c354f9d0bf2e68973580494d8a61b155c83e9fa8b26ac8d177c04be7",
    ),
}


def generate(
    task: Path, out: Path, seed: int, python: str = sys.executable, salt: str = ""
) -> None:
    script = task / "environment" / "generate.py"
    environment = {"PATH": os.environ["PATH"]} | ({"PAE_SEED_SALT": salt} if salt else {})
    subprocess.run(
        [python, "-I", str(script), "--seed", str(seed), "--out", str(out)],
        check=True,
        env=environment,
        cwd=out,
    )


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def digests(folder: Path) -> tuple[str, str]:
    made = files(folder)
    results, policy = made["app/output/results.json"], made["app/policy/ips.yaml"]
    return hashlib.sha256(results).hexdigest(), hashlib.sha256(policy).hexdigest()


def test_it_writes_the_two_inputs_and_nothing_else(rebalance_task: Path, tmp_path: Path) -> None:
    generate(rebalance_task, tmp_path, 1)
    assert list(files(tmp_path)) == ["app/output/results.json", "app/policy/ips.yaml"]


def test_it_leaves_no_trace_beside_itself(rebalance_task: Path, tmp_path: Path) -> None:
    copy = tmp_path / "task"
    shutil.copytree(rebalance_task / "environment", copy / "environment")
    before = files(copy)
    generate(copy, tmp_path, 1)
    assert files(copy) == before


@pytest.mark.parametrize("seed", sorted(GOLDEN))
def test_a_seed_has_the_same_bytes_for_ever(
    rebalance_task: Path, tmp_path: Path, seed: int
) -> None:
    generate(rebalance_task, tmp_path, seed)
    assert digests(tmp_path) == GOLDEN[seed]


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_every_python_writes_the_same_bytes(
    rebalance_task: Path, tmp_path: Path, version: str
) -> None:
    python = shutil.which(f"python{version}")
    if python is None or subprocess.run([python, "-c", ""], capture_output=True).returncode:
        pytest.skip(f"no python{version} here")
    generate(rebalance_task, tmp_path, 2, python)
    assert digests(tmp_path) == GOLDEN[2]


def test_a_salt_makes_another_portfolio(rebalance_task: Path, tmp_path: Path) -> None:
    for name, salt in (("plain", ""), ("salted", "secret"), ("again", "secret")):
        (tmp_path / name).mkdir()
        generate(rebalance_task, tmp_path / name, 1, salt=salt)
    assert digests(tmp_path / "salted") != digests(tmp_path / "plain")
    assert digests(tmp_path / "salted") == digests(tmp_path / "again")


def test_all_seeds_differ(rebalance_seeds: Sequence[Any]) -> None:
    assert len({fixtures.text for fixtures in rebalance_seeds}) == len(rebalance_seeds)
    assert len({fixtures.policy_text for fixtures in rebalance_seeds}) == len(rebalance_seeds)


def test_the_first_five_seeds_differ_in_shape(rebalance_seeds: Sequence[Any]) -> None:
    shapes = {
        (len(f.results["sleeves"]), len(f.results["trades"]), len(f.results["lots_sold"]))
        for f in rebalance_seeds[:5]
    }
    assert len(shapes) >= 4


def test_seeds_have_six_to_nine_sleeves(rebalance_seeds: Sequence[Any]) -> None:
    assert {len(f.results["sleeves"]) for f in rebalance_seeds} == {6, 7, 8, 9}


def test_portfolios_are_worth_most_of_a_million_to_six(rebalance_seeds: Sequence[Any]) -> None:
    values = [f.results["portfolio"]["value_before_usd"] for f in rebalance_seeds]
    assert min(values) > 700_000
    assert max(values) < 6_500_000


def test_some_seeds_realise_a_loss_and_more_a_gain(rebalance_seeds: Sequence[Any]) -> None:
    losses = sum(f.results["gains"]["net_usd"] < 0 for f in rebalance_seeds)
    assert 30 <= losses <= 90


def test_a_net_loss_costs_no_tax(rebalance_seeds: Sequence[Any]) -> None:
    for fixtures in rebalance_seeds:
        if fixtures.results["gains"]["net_usd"] <= 0:
            assert fixtures.results["tax"]["estimate_usd"] == 0


def test_risk_falls_on_some_seeds_and_rises_on_others(rebalance_seeds: Sequence[Any]) -> None:
    changes = [f.results["risk"]["change"]["volatility_pp"] for f in rebalance_seeds]
    assert sum(change < 0 for change in changes) >= 40
    assert sum(change > 0 for change in changes) >= 40
