"""One container: how it is asked for, and the supervisor's life in it.

The supervisor is the container's init and runs as the box's user, without any privilege; nothing in
the container has one. It ends, and the container with it, when the harness hangs up. The engine
does not remove it by itself: why it ended can be asked only while it is there.
"""

from __future__ import annotations

import os
import resource
import socket
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from pae_harness import owner
from pae_harness.errors import SandboxError
from pae_harness.oneline import shortened
from pae_harness.sandbox import seccomp, slots
from pae_harness.sandbox.channel import Channel
from pae_harness.sandbox.checks import locate
from pae_harness.sandbox.docker import stream
from pae_harness.sandbox.docker.ending import memory_ran_out
from pae_harness.sandbox.docker.engine import LABEL, OWNER, AwayError, Engine, MissingError, asking
from pae_harness.sandbox.docker.images import Image
from pae_harness.sandbox.docker.recipe import SUPERVISOR
from pae_harness.sandbox.protocol import BoxSpec, Limits

UID = 1000
_SHM = "/dev/shm"
_PYTHON = f"import sys; sys.path[:0] = ['{SUPERVISOR[: SUPERVISOR.rindex('/')]}']; "
_COMMAND = ("python3", "-I", "-S", "-c", _PYTHON + "from supervisor.main import contain; contain()")
# What the supervisor itself uses, beyond what the box may: memory in MB, and processes.
_OWN_MEMORY, _OWN_PIDS = 32, 1
_BALLAST = 8 << 20
_SHUT_IN_PODMAN = dict.fromkeys(("/run", "/tmp", "/var/tmp"), "ro,size=4k,mode=555")
_REMOVED_SECONDS, _INSISTING_SECONDS = 60.0, 5.0
_KILLED = "the container was killed or removed while the box ran"
_ENVIRONMENT = {"HOME": "/tmp", "USER": "agent", "LANG": "C.UTF-8", "TZ": "UTC"}


def options(engine: Engine, image: Image, spec: BoxSpec) -> dict[str, Any]:
    """The engine's own terms for a box: what ``create_container`` is given."""
    from docker.types import LogConfig, Mount

    client, limits = engine.client, spec.limits
    memory = (limits.memory_mb + _OWN_MEMORY) << 20
    security = ["no-new-privileges", *(["label=disable"] if engine.selinux else [])]
    # Docker copies the host's name servers into every container.
    servers: dict[str, Any] = {"dns": ["127.0.0.1"], "dns_search": ["."]}
    host = client.create_host_config(
        network_mode="none",
        ipc_mode="private",
        read_only=True,
        cap_drop=["ALL"],
        security_opt=security,
        mem_limit=memory,
        memswap_limit=memory,
        nano_cpus=int(limits.cpus * 1e9),
        pids_limit=limits.pids + _OWN_PIDS,
        shm_size=limits.storage_mb << 20,
        tmpfs=_folders(engine, spec),
        mounts=[
            Mount(m.target, str(m.source.resolve()), type="bind", read_only=True)
            for m in spec.mounts
        ],
        log_config=LogConfig(type=LogConfig.types.NONE),
        **({} if engine.name == "podman" else servers),
    )
    return {
        "image": image.id,
        "entrypoint": list(_COMMAND),
        "command": [],
        "user": f"{UID}:{UID}",
        "hostname": "box",
        "working_dir": "/",
        "stdin_open": True,
        "network_disabled": True,
        "stop_signal": "SIGKILL",
        **({"healthcheck": {"test": ["NONE"]}} if image.checks_health else {}),
        "labels": {f"{LABEL}.kind": "box", OWNER: str(owner.me())},
        "host_config": host,
    }


def _folders(engine: Engine, spec: BoxSpec) -> dict[str, str]:
    """What may be written, and what Podman would let be written without a limit, shut."""
    own = {target: _tmpfs(engine, target, spec.limits) for target in spec.writable}
    return {**(_SHUT_IN_PODMAN if engine.name == "podman" else {}), **own}


def _tmpfs(engine: Engine, target: str, limits: Limits) -> str:
    """Of the box's user; /tmp is everybody's."""
    mode = "1777" if target == "/tmp" else "755"
    # Podman would begin with a copy of what the image has there, which is not the user's.
    whose = "U,notmpcopyup" if engine.name == "podman" else f"uid={UID},gid={UID}"
    return f"rw,exec,nosuid,nodev,size={limits.storage_mb}m,mode={mode},{whose}"


