"""The harness's half of put and get: a host folder as frames, and frames as host files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pae_harness.errors import SandboxError
from pae_harness.sandbox.channel import packed
from pae_harness.sandbox.protocol import OutputLimits

_PIECE = 1 << 18


class UnputtableError(SandboxError):
    """A tree holds something that is neither a plain file nor a folder."""


def tree_frames(tree: Path) -> Iterator[tuple[bytes, bytes]]:
    """What put sends: every folder and file below ``tree``, parents first, readable by all.

    Raises UnputtableError for a link or anything else that is not a plain file or folder.
    """
    for entry in sorted(os.scandir(tree), key=lambda e: e.name):
        yield from _entry_frames(entry, ())


def _entry_frames(
    entry: os.DirEntry[str], above: tuple[bytes, ...]
) -> Iterator[tuple[bytes, bytes]]:
    parts = (*above, os.fsencode(entry.name))
    if entry.is_dir(follow_symlinks=False):
        yield b"d", packed({"parts": list(parts)})
        for child in sorted(os.scandir(entry.path), key=lambda e: e.name):
            yield from _entry_frames(child, parts)
    elif entry.is_file(follow_symlinks=False):
        mode = 0o755 if entry.stat().st_mode & 0o111 else 0o644
        yield b"f", packed({"parts": list(parts), "mode": mode})
        with Path(entry.path).open("rb") as file:
            while piece := file.read(_PIECE):
                yield b"c", piece
    else:
        raise UnputtableError(
            f"{entry.path} is neither a plain file nor a folder: it cannot be put"
        )


@dataclass
class Intake:
    """Writes what get's frames describe below ``into``, trusting no name and no size.

    Any user may read it, whatever the umask: another box is to be shown it.
    """

    into: Path
    limits: OutputLimits
    files: int = 0
    total: int = 0
    expected: int = 0
    current: Path | None = None

    def folder(self, payload: bytes) -> None:
        path = self._place(payload)
        path.mkdir(parents=True, exist_ok=True)
        path.chmod(0o755)

    def file(self, payload: bytes) -> None:
        size = int.from_bytes(payload[:8], "big")
        self.total += size
        if size > self.limits.file_bytes or self.total > self.limits.total_bytes:
            raise SandboxError("the box's supervisor sent more than was allowed")
        path = self._place(payload)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.open("xb").close()
        path.chmod(0o644)
        self.current, self.expected = path, size

    def piece(self, payload: bytes) -> None:
        self.expected -= len(payload)
        if self.current is None or self.expected < 0:
            raise SandboxError("the box's supervisor sent more than a file's size")
        with self.current.open("ab") as file:
            file.write(payload)

    def _place(self, payload: bytes) -> Path:
        self.files += 1
        if self.expected or self.files > self.limits.files:
            raise SandboxError("the box's supervisor sent an incomplete file, or too many")
        name = payload[8:].decode("utf-8", "replace")
        if not name:
            return self.into
        parts = name.split("/")
        if any(part in ("", ".", "..") or "\0" in part for part in parts):
            raise SandboxError("the box's supervisor sent a name that leaves its folder")
        return self.into.joinpath(*parts)
