"""A small, well-formed suite of one task, copied for each test, and a hand to break it with."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from pae_harness.tasks import check

SAMPLE = Path(__file__).parent / "sample"


@dataclass(frozen=True)
class Sample:
    """A suite folder with ``tasks/sample-note`` and ``oracles/sample-note``."""

    root: Path

    @property
    def task(self) -> Path:
        return self.root / "tasks" / "sample-note"

    @property
    def oracle(self) -> Path:
        return self.root / "oracles" / "sample-note"

    def path(self, name: str) -> Path:
        """``name`` is relative to the task's folder; ``oracle:NAME`` to the oracle's."""
        own = name.removeprefix("oracle:")
        return self.task / name if own == name else self.oracle / own

    def edit(self, name: str, old: str, new: str) -> Sample:
        """Replace ``old``, which stands in the file once, by ``new``."""
        path = self.path(name)
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
        path.write_text(text.replace(old, new), encoding="utf-8")
        return self

    def write(self, name: str, text: str) -> Sample:
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return self

    def remove(self, name: str) -> Sample:
        path = self.path(name)
        shutil.rmtree(path) if path.is_dir() else path.unlink()
        return self

    def problems(self) -> list[str]:
        """What ``check`` finds, with paths relative to the suite's folder."""
        return [str(error).replace(f"{self.root}/", "") for error in check(self.task)]


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    shutil.copytree(SAMPLE, tmp_path / "suite", ignore=shutil.ignore_patterns("__pycache__"))
    return Sample(tmp_path / "suite")
