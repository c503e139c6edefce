"""Documents that people wrote honestly, from the instruction and the fixtures alone.

Each lies beside the data it was written from, so that it stays honest when the generator changes.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pae_verifiers import score

TESTS = Path(__file__).parents[2] / "tasks" / "pf-judg-rebalance-memo" / "tests"
MEMOS = sorted((Path(__file__).parent / "honest").iterdir())


@pytest.mark.parametrize("folder", MEMOS, ids=lambda folder: folder.name)
def test_an_honest_memo_ties_out(folder: Path) -> None:
    scored = score(
        (folder / "memo.md").read_bytes(),
        folder / "results.json",
        TESTS / "rubric.yaml",
        facts_config=TESTS / "facts.yaml",
        sources=[(folder / "ips.yaml").read_text(encoding="utf-8")],
    )
    numbers = scored.details["numbers"]
    assert isinstance(numbers, dict)
    misses = [
        (n["text"], n["verdict"], n["reason"], n["fact"])
        for n in numbers["numbers"]
        if n["verdict"] in ("mismatch", "fabricated")
    ]
    assert (misses, numbers["missing_facts"]) == ([], [])
    assert scored.metrics["numeric_consistency"] == 1.0
    assert scored.metrics["judge_rubric"] == 1.0
