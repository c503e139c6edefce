"""put and get: never through a name that the box could have made a link."""

# Contextlib costs a box's start.
# ruff: noqa: SIM105

from __future__ import annotations

import marshal
import os

from .wire import PIECE, receive, send

TYPE_CHECKING = False  # the real one would import typing, which costs more than all else here
if TYPE_CHECKING:
    from typing import Any

    Order = dict[str, Any]

DEPTH = 32
# Below a folder of the host, so that no name there becomes longer than a system allows.
PATH_BYTES = 1024
WRITE_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class RefusedError(Exception):
    """What the box left cannot be copied out."""


def enter(tree: str, parts: list[bytes], create: bool = False) -> int:
    """An open folder, reached without following any link."""
    fd = os.open(tree, FOLDER)
    for part in parts:
        if create:
            try:
                os.mkdir(part, 0o755, dir_fd=fd)
            except FileExistsError:
                pass
        try:
            inner = os.open(part, FOLDER, dir_fd=fd)
        finally:
            os.close(fd)
        fd = inner
    return fd


def write_file(tree: str, parts: list[bytes], mode: int) -> int:
    folder = enter(tree, parts[:-1], create=True)
    try:
        try:
            os.unlink(parts[-1], dir_fd=folder)
        except FileNotFoundError:
            pass
        return os.open(parts[-1], WRITE_NEW, mode, dir_fd=folder)
    finally:
        os.close(folder)


def write_all(fd: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


def put(order: Order) -> None:
    """Write what follows below a folder; drain to the end also after a failure, then answer."""
    failure = b""
    target = -1
    while True:
        kind, payload = receive()
        if kind == b".":
            break
        if failure:
            continue
        try:
            if kind == b"c":
                write_all(target, payload)
                continue
            if target >= 0:
                os.close(target)
                target = -1
            entry = marshal.loads(payload)
            parts = order["parts"] + entry["parts"]
            if kind == b"d":
                os.close(enter(order["tree"], parts, create=True))
            else:
                target = write_file(order["tree"], parts, entry["mode"])
        except OSError as error:
            failure = os.strerror(error.errno or 0).encode()
    if target >= 0:
        os.close(target)
    send(b"!" if failure else b"k", failure)


def shown(parts: list[bytes]) -> str:
    """A path for people; RefusedError if it is not UTF-8, and so no name for a host's file."""
    try:
        return b"/".join(parts).decode()
    except UnicodeDecodeError:
        raise RefusedError(f"{b'/'.join(parts)!r} is not a UTF-8 name") from None


def check_file(name: str, info: os.stat_result, order: Order) -> None:
    if info.st_mode & 0o170000 != 0o100000:
        raise RefusedError(f"{name} is neither a plain file nor a folder")
    if info.st_nlink != 1:
        raise RefusedError(f"{name} is hard-linked")
    if not info.st_mode & 0o400:
        raise RefusedError(f"{name} is not readable")
    if info.st_size > order["file_bytes"]:
        raise RefusedError(f"{name} has {info.st_size} bytes, more than {order['file_bytes']}")


class Walk:
    """Lists what lies at a place, files with their sizes, or refuses it before a byte is sent."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.entries: list[tuple[bytes, list[bytes], int]] = []
        self.total = 0

    def visit(self, folder: int, name: bytes, parts: list[bytes]) -> None:
        info = os.stat(name, dir_fd=folder, follow_symlinks=False)
        title = shown([*self.order["parts"], *parts])
        if len(self.entries) >= self.order["files"]:
            raise RefusedError(f"more than {self.order['files']} files")
        if len(parts) > DEPTH:
            raise RefusedError(f"{title} is nested too deeply")
        if sum(len(part) + 1 for part in parts) > PATH_BYTES:
            raise RefusedError(f"a name of more than {PATH_BYTES} bytes lies there")
        if info.st_mode & 0o170000 != 0o040000:
            check_file(title, info, self.order)
            self.total += info.st_size
            if self.total > self.order["total_bytes"]:
                raise RefusedError(f"more than {self.order['total_bytes']} bytes in all")
            self.entries.append((b"f", parts, info.st_size))
            return
        self.entries.append((b"d", parts, 0))
        inner = os.open(name, FOLDER, dir_fd=folder)
        try:
            for child in self.names(inner):
                self.visit(inner, child, [*parts, child])
        finally:
            os.close(inner)

    def names(self, folder: int) -> list[bytes]:
        """Sorted. A folder may hold more names than this program has memory for."""
        found: list[bytes] = []
        with os.scandir(folder) as entries:
            for entry in entries:
                found.append(os.fsencode(entry.name))
                if len(self.entries) + len(found) > self.order["files"]:
                    raise RefusedError(f"more than {self.order['files']} files")
        return sorted(found)


def send_file(folder: int, name: bytes, size: int) -> None:
    """The bytes of a file; it cannot change, because everything in the box is dead."""
    fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    try:
        while size:
            piece = os.read(fd, min(size, PIECE))
            if not piece:
                raise RefusedError("a file shrank while it was read")
            send(b"c", piece)
            size -= len(piece)
    finally:
        os.close(fd)


def get(order: Order) -> None:
    parts = order["parts"]
    try:
        folder = enter(order["tree"], parts[:-1])
        name = parts[-1] if parts else b"."
        walk = Walk(order)
        try:
            walk.visit(folder, name, [])
        finally:
            os.close(folder)
        for kind, rest, size in walk.entries:
            send(kind, size.to_bytes(8, "big") + b"/".join(rest))
            if kind == b"f":
                whole = parts + rest
                folder = enter(order["tree"], whole[:-1])
                try:
                    send_file(folder, whole[-1], size)
                finally:
                    os.close(folder)
        send(b".")
    except FileNotFoundError:
        send(b"n")
    except RefusedError as error:
        send(b"r", str(error).encode())
    except OSError as error:
        # ELOOP and ENOTDIR: a link or a file where a folder should be.
        send(b"r", f"{shown(parts)}: {os.strerror(error.errno or 0)}".encode())
