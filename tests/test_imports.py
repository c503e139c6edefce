"""The import contract: harness → verifiers → schemas, and nothing the other way."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = {
    "pae_harness": ROOT / "harness" / "pae_harness",
    "pae_verifiers": ROOT / "verifiers" / "pae_verifiers",
    "pae_schemas": ROOT / "schemas" / "pae_schemas",
}
MAY_IMPORT = {
    "pae_harness": {"pae_harness", "pae_verifiers", "pae_schemas"},
    "pae_verifiers": {"pae_verifiers", "pae_schemas"},
    "pae_schemas": {"pae_schemas"},
}
VERIFIER_NEEDS = {
    *("pint", "yaml", "jsonschema", "referencing", "markdown_it"),
    *("httpx2", "tenacity"),  # of a judge that is a model
}


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def modules(package: str) -> list[Path]:
    return sorted(PACKAGES[package].rglob("*.py"))


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_between_packages_go_one_way(package: str) -> None:
    wrong = [
        (path.relative_to(ROOT).as_posix(), name)
        for path in modules(package)
        for name in imports(path)
        if (top := name.split(".")[0]) in PACKAGES and top not in MAY_IMPORT[package]
    ]
    assert wrong == []


@pytest.mark.parametrize("package", ["pae_verifiers", "pae_schemas"])
def test_what_runs_in_the_box_needs_only_the_runtimes_libraries(package: str) -> None:
    known = set(sys.stdlib_module_names) | VERIFIER_NEEDS | MAY_IMPORT[package]
    outside = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in modules(package)
        for name in imports(path)
        if name.split(".")[0] not in known
    }
    assert outside == set()


def test_oracles_and_generators_use_the_standard_library_only() -> None:
    paths = [*ROOT.glob("oracles/**/*.py"), *ROOT.glob("tasks/*/environment/**/*.py")]
    assert paths
    outside = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in paths
        for name in imports(path)
        if (top := name.split(".")[0]) not in sys.stdlib_module_names
        and not any(near.stem == top for near in path.parent.glob("*.py"))
    }
    assert outside == set()


@pytest.mark.parametrize("package", PACKAGES)
def test_no_module_takes_part_in_an_import_cycle(package: str) -> None:
    paths = {module_name(path): path for path in modules(package)}
    graph = {name: set(top_level_imports(path, paths)) for name, path in paths.items()}
    assert find_cycle({name: edges & graph.keys() for name, edges in graph.items()}) == []


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys, pae_harness.parser as m, pae_harness.main\n"
        "m.build_parser().format_help()\n"
        "heavy = {'pint', 'docker', 'jsonschema', 'rich', 'yaml', 'markdown_it'}\n"
        "heavy |= {'httpx2', 'tenacity', 'uvicorn', 'pae_verifiers'}\n"
        "print(sorted(heavy & {*sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "[]\n"


def module_name(path: Path) -> str:
    package = next(name for name, root in PACKAGES.items() if root in path.parents)
    parts = path.relative_to(PACKAGES[package].parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def top_level_imports(path: Path, known: dict[str, Path]) -> Iterator[str]:
    """Imports that run when the module does: not those in functions or under TYPE_CHECKING."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                submodule = f"{node.module}.{alias.name}"
                yield submodule if submodule in known else node.module


def find_cycle(graph: dict[str, set[str]]) -> list[str]:
    done: set[str] = set()

    def visit(name: str, trail: list[str]) -> list[str]:
        if name in trail:
            return [*trail[trail.index(name) :], name]
        if name in done:
            return []
        for edge in sorted(graph[name]):
            if edge != name and (cycle := visit(edge, [*trail, name])):
                return cycle
        done.add(name)
        return []

    for name in sorted(graph):
        if cycle := visit(name, []):
            return cycle
    return []
