"""``pae base-image`` for real: Debian's packages, and what runs on the root and in the image."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pae_harness.baseimage import current_root
from pae_harness.errors import SandboxUnavailableError
from pae_harness.sandbox.bwrap import find_bwrap
from pae_harness.sandbox.docker.engine import Engine, connect

HOST = dict(os.environ)  # the engine is this machine's, whatever other tests are shown
REQUIRED = os.environ.get("PAE_REQUIRE_DOCKER") == "1"
IMPORTS = "bz2, ctypes, decimal, hashlib, json, lzma, sqlite3, ssl, uuid, zoneinfo"
COMMANDS = [
    ("bash", "-lc", "type -t awk python3 && echo done", "file\nfile\ndone\n"),
    ("sh", "-c", "echo b a | awk '{print $2, $1}'", "a b\n"),
    ("sh", "-c", "printf 'b\\na\\n' | sort | tail -n 1", "b\n"),
    ("id", "-un", "1000", "agent\n"),
    ("date", "-d", "@0", "Thu Jan  1 00:00:00 UTC 1970\n"),
    ("sh", "-c", "printf '\\351' | iconv -f latin1 -t utf-8", "é"),
    ("sh", "-c", "echo x | gzip | gunzip | sed s/x/y/ | grep -P '^y$'", "y\n"),
    ("sh", "-c", "head -n 1 /usr/share/pae/packages.txt | cut -f 1", "base-files\n"),
    ("python3", "-c", f"import {IMPORTS}; print(decimal.Decimal(1) / 8)", "0.125\n"),
    (
        "python3",
        "-Ic",
        "import ctypes.util as u; print(u.find_library('z'))",
        "libz.so.1\n",
    ),
    (
        "python3",
        "-c",
        "import datetime as d, zoneinfo as z\n"
        "print(d.datetime(2026, 7, 1, tzinfo=z.ZoneInfo('America/New_York')))",
        "2026-07-01 00:00:00-04:00\n",
    ),
    (
        "python3",
        "-c",
        "import ssl; print(len(ssl.create_default_context().get_ca_certs()) > 100)",
        "True\n",
    ),
]
USER = 64_999
# All is imported first: the user may have no access to this interpreter's files.
AS_USER = f"""\
import encodings.ascii, os, sys
import pae_harness.baseimage.load, pae_harness.sandbox.docker.engine
from pae_harness.commands.base_image import main
from pae_harness.parser import parse

if os.getuid() == 0:
    os.setgroups([])
    os.setgid({USER})
    os.setuid({USER})
sys.exit(main(parse(["base-image", "--json"])))
"""
pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Made:
    """What a run of ``pae base-image`` said, and the cache that it wrote."""

    said: dict[str, Any]
    cache: Path

    @property
    def root(self) -> Path:
        return Path(self.said["root"]["path"])


def make(place: Path, umask: int, *program: str, **environment: str) -> Made:
    """Run the command as a process of its own, with its own cache and scratch folder."""
    scratch = place / "scratch"
    scratch.mkdir()
    scratch.chmod(0o1777)
    done = subprocess.run(
        [sys.executable, *program],
        env={**HOST, "PAE_CACHE": str(place / "cache"), "TMPDIR": str(scratch), **environment},
        cwd="/",
        umask=umask,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert list(scratch.iterdir()) == []
    return Made(json.loads(done.stdout), place / "cache")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    if shutil.which("mmdebstrap") is None:
        (pytest.fail if REQUIRED else pytest.skip)("mmdebstrap is not on this machine")
    command = ("-m", "pae_harness", "base-image", "--json")
    return make(tmp_path_factory.mktemp("first"), 0o022, *command)


@pytest.fixture(scope="module")
def made_again() -> Iterator[Made]:
    """By an ordinary user, under a strict umask, where no engine answers."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        place.chmod(0o777)
        own = {"HOME": name, "DOCKER_HOST": "unix:///nonexistent.sock"}
        yield make(place, 0o077, "-c", AS_USER, **own)


@pytest.fixture(scope="module")
def engine() -> Engine:
    try:
        return connect(HOST)
    except SandboxUnavailableError as error:
        (pytest.fail if REQUIRED else pytest.skip)(str(error))


