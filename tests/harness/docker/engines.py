"""Engines of the tests' own: fixtures that ``tests/harness/conftest.py`` shares with all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from tests.harness.backends import Backend, have
from tests.harness.docker.daemon import Daemon

from pae_harness.sandbox.docker.engine import connect
from pae_harness.sandbox.docker.images import Images


def _need_dockerd() -> None:
    why = "" if os.getuid() == 0 else "only root can start dockerd"
    why = why or ("" if shutil.which("dockerd") else "there is no dockerd")
    if why and os.environ.get("PAE_REQUIRE_DOCKER") == "1":
        pytest.fail(why)
    if why:
        pytest.skip(why)


@pytest.fixture(scope="session")
def base_image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The base image of this machine's engine, as a tar."""
    _need_dockerd()
    have("docker")
    engine = connect(Backend("docker").environment)
    tar = tmp_path_factory.mktemp("images") / "base.tar"
    with closing(engine.client) as client, tar.open("wb") as out:
        out.writelines(client.get_image(Images(engine).base().tag))
    return tar


@contextmanager
def _running(base_image: Path) -> Iterator[Daemon]:
    """A Docker engine with nothing but a base image."""
    # A socket's path is short, and pytest's folders are not.
    daemon = Daemon(Path(tempfile.mkdtemp(prefix="pae-dockerd-", dir="/tmp")))
    try:
        daemon.start()
        daemon.load(base_image)
        yield daemon
    finally:
        daemon.end()


@pytest.fixture(scope="session")
def daemon(base_image: Path) -> Iterator[Daemon]:
    """An engine for all tests of a session."""
    with _running(base_image) as engine:
        yield engine


@pytest.fixture(scope="session")
def mortals(base_image: Path) -> Iterator[Daemon]:
    """The engine behind ``mortal``."""
    with _running(base_image) as engine:
        yield engine


@pytest.fixture
def mortal(mortals: Daemon) -> Daemon:
    """An engine that a test may kill: alive again, and without what the test before left on it."""
    mortals.revive()
    return mortals
