"""A tiny task of the tests' own, on which the harness is tried for real."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.harness.docker.engines import base_image, daemon, mortal, mortals

from pae_harness.tasks import Task, load

__all__ = ["base_image", "daemon", "mortal", "mortals"]

DATA = Path(__file__).parent / "data" / "tiny"


@pytest.fixture
def tiny_suite(tmp_path: Path) -> Path:
    """A copy of the tiny suite: ``tasks/tiny-note`` and ``oracles/tiny-note``."""
    return shutil.copytree(DATA, tmp_path / "suite")


@pytest.fixture
def tiny(tiny_suite: Path) -> Task:
    """Its only task, loaded."""
    return load(tiny_suite / "tasks" / "tiny-note")


@pytest.fixture(autouse=True)
def own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees this machine's configuration, and none leaves a run folder behind."""
    for name in ("PAE_SEED_SALT", "PAE_SANDBOX", "PAE_JOBS", "PAE_SEEDS"):
        monkeypatch.delenv(name, raising=False)
    place = tmp_path / "cwd"
    place.mkdir()
    monkeypatch.chdir(place)
