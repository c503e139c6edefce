"""Content digests: what a trial ran on is named by the bytes, not by a path or a time."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path


def digest_bytes(data: bytes) -> str:
    """The SHA-256 of ``data``, in hex."""
    return hashlib.sha256(data).hexdigest()


def digest_tree(root: Path, *, ignore: Iterable[str] = ()) -> str:
    """The SHA-256, in hex, over all files below ``root``: paths, executable bits and bytes.

    ``ignore`` names files and folders that do not count, wherever they lie; byte-compiled Python
    never counts.
    """
    skip = {"__pycache__", *ignore}
    total = hashlib.sha256()
    for path in sorted(root.rglob("*"), key=lambda p: p.relative_to(root).as_posix()):
        relative = path.relative_to(root)
        if skip.intersection(relative.parts) or not path.is_file():
            continue
        mode = b"x" if path.stat().st_mode & 0o100 else b"-"
        content = hashlib.sha256(path.read_bytes()).digest()
        total.update(relative.as_posix().encode() + b"\0" + mode + content)
    return total.hexdigest()
