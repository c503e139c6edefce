"""The image's archive, as ``docker load`` reads it."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from pathlib import Path

import pytest

from pae_harness.baseimage.imagetar import archive, image_of
from pae_harness.baseimage.root import Manifest

LAYER = b"layer" * 300
DIGEST = hashlib.sha256(LAYER).hexdigest()
MANIFEST = Manifest(DIGEST, "bookworm", "amd64", {"bash": "5.2.15-2+b13"}, "3.11.2")


@pytest.fixture
def members(tmp_path: Path) -> dict[str, bytes]:
    (tmp_path / "layer.tar").write_bytes(LAYER)
    data = b"".join(archive(image_of(MANIFEST), tmp_path / "layer.tar", DIGEST))
    assert len(data) % 512 == 0
    with tarfile.open(fileobj=io.BytesIO(data)) as read:
        files = [member for member in read.getmembers() if member.isfile()]
        assert {member.mtime for member in files} == {1_700_000_000}
        return {member.name: (read.extractfile(member) or io.BytesIO()).read() for member in files}


def test_the_id_depends_on_the_root_alone() -> None:
    assert image_of(MANIFEST).id == (
        "sha256:dc85726dd97a8461ecfc46ed50591ee599c9bcb5320c1614310f5622cd386eba"
    )


def test_the_id_is_the_digest_of_the_configuration(members: dict[str, bytes]) -> None:
    image = image_of(MANIFEST)
    name = f"{image.id.removeprefix('sha256:')}.json"
    assert hashlib.sha256(members[name]).hexdigest() == name.removesuffix(".json")


def test_the_only_layer_is_the_roots_tar(members: dict[str, bytes]) -> None:
    (entry,) = json.loads(members["manifest.json"])
    assert entry["RepoTags"] == [
        "portfolio-agent-evals/base:latest",
        f"portfolio-agent-evals/base:{DIGEST[:12]}",
    ]
    assert [members[name] for name in entry["Layers"]] == [LAYER]
    config = json.loads(members[entry["Config"]])
    assert config["rootfs"] == {"type": "layers", "diff_ids": [f"sha256:{DIGEST}"]}


def test_the_configuration(members: dict[str, bytes]) -> None:
    (entry,) = json.loads(members["manifest.json"])
    config = json.loads(members[entry["Config"]])
    assert (config["os"], config["architecture"]) == ("linux", "amd64")
    assert config["created"] == "2023-11-14T22:13:20Z"
    assert config["config"] == {
        "Cmd": ["bash"],
        "Env": [
            "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "LANG=C.UTF-8",
        ],
        "Labels": {"portfolio-agent-evals.kind": "base", "portfolio-agent-evals.root": DIGEST},
    }


def test_the_architecture_is_called_as_engines_call_it() -> None:
    image = image_of(Manifest(DIGEST, "bookworm", "armhf", {}, "3.11.2"))
    assert json.loads(image.config)["architecture"] == "arm"
