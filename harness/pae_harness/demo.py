"""What ``pae demo`` shows: one task's memo by its oracle, and what mistakes make of it.

Data and memo come from the task's own generator and oracle, rewards from the verifier, all in this
process but the generator. Installed, the package holds a copy of the task and its oracle.
"""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pae_harness.errors import TaskError
from pae_harness.fixtures import SALT
from pae_harness.misses import misses

if TYPE_CHECKING:
    from pae_verifiers import Score
    from pae_verifiers.numbers.model import Facts, Tie

TASK = "pf-judg-rebalance-memo"
SEED = 1
ORACLE, SLIPS, WRONG = (
    "the oracle's memo",
    "with two slips",
    "with an invented number too",
)
_COST = re.compile(r"(total trading cost was )\$[\d,]+(.*?largest part was .*?, at (\$[\d,]+))")


@dataclass(frozen=True)
class DemoMemo:
    """A memo, its score by the verifier, and the verdicts on its numbers that it rests on."""

    name: str
    text: str
    score: Score
    tied: Tie

    def losses(self) -> list[tuple[str, str]]:
        """What cost credit, in one line each, with its verdict; ``rubric`` for an item."""
        rubric: Any = self.score.details.get("rubric", {"items": []})
        failed = [item for item in rubric["items"] if not item["passed"]]
        return [
            *misses(self.text, self.tied),
            *(("rubric", f"{item['id']}: {item['rationale']}") for item in failed),
        ]

    def to_json(self) -> dict[str, object]:
        """``{name, reward, metrics, numbers, why}``; the numbers as in ``pae tie --json``."""
        numbers: Any = self.score.details["numbers"]
        return {
            "name": self.name,
            "reward": self.score.reward,
            "metrics": dict(self.score.metrics),
            "numbers": numbers["numbers"],
            "why": [line for _, line in self.losses()],
        }


def demo_memos() -> tuple[DemoMemo, ...]:
    """The oracle's memo, the same with two slips, and that with an invented number as well.

    Raises TaskError where the task's files are missing or its generator fails.
    """
    with tempfile.TemporaryDirectory(prefix="pae-demo-") as place:
        fixtures = Path(place)
        _generate(fixtures)
        judged = _Judged(fixtures)
        return tuple(judged.memo(name, text) for name, text in _texts(judged.results).items())


def demo_files(kind: str) -> Path:
    """The demo's folder of ``tasks`` or ``oracles``: a checkout's, or its copy in the package."""
    here = Path(__file__).parent
    for root in (here / "demo_files", here.parents[1]):
        if (root / kind / TASK).is_dir():
            return root / kind / TASK
    raise TaskError(f"the demo's {kind}/{TASK} is not installed; reinstall the project")


def _generate(fixtures: Path) -> None:
    generator = demo_files("tasks") / "environment" / "generate.py"
    done = subprocess.run(
        [sys.executable, "-I", str(generator), "--seed", str(SEED), "--out", str(fixtures)],
        env={name: value for name, value in os.environ.items() if name != SALT},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
    )
    if done.returncode != 0:
        raise TaskError(f"the generator failed: {done.stderr.strip()[-500:]}", generator)


def _texts(results: Path) -> dict[str, str]:
    """Each memo by its name. Two of the three edits are the oracle's own traps."""
    folder = demo_files("oracles")
    data = json.loads(results.read_text("utf-8"), parse_float=Decimal, parse_int=Decimal)
    edited = runpy.run_path(str(folder / "edit.py"), run_name="oracle_edit")["edited"]
    right = str(runpy.run_path(str(folder / "memo.py"), run_name="oracle_memo")["memo"](data))
    slips = _neighbour_for_total(edited("bps_as_percent", right, data))
    return {ORACLE: right, SLIPS: slips, WRONG: edited("fabricated_number", slips, data)}


def _neighbour_for_total(memo: str) -> str:
    """The memo with the largest part of the cost in the place of the total."""
    after, places = _COST.subn(r"\1\3\2", memo, count=1)
    if not places:
        raise TaskError("the oracle's memo no longer has the place that the demo edits")
    return after


class _Judged:
    """The task's own verification, on the fixtures of one seed."""

    def __init__(self, fixtures: Path) -> None:
        from pae_verifiers import config

        self._tests = demo_files("tasks") / "tests"
        settings = (self._tests / "verifier.yaml").read_text("utf-8")
        self._config = config.load(settings)
        self._texts = [self._below(fixtures, path) for path in self._config.sources]
        self.results = fixtures / self._config.results.lstrip("/")
        self._facts = self._load_facts()

    def memo(self, name: str, text: str) -> DemoMemo:
        from pae_verifiers import score
        from pae_verifiers.numbers import markdown
        from pae_verifiers.numbers.scanner import scan
        from pae_verifiers.numbers.tie import tie

        scored = score(
            text,
            self.results,
            self._tests / self._config.rubric,
            judge="rules",
            facts_config=self._tests / self._config.facts,
            sources=self._texts,
            numbers_weight=self._config.weights["numeric_consistency"],
            combine=self._config.combine,
        )
        return DemoMemo(name, text, scored, tie(scan(markdown.render(text)), self._facts))

    def _load_facts(self) -> Facts:
        from pae_verifiers.errors import SourcesError
        from pae_verifiers.numbers import facts
        from pae_verifiers.yamlfile import parse

        names = (self._tests / self._config.facts).read_text("utf-8")
        words = parse(names, self._config.facts, SourcesError).plain_mapping()
        return facts.load(self.results.read_text("utf-8"), words, texts=self._texts)

    @staticmethod
    def _below(folder: Path, path: str) -> str:
        return (folder / path.lstrip("/")).read_text("utf-8")
