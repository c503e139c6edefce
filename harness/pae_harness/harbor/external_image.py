"""The image of an external task's box, where work in it begins, and what lies in folders of it.

A box's root is read-only, and a writable folder is an empty one of the box's own. So what an image
has in such a folder is copied out of it once, as a tar, and unpacked in each box.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pae_harness.cache import cached_folder
from pae_harness.errors import SandboxError, TaskError, VerifierError
from pae_harness.harbor.external_load import writable
from pae_harness.harbor.external_model import Source
from pae_harness.sandbox.protocol import (
    Box,
    BoxSpec,
    Build,
    Limits,
    Mount,
    OutputLimits,
    Sandbox,
    Software,
)
from pae_harness.tasks.digests import text_digest, tree_digest, tree_files

TREE = "/harbor/tree.tar"
_MARK = "/.pae-workdir"
_MARKED = f"\nUSER root\nRUN pwd > {_MARK}\n"
_LIMITS = Limits(cpus=1, memory_mb=4096, pids=64, storage_mb=2048)
_MOST = OutputLimits(file_bytes=1 << 30, total_bytes=1 << 30, files=1)
_SECONDS = 300.0
# Links and modes come along; what the box's user may not read does not.
_PACK = """
import os, sys, tarfile
with tarfile.open("/tmp/tree.tar", "w") as tar:
    for top in sys.argv[1:]:
        for place, folders, files in os.walk(top):
            for name in [place] if place == top else []:
                tar.add(name, recursive=False)
            for name in sorted(folders + files):
                path = os.path.join(place, name)
                if os.path.islink(path) or os.path.isdir(path) or os.path.isfile(path):
                    if os.path.islink(path) or os.access(path, os.R_OK):
                        tar.add(path, recursive=False)
"""
_UNPACK = """
import sys, tarfile
with tarfile.open(sys.argv[1]) as tar:
    tar.extraction_filter = lambda member, path: member
    for member in tar:
        member.mode |= 0o200 if not member.isdir() else 0o700
        try:
            tar.extract(member, "/")
        except PermissionError:
            if not member.isdir():
                raise
"""


@dataclass(frozen=True)
class Ground:
    """What a box starts from. ``tree`` is the tar of its writable folders, if an image has one."""

    software: Software
    workdir: str
    folders: tuple[str, ...]
    tree: Path | None = None

    @property
    def mounts(self) -> tuple[Mount, ...]:
        return () if self.tree is None else (Mount(self.tree, TREE),)

    def lay(self, box: Box) -> None:
        """Give ``box`` what the image has in its writable folders, as files of its own."""
        if self.tree is None:
            return
        result = box.exec(["python3", "-I", "-c", _UNPACK, TREE], timeout=_SECONDS)
        if result.exit_code != 0:
            said = (result.stderr.decode(errors="replace").strip().splitlines() or ["nothing"])[-1]
            why = f"hit its {result.limit} limit" if result.limit else f"said {said}"
            raise VerifierError(f"the image's own files could not be unpacked: it {why}")


def ground(
    source: Source,
    artifacts: Sequence[str],
    sandbox: Sandbox,
    *,
    anywhere: bool = False,
) -> Ground:
    """The ground of a box on ``source``, looked at once per image.

    ``anywhere`` lets the working folder be one that cannot be written. Raises SandboxError where
    the image cannot be built, TaskError where no box can work in it.
    """
    software = _software(source, sandbox)
    image, marked = ("", "/") if sandbox.name == "local" else _look(software, source, sandbox)
    workdir = source.workdir or marked
    closed = anywhere and not _can_be_written(workdir)
    folders = writable("/app" if closed else workdir, tuple(artifacts))
    if not image:
        return Ground(software, workdir, folders)
    key = text_digest("\n".join((image, *folders)))[:40]
    tree = cached_folder(
        "harbor-tree", key, lambda into: _copy_out(software, folders, sandbox, into)
    )
    return Ground(software, workdir, folders, tree / "tree.tar")


def _can_be_written(workdir: str) -> bool:
    try:
        writable(workdir, ())
    except TaskError:
        return False
    return True


def _software(source: Source, sandbox: Sandbox) -> Software:
    """A build of a copy of the folder, that notes where its Dockerfile ends up."""
    if sandbox.name == "local" or (source.folder is None and not source.image):
        return "base"
    key = source.image if source.folder is None else tree_digest(source.folder)

    def fill(folder: Path) -> None:
        text = f"FROM {source.image}\n"
        if source.folder is not None:
            for path in tree_files(source.folder):
                target = folder / path.relative_to(source.folder)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, target)
            text = (source.folder / "Dockerfile").read_text(encoding="utf-8")
        (folder / "Dockerfile").write_text(text.rstrip("\n") + _MARKED, encoding="utf-8")

    folder = cached_folder("harbor-image", text_digest(f"{_MARKED}{key}")[:40], fill)
    return Build(folder, network=True, timeout=source.timeout)


def _look(software: Software, source: Source, sandbox: Sandbox) -> tuple[str, str]:
    """The image's id, and its working folder. Building it, if need be, is part of looking."""
    spec = BoxSpec(limits=_LIMITS, software=software)
    try:
        with sandbox.start(spec) as box:
            said = box.exec(["cat", _MARK], timeout=_SECONDS)
            return box.software, said.stdout.decode(errors="replace").strip() or "/"
    except SandboxError as error:
        if _lacks_python(str(error)):
            where = source.image or (source.folder or Path()) / "Dockerfile"
            raise TaskError(
                f"the image of {where} has no python3 of 3.9 or newer, which every box here "
                f"needs: install it there ({error})"
            ) from error
        raise


def _lacks_python(said: str) -> bool:
    """Whether a build failed at the step that needs it; Podman alone does not say why."""
    missing = "python3" in said and "not found" in said
    return missing or "RUN python3 -IB /pae/finish.py" in said


def _copy_out(software: Software, folders: Sequence[str], sandbox: Sandbox, into: Path) -> None:
    spec = BoxSpec(limits=_LIMITS, writable=("/tmp",), software=software)
    with sandbox.start(spec) as box:
        result = box.exec(["python3", "-I", "-c", _PACK, *folders], timeout=_SECONDS)
        box.kill()
        if result.exit_code != 0:
            why = f"hit a limit ({result.limit})" if result.limit else "failed"
            raise SandboxError(
                f"the image's {', '.join(folders)} cannot be copied out: it {why}; "
                "keep them below 2 GB"
            )
        box.get("/tmp/tree.tar", into / "tree.tar", _MOST)
