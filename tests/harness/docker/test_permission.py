"""An ordinary user who may not use the engine is told so, and auto takes the local sandbox."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from tests.harness.docker.daemon import Daemon

pytestmark = pytest.mark.skipif(os.getuid() != 0, reason="only root can be another user")
USER = 64_998
# All is imported first: the user may have no access to this interpreter's files.
AS_USER = f"""\
import encodings.ascii, os, sys
import docker, requests.exceptions, urllib3.exceptions, docker.errors
from pae_harness.errors import SandboxError
from pae_harness.sandbox import _automatic, open_sandbox, local
from pae_harness.sandbox.docker import backend, engine

os.setgroups([])
os.setgid({USER})
os.setuid({USER})
try:
    open_sandbox("docker")
except SandboxError as error:
    print(type(error).__name__, error)
print(open_sandbox("auto", print).name)
"""


def test_a_user_outside_the_engines_group(daemon: Daemon) -> None:
    socket = Path(daemon.host.removeprefix("unix://"))
    socket.parent.chmod(0o755)
    assert not socket.stat().st_mode & stat.S_IRWXO
    environment = {**os.environ, **daemon.environment}
    done = subprocess.run(
        [sys.executable, "-c", AS_USER], env=environment, capture_output=True, text=True, check=True
    )
    refused = (
        f"you may not use the container engine at {socket}: join its group (often `docker`), or "
        "use a rootless engine"
    )
    assert done.stdout.splitlines() == [
        f"SandboxUnavailableError {refused}",
        f"boxes are made by the local sandbox, as containers cannot be: {refused}",
        "local",
    ]
