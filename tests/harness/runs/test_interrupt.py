"""Signals to a real run: once, twice, and from a supervisor."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

from tests.harness.waiting import PATIENCE, wait_until


def start(suite: Path, agent: str, stderr: int = subprocess.PIPE) -> subprocess.Popen[bytes]:
    argv = [sys.executable, "-m", "pae_harness", "run", "--tasks", str(suite / "tasks")]
    argv += ["-a", f"cmd:{agent}", "-s", "1-9", "-j", "1", "-o", "out", "--json"]
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=stderr)
    wait_until(lambda: any(Path("out").glob(".drafts/*")), "a trial runs")
    return process


def test_the_first_interrupt_finishes_what_runs_and_counts_what_does_not(tiny_suite: Path) -> None:
    with start(tiny_suite, "sleep 1; echo 'The fee is $101.25.' > /app/output/note.md") as run:
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=PATIENCE)
    data = json.loads(out)
    assert run.returncode == 130
    assert b"finishing 1 trial; Ctrl-C again to stop now" in err
    assert (data["interrupted"], data["not_run"], data["scored"]) == (True, 8, 1)


def test_the_second_interrupt_says_so_cleans_up_and_gives_the_cursor_back(tiny_suite: Path) -> None:
    ours, theirs = pty.openpty()
    shown = b""
    with start(tiny_suite, "sleep 60", theirs) as run:
        os.close(theirs)
        run.send_signal(signal.SIGINT)
        while b"again to stop now" not in shown:
            shown += os.read(ours, 4096)
        run.send_signal(signal.SIGINT)
        run.wait(PATIENCE)
    shown += rest_of(ours)
    assert run.returncode == 130
    assert b"stopped by SIGINT; 9 of 9 trials did not end" in shown
    assert shown.rfind(b"\x1b[?25h") > shown.rfind(b"\x1b[?25l") >= 0
    assert sorted(path.name for path in Path("out").iterdir()) == ["run.json", "trials.jsonl"]


def test_a_supervisors_sigterm_stops_at_once(tiny_suite: Path) -> None:
    with start(tiny_suite, "sleep 60") as run:
        run.send_signal(signal.SIGTERM)
        _, err = run.communicate(timeout=PATIENCE)
    assert run.returncode == 130
    assert b"stopped by SIGTERM" in err
    assert not list(Path("out").glob(".drafts*"))


def rest_of(terminal: int) -> bytes:
    data = b""
    try:
        while more := os.read(terminal, 4096):
            data += more
    except OSError:  # the other end is closed
        pass
    os.close(terminal)
    return data
