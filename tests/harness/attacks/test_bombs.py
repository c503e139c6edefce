"""Agents that use up what a box may use, or time that they do not have: no box but theirs ends."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.harness.attacks.lab import FAILED, Lab
from tests.harness.backends import Backend

# Each with the limits that may be the one it is told of; all leave a right note first.
BOMBS = {
    "of processes": (
        "while True:\n  try: os.fork()\n  except OSError: time.sleep(0.01)",
        ("time", "processes"),
    ),
    "of threads": (
        "import threading\n"
        "while True:\n  try: threading.Thread(target=time.sleep, args=(60,)).start()\n"
        "  except RuntimeError: time.sleep(0.01)",
        ("time", "processes"),
    ),
    "of busy processes": (
        "try:\n  while True: os.fork() or exec('while True: pass')\nexcept OSError: time.sleep(60)",
        ("time", "processes"),
    ),
    "of memory": (
        "blocks = []\nwhile True: blocks.append(b'x' * (1 << 22)); time.sleep(0.001)",
        ("memory", "time"),
    ),
    "of files": ("open('/tmp/x', 'wb').write(bytes(1 << 27))", ("storage",)),
    "of empty files": (
        "for i in range(10**7): open(f'/tmp/{i}', 'w').close()",
        ("memory", "storage", "time"),
    ),
    "of stopped processes": (
        "for _ in range(3): os.fork()\nos.kill(-1, signal.SIGSTOP); signal.pause()",
        ("time",),
    ),
    "of work that goes on after the time-out": (
        "write(WRONG)\n"
        "for number in (1, 2, 3, 13, 14, 15): signal.signal(number, signal.SIG_IGN)\n"
        "end = time.monotonic() + 4.5\n"
        "if os.fork() == 0: os.setsid()\n"
        "while True:\n  if time.monotonic() > end: write()",
        ("time",),
    ),
}


@pytest.mark.parametrize(
    ("backend", "watched"),
    [("local", False), ("local", True), ("docker", False)],
    indirect=["backend"],
    ids=["local", "local without control groups", "docker"],
)
def test_a_bomb_ends_in_its_own_box(tmp_path: Path, backend: Backend, watched: bool) -> None:
    lab = Lab(tmp_path, backend, watched=watched)
    ran = lab.run({name: f"write()\n{program}" for name, (program, _) in BOMBS.items()}, seconds=4)
    assert ran.earned == dict.fromkeys(BOMBS, FAILED)
    assert ran.code == 0
    told = {
        name: ran.reason(name)
        for name, (_, limits) in BOMBS.items()
        if not any(limit in ran.reason(name) for limit in limits)
    }
    assert told == {}
