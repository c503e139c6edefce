"""A small task, complete: a note on one trade, with three facts and a rubric of five items."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

VERIFIER = """\
document: /app/output/memo.md
results: /app/output/results.json
sources: [/app/policy/ips.yaml]
facts: facts.yaml
rubric: rubric.yaml
metrics:
  numeric_consistency: {weight: 0.5, check: numbers}
  judge_rubric: {weight: 0.5, check: rubric}
"""

FACTS = """\
facts:
  /costs/total_usd: {unit: USD, aliases: [[trading cost, cost], [total]], required: cost}
  /risk/volatility_pct: {unit: percent, aliases: [[volatility]]}
  /trades#: {unit: count, aliases: [[trades]]}
"""

RUBRIC = """\
kind: items
sections: [{heading: Cost}]
items:
  - id: word_limit
    role: required
    weight: 0.25
    by: code
    check: max_words
    params: {max: 60}
    text: The note has at most 60 words.
  - id: sections_present
    role: required
    weight: 0.25
    by: code
    check: sections
    text: The section on cost is there.
  - {id: says_why, role: required, weight: 0.5, text: The note says why.}
  - {id: polite, role: optional, text: The note greets the client.}
  - {id: forecast, role: disallowed, text: The note forecasts.}
"""

RULES = """\
from pae_verifiers.judge.rules import Candidate, Finding


def says_why(candidate, facts):
    found = [s for s in candidate.sentences() if "because" in s]
    return Finding(bool(found), "a reason is given" if found else "no reason", tuple(found[:1]))


def polite(candidate, facts):
    found = "Dear" in candidate.source
    return Finding(found, "a greeting" if found else "no greeting", ("Dear",) if found else ())


def forecast(candidate, facts):
    found = [s for s in candidate.sentences() if "will rise" in s]
    return Finding(not found, "a forecast" if found else "no forecast", tuple(found))
"""

RESULTS = {
    "costs": {"total_usd": 1234.56},
    "risk": {"volatility_pct": 9.41},
    "trades": [{"side": "buy"}, {"side": "sell"}],
}

MEMO = """\
# Your portfolio

We made two trades because the mix had drifted. Volatility is now 9.4%.

## Cost

The total trading cost was $1,234.56.
"""


@dataclass(frozen=True)
class Case:
    """The four folders of a verifier's box."""

    root: Path

    @property
    def tests(self) -> Path:
        return self.root / "tests"

    @property
    def fixtures(self) -> Path:
        return self.root / "fixtures"

    @property
    def outputs(self) -> Path:
        return self.root / "outputs"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def memo(self) -> Path:
        return self.outputs / "app/output/memo.md"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def case(tmp_path: Path) -> Case:
    """The task with a memo that earns 1.0."""
    case = Case(tmp_path)
    for name, text in (
        ("verifier.yaml", VERIFIER),
        ("facts.yaml", FACTS),
        ("rubric.yaml", RUBRIC),
        ("rules.py", RULES),
    ):
        _write(case.tests / name, text)
    _write(case.fixtures / "app/output/results.json", json.dumps(RESULTS))
    _write(case.fixtures / "app/policy/ips.yaml", "review: 2026-11-30\n")
    _write(case.memo, MEMO)
    return case


@pytest.fixture
def edit(case: Case) -> Callable[[str, str], None]:
    """Replace one passage of the memo."""

    def replace(old: str, new: str) -> None:
        text = case.memo.read_text(encoding="utf-8")
        assert text.count(old) == 1
        case.memo.write_text(text.replace(old, new), encoding="utf-8")

    return replace
