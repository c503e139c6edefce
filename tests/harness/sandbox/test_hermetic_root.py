"""Local boxes on the root that ``pae base-image`` made: when it is used, and that nothing changes.

What needs a real root takes this cache's; without one those tests are skipped.
"""

from __future__ import annotations

import os
import platform
import shutil
from pathlib import Path

import pytest
from tests.harness.backends import have

from pae_harness import run_trial
from pae_harness.baseimage.build import keep
from pae_harness.baseimage.root import Manifest, Root, current_root
from pae_harness.baseimage.tree import Tree, file, folder
from pae_harness.cache import cache_root
from pae_harness.errors import SandboxUnavailableError, UsageError
from pae_harness.fixtures import generate
from pae_harness.result import TrialResult
from pae_harness.sandbox.launch import launch
from pae_harness.sandbox.local import LocalSandbox
from pae_harness.sandbox.protocol import Box, BoxSpec
from pae_harness.sandbox.roots import find_root
from pae_harness.sandbox.system import SUPERVISOR, root_system
from pae_harness.tasks import Task, load
from pae_harness.tasks.digests import tree_digest

TREE: Tree = {"etc": folder(), "etc/hosts": file(b"127.0.0.1 localhost\n")}
DIGEST, ANOTHER = "c" * 64, "0" * 64
MANIFEST = Manifest(DIGEST, "bookworm", "amd64", {"bash": "5.2"}, "3.11.2")
SUITE = Path(__file__).parents[3] / "tasks"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of this test's own, with a root that is whole and holds no programs."""
    monkeypatch.setenv("PAE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("PAE_ROOT", raising=False)
    keep(TREE, MANIFEST)
    return tmp_path / "cache"


def test_the_current_root_is_found(cache: Path) -> None:
    root = find_root(cache, "", "x86_64")
    assert root is not None
    assert (root.path, root.digest) == (cache / "root" / DIGEST / "fs", DIGEST)
    assert find_root(cache, "current", "x86_64") == root


def test_a_root_can_be_named_by_the_first_digits_of_its_digest(cache: Path) -> None:
    keep(TREE, Manifest(ANOTHER, "trixie", "amd64", {}, "3.13.5"))
    found = find_root(cache, DIGEST[:12], "x86_64")
    assert found is not None
    assert found.digest == DIGEST


def test_off_is_no_root(cache: Path) -> None:
    assert find_root(cache, "off", "x86_64") is None


def test_where_none_was_made_there_is_none(tmp_path: Path) -> None:
    assert find_root(tmp_path, "", "x86_64") is None


def test_one_that_is_asked_for_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(SandboxUnavailableError, match="run `pae base-image`"):
        find_root(tmp_path, "current", "x86_64")
    with pytest.raises(SandboxUnavailableError, match="run `pae base-image`"):
        find_root(tmp_path, "ab" * 32, "x86_64")


@pytest.mark.parametrize("value", ["of", "0", "ab12", "../x", "AB" * 32])
def test_a_value_of_no_use_is_refused(cache: Path, value: str) -> None:
    with pytest.raises(UsageError, match="use off, current or a root's digest"):
        find_root(cache, value, "x86_64")


def test_one_for_another_processor_is_refused(cache: Path) -> None:
    with pytest.raises(SandboxUnavailableError, match="is for amd64 and this machine is aarch64"):
        find_root(cache, "", "aarch64")


@pytest.mark.parametrize("name", ["manifest.json", "fs"])
def test_one_that_lost_a_half_is_refused(cache: Path, name: str) -> None:
    path = cache / "root" / DIGEST / name
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    with pytest.raises(SandboxUnavailableError, match="no whole root"):
        find_root(cache, "", "x86_64")


def test_one_that_lost_a_file_is_refused(cache: Path) -> None:
    """An agent would fail for want of it, and be given a 0."""
    (cache / "root" / DIGEST / "fs" / "etc" / "hosts").unlink()
    with pytest.raises(SandboxUnavailableError, match="no longer what was made"):
        find_root(cache, "", "x86_64")


def test_one_that_cannot_be_used_is_passed_over_with_one_sentence(cache: Path) -> None:
    said: list[str] = []
    sandbox = LocalSandbox(said.append)
    for _ in range(2):
        with sandbox.start(BoxSpec()) as box:
            assert box.software == ""
    assert len(said) == 1
    assert said[0].startswith("boxes show this machine's own programs, as its root cannot be used:")
    assert said[0].endswith("(PAE_ROOT=off does without)")


def test_one_that_was_asked_for_and_cannot_be_used_ends_it(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAE_ROOT", "current")
    with pytest.raises(SandboxUnavailableError, match="PAE_ROOT=current: "):
        LocalSandbox().start(BoxSpec())


def test_off_says_nothing(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAE_ROOT", "off")
    said: list[str] = []
    with LocalSandbox(said.append).start(BoxSpec()) as box:
        assert box.software == ""
    assert said == []


def test_one_that_vanishes_is_named(tmp_path: Path) -> None:
    system = root_system(Root(tmp_path / "fs", DIGEST, "3.11.2", "amd64"), SUPERVISOR)
    with pytest.raises(SandboxUnavailableError, match="cccc is gone from "):
        launch(BoxSpec(), platform.machine(), system, None)


@pytest.fixture
def root() -> Root:
    """This cache's root."""
    have("local-root")
    found = current_root(cache_root())
    assert found is not None
    return found


@pytest.fixture
def hermetic(root: Root) -> LocalSandbox:
    """Boxes on it."""
    return LocalSandbox(root=root.digest)


def said(box: Box, *argv: str) -> str:
    done = box.exec(argv, timeout=60)
    assert done.exit_code == 0, done.stderr.decode()
    return done.stdout.decode().strip()


def test_a_box_names_the_root_it_is_on(root: Root, hermetic: LocalSandbox) -> None:
    with hermetic.start(BoxSpec()) as box:
        assert box.software == f"root:{root.digest}"
    assert hermetic.maker.endswith(f", root {root.digest[:12]}")


def test_python3_is_the_roots(root: Root, hermetic: LocalSandbox) -> None:
    program = "import platform, sys; print(platform.python_version(), sys.executable, sys.prefix)"
    with hermetic.start(BoxSpec()) as box:
        assert said(box, "python3", "-I", "-c", program) == (
            f"{root.python_version} /usr/bin/python3 /usr"
        )


def test_all_that_a_box_shows_is_the_roots(root: Root, hermetic: LocalSandbox) -> None:
    with hermetic.start(BoxSpec()) as box:
        assert said(box, "ls", "-A", "/").split() == [
            *("bin", "dev", "etc", "lib", "lib64", "proc", "sbin", "tmp", "usr")
        ]
        for folder in ("usr", "usr/bin", "usr/sbin", "usr/lib", "usr/share", "usr/local/bin"):
            shown = said(box, "ls", "-A", f"/{folder}").split("\n")
            assert sorted(filter(None, shown)) == sorted(os.listdir(root.path / folder))  # noqa: PTH208


def test_users_are_made_up(hermetic: LocalSandbox) -> None:
    with hermetic.start(BoxSpec()) as box:
        assert said(box, "cut", "-d:", "-f1", "/etc/passwd").split() == ["root", "agent", "nobody"]
        assert said(box, "id") == "uid=1000(agent) gid=1000(agent) groups=1000(agent)" or (
            os.getuid() != 0
        )


def test_the_verifiers_packages_are_for_the_roots_python(hermetic: LocalSandbox) -> None:
    program = (
        "import json, sys, pae_verifiers, pint, rpds, yaml._yaml\n"
        "print(sorted({m.split('.')[0] for m in sys.modules} & {'pip', 'pytest', 'pae_harness'}))\n"
        "print(*{m.__file__.split('/')[1:6][-1] for m in (pae_verifiers, pint, rpds)})\n"
        "print(all(m.__cached__.endswith('.pyc') and open(m.__cached__) for m in (pint, rpds)))"
    )
    with hermetic.start(BoxSpec(software="verifier")) as box:
        assert said(box, "python3", "-I", "-c", program).split("\n") == [
            "[]",
            "dist-packages",
            "True",
        ]


def test_an_agents_box_has_none_of_them(hermetic: LocalSandbox) -> None:
    program = "import importlib.util as u; print(u.find_spec('yaml'), u.find_spec('pae_verifiers'))"
    with hermetic.start(BoxSpec()) as box:
        assert said(box, "python3", "-I", "-c", program) == "None None"


def test_where_the_verifiers_wheels_are_not_to_be_had_the_root_is_passed_over(
    root: Root, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All boxes of a run are on the same system: an agent's is not, if its verifier's cannot be."""
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "root").symlink_to(root.path.parents[1])
    (tmp_path / "wheels").mkdir()
    monkeypatch.setenv("PAE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PAE_WHEELHOUSE", str(tmp_path / "wheels"))
    monkeypatch.delenv("PAE_ROOT", raising=False)
    told: list[str] = []
    with LocalSandbox(told.append).start(BoxSpec()) as box:
        assert box.software == ""
    assert len(told) == 1
    assert f"PAE_WHEELHOUSE: {tmp_path / 'wheels'} lacks " in told[0]
    monkeypatch.setenv("PAE_ROOT", root.digest)
    with pytest.raises(SandboxUnavailableError, match=" lacks "):
        LocalSandbox().start(BoxSpec())


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("solution", ["oracle", "trap:wrong_fact", "nop"])
def test_a_trial_is_what_it_is_on_this_machines_own_system(
    hermetic: LocalSandbox, tmp_path: Path, seed: int, solution: str
) -> None:
    task = load(SUITE / "pf-judg-rebalance-memo")
    own = LocalSandbox(root="off")
    there = run_trial(task, seed, solution, sandbox=hermetic, folder=tmp_path / "root")
    here = run_trial(task, seed, solution, sandbox=own, folder=tmp_path / "own")
    assert what_counts(there) == what_counts(here)
    assert left_behind(tmp_path / "root") == left_behind(tmp_path / "own")
    assert generated(task, seed, hermetic, tmp_path / "1") == generated(
        task, seed, own, tmp_path / "2"
    )
    assert there.digests["agent_image"].startswith("root:")
    assert "agent_image" not in here.digests


def what_counts(result: TrialResult) -> tuple[object, ...]:
    return (result.outcome, result.reward, result.metrics, result.reason, dict(result.enforced))


def left_behind(folder: Path) -> dict[str, bytes]:
    """What a trial writes and keeps, by its path."""
    kept = [*(folder / "output").rglob("*"), *(folder / "verifier").rglob("*")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in kept if path.is_file()}


def generated(task: Task, seed: int, sandbox: LocalSandbox, folder: Path) -> str:
    folder.mkdir()
    generate(task.path / "environment", seed, sandbox, folder)
    return tree_digest(folder)


def test_this_machine_is_what_its_roots_are_for(root: Root) -> None:
    assert {"amd64": "x86_64", "arm64": "aarch64"}[root.architecture] == platform.machine()
