"""A suite, and ``pae`` on it as a process of its own that may be killed at any moment.

Everything that it makes has the place's own path in its name, its arguments or its folder, so that
what is left of it can be told from what other programs do on this machine.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.harness.waiting import PATIENCE

from pae_harness.sandbox import cgroups, slots

TINY = Path(__file__).parents[1] / "data" / "tiny"
SEEDS = "1-4"
# Of four seeds one is right, one is wrong, one has no note and one is right again.
AGENT = """\
: {mark}
fee=$(sed 's/[^0-9.]//g' /app/data/results.json)
sleep {seconds}
case $fee in 102.25) exit 0;; 103.25) fee=7.5;; esac
echo "The fee is \\$$fee." > /app/output/note.md
"""
REWARDS = {1: ("scored", 1.0), 2: ("agent_failed", 0.0), 3: ("scored", 0.0), 4: ("scored", 1.0)}


@dataclass(frozen=True)
class Ended:
    """A ``pae`` that ended: its exit code, what it said, and its JSON."""

    code: int
    said: str
    data: Mapping[str, Any]


@dataclass
class Place:
    """A folder with a suite of one task, for boxes of one kind."""

    root: Path
    sandbox: str = "local"
    environment: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    def prepare(self) -> None:
        shutil.copytree(TINY, self.root / "suite")
        (self.root / "tmp").mkdir()

    def start(self, verb: str, *arguments: str) -> subprocess.Popen[bytes]:
        """``pae run`` or ``pae resume``, as JSON, in the place's own folder."""
        argv = [sys.executable, "-m", "pae_harness", verb, "--json", "-j", "2", *arguments]
        argv += ["--tasks", str(self.root / "suite" / "tasks")]
        if verb == "run":
            agent = AGENT.format(mark=self.root, seconds=self.seconds)
            argv += ["-a", f"cmd:{agent}", "-s", SEEDS, "--sandbox", self.sandbox]
        return subprocess.Popen(
            argv,
            cwd=self.root,
            env={**os.environ, "TMPDIR": f"{self.root}/tmp", **self.environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def run(self, verb: str, *arguments: str) -> Ended:
        with self.start(verb, *arguments) as process:
            return ended(process)

    def kill(self, process: subprocess.Popen[bytes], after: float) -> None:
        """``kill -9`` after so many seconds; a process that has ended by then is as good."""
        time.sleep(after)
        process.send_signal(signal.SIGKILL)
        process.communicate()

    def go_on(self, out: str) -> Ended:
        """Resume the run, or begin it again where it was killed before it had begun."""
        begun = (self.root / out / "run.json").is_file()
        return self.run("resume", out) if begun else self.run("run", "-o", out)

    def whole_lines(self, out: str) -> list[bytes]:
        """The lines of trials.jsonl that were written to their end."""
        log = self.root / out / "trials.jsonl"
        data = log.read_bytes() if log.is_file() else b""
        return data[: data.rfind(b"\n") + 1].splitlines(keepends=True)

    def outcomes(self, out: str) -> dict[int, tuple[str, float]]:
        """By seed, from trials.jsonl; a trial that stands there twice is a failure."""
        rows = [json.loads(line) for line in self.whole_lines(out)]
        assert len({row["seed"] for row in rows}) == len(rows), "a trial is there twice"
        return {row["seed"]: (row["outcome"], row["reward"]) for row in rows}

    def check_whole(self, out: str, before: list[bytes], moment: str) -> None:
        """The run is as an undisturbed one, and still has the lines that it had ``before``."""
        folder = self.root / out
        assert self.whole_lines(out)[: len(before)] == before, moment
        assert self.outcomes(out) == REWARDS, moment
        names = sorted(path.name for path in folder.iterdir())
        assert names == ["run.json", "tiny-note", "trials.jsonl"], moment
        for line in self.whole_lines(out):
            row = json.loads(line)
            kept = folder / "tiny-note" / f"seed-{row['seed']}" / "cmd" / "trial.json"
            assert json.loads(kept.read_bytes()) == row, moment

    def left(self) -> list[str]:
        """Processes, scratch folders, half-built folders, mounts, sockets, control groups."""
        found = [f"process {pid}" for pid in self.processes()]
        found += [f"folder {path}" for path in (self.root / "tmp").iterdir()]
        found += [f"draft {path}" for path in (self.root / "cache").glob("*/.draft-*")]
        for table in ("/proc/self/mounts", "/proc/net/unix"):
            lines = Path(table).read_text().splitlines()
            found += [f"{table}: {line}" for line in lines if str(self.root) in line]
        if self.sandbox == "local":  # an engine's boxes have none of ours
            found += [f"control group {path}" for path in dead_groups()]
        return found

    def processes(self) -> list[int]:
        mark = str(self.root).encode()
        return [pid for pid in _pids() if mark in _command(pid)]


def ended(process: subprocess.Popen[bytes]) -> Ended:
    out, err = process.communicate(timeout=PATIENCE)
    said = err.decode()
    assert "Traceback" not in said, said
    return Ended(process.returncode, said, json.loads(out) if out.strip() else {})


def dead_groups() -> list[Path]:
    """Control groups of boxes that no living process holds the slot of."""
    prefix = f"pae-{os.getuid()}-"
    found = []
    for parent in cgroups.own_parents().folders.values():
        for group in parent.glob(f"{prefix}*"):
            if (slot := slots.claim(int(group.name.removeprefix(prefix)))) is not None:
                if group.exists():
                    found.append(group)
                slot.release()
    return found


def _pids() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _command(pid: int) -> bytes:
    try:
        return (Path("/proc") / str(pid) / "cmdline").read_bytes()
    except OSError:
        return b""
