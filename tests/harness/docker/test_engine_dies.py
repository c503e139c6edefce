"""An engine that dies, hangs up or fills its disk: one sentence, one trial, the others go on."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.harness.docker.daemon import NOTHING, Daemon
from tests.harness.docker.suite import ANSWER, Suite, ended
from tests.harness.waiting import wait_until

from pae_harness.cache import cache_root
from pae_harness.errors import SandboxError
from pae_harness.sandbox.docker.backend import DockerSandbox
from pae_harness.sandbox.protocol import BoxSpec, Limits

pytestmark = pytest.mark.slow
SMALL = Limits(memory_mb=256, storage_mb=16)
AGENT = ("-a", f"cmd:sleep 3; {ANSWER}", "--retries", "0")


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    made = Suite(tmp_path / "suite")
    made.add("one")
    return made


def test_a_daemon_that_dies_costs_the_trial_under_way(mortal: Daemon, suite: Suite) -> None:
    arguments = ("run", *AGENT, "-s", "1-3", "-j", "1")
    with suite.start(*arguments, **mortal.environment) as process:
        wait_until(lambda: mortal.runs("sleep 3"), "an agent works")
        mortal.kill()
        mortal.start()
        done = ended(process)
    assert done.code == 3
    assert done.reasons["one 1"].startswith("the container engine went away while the box ran")
    outcomes = [done.outcomes[f"one {seed}"] for seed in (1, 2, 3)]
    assert outcomes == ["unscored", "scored", "scored"]
    DockerSandbox(mortal.engine())
    assert mortal.everything() == NOTHING


def test_a_daemon_that_never_comes_back_ends_no_trial_as_zero(mortal: Daemon, suite: Suite) -> None:
    arguments = ("run", *AGENT, "-s", "1-3", "-j", "1")
    with suite.start(*arguments, **mortal.environment) as process:
        wait_until(lambda: mortal.runs("sleep 3"), "an agent works")
        mortal.kill()
        done = ended(process)
    assert done.code == 3
    assert list(done.rewards.values()) == [None, None, None]
    assert "start it again" in done.reasons["one 1"]
    assert "start it again" in done.reasons["one 3"]
    assert "internal error" not in str(done.data)


def test_a_daemon_that_dies_under_a_build(mortal: Daemon, suite: Suite) -> None:
    slow = suite.add("slow", "RUN touch /made\nRUN sleep 3\n") / "environment"
    with suite.start("run", "slow", "-a", "oracle", "-s", "1-2", **mortal.environment) as process:
        wait_until(lambda: bool(mortal.everything()["containers"]), "it builds")
        mortal.kill()
        mortal.start()
        done = ended(process)
    assert slow.is_dir()
    assert set(done.outcomes.values()) <= {"scored", "unscored"}
    assert done.outcomes["slow 2"] == "scored"
    DockerSandbox(mortal.engine())
    assert mortal.everything() == NOTHING


def test_no_daemon_is_found_before_anything_ran(mortal: Daemon, suite: Suite) -> None:
    mortal.kill()
    done = suite.run("run", "-a", "oracle", **mortal.environment)
    assert done.code == 2
    assert f"the container engine at {mortal.place}/d.sock does not answer" in done.said


@pytest.fixture
def cramped(base_image: Path) -> Iterator[Daemon]:
    """An engine with room for a base image, the box's layers and 30 MB."""
    place = Path(tempfile.mkdtemp(prefix="pae-dockerd-", dir="/tmp"))
    daemon = Daemon(place)
    try:
        (place / "data").mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=250m", "tmpfs", str(place / "data")]
        subprocess.run(mount, check=True)
        daemon.start()
        daemon.load(base_image)
        yield daemon
    finally:
        daemon.end()


def test_a_full_disk_of_the_engine_is_named(cramped: Daemon, suite: Suite) -> None:
    suite.add("big", "RUN head -c 400000000 /dev/zero > /big\n")
    done = suite.run("run", "-a", "oracle", "-s", "1", "-j", "1", **cramped.environment)
    assert done.code == 3
    assert done.rewards == {"big 1": None, "one 1": 1.0}
    assert "free space where the engine keeps images and containers" in done.reasons["big 1"]
    assert cramped.everything() == NOTHING


def test_no_room_for_a_container_is_named(cramped: Daemon) -> None:
    sandbox = DockerSandbox(cramped.engine())
    with sandbox.start(BoxSpec(limits=SMALL)) as box:
        assert box.exec(["true"], timeout=20).exit_code == 0
    with (
        pytest.raises(OSError, match="No space"),
        (cramped.place / "data" / "ballast").open("wb") as b,
    ):
        while True:
            b.write(bytes(1 << 16))
    with pytest.raises(SandboxError, match="free space where the engine keeps"):
        sandbox.start(BoxSpec(limits=SMALL))
    (cramped.place / "data" / "ballast").unlink()
    with sandbox.start(BoxSpec(limits=SMALL)) as box:
        assert box.exec(["true"], timeout=20).exit_code == 0


def test_a_build_waits_for_another_process_that_builds_the_same(
    mortal: Daemon, suite: Suite
) -> None:
    mortal.forget_images()
    suite.add("slow", "RUN sleep 2\nRUN echo built > /built\n")
    arguments = ("run", "slow", "-a", "oracle", "-s", "1")
    wheels = cache_root() / "wheelhouse"  # fetching it twice more would take long
    wheels.mkdir(parents=True, exist_ok=True)
    runs = []
    for number in (1, 2):
        cache = suite.root / f"cache-{number}"
        cache.mkdir()
        (cache / "wheelhouse").symlink_to(wheels)
        environment = {"PAE_CACHE": str(cache), **mortal.environment}
        runs.append(suite.start(*arguments, "-o", f"out-{number}", **environment))
    codes = [ended(run).code for run in runs]
    assert codes == [0, 0]
    with closing(mortal.engine().client) as client:
        tags = [tag.split(":")[0] for image in client.images() for tag in image["RepoTags"]]
    assert sorted(tag.split("/")[1] for tag in tags) == ["base", "box", "task", "verifier"]
    assert mortal.everything() == NOTHING
