"""An unscored trial is better for an agent than a zero: none of this may leave one unscored."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

import pytest

from pae_harness import TrialResult, run_trial
from pae_harness.sandbox.local import LocalBox, LocalSandbox
from pae_harness.sandbox.protocol import BoxSpec, ExecResult, Limits, Sandbox
from pae_harness.tasks import Task

Attack = Callable[..., TrialResult]


def available_memory() -> int:
    """In bytes."""
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


DEEP = """
import os
os.chdir("/app{below}")
for letter in "abcdefghijklmnopqrst":
    os.mkdir(letter * 250)
    os.chdir(letter * 250)
open("end", "w").close()
"""
# Files fill the memory, and what is left of it ends with the last process that was not killed.
FULL = """
echo 0 > /proc/self/oom_score_adj; echo 0 > /proc/1/oom_score_adj
head -c 100000000 /dev/zero > /tmp/big 2> /dev/null
mkdir /tmp/e
for k in 1 2 3 4 5 6 7 8 9; do
  ( i=0; while :; do : > /tmp/e/$k.$i; i=$((i+1)); done ) &
done
wait
"""
# The init of the box has the agent's own user.
INIT = """
import os
maps = [line.split() for line in open("/proc/1/maps")]
memory = os.open("/proc/1/mem", os.O_RDWR)
for span, mode, *_ in maps:
    at, until = (int(end, 16) for end in span.split("-"))
    if "x" in mode and until < 1 << 47:
        try:
            os.pwrite(memory, b"\\xcc" * (until - at), at)
        except OSError:
            pass
os.system("true")
"""


def test_names_too_long_for_the_host(attack: Attack) -> None:
    result = attack(
        program=f"import os; os.mkdir('/app/output/note.md')\n{DEEP}".format(
            below="/output/note.md"
        )
    )
    assert (result.outcome, result.reward) == ("agent_failed", 0.0)
    assert "a name of more than 1024 bytes lies there" in result.reason


def test_names_too_long_for_what_is_kept(attack: Attack) -> None:
    result = attack(program=DEEP.format(below=""), keep=True)
    assert (result.outcome, result.reward) == ("agent_failed", 0.0)


def test_no_memory_left_for_the_kill(attack: Attack) -> None:
    result = attack(FULL, timeout_scale=0.5)
    assert (result.outcome, result.reward) == ("agent_failed", 0.0)


def test_an_init_that_is_made_to_crash(attack: Attack) -> None:
    result = attack(program=INIT)
    assert (result.outcome, result.reward) == ("agent_failed", 0.0)


class GoesUnder(LocalBox):
    """A box that breaks under its command's limit, as one may when the memory is gone."""

    def exec(
        self,
        argv: Sequence[str],
        *,
        timeout: float,
        cwd: str = "/",
        env: Mapping[str, str] | None = None,
    ) -> ExecResult:
        result = super().exec(argv, timeout=timeout, cwd=cwd, env=env)
        self.close()
        return result


class Fragile(LocalSandbox):
    def start(self, spec: BoxSpec) -> LocalBox:
        box = super().start(spec)
        if "/app" in spec.writable:
            box.__class__ = GoesUnder
        return box


@pytest.mark.parametrize(
    ("command", "outcome", "reward"),
    [("sleep 60", "agent_failed", 0.0), ("true", "unscored", None)],
)
def test_a_box_that_went_under_with_its_agent(
    tiny: Task, command: str, outcome: str, reward: float | None
) -> None:
    """Only a limit that was hit makes it the agent's doing."""
    result = run_trial(tiny, 1, f"cmd:{command}", sandbox=Fragile(), timeout_scale=0.03)
    assert (result.outcome, result.reward) == (outcome, reward)


def test_a_reason_is_one_line_that_drives_no_terminal(attack: Attack) -> None:
    program = """
import os
os.mkdir("/app/output/note.md")
os.chdir("/app/output/note.md")
open("a", "w").close()
os.link("a", "\\x1b]0;title\\x07\\x1b[2J\\n[1-1] scored 1.0000\\u202e\\r")
"""
    result = attack(program=program)
    assert (result.outcome, result.reward) == ("agent_failed", 0.0)
    assert result.reason.isprintable()
    assert "is hard-linked" in result.reason


def test_a_long_reason_is_cut(attack: Attack) -> None:
    program = """
import os
os.mkdir("/app/output/note.md")
os.chdir("/app/output/note.md")
for letter in "abc":
    os.mkdir(letter * 250)
    os.chdir(letter * 250)
os.mkfifo("x" * 200)
"""
    result = attack(program=program)
    assert len(result.reason) < 600
    assert "is neither a plain file nor a folder" in result.reason


# A hundred processes that map the same gigabytes: the kernel takes many seconds to end them.
SLOW_TO_DIE = """
import mmap, os, time
size = 5 << 29
file = os.open("/tmp/large", os.O_CREAT | os.O_RDWR)
for _ in range(size >> 24):
    os.write(file, bytes(1 << 24))
for _ in range(120):
    if os.fork() == 0:
        break
shared = mmap.mmap(file, size, mmap.MAP_SHARED | mmap.MAP_POPULATE, mmap.PROT_READ)
time.sleep(60)
"""


@pytest.mark.slow
@pytest.mark.skipif(available_memory() < 6 << 30, reason="needs 4 GB")
def test_processes_that_die_slowly(sandbox: Sandbox) -> None:
    limits = Limits(cpus=2, memory_mb=4096, storage_mb=4096)
    with sandbox.start(BoxSpec(limits=limits)) as box:
        done = box.exec(["python3", "-I", "-c", SLOW_TO_DIE], timeout=12)
    assert (done.exit_code, done.limit) == (None, "time")
