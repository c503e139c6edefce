"""What of the base interpreter a box gets."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from pae_harness.baseimage.root import Root
from pae_harness.errors import SandboxUnavailableError
from pae_harness.sandbox import interpreter
from pae_harness.sandbox.interpreter import base_interpreter, root_interpreter


def test_it_is_the_one_below_the_virtual_environment() -> None:
    found = base_interpreter()
    assert found.version == "{}.{}".format(*sys.version_info[:2])
    assert found.prefix == os.path.realpath(sys.base_prefix)
    assert Path(found.executable).is_file()
    assert not Path(found.executable).is_symlink()


def test_of_a_shared_prefix_only_software_is_taken(tmp_path: Path) -> None:
    for name in ("bin", "lib", "share/keyrings", "state"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "lib64").symlink_to("lib")
    assert interpreter._software(str(tmp_path)) == (f"{tmp_path}/bin", f"{tmp_path}/lib")


def test_every_packages_folder_of_a_prefix_is_found(tmp_path: Path) -> None:
    ours = tmp_path / "lib/python3.12/site-packages"
    theirs = tmp_path / "lib/python3/dist-packages"
    ours.mkdir(parents=True)
    theirs.mkdir(parents=True)
    found = interpreter._existing_packages(str(tmp_path), (str(ours), str(tmp_path / "none")))
    assert {str(ours), str(theirs)} <= set(found)
    assert str(tmp_path / "none") not in found


def test_packages_go_where_the_interpreter_looks() -> None:
    debian = ("/usr/local/lib/python3.11/dist-packages", "/usr/lib/python3/dist-packages")
    assert interpreter._packages(debian, debian[1:], "/usr") == debian[0]
    own = ("/opt/py/lib/python3.12/site-packages",)
    assert interpreter._packages(own, own, "/opt/py") == own[0]


def test_an_interpreter_that_looks_nowhere_is_refused() -> None:
    with pytest.raises(SandboxUnavailableError, match="no site-packages"):
        interpreter._packages(("/opt/py/none",), (), "/opt/py")


def test_a_roots_interpreter_is_debians() -> None:
    found = root_interpreter(Root(Path("/cache/root/ab/fs"), "ab" * 32, "3.11.2", "amd64"))
    assert (found.executable, found.version) == ("/usr/bin/python3.11", "3.11")
    assert found.packages == "/usr/local/lib/python3.11/dist-packages"
    assert found.folders == found.masked == ()
