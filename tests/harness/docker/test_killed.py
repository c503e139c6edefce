"""``pae`` killed at any moment: after one more start, the engine shows nothing of the dead run."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.harness.docker.daemon import NOTHING, Daemon
from tests.harness.docker.suite import Suite
from tests.harness.waiting import wait_until

pytestmark = pytest.mark.slow
MOMENTS = 8  # besides the nine of tests/harness/crash, after which the run is resumed
LONGEST = 9.0
SEED = 20261130
STARTS = """\
from pae_harness.sandbox import open_sandbox
from pae_harness.sandbox.protocol import BoxSpec

sandbox = open_sandbox("docker")
for _ in range(2):
    sandbox.start(BoxSpec()).close()
"""


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return Suite(tmp_path / "suite")


def start_a_box_and_another(daemon: Daemon) -> None:
    environment = {**os.environ, **daemon.environment}
    subprocess.run([sys.executable, "-c", STARTS], env=environment, check=True)


def start_once_more(daemon: Daemon, suite: Suite) -> None:
    done = suite.run("run", "one", "-a", "nop", "-s", "1", "-o", "again", **daemon.environment)
    assert done.code == 0
    assert daemon.everything() == NOTHING


def test_killed_at_any_moment(daemon: Daemon, suite: Suite) -> None:
    chosen = random.Random(SEED)
    suite.add("one")
    suite.add("two", "RUN sleep 0.7\nRUN touch /a\nFROM ${BASE_IMAGE}\nCOPY --from=0 /a /b\n")
    for number in range(MOMENTS):
        part = LONGEST / MOMENTS  # one moment in each
        moment = 0.2 + number * part + chosen.uniform(0, part)
        if number % 2 == 0:
            daemon.forget_images()
        arguments = ("validate", "-s", "1-2", "-j", "2", "-o", f"out-{number}")
        with suite.start(*arguments, **daemon.environment) as process:
            time.sleep(moment)
            process.send_signal(signal.SIGKILL)
            process.communicate()
        start_a_box_and_another(daemon)
        assert daemon.everything() == NOTHING, f"{number}: {moment}"
    start_once_more(daemon, suite)


def test_killed_in_the_middle_of_a_build(daemon: Daemon, suite: Suite) -> None:
    suite.add("one")
    suite.add("two", "RUN touch /a\nRUN sleep 60\n")
    with suite.start("run", "two", "-a", "nop", "-s", "1", **daemon.environment) as process:
        wait_until(lambda: bool(daemon.everything()["containers"]), "it builds")
        process.send_signal(signal.SIGKILL)
        process.communicate()
    start_once_more(daemon, suite)
