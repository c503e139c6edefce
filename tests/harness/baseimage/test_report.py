"""What ``pae base-image`` says about what it made."""

from __future__ import annotations

from pathlib import Path

from pae_harness.baseimage.build import Built
from pae_harness.baseimage.imagetar import image_of
from pae_harness.baseimage.root import Manifest
from pae_harness.commands.base_image import report

MANIFEST = Manifest("c" * 64, "bookworm", "amd64", {"bash": "5.2.15-2+b13"}, "3.11.2")
BUILT = Built(Path("/cache/root/ccc"), MANIFEST, Path("/tmp/root.tar"), 70_000_000, 68_400_000)
ROOT = [
    "root     /cache/root/ccc/fs",
    f"digest   {MANIFEST.digest}",
    "content  1 packages of bookworm amd64, Python 3.11.2, 68 MB",
]


def test_the_image_is_named_with_its_tags() -> None:
    image = image_of(MANIFEST)
    assert report(BUILT, image, "", 8.12) == [
        *ROOT,
        f"image    {image.id}",
        "         portfolio-agent-evals/base:latest",
        "         portfolio-agent-evals/base:cccccccccccc",
        "made in 8.1 s",
    ]


def test_where_none_was_loaded_it_says_why() -> None:
    refusal = "no container engine answers here"
    assert report(BUILT, None, refusal, 8.0) == [
        *ROOT,
        "image    none was loaded: no container engine answers here",
        "made in 8.0 s",
    ]
