"""``pae doctor --clean`` and every start: what dead processes left goes, and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from docker import APIClient
from tests.harness.docker.daemon import Daemon
from tests.harness.docker.suite import Suite
from tests.harness.waiting import wait_until

from pae_harness.commands.doctor import clean
from pae_harness.sandbox.docker.backend import DockerSandbox
from pae_harness.sandbox.docker.engine import LABEL

# A process that has a box, and then waits to be killed.
HOLDS = """\
import sys, time
from pathlib import Path
from pae_harness.sandbox import open_sandbox
from pae_harness.sandbox.protocol import BoxSpec, Build, Limits

software = Build(Path(sys.argv[1])) if sys.argv[1:] else "base"
spec = BoxSpec(limits=Limits(memory_mb=256, storage_mb=16), software=software)
with open_sandbox("docker").start(spec) as box:
    print(box.software, flush=True)
    time.sleep(600)
"""


@pytest.fixture
def client(daemon: Daemon, monkeypatch: pytest.MonkeyPatch) -> Iterator[APIClient]:
    """Of an engine that the harness of this test uses too, and on which nothing else is."""
    monkeypatch.setenv("DOCKER_HOST", daemon.host)
    with closing(daemon.engine().client) as client:
        yield client
        for container in client.containers(all=True):
            client.remove_container(container["Id"], force=True)


@contextmanager
def holder(daemon: Daemon, *software: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A process with a box, and the id of the box's image; killed at the end."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDS, *map(str, software)],
        env={"DOCKER_HOST": daemon.host, "HOME": str(Path.home())},
        stdout=subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().decode().strip()
    finally:
        process.kill()
        process.communicate()


def run_by_hand(client: APIClient, image: str) -> str:
    """What ``docker run`` of somebody else makes."""
    host = client.create_host_config(network_mode="none")
    made = client.create_container(image, ["sleep", "600"], entrypoint=[], host_config=host)
    client.start(made["Id"])
    return str(made["Id"])


def ids(client: APIClient) -> list[str]:
    return [container["Id"] for container in client.containers(all=True)]


def tags(client: APIClient) -> set[str]:
    return {tag.split(":")[0] for image in client.images() for tag in image["RepoTags"] or ()}


def cleaned(capsys: pytest.CaptureFixture[str]) -> dict[str, list[dict[str, str]]]:
    assert clean(as_json=True) == 0
    said: dict[str, list[dict[str, str]]] = json.loads(capsys.readouterr().out)
    return said


def test_the_images_go_and_the_base_image_stays(
    daemon: Daemon, client: APIClient, capsys: pytest.CaptureFixture[str]
) -> None:
    with holder(daemon):
        pass
    capsys.readouterr()
    said = cleaned(capsys)
    assert f"{LABEL}/box" in {one["name"].split(":")[0] for one in said["removed"]}
    assert tags(client) == {f"{LABEL}/base"}
    assert len(client.images(all=True)) == 1  # no layer of any build either
    assert clean(as_json=False) == 0
    assert capsys.readouterr().out == "there was nothing to remove\n"


def test_a_live_process_keeps_its_box_and_its_image(
    daemon: Daemon, client: APIClient, capsys: pytest.CaptureFixture[str]
) -> None:
    with holder(daemon) as (process, image):
        before = ids(client)
        said = cleaned(capsys)
        assert ids(client) == before
        assert client.inspect_image(image)["Id"] == image
        assert [one["name"].split(":")[0] for one in said["kept"]] == [f"{LABEL}/box"]
        assert process.poll() is None


def test_a_live_process_keeps_what_it_builds(
    daemon: Daemon, client: APIClient, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task = Suite(tmp_path).add("slow", "RUN sleep 5\nRUN echo built > /built\n")
    with holder(daemon) as _:
        pass
    environment = {"DOCKER_HOST": daemon.host, "HOME": str(Path.home())}
    argv = [sys.executable, "-c", HOLDS, str(task / "environment")]
    with subprocess.Popen(argv, env=environment, stdout=subprocess.PIPE) as process:
        wait_until(lambda: len(ids(client)) == 1, "it builds")
        cleaned(capsys)
        DockerSandbox(daemon.engine())
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"sha256:")
        process.kill()


def test_other_peoples_containers_and_images_stay(
    daemon: Daemon, client: APIClient, capsys: pytest.CaptureFixture[str]
) -> None:
    with holder(daemon) as (_, image):
        on_base = run_by_hand(client, f"{LABEL}/base:latest")
        on_ours = run_by_hand(client, image)
    derived = client.commit(on_ours, "somebody/own", "1")["Id"]
    nameless = client.commit(on_ours)["Id"]
    DockerSandbox(daemon.engine())
    cleaned(capsys)
    assert sorted(ids(client)) == sorted([on_base, on_ours])
    for container in (on_base, on_ours):
        assert client.inspect_container(container)["State"]["Running"]
    assert {derived, nameless} <= {found["Id"] for found in client.images()}
    client.remove_container(on_ours, force=True)
    client.remove_image(derived)
    client.remove_image(nameless)


def test_without_an_engine_the_rest_is_cleaned(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nonexistent/docker.sock")
    assert clean(as_json=False) == 0
    assert (
        "containers and images were not looked at: no container engine" in capsys.readouterr().out
    )
