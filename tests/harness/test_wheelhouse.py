"""The verifier's lock, and the wheels that it names, without a network."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from pae_harness import runtime
from pae_harness.errors import SandboxUnavailableError, VerifierError
from pae_harness.verifier_lock import PYTHONS, image_file, read_lock
from pae_harness.wheelhouse import wheelhouse

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = ROOT / "verifiers" / "requirements.txt"
OPTIONS = (
    "--no-deps --only-binary=:all: --implementation cp --python-version 3.12 --abi cp312"
    " --platform manylinux2014_x86_64 --platform manylinux_2_17_x86_64"
    " --platform manylinux_2_28_x86_64"
)

PURE = "plain_thing-1.0-py3-none-any.whl"
OLD = "old_thing-1.0-py3-none-any.whl"
BUILT = {
    (python, machine): f"Built.Thing-2.0-{python}-{python}-manylinux_2_17_{machine}"
    f".manylinux2014_{machine}.whl"
    for python in ("cp311", "cp312", "cp313")
    for machine in ("x86_64", "aarch64")
}
FOR_312 = BUILT["cp312", "x86_64"]


def wheel(path: Path, word: str = "") -> str:
    """Make a real wheel at ``path`` and return its SHA-256."""
    name, version, *_, python, abi, platform = path.stem.split("-")
    info = f"{name}-{version}.dist-info"
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{name.replace('.', '_')}.py", f"# {path.name} {word}\n")
        archive.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        )
        tags = "".join(f"Tag: {python}-{abi}-{tag}\n" for tag in platform.split("."))
        archive.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: tests\n{tags}")
        archive.writestr(f"{info}/RECORD", "")
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    """A folder of wheels: a pure one, one for Python 3.11 only, and a built one per target."""
    for name in (PURE, OLD, *BUILT.values()):
        wheel(tmp_path / "wheels" / name)
    return tmp_path / "wheels"


@pytest.fixture
def lock(wheels: Path, tmp_path: Path) -> Path:
    """The lock of these wheels, as uv writes it."""
    digests = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in wheels.iterdir()
    }
    pins: Mapping[str, list[str]] = {
        "plain-thing==1.0": [PURE],
        "old-thing==1.0 ; python_full_version < '3.12'": [OLD],
        "built-thing==2.0": list(BUILT.values()),
    }
    text = "# made by a test\n--only-binary :all:\n\n"
    for pin, names in pins.items():
        text += (
            " \\\n".join([pin, *(f"    --hash=sha256:{digests[name]}" for name in names)]) + "\n"
        )
    path = tmp_path / "requirements.txt"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def folder(wheels: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """These wheels as PAE_WHEELHOUSE."""
    monkeypatch.setenv("PAE_WHEELHOUSE", str(wheels))
    return wheels


@pytest.fixture
def index(wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """These wheels as the only package index that pip knows."""
    simple = tmp_path / "simple"
    for path in wheels.iterdir():
        page = simple / canonicalize_name(path.name.split("-")[0]) / "index.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        with page.open("a", encoding="utf-8") as file:
            file.write(f'<a href="{path.as_uri()}">{path.name}</a>\n')
    monkeypatch.setenv("PIP_INDEX_URL", simple.as_uri())
    return simple


@pytest.fixture(autouse=True)
def own_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees this machine's cache, wheels or configuration of pip, or reaches an index."""
    for name in [*os.environ]:
        if name.startswith("PIP_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.delenv("PAE_WHEELHOUSE", raising=False)
    monkeypatch.setenv("PAE_CACHE", str(tmp_path / "cache"))


def names(place: Path) -> list[str]:
    return sorted(path.name for path in place.iterdir())


def sentence(python: tuple[int, int], machine: str, lock: Path) -> str:
    """What is said where there is no wheelhouse; nothing of it stays in the cache."""
    with pytest.raises(SandboxUnavailableError) as failure:
        wheelhouse(python, machine, lock)
    assert names(Path(os.environ["PAE_CACHE"]) / "wheelhouse") == []
    return str(failure.value)


# The lock


def wanted() -> dict[str, Requirement]:
    """What pyproject.toml allows of the verifier's own requirements."""
    own = {canonicalize_name(name) for name in runtime.REQUIREMENTS}
    requirements = map(Requirement, PROJECT["project"]["dependencies"])
    return {name: r for r in requirements if (name := canonicalize_name(r.name)) in own}


def test_what_is_resolved_is_what_the_project_requires() -> None:
    lines = (ROOT / "verifiers" / "requirements.in").read_text(encoding="utf-8").splitlines()
    asked = {str(Requirement(line)) for line in lines if not line.startswith("#")}
    assert asked == {str(requirement) for requirement in wanted().values()}
    assert len(asked) == len(runtime.REQUIREMENTS)


@pytest.mark.parametrize("python", PYTHONS)
def test_the_locked_versions_are_allowed_by_the_project(python: tuple[int, int]) -> None:
    versions = {pin.name: pin.version for pin in read_lock(LOCK, python)}
    for name, requirement in wanted().items():
        assert requirement.specifier.contains(versions[name]), name


def test_the_lock_holds_what_the_verifier_needs_and_nothing_else() -> None:
    needed = {canonicalize_name(d.metadata["Name"]) for d in runtime.distributions()}
    assert {pin.name for pin in read_lock(LOCK, sys.version_info[:2])} == needed


def test_python_3_11_is_locked_to_the_last_pint_that_it_can_have() -> None:
    pints = [pin.version[:5] for v in PYTHONS for pin in read_lock(LOCK, v) if pin.name == "pint"]
    assert pints == ["0.25.", "0.26.", "0.26."]


def test_the_lock_names_no_index() -> None:
    assert re.findall(r"\w+://|index-url", LOCK.read_text(encoding="utf-8")) == []


def test_the_lock_and_the_dockerfile_are_installed_too() -> None:
    installed = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    for name in ("Dockerfile", "requirements.txt"):
        assert installed[f"verifiers/{name}"] == f"pae_harness/verifier_image/{name}"
    assert image_file("requirements.txt") == LOCK


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("thing==1.0\n", "1: not NAME==VERSION with hashes; run `make lock`"),
        ("# a\n\nthing>=1.0\n", "3: not NAME==VERSION with hashes; run `make lock`"),
        (
            f"thing==1.0 ; os_name == 'nt' \\\n  --hash=sha256:{'0' * 64}\n",
            "1: the marker os_name == 'nt' is not known here; only versions of Python and "
            "sys_platform are",
        ),
    ],
)
def test_a_line_that_cannot_be_kept_is_named(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "requirements.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(VerifierError) as failure:
        read_lock(path, (3, 12))
    assert str(failure.value) == f"{path}:{why}"


def test_a_pin_for_another_platform_than_linux_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "requirements.txt"
    hashes = f"--hash=sha256:{'0' * 64}"
    path.write_text(
        f"here==1.0 ; sys_platform != 'emscripten' {hashes}\n"
        f"there==1.0 ; python_full_version >= '3.12' and sys_platform == 'emscripten' {hashes}\n",
        encoding="utf-8",
    )
    assert [pin.name for pin in read_lock(path, (3, 12))] == ["here"]


# From a folder


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_a_wheelhouse_holds_the_wheels_of_its_python_and_processor(
    lock: Path, machine: str
) -> None:
    found = {python: names(wheelhouse(python, machine, lock)) for python in PYTHONS}
    assert found == {
        (3, 11): [BUILT["cp311", machine], OLD, PURE],
        (3, 12): [BUILT["cp312", machine], PURE],
        (3, 13): [BUILT["cp313", machine], PURE],
    }


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("written", "machine"), [("amd64", "x86_64"), ("arm64", "aarch64")])
def test_a_processor_may_have_dockers_name(lock: Path, written: str, machine: str) -> None:
    assert wheelhouse((3, 12), written, lock) == wheelhouse((3, 12), machine, lock)


