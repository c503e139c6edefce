"""Running a command: its arguments, environment, folder, streams and exit code."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.harness.backends import SETSID

from pae_harness.errors import SandboxError
from pae_harness.sandbox.protocol import Box, ExecResult

Start = Callable[..., Box]
Run = Callable[..., ExecResult]


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (["true"], 0),
        (["sh", "-c", "exit 3"], 3),
        (["no-such-command"], 127),
        (["/tmp"], 126),
        (["sh", "-c", "kill -TERM $$"], 143),
        (["sh", "-c", "kill -KILL $$"], 137),
    ],
)
def test_the_exit_code_is_the_commands(box: Box, argv: Sequence[str], code: int) -> None:
    done = box.exec(argv, timeout=60)
    assert (done.exit_code, done.limit) == (code, None)


def test_a_missing_command_is_named(box: Box, run: Run) -> None:
    assert b"no-such-command" in run(box, "no-such-command").stderr


def test_both_streams_are_kept_apart(box: Box, run: Run) -> None:
    done = run(box, "sh", "-c", "echo out; echo err >&2")
    assert (done.stdout, done.stderr) == (b"out\n", b"err\n")


@pytest.mark.parametrize(
    "word", ["", " ", "a b", "'", '"', "$HOME", "`id`", "\\", "*", "-n", "--", "é\n\t", "\x01\x7f"]
)
def test_an_argument_arrives_as_it_is(box: Box, run: Run, word: str) -> None:
    done = run(box, "python3", "-I", "-c", "import sys; print(ascii(sys.argv[1:]))", word)
    assert done.stdout.decode().strip() == ascii([word])


def test_bytes_that_are_not_text_arrive_too(box: Box, run: Run) -> None:
    done = run(box, "printf", "%s", b"\xff\xfe".decode("utf-8", "surrogateescape"))
    assert done.stdout == b"\xff\xfe"


def test_the_commands_environment_wins_over_the_boxs(start: Start) -> None:
    box = start(env={"ONE": "box", "TWO": "box"})
    done = box.exec(["sh", "-c", 'echo "$ONE $TWO"'], timeout=60, env={"TWO": "a b=c"})
    assert done.stdout == b"box a b=c\n"


def test_a_loader_variable_stays_in_the_command(start: Start) -> None:
    box = start(env={"LD_PRELOAD": "/tmp/evil.so"})
    done = box.exec(["sh", "-c", 'echo "$LD_PRELOAD"'], timeout=60)
    assert (done.exit_code, done.stdout) == (0, b"/tmp/evil.so\n")


def test_the_folder_is_the_one_asked_for(box: Box) -> None:
    assert box.exec(["pwd"], timeout=60, cwd="/app").stdout == b"/app\n"


def test_a_folder_that_is_not_there_is_the_boxs_failure(start: Start) -> None:
    with pytest.raises(SandboxError, match="nowhere"):
        start().exec(["pwd"], timeout=60, cwd="/nowhere")


def test_a_command_that_speaks_like_the_sandbox_is_still_a_command(box: Box, run: Run) -> None:
    done = run(box, "sh", "-c", "echo 'bwrap: Creating new namespace failed' >&2; exit 1")
    assert (done.exit_code, done.limit) == (1, None)


@pytest.mark.parametrize("argv", [[], ["a\0b"]])
def test_an_impossible_command_is_refused(box: Box, argv: Sequence[str]) -> None:
    with pytest.raises(SandboxError):
        box.exec(argv, timeout=60)


@pytest.mark.parametrize("env", [{"A": "x\0--bind\0/\0/x"}, {"A=B": "c"}, {"": "c"}])
def test_an_impossible_environment_is_refused(box: Box, env: dict[str, str]) -> None:
    with pytest.raises(SandboxError):
        box.exec(["true"], timeout=60, env=env)


def test_files_last_from_one_command_to_the_next(start: Start) -> None:
    box = start()
    box.exec(["sh", "-c", "echo kept > /tmp/note"], timeout=60)
    assert box.exec(["cat", "/tmp/note"], timeout=60).stdout == b"kept\n"


def test_a_background_process_does_not_hold_the_command_up(start: Start) -> None:
    done = start().exec(["sh", "-c", "sleep 50 & echo begun"], timeout=40)
    assert (done.exit_code, done.stdout, done.limit) == (0, b"begun\n", None)


def test_a_detached_process_is_dead_after_its_command(start: Start) -> None:
    box = start()
    writer = "(while :; do date +%N > /tmp/beat; sleep 0.02; done) </dev/null >/dev/null 2>&1 &"
    box.exec(["sh", "-c", f"{SETSID} sh -c '{writer}' & sleep 0.5"], timeout=60)
    first = box.exec(["cat", "/tmp/beat"], timeout=60).stdout
    time.sleep(0.2)
    assert box.exec(["cat", "/tmp/beat"], timeout=60).stdout == first


def test_four_boxes_work_at_once(start: Start) -> None:
    boxes = [start() for _ in range(4)]

    def work(number: int) -> bytes:
        program = f"echo {number} > /tmp/own; sleep 0.2; cat /tmp/own"
        return boxes[number].exec(["sh", "-c", program], timeout=60).stdout

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(4))) == [b"0\n", b"1\n", b"2\n", b"3\n"]


def test_a_box_outlives_the_thread_that_started_it(start: Start) -> None:
    started: list[Box] = []
    thread = threading.Thread(target=lambda: started.append(start()))
    thread.start()
    thread.join()
    time.sleep(0.2)
    assert started[0].exec(["echo", "alive"], timeout=60).stdout == b"alive\n"
