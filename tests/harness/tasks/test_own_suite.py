"""The suite that comes with the project is as its own checks want it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pae_harness.tasks import Suite, check

ROOT = Path(__file__).parents[3]
SUITE = Suite(ROOT / "tasks", ROOT / "oracles")


@pytest.mark.parametrize("name", SUITE.names())
def test_nothing_is_wrong_with_it(name: str) -> None:
    assert [str(error) for error in check(SUITE.tasks / name)] == []


@pytest.mark.parametrize("name", SUITE.names())
def test_the_local_sandbox_can_run_it(name: str) -> None:
    assert not SUITE.find(name).load().installs_software