class Container:
    """A started container. Satisfies ``Vessel``."""

    def __init__(self, engine: Engine, image: Image, spec: BoxSpec, number: int) -> None:
        self._engine, self.image, self._spec = engine, image, spec
        self._number = number
        self._grouped: tuple[str, ...] = ()
        self._ended_by_memory = False
        self._started = time.time()
        self.end = ""  # how it ended, if it did so by itself
        client = engine.client
        with asking("create a container"):
            created = client.create_container(**options(engine, image, spec))
        self.id: str = created["Id"]
        try:
            with asking("start a container"):
                streams = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
                attached = client.attach_socket(self.id, params=streams)
                self._attached = attached
                self._connection: socket.socket = getattr(attached, "_sock", attached)
                self._channel, self._parcels = stream.channel(self._connection)
                client.start(self.id)
        except BaseException:
            with suppress(SandboxError):
                self._remove()
            raise

    @property
    def channel(self) -> Channel:
        return self._channel

    @property
    def stream_bytes(self) -> int:
        return self._spec.limits.stream_bytes

    @property
    def software(self) -> str:
        return self.image.id

    @property
    def enforced(self) -> Mapping[str, str]:
        limits, grouped = self._spec.limits, self._grouped
        by_group = f"cgroup {grouped[-1]}, by {self._engine.name}" if grouped else ""
        places = len(self._spec.writable) + 1
        return {
            "memory": f"{by_group}, the box's files included"
            if "memory" in grouped
            else "watcher and rlimit",
            "pids": by_group if "pids" in grouped else "watcher",
            "cpus": by_group if "cpus" in grouped else "affinity, whole processors",
            "storage": f"{places} tmpfs of {limits.storage_mb} MiB, watched together",
            "time": "kill",
            "streams": "bounded pipes",
        }

    def admit(self, timeout: float) -> None:
        """Tell the supervisor the box's shape; it says which limits the engine keeps."""
        self._channel.send(b"I", self._set_up())
        kind, payload = self._channel.receive(timeout)
        if kind != b"k":
            raise SandboxError("the box's supervisor failed to set up")
        self._grouped = tuple(payload.decode("ascii", "replace").split())

    def _set_up(self) -> dict[str, object]:
        limits = self._spec.limits
        filters = {
            (pinned, watched): seccomp.program(
                self._engine.machine, pin_cpus=pinned, watched=watched, spare_init=True
            )
            for pinned in (False, True)
            for watched in (False, True)
        }
        return {
            "files": {},
            "folders": [],
            "disks": [*self._spec.writable, _SHM],
            "storage": limits.storage_mb << 20,
            "ballast": _BALLAST,
            "watch_memory": 0,
            "watch_pids": 0,
            "cpus": None,
            "rlimits": [(resource.RLIMIT_CORE, 0)],
            "seccomp": b"",
            "container": {
                "memory": (limits.memory_mb + _OWN_MEMORY) << 20,
                "pids": limits.pids + _OWN_PIDS,
                "cpus": slots.processors(self._number, limits.cpus),
                "filters": filters,
            },
        }

    def locate(self, path: str) -> tuple[str, tuple[str, ...]] | None:
        return locate({target: target for target in self._spec.writable}, path)

    def order(
        self, argv: Sequence[str], cwd: str, env: Mapping[str, str] | None
    ) -> dict[str, object]:
        whole = {**_ENVIRONMENT, **self.image.env, **self._spec.env, **(env or {})}
        return {
            "argv": [os.fsencode(word) for word in argv],
            "cwd": os.fsencode(cwd),
            "env": {os.fsencode(name): os.fsencode(value) for name, value in whole.items()},
        }

    def events(self) -> tuple[int, int]:
        """The supervisor counts what happens; only its own end must be looked up outside."""
        if self._has_ended() and not self._ended_by_memory:
            with suppress(SandboxError):
                self._ended_by_memory = memory_ran_out(self._engine, self.id, self._started)
        return int(self._ended_by_memory), 0

    def spare_memory(self) -> None:
        """The supervisor has its own ballast to drop."""

    def failure(self, said: str) -> SandboxError:
        return SandboxError(f"the box could not start a command: {shortened(said.strip())}")

    def not_started(self) -> SandboxError:
        said = self._parcels.stderr.decode("utf-8", "replace").strip().splitlines()
        last = shortened(said[-1]) if said else "it said nothing"
        return SandboxError(f"the container ended before the box was ready: {last}")

    def destroy(self) -> None:
        for step in (self._look_how_it_ended, self._remove):
            try:
                step()
            except AwayError:
                # What is left of it, the next start removes.
                self.end = "the container engine went away while the box ran: start it again"
                break
            except SandboxError:
                continue
        self._channel.close()
        # The client would leave the response, and its descriptor, to the garbage collector.
        with suppress(ValueError):
            self._attached._response.close()
        self._attached.close()

    def _has_ended(self) -> bool:
        """Whether the engine has closed the supervisor's streams."""
        try:
            return not self._connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        except OSError:  # nothing to read yet, or closed by us
            return False

    def _look_how_it_ended(self) -> None:
        """While it can be told."""
        try:
            with asking("look at a container"):
                state = self._engine.client.inspect_container(self.id)["State"]
        except MissingError:
            self.end = _KILLED
            return
        if not state.get("Running"):
            code = state.get("ExitCode")
            ended = f"the container ended while the box ran, with exit code {code}"
            self.end = _KILLED if code == 137 else ended

    def _remove(self) -> None:
        """Kill and remove; back when it is gone, whoever removes it."""
        deadline = time.monotonic() + _REMOVED_SECONDS
        insisting = time.monotonic() + _INSISTING_SECONDS
        while time.monotonic() < deadline:
            try:
                with asking("remove a container"):
                    self._engine.client.remove_container(self.id, force=True, v=True)
                return
            except MissingError:
                return
            except AwayError:
                raise
            except SandboxError as error:
                # Podman refuses for a moment while a container ends by itself.
                if "in progress" not in str(error) and time.monotonic() > insisting:
                    raise
            time.sleep(0.02)
