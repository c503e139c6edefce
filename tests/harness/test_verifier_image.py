"""The verifier's image: built with no network, on the base that ``pae base-image`` makes.

It needs a container engine, that base, and the locked wheels (a package index or PAE_WHEELHOUSE).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NoReturn

import pytest

from pae_harness.errors import SandboxUnavailableError
from pae_harness.runtime import image_verifier_digest, verifier_digest
from pae_harness.tasks.digests import tree_digest
from pae_harness.verifier_context import verifier_context
from pae_harness.verifier_lock import PYTHONS, read_lock

if TYPE_CHECKING:
    import docker

Volumes = dict[str, dict[str, str]]
BASE = "portfolio-agent-evals/base:latest"
TINY = Path(__file__).parent / "data" / "tiny" / "tasks" / "tiny-note"
SITE = "import site; print(site.getsitepackages()[0])"


def not_here(reason: str) -> NoReturn:
    """Skip, or fail where containers are a must."""
    if os.environ.get("PAE_REQUIRE_DOCKER") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@dataclass(frozen=True)
class Engine:
    """A container engine and what its base image holds."""

    client: docker.DockerClient
    python: tuple[int, int]
    machine: str

    def run(
        self, image: str, *command: str, user: str = "1000", volumes: Volumes | None = None
    ) -> str:
        """What ``command`` prints, in a box like the verifier's."""
        output = self.client.containers.run(
            image,
            list(command),
            remove=True,
            network_mode="none",
            read_only=True,
            user=user,
            volumes=volumes,
        )
        return output.decode()

    @contextmanager
    def built(self, context: Path) -> Iterator[Built]:
        """What ``docker build`` makes of ``context`` and the base; removed afterwards."""
        from docker.errors import APIError

        tag = f"pae-test/verifier:{uuid.uuid4().hex}"
        lines = self.client.api.build(
            path=str(context),
            tag=tag,
            buildargs={"BASE_IMAGE": BASE},
            network_mode="none",
            rm=True,
            forcerm=True,
            decode=True,
        )
        log = "".join(line.get("stream", "") for line in lines)
        base = str(self.client.images.get(BASE).id)
        steps = [step for step in re.findall(r"--> (\w{11,12})\n", log) if step not in base]
        try:
            yield Built(tag, log)
        finally:
            for image in [tag] if "Successfully built" in log else reversed(steps):
                with suppress(APIError):  # gone already, or another image is built on it
                    self.client.images.remove(image)


@dataclass(frozen=True)
class Built:
    """An image, and what its build said; without ``Successfully built`` there is no image."""

    image: str
    log: str


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    import docker
    from docker.errors import DockerException, ImageNotFound

    try:
        client = docker.from_env(timeout=600)
    except DockerException as error:
        not_here(f"no container engine answers: {error}")
    try:
        machine = client.images.get(BASE).attrs["Architecture"]
        code = "import sys; print(*sys.version_info[:2])"
        version = client.containers.run(BASE, ["python3", "-c", code], remove=True)
        major, minor = map(int, version.split())
        yield Engine(client, (major, minor), machine)
    except ImageNotFound:
        not_here(f"there is no {BASE}; make it with `pae base-image`")
    except DockerException as error:
        not_here(f"the container engine does not work: {error}")
    finally:
        client.close()


@pytest.fixture(scope="module")
def context(engine: Engine) -> Path:
    try:
        return verifier_context(engine.python, engine.machine)
    except SandboxUnavailableError as error:
        not_here(str(error))


@pytest.fixture(scope="module")
def image(engine: Engine, context: Path) -> Iterator[str]:
    with engine.built(context) as built:
        assert "Successfully built" in built.log
        yield built.image


@pytest.fixture
def mutable(context: Path, tmp_path: Path) -> Path:
    """A copy of the context, to spoil."""
    return shutil.copytree(context, tmp_path / "context")


def test_the_context_is_all_that_the_image_is_made_of(engine: Engine, context: Path) -> None:
    assert {path.name for path in context.iterdir()} == {
        "Dockerfile",
        "requirements.txt",
        "wheelhouse",
        "pae_verifiers",
        "pae_schemas",
    }
    assert not [*context.rglob("__pycache__")]
    wheels = [path for path in (context / "wheelhouse").iterdir() if path.suffix == ".whl"]
    assert len(wheels) == len(read_lock(context / "requirements.txt", engine.python))


def test_the_context_is_made_once(engine: Engine, context: Path) -> None:
    before = tree_digest(context)
    assert verifier_context(engine.python, engine.machine) == context
    assert tree_digest(context) == before


def test_a_containers_verifier_has_a_digest_of_its_own() -> None:
    assert len(image_verifier_digest()) == 64
    assert image_verifier_digest() != verifier_digest()


