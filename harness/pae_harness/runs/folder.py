"""The run folder: what is in it was finished, and stays through any crash.

A trial is written as a draft and appears by one rename; then one line is appended to trials.jsonl
and forced to disk. Only a trial that is unscored is ever replaced; its line stays.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import shutil
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pae_harness.disk import refusal, remedy
from pae_harness.errors import RunFolderError, UsageError
from pae_harness.result import TrialResult
from pae_harness.runs.lock import hold, letting_go
from pae_harness.runs.place import runs_folder
from pae_harness.runs.read import missing, read_described, read_kept, read_log

DRAFTS = ".drafts"
ABANDONED = ".drafts-abandoned"
DESCRIBED_DRAFT = ".run.json"
_ELSEWHERE = "give another folder with --out"


class RunFolder:
    """A run's folder on disk, which this process alone writes; safe to use from several threads."""

    def __init__(self, path: Path, held: int) -> None:
        self.path = path
        self._held: int | None = held
        self._lock = threading.Lock()
        self._unwritten: list[bytes] = []

    @classmethod
    def create(cls, out: Path | None, label: str, config: Mapping[str, Any]) -> RunFolder:
        """A new run folder: ``out`` itself, or ``runs/<utc>-<label>`` with ``runs/latest``.

        run.json appears by a rename, as the last of it: what has none was never begun, and may be
        given again. Raises UsageError where ``out`` already holds something, another process writes
        to it or the disk refuses.
        """
        path = out or runs_folder(Path.cwd())
        try:
            path = _fresh(out, label)
            (path / DRAFTS).mkdir(parents=True, exist_ok=True)
            (path / "trials.jsonl").touch()
            with letting_go(hold(path)) as held:
                write_described(path, config)
                if out is None:
                    _point_latest(path)
        except OSError as error:
            raise UsageError(
                f"cannot write a run folder: {refusal(error, path)}; "
                + remedy(error, "give a folder that can be written with --out")
            ) from error
        return cls(path, held)

    @classmethod
    def reopen(cls, path: Path) -> RunFolder:
        """The folder of a run that ended early, cleared of what was never finished.

        Raises UsageError where another process writes to it or it cannot be written.
        """
        try:
            with letting_go(hold(path)) as held:
                for name in (DRAFTS, ABANDONED):
                    shutil.rmtree(path / name, ignore_errors=True)
                (path / DESCRIBED_DRAFT).unlink(missing_ok=True)
                (path / DRAFTS).mkdir()
                _mend(path)
        except OSError as error:
            raise UsageError(
                f"cannot write to the run folder: {refusal(error, path)}; "
                + remedy(error, "make it one that can be written")
            ) from error
        return cls(path, held)

    def draft(self, trial: str) -> Path:
        """An empty folder in which the trial at the relative path ``trial`` can be written."""
        draft = self.path / DRAFTS / trial.replace("/", "--")
        with self._lock:
            shutil.rmtree(draft, ignore_errors=True)
            draft.mkdir(parents=True)
        return draft

    def keep(self, trial: str, draft: Path, result: TrialResult) -> None:
        """Put the finished trial in its place, which at most an unscored one has: all of it, or
        nothing of it.

        Raises RunFolderError where the disk refuses; then nothing is in trials.jsonl either.
        """
        final = self.path / trial
        try:
            write_json(draft / "trial.json", result.to_json())
            final.parent.mkdir(parents=True, exist_ok=True)
            if (old := read_kept(final)) is not None and old.outcome == "unscored":
                final.rename(draft.with_name(f"{draft.name}--before"))
            draft.rename(final)
        except OSError as error:
            raise RunFolderError(
                f"cannot keep {trial}: {refusal(error, final)}; {remedy(error, _ELSEWHERE)}"
            ) from error
        self.record(result)

    def record(self, result: TrialResult) -> None:
        """Append ``result`` to trials.jsonl; what a full disk refuses waits for the next try."""
        line = json.dumps(result.to_json(), ensure_ascii=False).encode() + b"\n"
        with self._lock:
            self._unwritten.append(line)
            self._write_lines()

    def _write_lines(self) -> None:
        log = self.path / "trials.jsonl"
        try:
            while self._unwritten:
                _append(log, self._unwritten[0])
                del self._unwritten[0]
        except OSError:
            return

    def close(self) -> int:
        """Remove the drafts of trials that were never finished, and let go of the folder.

        Returns how many lines trials.jsonl lacks, which is 0 unless the disk is still full.
        """
        shutil.rmtree(self.path / DRAFTS, ignore_errors=True)
        with self._lock:
            self._write_lines()
            if self._held is not None:
                os.close(self._held)
                self._held = None
            return len(self._unwritten)

    def abandon(self) -> None:
        """Remove the drafts though trials still write to them, for a process that ends at once.

        The lock is kept: a trial that misses its draft must not become a line of trials.jsonl.
        """
        self._lock.acquire()
        for _ in range(3):
            with contextlib.suppress(OSError):
                (self.path / DRAFTS).rename(self.path / ABANDONED)  # where nothing is added to it
            shutil.rmtree(self.path / ABANDONED, ignore_errors=True)


def _append(log: Path, line: bytes) -> None:
    """All of ``line`` or nothing of it."""
    with log.open("ab", buffering=0) as file:
        before = file.tell()
        try:
            if file.write(line) != len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(log))
            os.fsync(file.fileno())
        except OSError:
            file.truncate(before)
            raise


def _mend(path: Path) -> None:
    """Drop a last line that was never whole; give one that lacks only its line end that."""
    log = read_log(path)
    with (path / "trials.jsonl").open("r+b") as file:
        file.truncate(log.whole)
        if not log.ended:
            file.seek(0, os.SEEK_END)
            file.write(b"\n")
        file.flush()
        os.fsync(file.fileno())


def write_described(path: Path, described: Mapping[str, Any]) -> None:
    """Write run.json of the run folder ``path``: all of it, or the one before stays."""
    draft = path / DESCRIBED_DRAFT
    write_json(draft, described)
    draft.replace(path / "run.json")


def write_json(path: Path, data: Mapping[str, Any]) -> None:
    """Write ``data`` to ``path`` and force it to disk."""
    with path.open("w", encoding="utf-8") as file:
        json.dump(data, file, ensure_ascii=False, indent=2)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())


def _fresh(out: Path | None, label: str) -> Path:
    if out is not None:
        if out.exists() and not _never_begun(out):
            raise UsageError(f"--out {out} already holds {_what_is_in(out)}")
        return out
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    runs = runs_folder(Path.cwd())
    path = runs / f"{stamp}-{label}"
    again = 2
    while path.exists():
        path = runs / f"{stamp}-{label}-{again}"
        again += 1
    return path


def _never_begun(out: Path) -> bool:
    """Whether ``out`` is empty, or what a run left that was killed before it had a run.json."""
    if not out.is_dir():
        return False
    names = {entry.name for entry in out.iterdir()}
    log = out / "trials.jsonl"
    return names <= {DRAFTS, DESCRIBED_DRAFT, "trials.jsonl"} and not (
        log.exists() and log.stat().st_size
    )


def _what_is_in(out: Path) -> str:
    try:
        described, log = read_described(out), read_log(out)
    except UsageError:
        return "something; give a new folder"
    if missing(described.get("trials", ()), log.results):
        return f"an unfinished run: `pae resume {out}` goes on with it; or give a new folder"
    return "a finished run; give a new folder"


def _point_latest(path: Path) -> None:
    draft = path.parent / f".latest-{os.getpid()}"
    draft.symlink_to(path.name)
    draft.replace(path.parent / "latest")
