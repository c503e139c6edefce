"""What goes into a root, on the smallest packages that could be one."""

from __future__ import annotations

import pytest

from pae_harness.baseimage.recipe import (
    PACKAGE_LIST,
    architecture,
    finished,
    merged_usr,
    package_list,
    python_version,
    with_relative_links,
    without_dropped,
)
from pae_harness.baseimage.tree import Tree, file, folder, link

LIST = b"python3.11-minimal\t3.11.2-6+deb12u9\tamd64\nbash\t5.2.15-2+b13\tamd64\n"


def folders_of(tree: Tree) -> Tree:
    for path in list(tree):
        while "/" in path:
            path = path.rpartition("/")[0]
            tree.setdefault(path, folder())
    return tree


@pytest.fixture
def unpacked() -> Tree:
    return folders_of(
        {
            PACKAGE_LIST: file(LIST),
            "bin/bash": file(b"bash", executable=True),
            "bin/sh": link("dash"),
            "dev/null": file(b""),
            "etc/apt/sources.list": file(b"deb http://mirror.example/ bookworm main\n"),
            "etc/hostname": file(b"this-machine\n"),
            "etc/resolv.conf": file(b"nameserver 192.0.2.1\n"),
            "lib/x86_64-linux-gnu/libc.so.6": file(b"libc"),
            "tmp": folder(),
            "usr/bin/mawk": file(b"mawk", executable=True),
            "usr/share/base-passwd/group.master": file(b"root:*:0:\n"),
            "usr/share/base-passwd/passwd.master": file(b"root:*:0:0:root:/root:/bin/bash\n"),
            "usr/share/ca-certificates/mozilla/B.crt": file(b"certificate B\n"),
            "usr/share/ca-certificates/mozilla/A.crt": file(b"certificate A"),
            "usr/share/libc-bin/nsswitch.conf": file(b"passwd: files\n"),
            "usr/share/man/man1/bash.1.gz": file(b"x"),
            "usr/share/doc/bash/copyright": file(b"GPL-3+\n"),
            "usr/share/doc/bash/examples/copyright": file(b"x"),
            "var/lib/dpkg/status": file(b""),
        }
    )


def test_programs_lie_below_usr_and_links_in_their_old_places(unpacked: Tree) -> None:
    root = finished(unpacked)
    assert root["bin"] == link("usr/bin")
    assert root["lib"] == link("usr/lib")
    assert root["usr/bin/bash"] == file(b"bash", executable=True)
    assert root["usr/bin/sh"] == link("dash")
    assert root["usr/lib/x86_64-linux-gnu/libc.so.6"] == file(b"libc")


def test_a_system_that_is_merged_already_stays_as_it_is() -> None:
    tree = {"bin": link("usr/bin"), "usr": folder(), "usr/bin": folder()}
    assert merged_usr(tree) == tree


def test_a_moved_link_still_leads_where_it_led() -> None:
    tree = folders_of({"lib/x.so": link("../usr/share/x"), "usr/share/x": file(b"")})
    assert merged_usr(tree)["usr/lib/x.so"] == link("/usr/share/x")


def test_links_lead_nowhere_outside_the_root(unpacked: Tree) -> None:
    assert with_relative_links({"etc/a": link("/usr/b")}) == {"etc/a": link("../usr/b")}
    root = finished(unpacked)
    assert [p for p, e in root.items() if e.target.startswith("/")] == []


def test_awk_is_mawk_through_the_alternatives(unpacked: Tree) -> None:
    root = finished(unpacked)
    assert root["usr/bin/awk"] == link("../../etc/alternatives/awk")
    assert root["etc/alternatives/awk"] == link("../../usr/bin/mawk")


def test_the_agent_is_user_1000_with_an_empty_home(unpacked: Tree) -> None:
    root = finished(unpacked)
    assert root["etc/passwd"].data == (
        b"root:*:0:0:root:/root:/bin/bash\nagent:*:1000:1000::/home/agent:/bin/sh\n"
    )
    assert root["etc/group"].data == b"root:*:0:\nagent:*:1000:\n"
    assert root["home/agent"] == folder(owner=1000)


def test_certificates_are_one_bundle_where_openssl_looks(unpacked: Tree) -> None:
    root = finished(unpacked)
    bundle = root["etc/ssl/certs/ca-certificates.crt"].data
    assert bundle == b"certificate A\ncertificate B\n"
    assert root["usr/lib/ssl/cert.pem"].target.endswith("etc/ssl/certs/ca-certificates.crt")


def test_anybody_may_write_to_the_folders_for_it(unpacked: Tree) -> None:
    root = finished(unpacked)
    assert {p for p, e in root.items() if e.mode & 0o002 and e.kind != "link"} == {
        "run/lock",
        "tmp",
        "var/tmp",
    }


@pytest.mark.parametrize(
    "gone",
    [
        "dev/null",
        "etc/apt/sources.list",
        "etc/hostname",
        "etc/resolv.conf",
        "usr/share/man",
        "usr/share/doc/bash/examples",
        "var/lib/dpkg",
    ],
)
def test_what_is_this_machines_or_of_no_use_is_left_out(unpacked: Tree, gone: str) -> None:
    root = finished(unpacked)
    assert [path for path in root if path == gone or path.startswith(f"{gone}/")] == []


def test_licences_stay_with_the_software(unpacked: Tree) -> None:
    assert finished(unpacked)["usr/share/doc/bash/copyright"] == file(b"GPL-3+\n")


def test_no_package_of_the_systems_python_stays() -> None:
    tree = folders_of(
        {
            "usr/lib/python3/dist-packages/debconf.py": file(b""),
            "usr/lib/python3.11/sitecustomize.py": link("/etc/python3.11/sitecustomize.py"),
            "usr/lib/python3.11/os.py": file(b""),
        }
    )
    assert {path for path, entry in without_dropped(tree).items() if entry.kind != "folder"} == {
        "usr/lib/python3.11/os.py"
    }


def test_packages_can_be_mounted_where_python_looks_for_them(unpacked: Tree) -> None:
    root = finished(unpacked)
    assert root["usr/local/lib/python3.11/dist-packages"] == folder()
    assert root["usr/lib/python3/dist-packages"] == folder()


def test_the_list_of_packages_is_in_the_root_and_sorted(unpacked: Tree) -> None:
    root = finished(unpacked)
    assert PACKAGE_LIST not in root
    assert root["usr/share/pae/packages.txt"].data.splitlines() == [
        b"bash\t5.2.15-2+b13\tamd64",
        b"python3.11-minimal\t3.11.2-6+deb12u9\tamd64",
    ]


def test_the_list_says_which_python_and_which_architecture(unpacked: Tree) -> None:
    packages = package_list(unpacked)
    assert packages["bash"] == ("5.2.15-2+b13", "amd64")
    assert (python_version(packages), architecture(packages)) == ("3.11.2", "amd64")


def test_a_list_without_python_is_refused() -> None:
    with pytest.raises(ValueError, match="no Python among the packages"):
        python_version({"bash": ("5.2", "amd64")})


def test_packages_without_their_list_are_refused(unpacked: Tree) -> None:
    del unpacked[PACKAGE_LIST]
    with pytest.raises(ValueError, match="without their list"):
        finished(unpacked)
