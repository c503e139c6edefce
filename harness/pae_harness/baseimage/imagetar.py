"""The image as an archive that engines load: one layer, which is the root's tar.

The format is that of ``docker save``, Docker's image specification v1.2. An image's id is the
SHA-256 of its configuration, and nothing in that depends on when or where it was made.
"""

from __future__ import annotations

import hashlib
import json
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pae_harness.baseimage.root import Manifest
from pae_harness.baseimage.tree import EPOCH

NAME = "portfolio-agent-evals/base"
LABEL = "portfolio-agent-evals"
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_CREATED = datetime.fromtimestamp(EPOCH, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
_ENGINE_NAMES = {"armhf": "arm", "armel": "arm", "i386": "386", "ppc64el": "ppc64le"}
_CHUNK = 1 << 20


@dataclass(frozen=True)
class Image:
    """An image's id as engines show it, its names, and its configuration."""

    id: str
    tags: tuple[str, ...]
    config: bytes


def image_of(manifest: Manifest) -> Image:
    """The image whose only layer is the tar of the root with this manifest."""
    config = _json(
        {
            "architecture": _ENGINE_NAMES.get(manifest.architecture, manifest.architecture),
            "config": {
                "Cmd": ["bash"],
                "Env": [f"PATH={_PATH}", "LANG=C.UTF-8"],
                "Labels": {f"{LABEL}.kind": "base", f"{LABEL}.root": manifest.digest},
            },
            "created": _CREATED,
            "history": [{"created": _CREATED, "created_by": "pae base-image"}],
            "os": "linux",
            "rootfs": {"diff_ids": [f"sha256:{manifest.digest}"], "type": "layers"},
        }
    )
    tags = (f"{NAME}:latest", f"{NAME}:{manifest.digest[:12]}")
    return Image(f"sha256:{hashlib.sha256(config).hexdigest()}", tags, config)


def archive(image: Image, layer: Path, digest: str) -> Iterator[bytes]:
    """The archive of ``image``, whose layer is the file ``layer`` with SHA-256 ``digest``.

    It comes in pieces, so that a layer is never in memory as a whole. Raises OSError.
    """
    layer_name = f"{digest}/layer.tar"
    config_name = f"{image.id.removeprefix('sha256:')}.json"
    contents = [{"Config": config_name, "RepoTags": list(image.tags), "Layers": [layer_name]}]
    yield from _member("manifest.json", _json(contents))
    yield from _member(config_name, image.config)
    yield _header(digest, tarfile.DIRTYPE, 0)
    size = layer.stat().st_size
    yield _header(layer_name, tarfile.REGTYPE, size)
    with layer.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk
    yield _padding(size)
    yield bytes(2 * tarfile.BLOCKSIZE)


def _json(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def _member(name: str, data: bytes) -> Iterator[bytes]:
    yield _header(name, tarfile.REGTYPE, len(data))
    yield data + _padding(len(data))


def _header(name: str, kind: bytes, size: int) -> bytes:
    member = tarfile.TarInfo(name)
    member.type, member.size, member.mtime = kind, size, EPOCH
    member.mode = 0o755 if kind == tarfile.DIRTYPE else 0o644
    return member.tobuf(tarfile.USTAR_FORMAT)


def _padding(size: int) -> bytes:
    return bytes(-size % tarfile.BLOCKSIZE)
