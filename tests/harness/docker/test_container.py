"""What the engine itself says of a box: how it is fenced, and whose it is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.harness.backends import Backend, have

from pae_harness.sandbox.docker.backend import ContainerBox, DockerSandbox
from pae_harness.sandbox.docker.engine import connect
from pae_harness.sandbox.protocol import BoxSpec, Limits, Mount

LIMITS = Limits(cpus=1.5, memory_mb=300, pids=50, storage_mb=20)


@pytest.fixture(scope="module", params=["docker", "podman"])
def engine(request: pytest.FixtureRequest) -> Backend:
    return have(request.param)


@pytest.fixture(scope="module")
def said(engine: Backend, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """``docker inspect`` of a box that runs."""
    given = tmp_path_factory.mktemp("given")
    given.chmod(0o755)
    spec = BoxSpec(LIMITS, writable=("/tmp", "/app"), mounts=(Mount(given, "/solution"),))
    connected = connect(engine.environment)
    with closing(connected.client) as client, DockerSandbox(connected).start(spec) as box:
        assert isinstance(box, ContainerBox)
        yield client.inspect_container(box.container.id)


def test_it_has_no_network(said: dict[str, Any]) -> None:
    assert said["HostConfig"]["NetworkMode"] == "none"
    addresses = [one["IPAddress"] for one in said["NetworkSettings"]["Networks"].values()]
    assert set(addresses) <= {""}


def test_it_has_no_privilege(said: dict[str, Any]) -> None:
    host = said["HostConfig"]
    assert said["Config"]["User"] == "1000:1000"
    assert not host["Privileged"]
    assert not host["CapAdd"]
    assert "no-new-privileges" in host["SecurityOpt"]


def test_docker_drops_every_capability_and_podman_names_each(
    engine: Backend, said: dict[str, Any]
) -> None:
    dropped = said["HostConfig"]["CapDrop"]
    assert dropped == ["ALL"] if engine.title == "docker" else "SETUID" in dropped


def test_its_root_is_read_only_and_what_it_may_write_is_sized(said: dict[str, Any]) -> None:
    host = said["HostConfig"]
    assert host["ReadonlyRootfs"]
    writable = {path: o for path, o in host["Tmpfs"].items() if not o.startswith("ro,")}
    assert set(writable) == {"/tmp", "/app"}
    assert all("size=20m" in options for options in writable.values())
    assert host["ShmSize"] == 20 << 20


def test_its_limits_are_those_asked_for_and_room_for_the_supervisor(said: dict[str, Any]) -> None:
    host = said["HostConfig"]
    assert host["Memory"] == host["MemorySwap"] == (300 + 32) << 20
    assert host["PidsLimit"] == 50 + 1
    assert host["NanoCpus"] == 1_500_000_000


def test_the_host_shows_it_one_folder_and_no_writable_one(said: dict[str, Any]) -> None:
    binds = [mount for mount in said["Mounts"] if mount["Type"] == "bind"]
    assert [(mount["Destination"], mount["RW"]) for mount in binds] == [("/solution", False)]
    assert not [mount for mount in said["Mounts"] if mount["Type"] == "volume"]


def test_it_has_no_log_and_stays_until_it_is_asked_how_it_ended(said: dict[str, Any]) -> None:
    assert said["HostConfig"]["LogConfig"]["Type"] == "none"
    assert not said["HostConfig"]["AutoRemove"]


def test_its_labels_say_whose_it_is(said: dict[str, Any]) -> None:
    labels = said["Config"]["Labels"]
    assert labels["portfolio-agent-evals.kind"] == "box"
    assert labels["portfolio-agent-evals.owner"].count(":") == 4


def test_a_closed_box_is_gone_at_once(engine: Backend, tmp_path: Path) -> None:
    connected = connect(engine.environment)
    with closing(connected.client) as client:
        box = DockerSandbox(connected).start(BoxSpec())
        assert isinstance(box, ContainerBox)
        box.close()
        assert box.container.id not in [one["Id"] for one in client.containers(all=True)]
