"""What goes into a root, and what stands in for the maintainer scripts that are never run.

Everything here is a pure function on trees.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import replace
from fnmatch import translate

from pae_harness.baseimage.tree import Tree, check, file, folder, link, with_parents

PACKAGES = (
    *("base-files", "base-passwd", "bash", "ca-certificates", "coreutils", "dash", "diffutils"),
    *("findutils", "grep", "gzip", "libc-bin", "mawk", "python3", "sed", "tar", "tzdata"),
)
PACKAGE_LIST = "pae-packages"  # where the unpacking leaves it: name, version, architecture, by tabs
PACKAGES_FILE = "usr/share/pae/packages.txt"
USER = "agent"
USER_ID = 1000

_MERGED = ("bin", "sbin", "lib", "lib32", "lib64", "libo32", "libx32")
_KEPT = re.compile(
    r"usr/share/doc/[^/]+/copyright"  # whoever passes an image on must pass these on
    r"|usr/lib/[^/]+/gconv/(gconv-modules.*|(CP125|ISO8859-|UNICODE|UTF-).*)"
)
_DROPPED = (
    # the packages' own bookkeeping: what is in a root stays as it is
    *("etc/apt", "etc/cron.daily", "etc/debconf.conf", "etc/dpkg", "etc/logrotate.d"),
    *("usr/bin/debconf*", "usr/bin/dpkg*", "usr/bin/py3*", "usr/bin/update-alternatives"),
    *("usr/lib/dpkg", "usr/libexec/dpkg", "usr/sbin/dpkg*", "usr/sbin/update-passwd"),
    *("usr/share/bug", "usr/share/debconf", "usr/share/dpkg", "usr/share/lintian"),
    *("usr/share/perl5", "usr/share/polkit-1", "usr/share/python3"),
    *("usr/share/pkgconfig", "var/cache/*", "var/lib/apt", "var/lib/dpkg", "var/log/*"),
    # tables of iconv's, 7 MB; Python has its own
    "usr/lib/*/gconv/*",
    # perl is not in a root
    *("usr/bin/c_rehash", "usr/bin/pygettext*"),
    # for people at a terminal
    *("usr/share/applications", "usr/share/bash-completion", "usr/share/dict"),
    *("usr/share/doc/*/*", "usr/share/doc-base", "usr/share/info", "usr/share/locale"),
    *("usr/share/man", "usr/share/menu", "usr/share/pixmaps"),
    # packages that would make one root's Python another's
    *("usr/lib/python3/dist-packages/*", "usr/lib/python3*/sitecustomize.py", "etc/python3*"),
    # this machine's, not a root's
    *("dev/*", "etc/fstab", "etc/hostname", "etc/resolv.conf", "etc/update-motd.d", "boot"),
)
_ALTERNATIVES = {
    "awk": ("usr/bin/awk", "usr/bin/mawk"),
    "nawk": ("usr/bin/nawk", "usr/bin/mawk"),
    "rmt": ("usr/sbin/rmt", "usr/sbin/rmt-tar"),
    "which": ("usr/bin/which", "usr/bin/which.debianutils"),
}
_COPIES = {  # what postinst scripts copy into place
    "etc/group": "usr/share/base-passwd/group.master",
    "etc/nsswitch.conf": "usr/share/libc-bin/nsswitch.conf",
    "etc/passwd": "usr/share/base-passwd/passwd.master",
    "etc/profile": "usr/share/base-files/profile",
    "root/.bashrc": "usr/share/base-files/dot.bashrc",
    "root/.profile": "usr/share/base-files/dot.profile",
}
_LOCAL = ("bin", "etc", "games", "include", "lib", "sbin", "share", "src")


def finished(unpacked: Tree) -> Tree:
    """The tree of a root, but for what only its own programs can make: see ``programs.py``.

    Raises ValueError for a tree that is not made of PACKAGES.
    """
    packages = package_list(unpacked)
    tree = without_dropped(merged_usr(unpacked))
    tree |= {target: tree[source] for target, source in _COPIES.items() if source in tree}
    for name, (place, program) in _ALTERNATIVES.items():
        if program in tree:
            tree[f"etc/alternatives/{name}"] = link(f"/{program}")
            tree[place] = link(f"/etc/alternatives/{name}")
    _add_user(tree)
    _add_certificates(tree)
    _add_folders(tree, python_version(packages))
    tree["etc/hosts"] = file(b"127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost\n")
    tree["etc/localtime"] = link("/usr/share/zoneinfo/Etc/UTC")
    tree["etc/timezone"] = file(b"Etc/UTC\n")
    tree[PACKAGES_FILE] = file(b"".join(sorted(tree.pop(PACKAGE_LIST).data.splitlines(True))))
    tree = with_parents(with_relative_links(tree))
    check(tree)
    return tree


def package_list(tree: Tree) -> dict[str, tuple[str, str]]:
    """Version and architecture of each package. Raises ValueError where there is no list."""
    if PACKAGE_LIST not in tree:
        raise ValueError("the unpacked packages come without their list")
    lines = tree[PACKAGE_LIST].data.decode("ascii").splitlines()
    rows = (line.split("\t") for line in lines)
    return {name: (version, architecture) for name, version, architecture in rows}


def python_version(packages: dict[str, tuple[str, str]]) -> str:
    """``3.11.2`` of a package ``python3.11-minimal``. Raises ValueError where there is none."""
    for name, (version, _) in packages.items():
        found = re.match(r"\d+\.\d+\.\d+", version)
        if found and re.fullmatch(r"python3\.\d+-minimal", name):
            return found.group()
    raise ValueError("there is no Python among the packages")


def architecture(packages: dict[str, tuple[str, str]]) -> str:
    """Debian's name of the root's architecture, such as ``amd64``."""
    return packages["bash"][1]


def merged_usr(tree: Tree) -> Tree:
    """``/bin``, ``/lib`` and so on moved below ``/usr``, with links in their places.

    Debian does this when it is installed; its packages still come with either path.
    """
    tops = [top for top in _MERGED if top in tree and tree[top].kind == "folder"]
    merged = {path: entry for path, entry in tree.items() if path.split("/")[0] not in tops}
    for path in sorted(tree):
        if path.split("/")[0] not in tops:
            continue
        entry = tree[path]
        if entry.kind == "link" and entry.target.startswith("../"):
            # it counts from the old place
            entry = link(posixpath.normpath(f"/{posixpath.dirname(path)}/{entry.target}"))
        if entry.kind != "folder" or f"usr/{path}" not in merged:
            merged[f"usr/{path}"] = entry
    return merged | {top: link(f"usr/{top}") for top in tops}


def without_dropped(tree: Tree) -> Tree:
    """``tree`` without what no task needs, and without anything below it."""
    patterns = [f"{pattern}{end}" for pattern in _DROPPED for end in ("", "/*")]
    dropped = re.compile("|".join(translate(pattern) for pattern in patterns))
    return {
        path: entry
        for path, entry in tree.items()
        if _KEPT.fullmatch(path) or not dropped.fullmatch(path)
    }


def with_relative_links(tree: Tree) -> Tree:
    """Links that stay in the root even when it is looked at from outside."""
    return {
        path: replace(entry, target=_relative(path, entry.target))
        if entry.kind == "link" and entry.target.startswith("/")
        else entry
        for path, entry in tree.items()
    }


def _relative(path: str, target: str) -> str:
    return posixpath.relpath(target, f"/{posixpath.dirname(path)}")


def _add_user(tree: Tree) -> None:
    line = f"{USER}:*:{USER_ID}:{USER_ID}::/home/{USER}:/bin/sh\n"
    tree["etc/passwd"] = file(tree["etc/passwd"].data + line.encode("ascii"))
    tree["etc/group"] = file(tree["etc/group"].data + f"{USER}:*:{USER_ID}:\n".encode("ascii"))
    tree["etc/shells"] = file(b"/bin/sh\n/bin/dash\n/bin/bash\n")
    tree[f"home/{USER}"] = folder(owner=USER_ID)


def _add_certificates(tree: Tree) -> None:
    """One bundle of all authorities, where OpenSSL, and with it Python, looks first."""
    base = "usr/share/ca-certificates/"
    paths = sorted(path for path in tree if path.startswith(base) and path.endswith(".crt"))
    bundle = b"".join(tree[path].data.rstrip(b"\n") + b"\n" for path in paths)
    tree["etc/ssl/certs/ca-certificates.crt"] = file(bundle)
    tree["etc/ca-certificates.conf"] = file(
        "".join(f"{path.removeprefix(base)}\n" for path in paths).encode("utf-8")
    )
    tree["usr/lib/ssl/cert.pem"] = link("/etc/ssl/certs/ca-certificates.crt")


def _add_folders(tree: Tree, python: str) -> None:
    """What base-files and Python make when they are installed, and where a box mounts things."""
    minor = python.rpartition(".")[0]
    paths = [f"usr/local/{name}" for name in _LOCAL]
    paths += [f"usr/local/lib/python{minor}/dist-packages", "usr/lib/python3/dist-packages"]
    paths += ["dev", "etc/alternatives", "proc", "root", "run/lock", "sys", "usr/share/pae"]
    for path in paths:
        tree.setdefault(path, folder())
    for path in ("tmp", "var/tmp", "run/lock"):
        tree[path] = folder(0o1777)
    tree["var/run"], tree["var/lock"] = link("/run"), link("/run/lock")
