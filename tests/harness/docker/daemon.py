"""A Docker engine of the tests' own, to kill, to fill up and to look at whole."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from docker import APIClient
from docker.errors import APIError
from tests.harness.waiting import wait_until

from pae_harness.errors import SandboxUnavailableError
from pae_harness.sandbox.docker.engine import LABEL, Engine, connect


@dataclass
class Daemon:
    """``dockerd`` with its state in ``place``, which also names its processes."""

    place: Path
    _started: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def host(self) -> str:
        return f"unix://{self.place}/d.sock"

    @property
    def environment(self) -> dict[str, str]:
        """What makes ``pae`` use it."""
        return {"DOCKER_HOST": self.host}

    def engine(self) -> Engine:
        return connect(self.environment)

    def start(self) -> None:
        with (self.place / "log").open("ab") as log:
            # In a network of its own: without a bridge it removes docker0, which is another's.
            argv = ["unshare", "--net", "dockerd"]
            argv += ["--data-root", str(self.place / "data"), "--exec-root"]
            argv += [str(self.place / "exec"), "--pidfile", str(self.place / "pid"), "-H"]
            argv += [self.host, "--bridge=none", "--iptables=false"]
            self._started.append(subprocess.Popen(argv, stdout=log, stderr=log))
        wait_until(self._answers, f"dockerd answers; see {self.place}/log")

    def _answers(self) -> bool:
        assert self._started[-1].poll() is None, (self.place / "log").read_text()[-2000:]
        try:
            self.engine().client.close()
        except SandboxUnavailableError:
            return False
        return True

    def kill(self) -> None:
        """As a crash does; containers live on."""
        self._started[-1].kill()
        self._started[-1].wait()
        (self.place / "pid").unlink(missing_ok=True)
        # Its containerd is to die with it, and half dies: the next dockerd would wait for it.
        containerd = self.place / "exec" / "containerd" / "containerd.pid"
        with suppress(OSError, ValueError):
            os.kill(int(containerd.read_text()), signal.SIGKILL)
        for name in ("containerd.pid", "containerd.sock", "containerd.sock.ttrpc"):
            containerd.with_name(name).unlink(missing_ok=True)

    def revive(self) -> None:
        """Start it again if it was killed, and remove everything from it but images with a name."""
        if self._started[-1].poll() is not None:
            self.start()
        with closing(self.engine().client) as client:
            for box in client.containers(all=True):
                client.remove_container(box["Id"], v=True, force=True)
            client.prune_volumes()
            client.prune_images({"dangling": True})

    def forget_images(self) -> None:
        """All but the base image, so that the next run builds."""
        with closing(self.engine().client) as client:
            for image in client.images():
                for tag in image["RepoTags"] or ():
                    if not tag.startswith(f"{LABEL}/base:"):
                        client.remove_image(tag, force=True)

    def runs(self, words: str) -> bool:
        """Whether a process with these words in its command line is in any container."""
        with closing(self.engine().client) as client:
            return any(words in row for box in client.containers() for row in _rows(client, box))

    def load(self, images: Path) -> None:
        """Load what ``docker save`` wrote."""
        with closing(self.engine().client) as client, images.open("rb") as tar:
            list(client.load_image(tar))

    def end(self) -> None:
        """End it with all that it started, and nothing else."""
        for process in self._started:
            if process.poll() is None:
                process.terminate()
                with suppress(subprocess.TimeoutExpired):
                    process.wait(20)
                process.kill()
                process.wait()
        for pid in self._processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not list(self._processes()), "its processes are gone")
        self._unmount()
        shutil.rmtree(self.place, ignore_errors=True)

    def _processes(self) -> Iterator[int]:
        """containerd and its shims name the folder in their command line."""
        mark = f"{self.place}/exec".encode()
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit():
                with suppress(OSError):
                    if mark in (folder / "cmdline").read_bytes():
                        yield int(folder.name)

    def _unmount(self) -> None:
        lines = Path("/proc/self/mounts").read_text().splitlines()
        for target in reversed([line.split()[1] for line in lines]):
            if target.startswith(f"{self.place}/"):
                subprocess.run(["umount", "-l", target], check=False)

    def everything(self) -> dict[str, list[str]]:
        """All containers, nameless images, volumes and networks but the engine's own."""
        with closing(self.engine().client) as client:
            return {
                "containers": [found["Id"] for found in client.containers(all=True)],
                "images": [found["Id"] for found in client.images(filters={"dangling": True})],
                "volumes": [found["Name"] for found in client.volumes()["Volumes"] or []],
                "networks": [
                    found["Name"]
                    for found in client.networks()
                    if found["Name"] not in ("host", "none", "bridge")
                ],
            }


def _rows(client: APIClient, box: dict[str, str]) -> list[str]:
    """The command lines of a container."""
    try:
        found = client.top(box["Id"])["Processes"]
    except APIError:  # it has just ended
        return []
    # Between its start and its first process a container has none: null, not an empty list.
    return [" ".join(row) for row in found or ()]


NOTHING: dict[str, Sequence[str]] = {"containers": [], "images": [], "volumes": [], "networks": []}
