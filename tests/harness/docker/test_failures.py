"""What goes wrong with containers is one sentence for the trials it hits; the others go on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.harness.docker.daemon import NOTHING, Daemon
from tests.harness.docker.suite import ANSWER, Suite, ended
from tests.harness.waiting import wait_until

from pae_harness.errors import SandboxError, SandboxUnavailableError
from pae_harness.sandbox.docker.backend import DockerSandbox
from pae_harness.sandbox.protocol import BoxSpec, Build, Limits

SMALL = Limits(memory_mb=256, storage_mb=16)
HASTY = "until [ -e /nowhere ]; do sleep 1; done"


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return Suite(tmp_path / "suite")


@pytest.fixture
def sandbox(daemon: Daemon) -> Iterator[DockerSandbox]:
    with closing(daemon.engine().client):
        yield DockerSandbox(daemon.engine())


def boxes(daemon: Daemon) -> list[str]:
    return daemon.everything()["containers"]


def test_a_dockerfile_that_fails_costs_its_own_task_only(daemon: Daemon, suite: Suite) -> None:
    suite.add("bad", "RUN touch /made\nRUN echo this is why && exit 7\n")
    suite.add("good")
    done = suite.run("run", "-a", "oracle", "-s", "1-2", **daemon.environment)
    assert done.code == 3
    assert done.rewards == {"bad 1": None, "bad 2": None, "good 1": 1.0, "good 2": 1.0}
    assert done.outcomes["bad 1"] == "unscored"
    assert done.reasons["bad 1"].startswith("the image could not be built: ")
    assert "returned a non-zero code: 7 (it last said: this is why)" in done.reasons["bad 1"]
    assert daemon.everything() == NOTHING


def test_a_dockerfile_that_fails_is_built_once(daemon: Daemon, suite: Suite) -> None:
    suite.add("bad", "RUN exit 1\n")
    task = suite.root / "tasks" / "bad" / "environment"
    sandbox = DockerSandbox(daemon.engine())
    said = []
    for _ in range(2):
        with pytest.raises(SandboxError) as error:
            sandbox.start(BoxSpec(limits=SMALL, software=Build(task)))
        said.append(str(error.value))
    assert said[0] == said[1]  # the number of the container that failed is in it


def test_a_build_that_takes_too_long_is_ended(daemon: Daemon, suite: Suite) -> None:
    slow = suite.add("slow", "RUN touch /made\nRUN echo begun; sleep 600\n")
    sandbox = DockerSandbox(daemon.engine())
    software = Build(slow / "environment", timeout=4)
    with pytest.raises(SandboxError, match=r"took more than 4 s \(it last said: begun\)"):
        sandbox.start(BoxSpec(limits=SMALL, software=software))
    assert daemon.everything() == NOTHING


def test_a_build_that_talks_is_ended_too(daemon: Daemon, suite: Suite) -> None:
    slow = suite.add("slow", "RUN while :; do echo going on; sleep 0.2; done\n")
    sandbox = DockerSandbox(daemon.engine())
    software = Build(slow / "environment", timeout=4)
    with pytest.raises(SandboxError, match=r"took more than 4 s \(it last said: going on\)"):
        sandbox.start(BoxSpec(limits=SMALL, software=software))
    assert daemon.everything() == NOTHING


def test_the_stages_of_a_build_leave_nothing_nameless(daemon: Daemon, suite: Suite) -> None:
    stages = "RUN echo a > /a\nFROM ${BASE_IMAGE}\nCOPY --from=0 /a /b\n"
    staged = suite.add("staged", stages)
    software = Build(staged / "environment")
    with DockerSandbox(daemon.engine()).start(BoxSpec(limits=SMALL, software=software)) as box:
        assert box.exec(["cat", "/b"], timeout=20).stdout == b"a\n"
    wait_until(lambda: daemon.everything() == NOTHING, "nothing is left")


def test_an_image_that_somebody_removed_is_built_again(daemon: Daemon) -> None:
    sandbox = DockerSandbox(daemon.engine())
    with sandbox.start(BoxSpec(limits=SMALL)) as box:
        image = box.software
    with closing(daemon.engine().client) as client:
        client.remove_image(image, force=True)
    with sandbox.start(BoxSpec(limits=SMALL)) as box:
        assert box.exec(["echo", "here"], timeout=20).stdout == b"here\n"


def test_a_base_image_that_somebody_removed_is_missed(daemon: Daemon, base_image: Path) -> None:
    sandbox = DockerSandbox(daemon.engine())
    with closing(daemon.engine().client) as client:
        for image in client.images():
            for tag in image["RepoTags"]:
                client.remove_image(tag, force=True)
    try:
        with pytest.raises(SandboxUnavailableError, match="run `pae base-image`"):
            sandbox.start(BoxSpec(limits=SMALL))
    finally:
        daemon.load(base_image)
    with sandbox.start(BoxSpec(limits=SMALL)) as box:
        assert box.exec(["echo", "here"], timeout=20).stdout == b"here\n"


def test_a_container_removed_under_a_trial_costs_that_trial(daemon: Daemon, suite: Suite) -> None:
    suite.add("one")
    agent = f"cmd:echo ready > /tmp/ready; sleep 3; {ANSWER}"
    arguments = ("run", "-a", agent, "-s", "1-2", "-j", "1", "--retries", "0")
    with (
        suite.start(*arguments, **daemon.environment) as process,
        closing(daemon.engine().client) as client,
    ):
        wait_until(lambda: daemon.runs("sleep 3"), "an agent works")
        for box in boxes(daemon):
            client.remove_container(box, force=True)
        done = ended(process)
    assert done.code == 3
    assert done.rewards["one 1"] is None
    assert done.reasons["one 1"] == "the container was killed or removed while the box ran"
    assert done.outcomes["one 2"] == "scored"
