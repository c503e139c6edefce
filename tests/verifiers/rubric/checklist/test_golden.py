"""Every baseline, deduction, cap, hard fail, N/A and clamp of the equity switch rubric."""

from __future__ import annotations

import re
from pathlib import Path
from string import ascii_lowercase

import pytest

from pae_verifiers.rubric.checklist.feedback import feedback
from pae_verifiers.rubric.checklist.model import Finding, Instance, Verdict
from pae_verifiers.rubric.checklist.rubric import ChecklistRubric
from pae_verifiers.rubric.checklist.score import Result, result

VERDICTS: dict[str, Verdict] = {"P": "PASS", "F": "FAIL", "m": "FAIL", "-": "N/A"}
NAMES = {
    "format": (
        "Title format",
        "Two-part structure",
        "Preamble",
        "Brevity",
        "Scenario framing",
        "Translation block format",
    ),
    "bear_thesis_quality": (
        "Substantive bear case present",
        "Issuer-specific reasoning",
        "Argument is coherent",
    ),
    "bull_thesis_quality": (
        "Substantive bull case present",
        "Issuer-specific reasoning",
        "Argument is coherent",
    ),
    "evidence_alignment": (
        "No silent fabrication",
        "Citations match DIRECT rows",
        "Weak claims handled per contract",
        "Rationale fully decomposed",
    ),
}
CHECK_LINES = {
    "P": "- {}: PASS — so it is.",
    "F": "- {}: FAIL — so it is.",
    "m": "- {}: FAIL — so it is. (not material: no hard fail)",
    "-": "- {}: N/A — so it is.",
}
GOLDEN = (Path(__file__).parent / "golden.txt").read_text(encoding="utf-8")
ROWS = [
    row.split("\n", 1)
    for row in re.split(r"\n{2,}", re.sub(r"^#.*\n", "", GOLDEN, flags=re.MULTILINE).strip())
]


def graded(rubric: ChecklistRubric, row: str) -> Result:
    name, letters, *found = row.split()
    dimension = next(d for d in rubric.dimensions if d.id == name)
    findings = [
        Finding(check, VERDICTS[letter], "so it is.", material=letter != "m")
        for check, letter in zip(dimension.checks, letters, strict=True)
    ]
    ids = [part.split("*")[0] for part in found for _ in range(int(part.split("*")[1]))]
    known = {deduction.id: deduction for deduction in dimension.deductions}
    instances = [
        Instance(known[each], letter) for each, letter in zip(ids, ascii_lowercase, strict=False)
    ]
    return result(dimension, findings, instances)


@pytest.mark.parametrize(("row", "lines"), ROWS, ids=[row for row, _ in ROWS])
def test_what_checks_and_deductions_come_to(rubric: ChecklistRubric, row: str, lines: str) -> None:
    name, letters = row.split()[:2]
    checks = [CHECK_LINES[x].format(n) for x, n in zip(letters, NAMES[name], strict=True)]
    outcome = graded(rubric, row)
    assert feedback(outcome, "so much.") == "\n".join([*checks, lines, "Summary: so much."])
    said = re.search(r"= (\d+)\.", lines)
    assert said is not None
    assert outcome.score == int(said[1])


def test_the_table_has_every_deduction_and_every_kind_of_row() -> None:
    assert len(ROWS) == 92
    assert len({row for row, _ in ROWS}) == len(ROWS)
    deductions = {part.split("*")[0] for row, _ in ROWS for part in row.split()[2:]}
    assert len(deductions) == 28
    for mark in ("capped at 10", "capped at 15", "capped at 20", "clamped", "not applied"):
        assert any(mark in lines for _, lines in ROWS)
