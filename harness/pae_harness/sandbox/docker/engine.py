"""The container engine: where its socket is, what it is, and its failures as sentences."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pae_harness.errors import SandboxError, SandboxUnavailableError
from pae_harness.oneline import shortened

if TYPE_CHECKING:
    import docker

LABEL = "portfolio-agent-evals"
OWNER = f"{LABEL}.owner"  # of a container, or of what a build has not finished
BUILD = f"{LABEL}.build"  # which build it is, of what a build has not finished
BUILDER = f"{LABEL}.built-by"  # of a finished image
# Creating and removing containers can take long on a busy machine, but not for ever.
_ANSWER_SECONDS = 120
_HELLO_SECONDS = 10


class MissingError(SandboxError):
    """What was asked for is not there: an image or a container that somebody removed."""


class NoEngineError(SandboxUnavailableError):
    """There is none here at all, as far as this user can see."""


class AwayError(SandboxError):
    """The engine does not answer: it was stopped, died, or hangs."""


@dataclass(frozen=True)
class Engine:
    """An engine that answers. ``name`` is docker or podman, ``machine`` as ``platform`` has it."""

    client: docker.APIClient = field(repr=False)
    socket: Path
    name: str
    version: str
    machine: str

    @cached_property
    def info(self) -> Mapping[str, Any]:
        with asking("say what it is"):
            return dict(self.client.info())

    @property
    def rootless(self) -> bool:
        """Whether the container's users are other ones on the host."""
        options = self.info.get("SecurityOptions") or ()
        return any("rootless" in option or "userns" in option for option in options)

    @property
    def selinux(self) -> bool:
        return any("selinux" in option for option in self.info.get("SecurityOptions") or ())


def connect(environment: Mapping[str, str] = os.environ) -> Engine:
    """The first engine that answers. Raises SandboxUnavailableError with the way out."""
    tried = []
    for path in sockets(environment, os.getuid()):
        if path.exists():
            try:
                return _ask(path)
            except SandboxUnavailableError as error:
                tried.append(str(error))
    if tried:
        raise SandboxUnavailableError(tried[0])
    raise NoEngineError(
        "no container engine answers here: start Docker or `podman system service`, or set "
        "DOCKER_HOST to its socket"
    )


def sockets(environment: Mapping[str, str], uid: int) -> list[Path]:
    """Where an engine's socket may be, most wanted first.

    Raises SandboxUnavailableError for an engine that is elsewhere: it could not mount this
    machine's files.
    """
    host = environment.get("DOCKER_HOST") or environment.get("CONTAINER_HOST") or ""
    if host and not host.startswith("unix://"):
        raise SandboxUnavailableError(
            f"the engine at {host} cannot show this machine's files to a box: set DOCKER_HOST to "
            "the unix:// socket of one that runs here"
        )
    if host:
        return [Path(host.removeprefix("unix://"))]
    runtime = environment.get("XDG_RUNTIME_DIR", f"/run/user/{uid}")
    return [
        Path("/var/run/docker.sock"),
        Path(runtime, "docker.sock"),
        Path(runtime, "podman/podman.sock"),
        Path("/run/podman/podman.sock"),
    ]


def _ask(path: Path) -> Engine:
    import docker
    from docker.errors import DockerException
    from requests.exceptions import RequestException
    from urllib3.exceptions import HTTPError

    url = f"unix://{path}"
    try:
        # The client would leave a socket open that cannot be connected.
        with socket.socket(socket.AF_UNIX) as attempt:
            attempt.settimeout(_HELLO_SECONDS)
            attempt.connect(str(path))
        with closing(docker.APIClient(base_url=url, timeout=_HELLO_SECONDS)) as hello:
            said = hello.version()
        client = docker.APIClient(
            base_url=url, version=hello.api_version, timeout=_ANSWER_SECONDS, max_pool_size=64
        )
    except (DockerException, RequestException, HTTPError, OSError) as error:
        raise SandboxUnavailableError(_unreachable(path, error)) from None
    parts = [str(part.get("Name", "")) for part in said.get("Components") or ()]
    podman = any("podman" in part.lower() for part in parts)
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(said["Arch"], said["Arch"])
    return Engine(client, path, "podman" if podman else "docker", said["Version"], machine)


def _unreachable(path: Path, error: Exception) -> str:
    if not os.access(path, os.R_OK | os.W_OK):
        return (
            f"you may not use the container engine at {path}: join its group (often `docker`), or "
            "use a rootless engine"
        )
    return (
        f"the container engine at {path} does not answer: start it, or set DOCKER_HOST "
        f"({shortened(str(error), most=200)})"
    )


@contextmanager
def asking(what: str) -> Iterator[None]:
    """Turn the engine's failures to ``what`` into SandboxError.

    That is MissingError for a 404, and AwayError where it does not answer.
    """
    from docker.errors import APIError, DockerException
    from requests.exceptions import RequestException
    from urllib3.exceptions import HTTPError

    try:
        yield
    except APIError as error:
        said = shortened(str(error.explanation or error), most=300)
        kind = MissingError if error.status_code == 404 else SandboxError
        raise kind(f"the container engine could not {what}: {said}{_advice(said)}") from None
    except (DockerException, RequestException, HTTPError, OSError) as error:
        raise AwayError(
            f"the container engine does not answer when asked to {what}: start it again "
            f"({shortened(str(error), most=200)})"
        ) from None


def _advice(said: str) -> str:
    if "no space left" in said.lower():
        return "; free space where the engine keeps images and containers"
    return ""
