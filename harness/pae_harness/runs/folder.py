"""The run folder: what is in it was finished, and stays through any crash.

A trial is written as a draft and appears by one rename; then one line is appended to trials.jsonl
and forced to disk.
"""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pae_harness.errors import RunFolderError, UsageError
from pae_harness.result import TrialResult

DRAFTS = ".drafts"


class RunFolder:
    """A run's folder on disk; safe to use from several threads."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()

    @classmethod
    def create(cls, out: Path | None, label: str, config: Mapping[str, Any]) -> RunFolder:
        """A new run folder: ``out`` itself, or ``runs/<utc>-<label>`` with ``runs/latest``.

        Raises UsageError where ``out`` already holds something, RunFolderError where the disk
        refuses.
        """
        try:
            path = _fresh(out, label)
            (path / DRAFTS).mkdir(parents=True)
            write_json(path / "run.json", config)
            (path / "trials.jsonl").touch()
            if out is None:
                _point_latest(path)
        except OSError as error:
            raise RunFolderError(
                f"cannot write a run folder at {error.filename}: {error.strerror}; "
                "free the disk or give another place with --out"
            ) from error
        return cls(path)

    def draft(self, trial: str) -> Path:
        """An empty folder in which the trial at the relative path ``trial`` can be written."""
        draft = self.path / DRAFTS / trial.replace("/", "--")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        return draft

    def keep(self, trial: str, draft: Path, result: TrialResult) -> None:
        """Put the finished trial in its place: all of it, or nothing of it.

        Raises RunFolderError where the disk refuses.
        """
        data = result.to_json()
        final = self.path / trial
        try:
            write_json(draft / "trial.json", data)
            final.parent.mkdir(parents=True, exist_ok=True)
            draft.rename(final)
            self._append(json.dumps(data, ensure_ascii=False))
        except OSError as error:
            raise RunFolderError(f"cannot keep {trial}: {error.strerror}") from error

    def _append(self, line: str) -> None:
        with self._lock, (self.path / "trials.jsonl").open("ab") as log:
            log.write(line.encode() + b"\n")
            log.flush()
            os.fsync(log.fileno())

    def close(self) -> None:
        """Remove the drafts of trials that were never finished."""
        shutil.rmtree(self.path / DRAFTS, ignore_errors=True)


def write_json(path: Path, data: Mapping[str, Any]) -> None:
    """Write ``data`` to ``path`` and force it to disk."""
    with path.open("w", encoding="utf-8") as file:
        json.dump(data, file, ensure_ascii=False, indent=2)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())


def _fresh(out: Path | None, label: str) -> Path:
    if out is not None:
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise UsageError(f"--out {out} already holds something; give a new folder")
        return out
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    path = Path("runs") / f"{stamp}-{label}"
    again = 2
    while path.exists():
        path = Path("runs") / f"{stamp}-{label}-{again}"
        again += 1
    return path


def _point_latest(path: Path) -> None:
    draft = path.parent / f".latest-{os.getpid()}"
    draft.symlink_to(path.name)
    draft.replace(path.parent / "latest")
