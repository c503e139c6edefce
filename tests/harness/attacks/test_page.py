"""docs/attacks.md names the test of every attack, and every test of attacks."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
NAMED = set(
    re.findall(
        r"`(tests/[\w/.]+\.py)::(test_\w+)`",
        (ROOT / "docs" / "attacks.md").read_text(encoding="utf-8"),
    )
)


def functions_of(path: Path) -> set[tuple[str, str]]:
    found = re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.M)
    return {(str(path.relative_to(ROOT)), name) for name in found}


def test_every_test_that_the_page_names_is_there() -> None:
    assert [name for name in sorted(NAMED) if name not in functions_of(ROOT / name[0])] == []


def test_the_page_names_every_test_of_attacks() -> None:
    here = [path for path in Path(__file__).parent.glob("test_*.py") if path != Path(__file__)]
    assert set().union(*map(functions_of, here)) - NAMED == set()


def test_every_row_names_a_test() -> None:
    page = (ROOT / "docs" / "attacks.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ") and "| test |" not in line]
    assert [row for row in rows if "::test_" not in row and "| the same" not in row] == []
