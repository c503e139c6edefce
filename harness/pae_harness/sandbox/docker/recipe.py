"""What an image is made from: a Dockerfile's text and the files beside it, and its one name."""

from __future__ import annotations

import hashlib
import io
import os
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pae_harness.sandbox.docker.engine import LABEL
from pae_harness.sandbox.supervisor import main as supervisor
from pae_harness.tasks.digests import tree_files
from pae_harness.tasks.dockerfile import instructions

SUPERVISOR = "/pae/supervisor"
PLAIN = "ARG BASE_IMAGE\nFROM ${BASE_IMAGE}\n"
_OURS = ".pae"
# What makes of any image one that boxes run on: the supervisor, and a user for it to be.
_ENDING = f"""
USER 0
WORKDIR /
COPY {_OURS}/ /pae/
RUN ["python3", "-IB", "/pae/finish.py"]
"""


@dataclass(frozen=True)
class Recipe:
    """An image to be. ``kind`` is task, verifier or box; ``files`` maps context paths to files."""

    kind: str
    dockerfile: str
    files: Mapping[str, Path]
    network: bool = False
    timeout: float = 600.0

    def digest(self, base: str) -> str:
        """SHA-256 in hex over everything that goes in, on a base image of this id."""
        found = hashlib.sha256(f"{self.kind}\n{base}\n{self.network}\n{self.dockerfile}".encode())
        for name, path in sorted({**self.files, **own_files()}.items()):
            data = path.read_bytes()
            found.update(f"{name} {os.access(path, os.X_OK)} {len(data)}\n".encode() + data)
        return found.hexdigest()

    def tag(self, base: str) -> str:
        return f"{LABEL}/{self.kind}:{self.digest(base)[:24]}"

    def context(self, marks: Mapping[str, str], labels: Mapping[str, str]) -> bytes:
        """The build context, as a tar.

        ``marks`` are labels of all that a build leaves of any stage, ``labels`` of the image.
        """
        text = marked(self.dockerfile, _label(marks)) + _ENDING + _label(labels) + "\n"
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
            _add(tar, "Dockerfile", text.encode(), 0o644)
            for name, path in sorted({**self.files, **own_files()}.items()):
                _add(tar, name, path.read_bytes(), 0o755 if os.access(path, os.X_OK) else 0o644)
        return out.getvalue()


def of_folder(kind: str, folder: Path, *, network: bool = False, timeout: float = 600.0) -> Recipe:
    """The recipe of a folder with a Dockerfile.

    Of a folder that also holds a task's generator, neither its top-level Python files nor the
    fixtures are part of the context: an agent's box must not have them.
    """
    text = (folder / "Dockerfile").read_text(encoding="utf-8")
    copies = any(word in ("COPY", "ADD") for _, word, _ in instructions(text))
    files = dict(_context(folder)) if copies else {}
    return Recipe(kind, text, files, network, timeout)


def _context(folder: Path) -> Iterator[tuple[str, Path]]:
    generated = (folder / "generate.py").is_file()
    for path in tree_files(folder):
        name = path.relative_to(folder)
        hidden = (len(name.parts) == 1 and name.suffix == ".py") or name.parts[0] == "fixtures"
        if str(name) != "Dockerfile" and not (generated and hidden):
            yield name.as_posix(), path


def own_files() -> dict[str, Path]:
    """The supervisor's modules and the last step of every build, by their context paths."""
    folder = Path(supervisor.__file__).parent
    found = {f"{_OURS}/supervisor/{path.name}": path for path in folder.glob("*.py")}
    return found | {f"{_OURS}/finish.py": Path(__file__).with_name("finish.py")}


def marked(dockerfile: str, line: str) -> str:
    """The Dockerfile with ``line`` at the beginning of every stage.

    So what is left of a build that was cut short can be told from other people's images.
    """
    lines = dockerfile.splitlines()
    starts = [start for start, word, _ in instructions(dockerfile) if word == "FROM"]
    for start in reversed(starts):
        end = start  # of the instruction, which may go on over several lines
        while lines[end - 1].rstrip().endswith("\\") and end < len(lines):
            end += 1
        lines.insert(end, line)
    return "\n".join(lines) + "\n"


def _label(labels: Mapping[str, str]) -> str:
    return "LABEL " + " ".join(f'{name}="{value}"' for name, value in labels.items())


def _add(tar: tarfile.TarFile, name: str, data: bytes, mode: int) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(data), mode
    tar.addfile(entry, io.BytesIO(data))
