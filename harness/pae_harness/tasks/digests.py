"""SHA-256 of folders: the same on every clone, whatever the umask or the file system's order."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Iterator
from pathlib import Path

from pae_harness.errors import TaskError

IGNORED = frozenset({"__pycache__", ".DS_Store"})


def tree_files(folder: Path, *, without: frozenset[str] = frozenset()) -> Iterator[Path]:
    """The files below ``folder``, sorted by relative path; ``without`` names top-level entries.

    Raises TaskError for links, devices and whatever else is not a plain file or folder.
    """
    found: list[tuple[str, Path]] = []
    pending = [folder]
    while pending:
        for path in pending.pop().iterdir():
            relative = path.relative_to(folder)
            if path.name in IGNORED or path.suffix == ".pyc" or str(relative) in without:
                continue
            what = special(path)
            if what:
                raise TaskError(f"is {what}: a task folder holds plain files", path)
            if path.is_dir():
                pending.append(path)
            else:
                found.append((relative.as_posix(), path))
    for _, path in sorted(found):
        yield path


def special(path: Path) -> str:
    """What ``path`` is, where it is neither a plain file nor a folder; else ""."""
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        return "a link"
    return "" if stat.S_ISDIR(mode) or stat.S_ISREG(mode) else "a device, a socket or a pipe"


def tree_digest(folder: Path, *, without: frozenset[str] = frozenset()) -> str:
    """Over relative paths, executable bits and bytes. An absent folder is an empty one."""
    digest = hashlib.sha256()
    if folder.is_dir():
        for path in tree_files(folder, without=without):
            name = path.relative_to(folder).as_posix().encode("utf-8", "surrogateescape")
            mode = b"x" if path.stat().st_mode & 0o100 else b"-"
            data = path.read_bytes()
            digest.update(b"%d %s %s %d " % (len(name), name, mode, len(data)))
            digest.update(data)
    return digest.hexdigest()


def text_digest(text: str) -> str:
    """Of the text's UTF-8 bytes."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
