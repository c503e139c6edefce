"""Where a registry answers, the base image comes from it and is used by what it is, not by name."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing

import pytest
from tests.harness.backends import Backend, have
from tests.harness.waiting import wait_until

from pae_harness.errors import SandboxUnavailableError
from pae_harness.sandbox.docker.engine import Engine, connect
from pae_harness.sandbox.docker.images import Images

CONFIG = """
version: 0.1
storage: {{filesystem: {{rootdirectory: {folder}}}}}
http: {{addr: "127.0.0.1:{port}"}}
log: {{level: error}}
"""


@pytest.fixture
def engine() -> Iterator[Engine]:
    have("docker")
    found = connect(Backend("docker").environment)
    with closing(found.client):
        yield found


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a registry on this machine's loopback, which Docker trusts without TLS."""
    program = shutil.which("docker-registry")
    if program is None and os.environ.get("PAE_REQUIRE_DOCKER") == "1":
        pytest.fail("there is no docker-registry: install Debian's package of that name")
    if program is None:
        pytest.skip("there is no docker-registry")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    place = tmp_path_factory.mktemp("registry")
    config = place / "registry.yml"
    config.write_text(CONFIG.format(folder=place / "blobs", port=port))
    with subprocess.Popen([program, "serve", str(config)], stderr=subprocess.DEVNULL) as process:
        try:
            wait_until(lambda: _listens(port), "the registry listens")
            yield f"127.0.0.1:{port}"
        finally:
            process.kill()


def _listens(port: int) -> bool:
    with socket.socket() as attempt:
        return attempt.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def pushed(engine: Engine, registry: str) -> Iterator[str]:
    """A base image that only the registry has under this name."""
    name = f"{registry}/team/python:3.11"
    engine.client.tag(Images(engine).base().id, name)
    said = engine.client.push(name)
    assert '"error"' not in said, said
    engine.client.remove_image(name)
    yield name
    for kind in ("RepoTags", "RepoDigests"):  # a name without the other can be left
        for name in _names(engine, kind, registry):
            engine.client.remove_image(name)


def _names(engine: Engine, kind: str, registry: str) -> list[str]:
    images = [engine.client.inspect_image(image["Id"]) for image in engine.client.images()]
    return [name for image in images for name in image[kind] or () if name.startswith(registry)]


def test_an_image_that_is_not_there_is_fetched(
    engine: Engine, pushed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAE_BASE_IMAGE", pushed)
    found = Images(engine).base()
    assert found.id == engine.client.inspect_image(pushed)["Id"]


def test_a_digest_names_an_image_too(
    engine: Engine, pushed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAE_BASE_IMAGE", pushed)
    fetched = Images(engine).base()
    assert fetched.digest.startswith(f"{pushed.removesuffix(':3.11')}@sha256:")
    engine.client.remove_image(pushed)
    monkeypatch.setenv("PAE_BASE_IMAGE", fetched.digest)
    assert Images(engine).base().id == fetched.id
    engine.client.remove_image(fetched.digest)


def test_a_name_that_moves_does_not_move_a_run(
    engine: Engine, pushed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAE_BASE_IMAGE", pushed)
    images = Images(engine)
    before = images.base().id
    other = images.get("base").id
    engine.client.tag(other, pushed.removesuffix(":3.11"), "3.11", force=True)
    assert images.base().id == before
    assert Images(engine).base().id == other


def test_an_image_that_the_registry_lacks_is_named_with_the_way_out(
    engine: Engine, registry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAE_BASE_IMAGE", f"{registry}/team/none:1")
    with pytest.raises(SandboxUnavailableError, match=r"set PAE_BASE_IMAGE to an image .*none:1"):
        Images(engine).base()
