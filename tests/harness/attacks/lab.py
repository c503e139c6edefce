"""One ``pae run`` in which every trial is another attack, and what is left when it has ended.

A trial of the tiny task knows its seed by the fee, and by that which attack it is. So one run holds
attacks side by side with honest agents, and shows that it goes on.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.harness.backends import Backend
from tests.harness.crash.place import dead_groups
from tests.harness.waiting import wait_until

from pae_harness import owner
from pae_harness.sandbox.docker.engine import OWNER, connect
from pae_harness.sandbox.docker.reap import containers_with

TINY = Path(__file__).parents[1] / "data" / "tiny"
PATIENCE = 300.0
# The beginning of every attack. The note that it starts with earns nothing; GOOD earns all.
AGENT = """
import ctypes, json, os, re, signal, socket, stat, sys, time

NOTE = "/app/output/note.md"
with open("/app/data/results.json") as file:
    FEE = json.load(file)["fee_usd"]
SEED = round(FEE - 100.25)
GOOD, WRONG = f"The fee is ${FEE}.\\n", "The fee is $1.\\n"
libc = ctypes.CDLL(None, use_errno=True)


def write(text=GOOD, path=NOTE):
    with open(path, "w") as file:
        file.write(text)


write(WRONG)
with open(f"/agent/{SEED}.py") as file:
    exec(compile(file.read(), f"attack {SEED}", "exec"))
"""
# Boxes start as where no control group is writable, which is what ordinary users have.
WATCHED = """
from pae_harness.sandbox import cgroups, launch
launch._reaped_parents = lambda: cgroups.Parents(2, {})
from pae_harness.main import run
run()
"""

# Programs of one agent, each in a process of its own; which of them did not end well.
TOGETHER = """
import traceback
failed = []
for name, program in {programs!r}.items():
    one = os.fork()
    if one == 0:
        try:
            exec(program)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        sys.stdout.flush()
        os._exit(0)
    if os.waitpid(one, 0)[1]:
        failed.append(name)
sys.exit(str(failed) if failed else 0)
"""

Earned = tuple[str, float | None]
RIGHT: Earned = ("scored", 1.0)
NOTHING: Earned = ("scored", 0.0)
FAILED: Earned = ("agent_failed", 0.0)
HONEST = "write()"


def together(programs: Mapping[str, str]) -> str:
    """One agent that tries all of these, one after the other; it ends with 1 if one of them did."""
    return TOGETHER.format(programs=dict(programs))


@dataclass(frozen=True)
class Ran:
    """A run that has ended. ``trials`` are the lines of trials.jsonl, by their attacks' names."""

    folder: Path
    code: int
    out: str
    err: str
    trials: Mapping[str, Mapping[str, Any]]

    @property
    def earned(self) -> dict[str, Earned]:
        return {name: (row["outcome"], row["reward"]) for name, row in self.trials.items()}

    @property
    def exits(self) -> dict[str, int | None]:
        """An attack that crashed shows nothing: which did not end well."""
        return {n: row["exit_code"] for n, row in self.trials.items() if row["exit_code"] != 0}

    def kept(self, name: str) -> Path:
        row = self.trials[name]
        return Path(self.folder, str(row["task"]), f"seed-{row['seed']}", "cmd")

    def log(self, name: str) -> str:
        """What the agent said."""
        return (self.kept(name) / "agent.log").read_bytes().decode(errors="replace")

    def reason(self, name: str) -> str:
        return str(self.trials[name]["reason"])


@dataclass
class Lab:
    """A place for runs with one kind of boxes; ``watched`` boxes have no control group."""

    root: Path
    backend: Backend
    watched: bool = False
    environment: dict[str, str] = field(default_factory=dict)
    pid: int = 0

    def __post_init__(self) -> None:
        self.suite = Path(shutil.copytree(TINY, self.root / "suite"))
        self.task = self.suite / "tasks" / "tiny-note"
        self.agents = self.root / "agents"
        self.tmp = self.root / "tmp"
        for folder in (self.agents, self.tmp):
            folder.mkdir()
        (self.agents / "attack.py").write_text(AGENT)

    def run(self, attacks: Mapping[str, str], *arguments: str, seconds: float = 20) -> Ran:
        """Run the programs, side by side, with a time limit of ``seconds``."""
        with self.start(attacks, *arguments, seconds=seconds) as process:
            return self.ended(process, attacks)

    def start(
        self, attacks: Mapping[str, str], *arguments: str, seconds: float = 20
    ) -> subprocess.Popen[bytes]:
        manifest = self.task / "task.toml"
        limit = f"timeout_sec = {seconds:.1f}"
        manifest.write_text(manifest.read_text().replace("timeout_sec = 20.0", limit))
        how = ["-c", WATCHED] if self.watched else ["-m", "pae_harness"]
        process = subprocess.Popen(
            [sys.executable, *how, *self.arguments(attacks), *arguments],
            cwd=self.root,
            env={
                **os.environ,
                **self.backend.environment,
                "TMPDIR": str(self.tmp),
                **self.environment,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.pid = process.pid
        return process

    def arguments(self, attacks: Mapping[str, str]) -> list[str]:
        """Those of ``pae`` for a run of these programs, which are put into the agent's folder."""
        for seed, program in enumerate(attacks.values(), 1):
            (self.agents / f"{seed}.py").write_text(program)
        return [
            *("run", "-a", f"cmd:python3 -I /agent/attack.py {self.root}"),
            *("--agent-dir", str(self.agents), "--tasks", str(self.suite / "tasks")),
            *("--sandbox", self.backend.name, "-s", f"1-{len(attacks)}", "-j", "2"),
            *("-o", str(self.root / "out")),
        ]

    def ended(self, process: subprocess.Popen[bytes], attacks: Mapping[str, str]) -> Ran:
        """Wait for the run; nothing of it may be left but its folder."""
        out, err = process.communicate(timeout=PATIENCE)
        assert b"Traceback" not in err, err.decode()
        folder, names = self.root / "out", list(attacks)
        lines = (folder / "trials.jsonl").read_text().splitlines()
        rows = {names[row["seed"] - 1]: row for row in map(json.loads, lines)}
        trials = {name: rows[name] for name in names}
        wait_until(lambda: not self.left(), f"nothing is left, but there are {self.left()}")
        return Ran(folder, process.returncode, out.decode(), err.decode(), trials)

    def left(self) -> list[str]:
        """Processes, containers, control groups and scratch folders of the run."""
        mark = str(self.root).encode()
        found = [f"scratch {path}" for path in self.tmp.iterdir()]
        for process in Path("/proc").glob("[0-9]*"):
            try:
                found += [f"process {process}"] * (mark in (process / "cmdline").read_bytes())
            except OSError:
                continue
        found += [f"control group {path}" for path in dead_groups()]
        return found + [f"container {name}" for name in self._containers()]

    def _containers(self) -> list[str]:
        if self.backend.name == "local":
            return []
        engine = connect(self.backend.environment)
        with closing(engine.client):
            labels = [(c["Id"], c["Labels"][OWNER]) for c in containers_with(engine, OWNER)]
        owners = [(name, owner.parse(label)) for name, label in labels]
        return [name for name, made_by in owners if made_by and made_by.pid == self.pid]
