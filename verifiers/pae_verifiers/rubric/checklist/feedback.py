"""A dimension's feedback: one line for each check and deduction, and the arithmetic."""

from __future__ import annotations

from pae_verifiers.rubric.checklist.model import Finding
from pae_verifiers.rubric.checklist.score import Charge, Result


def feedback(result: Result, summary: str) -> str:
    """The lines of checks, deductions, score and summary.

    The points of the deductions' lines always add up to the total of the score's line: those over
    a cap or beside a hard fail stand as 0 and say so.
    """
    lines = [_check(finding) for finding in result.findings]
    lines.append("Deductions:" if result.charges else "Deductions: none.")
    lines += [_deduction(charge) for charge in result.charges]
    lines += [_score(result), f"Summary: {one_line(summary)}"]
    return "\n".join(lines)


def one_line(text: str) -> str:
    """``text`` without line breaks, so that nobody's words can pass for another line."""
    return " ".join(text.split())


def _check(finding: Finding) -> str:
    line = f"- {finding.check.name}: {finding.verdict} — {one_line(finding.justification)}"
    if finding.verdict == "FAIL" and not finding.material:
        line += " (not material: no hard fail)"
    return line


def _deduction(charge: Charge) -> str:
    deduction = charge.instance.deduction
    why = {
        "": "",
        "capped": f" (capped at {deduction.cap} in all)",
        "hard_fail": " (not applied: hard fail)",
    }[charge.reduced]
    return f"- {deduction.name}: -{charge.points} — {one_line(charge.instance.specific)}{why}"


def _score(result: Result) -> str:
    line = f"Score: {result.baseline} - {result.total} = {result.score}."
    if result.is_clamped:
        line += f" (clamped: {result.baseline - result.total} is below 0)"
    return line
