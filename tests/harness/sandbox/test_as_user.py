"""Run by root, the suite runs once more as an ordinary user, who has no control groups.

The user gets root's view of the machine, but of a private home only the interpreter, the virtual
environment and the checkout.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pae_harness
from pae_harness.baseimage import current_root
from pae_harness.cache import cache_root
from pae_harness.sandbox.bwrap import find_bwrap

USER = 64_999


def passable(path: Path) -> bool:
    """Whether any user may go through every folder above ``path``."""
    return all(folder.stat().st_mode & 0o001 for folder in path.parents)


def private_roots(paths: list[Path]) -> list[Path]:
    """The outermost private folders above ``paths``."""
    closed = {f for path in paths for f in path.parents if not f.stat().st_mode & 0o001}
    return sorted(f for f in closed if not closed.intersection(f.parents))


@pytest.mark.slow
@pytest.mark.skipif(os.getuid() != 0, reason="an ordinary user runs the suite already")
@pytest.mark.skipif(shutil.which("setpriv") is None, reason="needs setpriv of util-linux")
def test_an_ordinary_user_passes_the_suite(tmp_path: Path) -> None:
    checkout = Path(pae_harness.__file__).parents[2]
    needed = [Path(sys.base_prefix).resolve(), Path(sys.prefix).resolve(), checkout]
    view = [str(find_bwrap().path), "--dev-bind", "/", "/", "--die-with-parent"]
    for folder in private_roots(needed):
        view += ["--tmpfs", str(folder), "--chmod", "0755", str(folder)]
    for path in needed:
        if not passable(path):
            parents = [str(p) for p in reversed(path.parents) if not passable(p) or not p.exists()]
            view += [word for parent in parents for word in ("--dir", parent)]
            view += ["--ro-bind", str(path), str(path)]
    own = tmp_path / "home"
    own.mkdir()
    os.chown(own, USER, USER)
    view += ["--bind", str(own), "/mnt", "--chdir", str(checkout)]
    if current_root(cache_root()):
        roots = "/mnt/.cache/portfolio-agent-evals/root"
        (own / ".cache" / "portfolio-agent-evals").mkdir(parents=True)
        for folder in (own / ".cache", own / ".cache" / "portfolio-agent-evals"):
            os.chown(folder, USER, USER)
        view += ["--ro-bind", str(cache_root() / "root"), roots]
    become = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--inh-caps=-all"]
    suite = [sys.executable, "-m", "pytest", "-q", str(Path(__file__).parent)]
    quiet = ["-p", "no:cacheprovider", "-p", "no:xdist", "--basetemp=/mnt/tmp", "--tb=short"]
    environment = {**os.environ, "HOME": "/mnt", "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("PAE_REQUIRE_DOCKER", None)  # this user may not use root's engines
    environment.pop("PAE_CACHE", None)
    done = subprocess.run(
        [*view, *become, *suite, *quiet],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=900,
        check=False,
    )
    said = done.stdout.decode("utf-8", "replace")
    assert done.returncode == 0, said[-4000:]
    assert " passed" in said
