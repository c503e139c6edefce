"""Harbor itself, in a Python of its own, and Compose v2 for it: fetched once, kept in the cache.

Without it the tests are skipped. ``PAE_REQUIRE_DOCKER=1`` fetches it, and makes them fail where it
cannot be had.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import pytest
from tests.harness.backends import SOCKETS

from pae_harness.cache import cache_root, cached_folder
from pae_harness.errors import PaeError

PACKAGE = "harbor==0.26.0"
OLDEST = (3, 12)
# Debian 12 has no Compose v2; this release's one needs nothing of its own.
COMPOSE_SUITE = "forky"
_COMMAND = "import sys; from harbor.cli.main import app; sys.argv[0] = 'harbor'; sys.exit(app())"
_INSTALL_SECONDS = 900


@dataclass(frozen=True)
class Harbor:
    """Harbor's Python, and its environment: no telemetry, Docker's engine, Compose as a plugin."""

    python: Path
    environment: dict[str, str]

    def run(self, *arguments: str, seconds: float = 600) -> subprocess.CompletedProcess[str]:
        """``harbor ARGUMENTS``, whatever its exit code."""
        return self.code(_COMMAND, *arguments, seconds=seconds)

    def code(
        self, code: str, *arguments: str, seconds: float = 120
    ) -> subprocess.CompletedProcess[str]:
        """Python code where Harbor can be imported."""
        return subprocess.run(
            [str(self.python), "-c", code, *arguments],
            env={**os.environ, **self.environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
        )

    def rewards(self, tasks: Path, agent: str, jobs: Path) -> dict[str, Any]:
        """What ``agent`` earns on each task of the folder ``tasks``, as Harbor's results say."""
        done = self.run("run", "-p", str(tasks), "-a", agent, "-o", str(jobs), "-y", "-q")
        assert done.returncode == 0, done.stdout + done.stderr
        found = {}
        for path in jobs.glob("*/*/result.json"):
            result = json.loads(path.read_text())
            verified = result["verifier_result"] or {}
            found[result["task_name"].split("/")[1]] = verified.get("rewards")
        return found


@cache
def _prepared() -> Harbor | str:
    """Harbor, or why there is none. It is half a gigabyte: fetched only where it must be there."""
    there = (cache_root() / "test-harbor" / _key(PACKAGE)).is_dir()
    if not there and os.environ.get("PAE_REQUIRE_DOCKER") != "1":
        return "PAE_REQUIRE_DOCKER=1 would fetch it"
    try:
        with _turn():
            return _prepare()
    except (PaeError, FileNotFoundError) as error:
        return str(error)
    except subprocess.SubprocessError as error:
        said = getattr(error, "stderr", None) or b""
        return f"{error}: {said.decode(errors='replace')[-500:]}"


def _prepare() -> Harbor:
    python = cached_folder("test-harbor", _key(PACKAGE), _install) / "bin" / "python"
    compose = cached_folder("test-compose", _key(COMPOSE_SUITE), _fetch_compose)
    engine = {"DOCKER_CONFIG": str(compose), "DOCKER_HOST": f"unix://{SOCKETS['docker']}"}
    return Harbor(python, {"HARBOR_TELEMETRY": "0", **engine})


@contextmanager
def _turn() -> Iterator[None]:
    """One process at a time: each would fetch half a gigabyte."""
    cache_root().mkdir(parents=True, exist_ok=True)
    with (cache_root() / ".test-harbor").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def harbor() -> Harbor:
    """Harbor with Compose. Skips, or fails, where it cannot be had."""
    found = _prepared()
    return found if isinstance(found, Harbor) else _without(found)


def _without(why: str) -> NoReturn:
    if os.environ.get("PAE_REQUIRE_DOCKER") == "1":
        pytest.fail(f"no Harbor here: {why}")
    pytest.skip(f"no Harbor here: {why}")


def _key(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _install(folder: Path) -> None:
    _call(str(_python()), "-m", "venv", str(folder))
    pip = (str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet")
    _call(*pip, "--disable-pip-version-check", PACKAGE)


def _python() -> Path:
    for candidate in _candidates():
        asked = subprocess.run(
            [candidate, "-c", "import sys; print(*sys.version_info[:2])"],
            capture_output=True,
            text=True,
        )
        version = tuple(map(int, asked.stdout.split())) if asked.returncode == 0 else (0, 0)
        if version >= OLDEST:
            return candidate
    raise FileNotFoundError("Harbor needs Python 3.12 or newer: put a python3.12 on PATH")


def _candidates() -> Iterator[Path]:
    yield Path(sys.executable)
    versions = Path(os.environ.get("PYENV_ROOT", "/nonexistent")) / "versions"
    for name in ("python3.12", "python3.13"):
        # A shim on PATH may stand for a version that is not switched on: it is asked.
        if (found := shutil.which(name)) is not None:
            yield Path(found)
        yield from sorted(versions.glob(f"3.*/bin/{name}"))


def _fetch_compose(folder: Path) -> None:
    """A configuration folder for Docker's command line, with Compose as its plugin."""
    for name in ("state/lists/partial", "cache/archives/partial", "unpacked"):
        (folder / name).mkdir(parents=True)
    mirror = _mirror()
    keys = "/usr/share/keyrings/debian-archive-keyring.gpg"
    (folder / "sources.list").write_text(f"deb [signed-by={keys}] {mirror} {COMPOSE_SUITE} main\n")
    apt = ["apt-get", "-qq"]
    for option, value in (
        ("Dir::State", folder / "state"),
        ("Dir::State::status", "/dev/null"),
        ("Dir::Cache", folder / "cache"),
        ("Dir::Etc::sourcelist", folder / "sources.list"),
        ("Dir::Etc::sourceparts", "-"),
        ("APT::Sandbox::User", "root"),
    ):
        apt += ["-o", f"{option}={value}"]
    _call(*apt, "update")
    _call(*apt, "download", "docker-compose", cwd=folder)
    package = next(folder.glob("docker-compose_*.deb"))
    _call("dpkg-deb", "-x", str(package), str(folder / "unpacked"))
    plugin = next(p for p in (folder / "unpacked").rglob("docker-compose") if p.is_file())
    (folder / "cli-plugins").mkdir()
    plugin.rename(folder / "cli-plugins" / "docker-compose")
    for name in ("state", "cache", "unpacked"):
        shutil.rmtree(folder / name)
    package.unlink()


def _mirror() -> str:
    """Where this machine's apt gets Debian from."""
    lines = _call("apt-get", "indextargets", "--no-release-info", "--format", "$(REPO_URI)")
    found = [line for line in lines.splitlines() if line.rstrip("/").endswith("/debian")]
    if not found:
        raise FileNotFoundError("apt on this machine knows no Debian mirror to fetch Compose from")
    return found[0]


def _call(*argv: str, cwd: Path | None = None) -> str:
    done = subprocess.run(
        argv, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, timeout=_INSTALL_SECONDS
    )
    done.check_returncode()
    return done.stdout.decode(errors="replace")
