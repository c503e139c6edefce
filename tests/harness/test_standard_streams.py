"""The program among others: streams that are closed, full or left by their reader."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ENTRY = "from pae_harness.main import run; run()"


def shell(suite: Path, line: str) -> subprocess.CompletedProcess[str]:
    program = f"{sys.executable} -c '{ENTRY}'"
    line = line.replace("pae", program, 1).replace("TASKS", f"--tasks {suite}/tasks")
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line}"], capture_output=True, text=True, timeout=120
    )


def test_a_closed_standard_output_is_refused(tiny_suite: Path) -> None:
    ended = shell(tiny_suite, "pae list TASKS >&-")
    assert (ended.returncode, ended.stderr) == (
        2,
        "pae: standard output is closed; give it a file, or /dev/null\n",
    )


def test_a_closed_standard_error_is_silence(tiny_suite: Path) -> None:
    ended = shell(tiny_suite, "pae list TASKS 2>&-")
    assert ended.returncode == 0
    assert ended.stdout.startswith("tiny-note")


@pytest.mark.parametrize("verb", ["list TASKS", "run TASKS -a nop -s 1 -q --json -o out"])
def test_a_full_standard_output_is_one_sentence(tiny_suite: Path, verb: str) -> None:
    ended = shell(tiny_suite, f"pae {verb} > /dev/full")
    assert (ended.returncode, ended.stderr) == (
        2,
        "pae: cannot write to standard output: No space left on device\n",
    )


@pytest.mark.parametrize("extra", ["", "--json"])
def test_a_reader_that_leaves_does_not_change_the_verdict(tiny_suite: Path, extra: str) -> None:
    run = f"pae run TASKS -a nop -s 1 -q -o out {extra}"
    assert shell(tiny_suite, f"({run}; echo $? > code) | true").stderr == ""
    assert Path("code").read_text() == "0\n"
    run = f"pae run TASKS -a nop -s 1 -q -o out2 --min-reward 1 {extra}"
    shell(tiny_suite, f"({run}; echo $? > code) | true")
    assert Path("code").read_text() == "1\n"
