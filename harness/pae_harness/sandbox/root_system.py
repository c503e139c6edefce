"""What it takes to run boxes on a root: byte code for its Python, which only that Python can make.

Both the supervisor and the verifier's runtime are compiled in a box of the root's own.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from pae_harness.baseimage.root import Root
from pae_harness.cache import cached_folder
from pae_harness.errors import SandboxError
from pae_harness.oneline import shortened
from pae_harness.runtime import locked_runtime
from pae_harness.sandbox.launch import launch
from pae_harness.sandbox.protocol import BoxSpec, Limits, OutputLimits
from pae_harness.sandbox.supervised import SupervisedBox
from pae_harness.sandbox.system import SUPERVISOR, System, root_system
from pae_harness.scratch import scratch_prefix
from pae_harness.tasks.digests import tree_digest

_SECONDS = 300.0
_LIMITS = Limits(memory_mb=1024, pids=64, storage_mb=512)
_MOST = OutputLimits(file_bytes=128 << 20, total_bytes=512 << 20, files=50_000)
_PLACE = "/compiled"


def hermetic(root: Root, machine: str) -> tuple[System, Path]:
    """The system that ``root`` is, and the verifier's runtime for it; both are made on first use.

    Raises SandboxError where the root's Python does not run, and SandboxUnavailableError where the
    verifier's packages cannot be had.
    """
    bare = root_system(root, SUPERVISOR)

    def compiled(source: Path, folder: Path) -> None:
        _compile(bare, machine, source, folder, bare.python.packages)

    def supervisor(folder: Path) -> None:
        _compile(bare, machine, SUPERVISOR, folder, "/pae/supervisor")

    key = f"{bare.python.version}-{tree_digest(SUPERVISOR)[:32]}"
    whole = root_system(root, cached_folder("supervisor", key, supervisor))
    major, minor = map(int, bare.python.version.split("."))
    return whole, locked_runtime((major, minor), machine, compiled)


def _compile(system: System, machine: str, source: Path, folder: Path, shown_at: str) -> None:
    """Copy ``source`` into the empty ``folder``, byte-compiled as what lies at ``shown_at``.

    Nothing may write there later, so byte code is never checked against its source.
    """
    spec = BoxSpec(limits=_LIMITS, writable=(_PLACE, "/tmp"))
    command = [
        *("python3", "-IB", "-m", "compileall", "-q", "-f"),
        *("--invalidation-mode", "unchecked-hash", "-s", _PLACE, "-p", shown_at, _PLACE),
    ]
    with tempfile.TemporaryDirectory(prefix=scratch_prefix("runtime")) as scratch:
        plain, made = Path(scratch, "plain"), Path(scratch, "made")
        shutil.copytree(source, plain, ignore=shutil.ignore_patterns("__pycache__"))
        with SupervisedBox(launch(spec, machine, system, None)) as box:
            box.put(plain, _PLACE)
            done = box.exec(command, timeout=_SECONDS)
            box.kill()
            if done.exit_code != 0:
                said = (done.stderr or done.stdout).decode("utf-8", "replace").strip()
                why = shortened(said.splitlines()[-1]) if said else f"exit code {done.exit_code}"
                raise SandboxError(f"the root's Python does not compile the verifier: {why}")
            box.get(_PLACE, made, _MOST)
        shutil.copytree(made, folder, dirs_exist_ok=True)
