"""A file system as a value."""

from __future__ import annotations

import io
import stat
import tarfile
from pathlib import Path

import pytest

from pae_harness.baseimage.tree import (
    Tree,
    check,
    file,
    folder,
    link,
    read_back,
    read_tar,
    unpack,
    write_tar,
)

SMALL: Tree = {
    "bin": link("usr/bin"),
    "tmp": folder(0o1777),
    "usr": folder(),
    "usr/bin": folder(),
    "usr/bin/true": file(b"#!/bin/sh\n", executable=True),
    "usr/ő": file(b"text\n"),
}


def written(tree: Tree) -> tuple[str, bytes]:
    out = io.BytesIO()
    digest, size = write_tar(tree, out)
    assert size == len(out.getvalue())
    return digest, out.getvalue()


def member(name: str, kind: bytes = tarfile.REGTYPE, **more: object) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type = kind
    for key, value in more.items():
        setattr(info, key, value)
    return info


def read(tmp_path: Path, *members: tarfile.TarInfo, data: bytes = b"") -> Tree:
    with tarfile.open(tmp_path / "x.tar", "w") as archive:
        for info in members:
            info.size = len(data) if info.isreg() else 0
            archive.addfile(info, io.BytesIO(data))
    return read_tar(tmp_path / "x.tar")


def test_a_tars_bytes_do_not_depend_on_the_order_of_making() -> None:
    backwards = dict(reversed(SMALL.items()))
    assert written(SMALL) == written(backwards)


def test_these_bytes_are_the_same_on_every_machine_and_python() -> None:
    assert written(SMALL)[0] == ("ca79def13543e52191c8e970000f6020d5623424680abba1931f5aad6b962ba4")


def test_a_tar_has_fixed_times_and_owners_and_sorted_names() -> None:
    with tarfile.open(fileobj=io.BytesIO(written(SMALL)[1])) as archive:
        members = archive.getmembers()
    assert [m.name for m in members] == ["bin", "tmp", "usr", "usr/bin", "usr/bin/true", "usr/ő"]
    assert {(m.mtime, m.uid, m.gid, m.uname, m.gname) for m in members} == {
        (1_700_000_000, 0, 0, "", "")
    }


def test_a_tree_comes_back_from_its_tar(tmp_path: Path) -> None:
    (tmp_path / "x.tar").write_bytes(written({**SMALL, "tmp": folder()})[1])
    assert read_tar(tmp_path / "x.tar") == {**SMALL, "tmp": folder()}


def test_nothing_is_setuid_or_closed_to_anybody(tmp_path: Path) -> None:
    tree = read(
        tmp_path,
        member("./secret", mode=0o600, uid=33),
        member("./su", mode=0o4711),
        member("./private", tarfile.DIRTYPE, mode=0o700),
    )
    assert {path: entry.mode for path, entry in tree.items()} == {
        "private": 0o755,
        "secret": 0o644,
        "su": 0o755,
    }
    assert {entry.owner for entry in tree.values()} == {0}


def test_a_hard_link_is_read_as_the_file_it_is(tmp_path: Path) -> None:
    tree = read(
        tmp_path,
        member("./gunzip", mode=0o755),
        member("./uncompress", tarfile.LNKTYPE, linkname="./gunzip", mode=0o755),
        data=b"x",
    )
    assert tree["uncompress"] == tree["gunzip"] == file(b"x", executable=True)


def test_devices_and_pipes_are_left_out(tmp_path: Path) -> None:
    assert read(tmp_path, member("null", tarfile.CHRTYPE), member("p", tarfile.FIFOTYPE)) == {}


def test_unpacking_sets_modes_whatever_the_umask(tmp_path: Path) -> None:
    unpack(SMALL, tmp_path)
    modes = {name: stat.S_IMODE((tmp_path / name).lstat().st_mode) for name in SMALL}
    assert modes["tmp"] == 0o1777
    assert modes["usr/bin"] == modes["usr/bin/true"] == 0o755
    assert modes["usr/ő"] == 0o644
    assert (tmp_path / "bin").readlink() == Path("usr/bin")
    assert (tmp_path / "bin" / "true").read_bytes() == b"#!/bin/sh\n"


@pytest.mark.parametrize(
    "tree",
    [
        {"out": link("/"), "out/etc": folder()},
        {"../x": file(b"")},
        {"/x": file(b"")},
        {"a/b": file(b"")},
        {"a": folder(), "a//b": file(b"")},
    ],
)
def test_nothing_is_unpacked_outside_or_through_a_link(tmp_path: Path, tree: Tree) -> None:
    with pytest.raises(ValueError, match="root"):
        check(tree)
    with pytest.raises(ValueError, match="root"):
        unpack(tree, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_what_was_made_in_an_unpacked_tree_is_read_back(tmp_path: Path) -> None:
    unpack(SMALL, tmp_path)
    made = tmp_path / "usr/__pycache__/x.pyc"
    made.parent.mkdir()
    made.write_bytes(b"code")
    assert read_back(SMALL, tmp_path, [made]) == {
        **SMALL,
        "usr/__pycache__": folder(),
        "usr/__pycache__/x.pyc": file(b"code"),
    }