def test_a_wheelhouse_is_filled_once(lock: Path, folder: Path) -> None:
    first = wheelhouse((3, 12), "x86_64", lock)
    for path in folder.iterdir():
        path.unlink()
    assert wheelhouse((3, 12), "x86_64", lock) == first


def test_missing_wheels_are_named_with_the_command_that_fetches_them(
    lock: Path, folder: Path
) -> None:
    (folder / FOR_312).unlink()
    (folder / PURE).unlink()
    assert sentence((3, 12), "x86_64", lock) == (
        f"PAE_WHEELHOUSE: {folder} lacks plain-thing==1.0, built-thing==2.0 for Python 3.12 on "
        f"x86_64; where there is a network: python3 -m pip download {OPTIONS} --dest {folder} "
        "plain-thing==1.0 built-thing==2.0"
    )


@pytest.mark.usefixtures("index")
def test_that_command_fetches_them(lock: Path, folder: Path) -> None:
    (folder / FOR_312).rename(folder / "elsewhere")
    command = sentence((3, 12), "x86_64", lock).partition("network: python3 ")[2]
    (folder / "elsewhere").rename(folder / FOR_312)
    other = folder.parent / "other machine"
    command = command.replace(str(folder), shlex.quote(str(other)))
    subprocess.run([sys.executable, *shlex.split(command)], check=True, timeout=60)
    assert names(other) == [FOR_312]


