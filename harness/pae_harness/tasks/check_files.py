"""Static checks on the files around the configuration: present, plain, standard library only."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from pae_harness.errors import TaskError
from pae_harness.tasks.digests import special
from pae_harness.tasks.dockerfile import instructions
from pae_harness.tasks.draft import Draft
from pae_harness.tasks.source import read_python, read_text

TEST_SH = (
    "exec python3 -I -m pae_verifiers "
    "--tests /tests --fixtures /fixtures --outputs / --logs /logs/verifier"
)


def plain_files(draft: Draft) -> Iterator[TaskError]:
    """Links and devices are refused: they would mean something else in a box."""
    for folder in (draft.folder, draft.oracle):
        for path in sorted(folder.rglob("*")):
            what = special(path)
            if what:
                yield TaskError(f"is {what}: a task folder holds plain files", path)


def required_files(draft: Draft) -> Iterator[TaskError]:
    """instruction.md, the Dockerfile and solve.sh exist; there is one oracle only."""
    wanted = (
        draft.folder / "instruction.md",
        draft.environment / "Dockerfile",
        draft.oracle / "solve.sh",
    )
    for path in wanted:
        try:
            text = read_text(path)
        except TaskError as error:
            yield error
            continue
        if not text.strip():
            yield TaskError("is empty", path, 1)
    own = draft.folder / "solution"
    if own.is_dir() and draft.oracle != own:
        yield TaskError(f"is a second oracle beside {draft.oracle}: keep one", own)


def test_script(draft: Draft) -> Iterator[TaskError]:
    """test.sh is the one line, the same in every task."""
    path = draft.tests / "test.sh"
    try:
        lines = read_text(path).splitlines()
    except TaskError as error:
        yield error
        return
    body = [
        (number, line)
        for number, line in enumerate(lines, start=1)
        if line.strip() and not (number == 1 and line.startswith("#!"))
    ]
    wrong = [number for number, line in body if line != TEST_SH] or [n for n, _ in body[1:]]
    if wrong or not body:
        yield TaskError(f"must be the one line: {TEST_SH}", path, wrong[0] if wrong else 1)


def fixtures(draft: Draft) -> Iterator[TaskError]:
    """Fixtures come from generate.py, or every input lies in environment/fixtures."""
    generator = draft.environment / "generate.py"
    static = draft.environment / "fixtures"
    if generator.exists():
        return
    if draft.task is None:
        return
    if not static.is_dir():
        if draft.task.value["metadata"]["inputs"]:
            yield TaskError("is missing, and there are no fixtures/ either", generator)
        return
    for index, entry in enumerate(draft.task.value["metadata"]["inputs"]):
        if not (static / entry["path"].lstrip("/")).exists():
            yield draft.task.error(
                f"the input {entry['path']} is not in environment/fixtures, "
                "and there is no generate.py",
                "metadata",
                "inputs",
                index,
            )


def standard_library(draft: Draft) -> Iterator[TaskError]:
    """The generator and the oracle import nothing but each its own files: shared code would hide
    shared bugs, and a box has no packages."""
    for folder, what in ((draft.environment, "a generator"), (draft.oracle, "an oracle")):
        scripts = sorted(folder.rglob("*.py"))
        own = {path.stem for path in scripts} | {path.parent.name for path in scripts}
        for path in scripts:
            yield from _imports_only(path, sys.stdlib_module_names | own, what)


def image(draft: Draft) -> Iterator[TaskError]:
    """The image holds software only: no agent may find the generator in it, nor a folder without
    a limit."""
    path = draft.environment / "Dockerfile"
    try:
        text = read_text(path)
    except TaskError:  # told by required_files
        return
    for line, word, rest in instructions(text):
        if word == "VOLUME":
            yield TaskError(
                "VOLUME makes a folder that can be written without a limit: leave it out",
                path,
                line,
            )
        words = [part for part in rest.split() if not part.startswith("--")]
        for source in words[:-1] if word in ("COPY", "ADD") else ():
            top = PurePosixPath(source.strip('[",')).parts[:1]
            if top in ((), ("*",), ("*.py",), ("generate.py",), ("fixtures",)):
                yield TaskError(
                    f"{word} {source} puts fixtures or their generator into the image, "
                    "which holds software only",
                    path,
                    line,
                )


def _imports_only(path: Path, allowed: frozenset[str], what: str) -> Iterator[TaskError]:
    try:
        tree = read_python(path)
    except TaskError as error:
        yield error
        return
    for node in ast.walk(tree):
        for module in _imported(node):
            if module not in allowed:
                line = getattr(node, "lineno", 1)
                yield TaskError(
                    f"imports '{module}': {what} uses the standard library only", path, line
                )


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name.split(".")[0] for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return [node.module.split(".")[0]]
    return []
