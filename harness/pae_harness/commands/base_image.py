"""``pae base-image``: a root file system and a container image, from Debian's packages."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pae_harness.baseimage.build import Built, Say, built_root
from pae_harness.baseimage.imagetar import Image, archive, image_of
from pae_harness.baseimage.root import FOLDER
from pae_harness.baseimage.sources import sources_for
from pae_harness.errors import SandboxUnavailableError


def main(args: argparse.Namespace) -> int:
    """Exit code 0, with the image or, where no engine answers, without; errors are exceptions."""
    return base_image(args.suite, args.mirror, as_json=args.json, quiet=args.quiet)


def base_image(suite: str | None, mirrors: Sequence[str], *, as_json: bool, quiet: bool) -> int:
    """Make the root and load the image of it; 0.

    With ``as_json``: ``{"root": {digest, path, suite, architecture, python, packages, bytes},
    "image": {id, tags} | null, "why_no_image": text | null, "seconds": 8.1}``.
    """
    start = time.monotonic()

    def say(line: str) -> None:
        if not quiet:
            sys.stderr.write(f"pae: {line}\n")
            sys.stderr.flush()

    with built_root(sources_for(suite, mirrors), say) as built:
        image, refusal = _load(built, say)
    seconds = time.monotonic() - start
    if as_json:
        json.dump(_as_json(built, image, refusal, seconds), sys.stdout, indent=2)
        sys.stdout.write("\n")
    else:
        sys.stdout.writelines(f"{line}\n" for line in report(built, image, refusal, seconds))
    return 0


def _load(built: Built, say: Say) -> tuple[Image | None, str]:
    """The image once an engine has it, or None and why none has it."""
    from pae_harness.baseimage.load import load
    from pae_harness.sandbox.docker.engine import connect

    try:
        engine = connect()
    except SandboxUnavailableError as error:
        return None, str(error)
    image = image_of(built.manifest)
    say(f"loading the image into {engine.name} {engine.version}")
    pieces = archive(image, built.tar, built.manifest.digest)
    return replace(image, id=load(engine.client, pieces, image.tags[-1])), ""


def report(built: Built, image: Image | None, refusal: str, seconds: float) -> list[str]:
    """What was made, a line each."""
    manifest = built.manifest
    lines = [
        f"root     {built.folder / FOLDER}",
        f"digest   {manifest.digest}",
        f"content  {len(manifest.packages)} packages of {manifest.suite} {manifest.architecture}, "
        f"Python {manifest.python}, {built.unpacked_bytes / 1e6:.0f} MB",
    ]
    if image is None:
        lines.append(f"image    none was loaded: {refusal}")
    else:
        lines += [f"image    {image.id}", *(f"         {tag}" for tag in image.tags)]
    return [*lines, f"made in {seconds:.1f} s"]


def _as_json(built: Built, image: Image | None, refusal: str, seconds: float) -> dict[str, Any]:
    return {
        "root": {
            **built.manifest.to_json(),
            "path": str(built.folder / FOLDER),
            "bytes": built.unpacked_bytes,
        },
        "image": None if image is None else {"id": image.id, "tags": list(image.tags)},
        "why_no_image": refusal or None,
        "seconds": round(seconds, 3),
    }