def test_a_wheel_that_is_not_the_locked_one_is_refused(lock: Path, folder: Path) -> None:
    digest = wheel(folder / FOR_312, "and something else")
    assert sentence((3, 12), "x86_64", lock) == (
        f"{folder / FOR_312} is not the built-thing==2.0 that the verifier is locked to (its "
        f"SHA-256 is {digest}); delete it and fetch it anew: python3 -m pip download {OPTIONS} "
        f"--dest {folder} built-thing==2.0"
    )


def test_a_folder_that_is_not_there_is_named(
    lock: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAE_WHEELHOUSE", str(tmp_path / "nowhere"))
    assert sentence((3, 12), "x86_64", lock) == (
        f"PAE_WHEELHOUSE: {tmp_path}/nowhere is no folder; fill it with: python3 -m pip download "
        f"{OPTIONS} --dest {tmp_path}/nowhere plain-thing==1.0 built-thing==2.0"
    )


@pytest.mark.parametrize(
    ("python", "machine", "target"),
    [((3, 10), "x86_64", "Python 3.10 on x86_64"), ((3, 12), "riscv64", "Python 3.12 on riscv64")],
)
def test_a_python_or_processor_without_a_lock_is_refused(
    python: tuple[int, int], machine: str, target: str
) -> None:
    with pytest.raises(SandboxUnavailableError) as failure:
        wheelhouse(python, machine)
    assert str(failure.value) == (
        f"there is no verifier for {target}; use a base image with Python 3.11, 3.12, 3.13 on "
        "x86_64 or aarch64"
    )


# From a package index


@pytest.mark.usefixtures("index")
@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_an_index_gives_the_same_wheels_as_a_folder(lock: Path, machine: str) -> None:
    assert names(wheelhouse((3, 11), machine, lock)) == [BUILT["cp311", machine], OLD, PURE]
    assert names(wheelhouse((3, 13), machine, lock)) == [BUILT["cp313", machine], PURE]


@pytest.mark.usefixtures("index")
def test_an_index_that_serves_another_wheel_is_refused(lock: Path, wheels: Path) -> None:
    wheel(wheels / FOR_312, "and something else")
    assert sentence((3, 12), "x86_64", lock) == (
        "the package index serves another built-thing==2.0 than the verifier is locked to; ask "
        "who runs it, or fetch them on another machine and name their folder in PAE_WHEELHOUSE: "
        f"python3 -m pip download {OPTIONS} --dest wheels plain-thing==1.0 built-thing==2.0"
    )


def test_without_a_network_the_way_out_is_one_sentence(lock: Path) -> None:
    said = sentence((3, 12), "x86_64", lock)
    assert said.startswith("pip cannot fetch the verifier's wheels (no package index answers; ")
    assert said.endswith(
        "): check the network and pip's configuration, or fetch them on another machine and name "
        f"their folder in PAE_WHEELHOUSE: python3 -m pip download {OPTIONS} --dest wheels "
        "plain-thing==1.0 built-thing==2.0"
    )
    assert "\n" not in said


def test_without_pip_the_way_out_is_one_sentence(lock: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "bare", symlinks=True)
    python = tmp_path / "bare" / "bin" / "python"
    code = (
        "import sys; from pathlib import Path\n"
        "from pae_harness.errors import SandboxUnavailableError\n"
        "from pae_harness.wheelhouse import wheelhouse\n"
        "try: wheelhouse((3, 12), 'x86_64', Path(sys.argv[1]))\n"
        "except SandboxUnavailableError as error: print(error)"
    )
    done = subprocess.run(
        [python, "-c", code, lock],
        env={**os.environ, "PYTHONPATH": str(ROOT / "harness")},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.stdout, done.stderr) == (
        f"{python} has no pip, which fetches the verifier's wheels; run `{python} -m ensurepip`, "
        "or fetch them on another machine and name their folder in PAE_WHEELHOUSE: python3 -m pip "
        f"download {OPTIONS} --dest wheels plain-thing==1.0 built-thing==2.0\n",
        "",
    )