def on_the_root(root: Path, *argv: str) -> str:
    """Run ``argv`` with nothing but the root."""
    done = subprocess.run(
        [
            *(str(find_bwrap().path), "--ro-bind", str(root), "/", "--proc", "/proc"),
            *("--dev", "/dev", "--tmpfs", "/tmp", "--unshare-all", "--die-with-parent", *argv),
        ],
        env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def test_the_same_packages_give_the_same_bytes_to_whoever_makes_them(
    made: Made, made_again: Made
) -> None:
    for word in ("packages", "digest", "bytes"):
        assert made_again.said["root"][word] == made.said["root"][word]


def test_without_an_engine_the_root_is_made_all_the_same(made_again: Made) -> None:
    assert made_again.said["image"] is None
    assert made_again.said["why_no_image"].startswith("no container engine answers here")
    root = current_root(made_again.cache)
    assert root is not None
    assert root.path == made_again.root


def test_it_is_the_caches_current_root(made: Made) -> None:
    root = current_root(made.cache)
    assert root is not None
    assert root.path == made.root
    assert root.digest == made.said["root"]["digest"]
    assert root.python_version == made.said["root"]["python"]


def test_nothing_is_left_beside_it(made: Made) -> None:
    digest = made.said["root"]["digest"]
    assert sorted(path.name for path in (made.cache / "root").iterdir()) == [digest, "current"]
    assert sorted(path.name for path in made.root.parent.iterdir()) == ["fs", "manifest.json"]


def entries(root: Path) -> Iterator[Path]:
    yield root
    yield from root.rglob("*")


def test_everybody_may_read_it_and_it_gives_nobody_rights(made: Made) -> None:
    for path in entries(made.root):
        mode = path.lstat().st_mode
        assert stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode), path
        if not path.is_symlink():
            assert mode & 0o444 == 0o444, path
            assert not mode & (stat.S_ISUID | stat.S_ISGID), path


def test_every_link_leads_to_something_in_it(made: Made) -> None:
    for path in entries(made.root):
        if path.is_symlink():
            assert not path.readlink().is_absolute(), path
            assert path.resolve(strict=True).is_relative_to(made.root.resolve()), path


def test_it_brings_no_packages_for_python(made: Made) -> None:
    for folder in ("lib/python3", "local/lib/python3*"):
        (packages,) = made.root.glob(f"usr/{folder}/dist-packages")
        assert list(packages.iterdir()) == []


def test_all_of_python_is_compiled_once_and_for_all(made: Made) -> None:
    (library,) = made.root.glob("usr/lib/python3.*")
    tag = f"cpython-{library.name.removeprefix('python').replace('.', '')}"
    for path in library.rglob("*.py"):
        assert (path.parent / "__pycache__" / f"{path.stem}.{tag}.pyc").is_file(), path
    for path in library.rglob("*.pyc"):
        assert path.read_bytes()[4:8] == b"\x01\0\0\0", path  # PEP 552: a hash, never checked


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: " ".join(c[:-1])[:50])
def test_it_is_a_system_that_works(made: Made, command: tuple[str, ...]) -> None:
    assert on_the_root(made.root, *command[:-1]) == command[-1]


def test_the_image_is_the_root(made: Made, engine: Engine) -> None:
    image, digest = made.said["image"], made.said["root"]["digest"]
    assert image["tags"] == [
        "portfolio-agent-evals/base:latest",
        f"portfolio-agent-evals/base:{digest[:12]}",
    ]
    found = engine.client.inspect_image(image["tags"][1])
    assert found["Id"] == image["id"]
    assert found["RootFS"]["Layers"] == [f"sha256:{digest}"]
    assert found["Config"]["Labels"]["portfolio-agent-evals.root"] == digest


def test_the_image_runs_without_a_network(made: Made, engine: Engine) -> None:
    client = engine.client
    container = client.create_container(
        made.said["image"]["id"],
        ["python3", "-c", f"import {IMPORTS}, os; print(os.environ['LANG'], os.getuid())"],
        user="1000:1000",
        host_config=client.create_host_config(network_mode="none", read_only=True),
    )["Id"]
    try:
        client.start(container)
        assert client.wait(container, timeout=60)["StatusCode"] == 0
        assert client.logs(container) == b"C.UTF-8 1000\n"
    finally:
        client.remove_container(container, force=True)
