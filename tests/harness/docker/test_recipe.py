"""What an image is made from, before any engine is asked."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from pae_harness.sandbox.docker.recipe import marked, of_folder

MARK = "LABEL mine=1"


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """A task's environment/ with a generator of two modules, fixtures, and software to copy."""
    for name in ("Dockerfile", "generate.py", "draw.py", "fixtures/policy.md", "tool/run.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"# {name}\n")
    (tmp_path / "Dockerfile").write_text(
        "ARG BASE_IMAGE\nFROM ${BASE_IMAGE}\nCOPY tool /opt/tool\n"
    )
    return tmp_path


def names(context: bytes) -> list[str]:
    with tarfile.open(fileobj=io.BytesIO(context)) as tar:
        return [name for name in tar.getnames() if not name.startswith(".pae/")]


def test_the_generator_and_the_fixtures_are_not_in_the_context(environment: Path) -> None:
    context = of_folder("task", environment).context({"mine": "1"}, {})
    assert names(context) == ["Dockerfile", "tool/run.py"]


def test_without_a_generator_every_file_is(environment: Path) -> None:
    (environment / "generate.py").unlink()
    context = of_folder("task", environment).context({"mine": "1"}, {})
    assert names(context) == ["Dockerfile", "draw.py", "fixtures/policy.md", "tool/run.py"]


def test_a_dockerfile_that_copies_nothing_is_a_context_of_its_own(environment: Path) -> None:
    (environment / "Dockerfile").write_text("ARG BASE_IMAGE\nFROM ${BASE_IMAGE}\n")
    assert names(of_folder("task", environment).context({"mine": "1"}, {})) == ["Dockerfile"]


def test_the_same_content_has_the_same_digest(environment: Path) -> None:
    assert of_folder("task", environment).digest("b") == of_folder("task", environment).digest("b")


@pytest.mark.parametrize("change", ["dockerfile", "file", "mode", "base", "network"])
def test_whatever_goes_in_changes_the_digest(environment: Path, change: str) -> None:
    before = of_folder("task", environment).digest("base")
    if change == "dockerfile":
        with (environment / "Dockerfile").open("a") as file:
            file.write("RUN true\n")
    if change == "file":
        (environment / "tool/run.py").write_text("other\n")
    if change == "mode":
        (environment / "tool/run.py").chmod(0o755)
    recipe = of_folder("task", environment, network=change == "network")
    assert recipe.digest("other" if change == "base" else "base") != before


def test_what_the_generator_is_does_not(environment: Path) -> None:
    before = of_folder("task", environment).digest("base")
    (environment / "generate.py").write_text("other\n")
    assert of_folder("task", environment).digest("base") == before


@pytest.mark.parametrize(
    ("dockerfile", "expected"),
    [
        ("FROM a\nRUN x\n", f"FROM a\n{MARK}\nRUN x\n"),
        ("ARG A\nFROM ${A}", f"ARG A\nFROM ${{A}}\n{MARK}\n"),
        ("FROM a AS b\nRUN x\nFROM c\n", f"FROM a AS b\n{MARK}\nRUN x\nFROM c\n{MARK}\n"),
        ("FROM \\\n  a\nRUN x\n", f"FROM \\\n  a\n{MARK}\nRUN x\n"),
        ("# FROM no\nfrom a\n", f"# FROM no\nfrom a\n{MARK}\n"),
    ],
)
def test_every_stage_is_marked(dockerfile: str, expected: str) -> None:
    assert marked(dockerfile, MARK) == expected