def test_it_runs_read_only_as_an_ordinary_user(engine: Engine, image: str) -> None:
    shown = engine.run(image, "python3", "-I", "-m", "pae_verifiers", "--help")
    assert shown.startswith("usage: python3 -m pae_verifiers [-h] --tests DIR --fixtures DIR")


def test_it_imports_the_locked_versions(engine: Engine, context: Path, image: str) -> None:
    code = (
        "import jsonschema, markdown_it, pae_schemas, pint, rpds, yaml._yaml\n"
        "import site, importlib.metadata as m\n"
        "for d in m.distributions(path=site.getsitepackages()[:1]): print(d.name, d.version)"
    )
    found = dict(
        line.split() for line in engine.run(image, "python3", "-I", "-c", code).splitlines()
    )
    pins = read_lock(context / "requirements.txt", engine.python)
    normal = {name.lower().replace("_", "-"): version for name, version in found.items()}
    assert {pin.name: normal.get(pin.name) for pin in pins} == {p.name: p.version for p in pins}


def test_it_adds_packages_and_nothing_else(engine: Engine, image: str) -> None:
    files = ("find", "/", "-xdev", "-type", "f")
    before, after = (
        set(engine.run(which, *files, user="0").splitlines()) for which in (BASE, image)
    )
    folder = engine.run(image, "python3", "-I", "-c", SITE).strip()
    added = [PurePosixPath(path) for path in after - before]
    assert [path for path in added if not path.is_relative_to(folder)] == []
    assert [path for path in added if path.suffix == ".whl" or "pip" in path.parts] == []


def test_its_files_are_roots_and_for_reading(engine: Engine, image: str) -> None:
    folder = engine.run(image, "python3", "-I", "-c", SITE).strip()
    others = ("(", "!", "-user", "0", "-o", "-perm", "/022", "-o", "!", "-perm", "-444", ")")
    assert engine.run(image, "find", folder, *others) == ""


def test_its_byte_code_is_never_checked_against_the_sources(engine: Engine, image: str) -> None:
    code = (
        "import importlib.util as u, pathlib, site\n"
        "folder = pathlib.Path(site.getsitepackages()[0])\n"
        "paths = [*folder.glob('pae_*/**/*.py'), *folder.glob('pint/**/*.py')]\n"
        "flags = {pathlib.Path(u.cache_from_source(p)).read_bytes()[4:8] for p in paths}\n"
        "print(len(paths) > 100, flags)"
    )
    flags = engine.run(image, "python3", "-I", "-c", code)
    assert flags == "True {b'\\x01\\x00\\x00\\x00'}\n"


def test_it_answers_as_the_verifier_outside_does(
    engine: Engine, image: str, tmp_path: Path
) -> None:
    generate = TINY / "environment" / "generate.py"
    fixtures, memo = tmp_path / "fixtures", tmp_path / "outputs" / "app" / "output" / "note.md"
    subprocess.run(
        [sys.executable, generate, "--seed", "1", "--out", fixtures], check=True, timeout=60
    )
    memo.parent.mkdir(parents=True)
    memo.write_text("The fee is $100.00, or 12.5% of it.\n", encoding="utf-8")
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    inside.chmod(0o777)
    folders = {"/tests": TINY / "tests", "/fixtures": fixtures, "/outputs": tmp_path / "outputs"}
    logs = {str(inside): {"bind": "/logs", "mode": "rw"}}
    shown = {str(path): {"bind": name, "mode": "ro"} for name, path in folders.items()}
    arguments = [word for name in folders for word in (f"--{name[1:]}", name)]
    run = ("python3", "-I", "-m", "pae_verifiers")
    engine.run(image, *run, *arguments, "--logs", "/logs", volumes={**shown, **logs})

    here = [word for name, path in folders.items() for word in (f"--{name[1:]}", path)]
    subprocess.run([sys.executable, *run[1:], *here, "--logs", outside], check=True, timeout=60)
    for name in ("reward.json", "details.json"):
        assert (inside / name).read_bytes() == (outside / name).read_bytes()


def test_a_wheel_that_the_lock_does_not_name_fails_the_build(engine: Engine, mutable: Path) -> None:
    (mutable / "wheelhouse" / "other-1.0-py3-none-any.whl").write_bytes(b"PK")
    with engine.built(mutable) as built:
        assert "wheelhouse/other-1.0-py3-none-any.whl is not in requirements.txt\n" in built.log
        assert "Successfully built" not in built.log


def test_wheels_of_another_python_fail_the_build(engine: Engine) -> None:
    other = next(python for python in PYTHONS if python != engine.python)
    try:
        context = verifier_context(other, engine.machine)
    except SandboxUnavailableError as error:
        not_here(str(error))
    with engine.built(context) as built:
        assert re.search(r"SyntaxError|No module named 'rpds.rpds'", built.log)
        assert "Successfully built" not in built.log
