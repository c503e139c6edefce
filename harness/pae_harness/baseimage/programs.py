"""What only a root's own programs can make: byte code for its Python, and the linker's cache.

They run on this machine through the root's own dynamic linker and libraries, which takes no
privilege: no chroot, no namespace.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from pae_harness.baseimage.tree import Tree, read_back
from pae_harness.errors import BaseImageError

_SECONDS = 600
_LINKER_CACHE = "etc/ld.so.cache"


def add_made_files(tree: Tree, root: Path) -> Tree:
    """``tree``, unpacked at ``root``, with what its programs made there. Raises BaseImageError."""
    made = [*compile_python(root), make_linker_cache(root)]
    return read_back(tree, root, made)


def compile_python(root: Path) -> list[Path]:
    """Byte code of the whole standard library, valid whatever the time of a source file is.

    A box cannot write byte code, so that without it each start compiles what it imports.
    """
    library = _only(root, "usr/lib/python3.*/os.py").parent
    linker = _only(root, "usr/lib/*/ld-linux*.so.*")
    python = _only(root, f"usr/bin/{library.name}")
    _run(
        [
            *(str(linker), "--inhibit-cache", "--library-path"),
            f"{linker.parent}:{root}/usr/lib",
            *(str(python), "-B", "-s", "-S", "-m", "compileall", "-q", "-f"),
            *("--invalidation-mode", "unchecked-hash", "-s", str(root), "-p", "/", str(library)),
        ],
        cwd=library,
        env={"PYTHONHOME": str(root / "usr"), "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"},
    )
    return sorted(library.rglob("*.pyc"))


def make_linker_cache(root: Path) -> Path:
    """``ld.so.cache``, which also tells Python's ctypes where a library is."""
    _run([str(_only(root, "usr/sbin/ldconfig")), "-X", "-i", "-r", str(root)], cwd=root, env={})
    shutil.rmtree(root / "var/cache/ldconfig", ignore_errors=True)
    return root / _LINKER_CACHE


def _only(root: Path, pattern: str) -> Path:
    found = sorted(root.glob(pattern))
    if len(found) != 1:
        raise BaseImageError(
            f"the packages are not those of a system that this can be made from: {len(found)} "
            f"files match /{pattern}; choose another --suite"
        )
    return found[0]


def _run(argv: list[str], cwd: Path, env: dict[str, str]) -> None:
    try:
        done = subprocess.run(
            argv,
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BaseImageError(f"the new root's programs do not run here: {error}") from error
    if done.returncode:
        text = (done.stderr or done.stdout).decode("utf-8", "replace").strip()
        last = re.sub(r"\s+", " ", text.splitlines()[-1]) if text else "no message"
        raise BaseImageError(
            f"the new root's programs do not run here: {Path(argv[0]).name} ends with "
            f"{done.returncode}: {last}; is the cache on a file system mounted noexec?"
        )
