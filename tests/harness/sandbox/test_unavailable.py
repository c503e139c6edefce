"""On a machine that forbids user namespaces no box starts, weaker or otherwise."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pae_harness.sandbox.bwrap import find_bwrap

START = """
from pae_harness.errors import SandboxUnavailableError
from pae_harness.sandbox import open_sandbox
from pae_harness.sandbox.protocol import BoxSpec
try:
    open_sandbox("local").start(BoxSpec())
except SandboxUnavailableError as error:
    print(error)
"""


@pytest.mark.parametrize("uid", ["0", "1000"])
def test_without_user_namespaces_the_way_out_is_said(uid: str) -> None:
    forbidding = [
        *(str(find_bwrap().path), "--dev-bind", "/", "/", "--unshare-user", "--disable-userns"),
        *("--uid", uid, "--gid", uid, "--cap-drop", "ALL"),
    ]
    done = subprocess.run(
        [*forbidding, sys.executable, "-c", START], capture_output=True, timeout=60, check=False
    )
    assert "the local sandbox cannot run" in done.stdout.decode(), done.stderr.decode()
    assert done.stdout.count(b"\n") == 1
