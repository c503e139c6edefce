"""Finding a backend by name."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.harness.backends import SOCKETS, have

from pae_harness.errors import SandboxUnavailableError, UsageError
from pae_harness.sandbox import open_sandbox


def test_auto_takes_the_local_sandbox_where_no_engine_answers() -> None:
    said: list[str] = []
    assert open_sandbox("auto", said.append).name == "local"
    assert said == []


def test_auto_takes_an_engine_that_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    have("docker")
    monkeypatch.setenv("DOCKER_HOST", f"unix://{SOCKETS['docker']}")
    opened = open_sandbox("auto")
    assert opened.name == "docker"
    assert opened.maker.startswith("docker ")


def test_auto_says_why_it_leaves_an_engine_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    have("docker")
    monkeypatch.setenv("DOCKER_HOST", f"unix://{SOCKETS['docker']}")
    monkeypatch.setenv("PAE_BASE_IMAGE", "127.0.0.1:1/no/such:image")
    said: list[str] = []
    assert open_sandbox("auto", said.append).name == "local"
    assert len(said) == 1
    assert said[0].startswith(
        "boxes are made by the local sandbox, as containers cannot be: there is no base image"
    )
    assert "set PAE_BASE_IMAGE to an image that is there" in said[0]


def test_docker_without_an_engine_names_the_way_out() -> None:
    with pytest.raises(SandboxUnavailableError, match="start Docker or `podman system service`"):
        open_sandbox("docker")


def test_an_engine_elsewhere_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "tcp://192.0.2.1:2375")
    with pytest.raises(SandboxUnavailableError, match=r"at tcp://192\.0\.2\.1:2375 cannot show"):
        open_sandbox("docker")


def test_a_socket_without_an_engine_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "dead.sock").touch()
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/dead.sock")
    with pytest.raises(SandboxUnavailableError, match=r"dead\.sock does not answer: start it"):
        open_sandbox("docker")


def test_a_misspelt_name_gets_the_nearest_one() -> None:
    with pytest.raises(UsageError, match="no sandbox 'lcoal'; did you mean 'local'"):
        open_sandbox("lcoal")


def test_a_name_like_no_other_gets_all_of_them() -> None:
    with pytest.raises(UsageError, match="known are auto, docker, local"):
        open_sandbox("xyzzy")
