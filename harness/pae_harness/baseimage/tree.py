"""A file system as a value: read from a tar, written as one that has the same bytes every time.

A tree maps a path without its leading slash to what is there. Only folders, regular files and
links exist: what cannot be in a tree cannot get into a root.
"""

from __future__ import annotations

import hashlib
import os
import posixpath
import tarfile
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Literal

EPOCH = 1_700_000_000  # 2023-11-14T22:13:20Z, the time of everything in a root
_ENCODING = "utf-8"  # of names: a root's bytes must not depend on the locale
_TYPES = {"folder": tarfile.DIRTYPE, "file": tarfile.REGTYPE, "link": tarfile.SYMTYPE}


@dataclass(frozen=True)
class Entry:
    """One path. ``target`` is a link's, ``data`` a file's; ``owner`` is both uid and gid."""

    kind: Literal["folder", "file", "link"]
    mode: int
    data: bytes = b""
    target: str = ""
    owner: int = 0


Tree = dict[str, Entry]


def folder(mode: int = 0o755, owner: int = 0) -> Entry:
    return Entry("folder", mode, owner=owner)


def file(data: bytes, *, executable: bool = False) -> Entry:
    return Entry("file", 0o755 if executable else 0o644, data=data)


def link(target: str) -> Entry:
    return Entry("link", 0o777, target=target)


def read_tar(path: Path) -> Tree:
    """The folders, files and links of the tar at ``path``.

    Whoever unpacked the packages, root or not and under whatever umask, gets the same: everything
    belongs to root, may be read by everybody and written by nobody else, and nothing is setuid.
    Devices are left out. Raises OSError or tarfile.TarError.
    """
    tree: Tree = {}
    with tarfile.open(path, encoding=_ENCODING) as archive:
        for member in archive:
            name = posixpath.normpath(member.name).lstrip("/")
            if name == ".":
                continue
            if member.isdir():
                tree[name] = folder()
            elif member.issym():
                tree[name] = link(member.linkname)
            elif member.isfile() or member.islnk():  # a hard link is read as what it points to
                content = archive.extractfile(member)
                data = content.read() if content is not None else b""
                tree[name] = file(data, executable=bool(member.mode & 0o111))
    return tree


def check(tree: Tree) -> None:
    """Raises ValueError unless every path lies in a folder of the tree, as unpacking needs."""
    for path in tree:
        parent = posixpath.dirname(path)
        if path != posixpath.normpath(path) or path.startswith(("/", "..")):
            raise ValueError(f"{path!r} is not a path inside a root")
        if parent and (parent not in tree or tree[parent].kind != "folder"):
            raise ValueError(f"{path!r} does not lie in a folder of the root")


def with_parents(tree: Tree) -> Tree:
    """``tree`` with every folder that one of its paths lies in."""
    grown = dict(tree)
    for path in tree:
        while path := posixpath.dirname(path):
            grown.setdefault(path, folder())
    return grown


class _Counted:
    """A file that knows the size and SHA-256 of what was written to it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.size = 0
        self.hash = hashlib.sha256()

    def write(self, data: bytes) -> int:
        self.hash.update(data)
        self.size += len(data)
        return self._file.write(data)


def write_tar(tree: Tree, out: BinaryIO) -> tuple[str, int]:
    """Write ``tree`` to ``out`` and return the SHA-256 and the size in bytes of what was written.

    Names are sorted, every time is EPOCH, owners are numbers. Raises OSError.
    """
    counted = _Counted(out)
    with tarfile.open(
        fileobj=counted,  # type: ignore[call-overload]  # "w|" only ever calls write
        mode="w|",
        format=tarfile.GNU_FORMAT,
        encoding=_ENCODING,
    ) as archive:
        for path in sorted(tree):
            entry = tree[path]
            member = tarfile.TarInfo(path)
            member.type = _TYPES[entry.kind]
            member.mode = entry.mode
            member.mtime = EPOCH
            member.uid = member.gid = entry.owner
            member.linkname = entry.target
            member.size = len(entry.data)
            archive.addfile(member, BytesIO(entry.data))
    return counted.hash.hexdigest(), counted.size


def unpack(tree: Tree, into: Path) -> None:
    """Write ``tree`` into the empty folder ``into``, owned by whoever runs this. Raises OSError.

    Its folders are real ones (:func:`check`), so nothing is written through a link.
    """
    check(tree)
    base = os.fsencode(into)
    for path in sorted(tree):
        entry = tree[path]
        place = os.path.join(base, path.encode(_ENCODING, "surrogateescape"))  # noqa: PTH118 - bytes
        if entry.kind == "folder":
            os.mkdir(place)  # noqa: PTH102 - bytes: a locale may have no name for it
            os.chmod(place, entry.mode)  # noqa: PTH101
        elif entry.kind == "link":
            os.symlink(entry.target.encode(_ENCODING, "surrogateescape"), place)  # noqa: PTH211
        else:
            fd = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(fd, "wb") as out:
                os.fchmod(fd, entry.mode)
                out.write(entry.data)


def read_back(tree: Tree, base: Path, paths: Iterable[Path]) -> Tree:
    """``tree`` with the files at ``paths``, below ``base``, as they are on the disk now."""
    made = {path.relative_to(base).as_posix(): file(path.read_bytes()) for path in paths}
    return with_parents(tree | made)
