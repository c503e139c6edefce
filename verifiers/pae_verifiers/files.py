"""The verifier's edge to the file system: what it reads, and how it writes its results."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from pae_verifiers.errors import DocumentError, VerifierInputError
from pae_verifiers.text import MAX_BYTES


def read_document(outputs: Path, path: str) -> bytes | None:
    """The bytes of the output at the absolute ``path`` of the agent's box; None if it is missing.

    Raises DocumentError, before reading anything, for what is not a plain file of at most 64 KB
    below plain folders: the agent may have left a link, a device or a FIFO there.
    """
    try:
        status = _plain_status(outputs, path)
        if status is None:
            return None
        if status.st_size > MAX_BYTES:
            raise DocumentError(f"{path} is larger than 64 KB ({status.st_size} bytes)")
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
        with os.fdopen(os.open(_below(outputs, path), flags), "rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise DocumentError(f"{path} cannot be read: {error.strerror}") from error


def is_plain_file(outputs: Path, path: str) -> bool:
    """Whether there is a plain file at the absolute ``path`` of the agent's box."""
    try:
        return _plain_status(outputs, path) is not None
    except (DocumentError, OSError):
        return False


def read_input(folder: Path, name: str) -> str:
    """The text of a task's own file. Raises VerifierInputError if it cannot be read."""
    try:
        return _below(folder, name).read_text(encoding="utf-8")
    except OSError as error:
        raise VerifierInputError(f"{name}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise VerifierInputError(f"{name}: not UTF-8 text (byte {error.start})") from error


def write(path: Path, text: str) -> None:
    """Write ``text`` so that whoever looks sees all of it or nothing."""
    partial = path.with_name(path.name + ".part")
    partial.write_text(text, encoding="utf-8", newline="\n")
    partial.replace(path)


def _plain_status(outputs: Path, path: str) -> os.stat_result | None:
    status: os.stat_result | None = None
    place = outputs
    parts = path.strip("/").split("/")
    for depth, part in enumerate(parts, start=1):
        place = place / part
        try:
            status = place.lstat()
        except FileNotFoundError:
            return None
        kind = stat.S_ISREG if depth == len(parts) else stat.S_ISDIR
        if not kind(status.st_mode):
            shown = "/" + "/".join(parts[:depth])
            raise DocumentError(
                f"{shown} is {_kind(status.st_mode)}, not a plain "
                f"{'file' if depth == len(parts) else 'folder'}"
            )
    return status


def _kind(mode: int) -> str:
    names = {
        stat.S_IFLNK: "a link",
        stat.S_IFDIR: "a folder",
        stat.S_IFREG: "a file",
        stat.S_IFIFO: "a FIFO",
        stat.S_IFSOCK: "a socket",
    }
    return names.get(stat.S_IFMT(mode), "a device")


def _below(folder: Path, path: str) -> Path:
    return folder / path.lstrip("/")
