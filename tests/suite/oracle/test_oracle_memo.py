"""The oracle's memo earns the whole reward on every seed, and reads like a memo."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from pae_verifiers import Score
from pae_verifiers.judge.rules import Candidate
from pae_verifiers.judge.steering import attempts
from pae_verifiers.numbers.markdown import render

HEADINGS = (
    "What changed and why",
    "Cost and tax impact",
    "What risks remain",
    "What would trigger the next rebalance",
)
Memo = Callable[[str], str]


def test_scores_one_on_200_seeds(
    rebalance_seeds: Any, oracle_memo: Memo, grade: Callable[[str, str, str], Score]
) -> None:
    assert len(rebalance_seeds) == 200
    short = {
        seed.seed: why
        for seed in rebalance_seeds
        if (why := shortfall(grade(oracle_memo(seed.text), seed.text, seed.policy_text)))
    }
    assert short == {}


def test_is_not_taken_for_an_attempt_to_steer_the_judge(
    rebalance_seeds: Any, oracle_memo: Memo
) -> None:
    found = {seed.seed: attempts(oracle_memo(seed.text)) for seed in rebalance_seeds}
    assert [seed for seed, steering in found.items() if steering] == []


def test_has_400_to_590_words(rebalance_seeds: Any, oracle_memo: Memo) -> None:
    words = [Candidate(render(oracle_memo(seed.text))).words() for seed in rebalance_seeds]
    assert min(words) >= 400
    assert max(words) <= 590


def test_has_the_four_sections_in_order(rebalance_seeds: Any, oracle_memo: Memo) -> None:
    for seed in rebalance_seeds:
        lines = oracle_memo(seed.text).splitlines()
        assert [line[3:] for line in lines if line.startswith("## ")] == list(HEADINGS)


def test_speaks_to_the_client_by_name(rebalance_seeds: Any, oracle_memo: Memo) -> None:
    for seed in rebalance_seeds:
        assert f"Dear {seed.results['client']['name']}," in oracle_memo(seed.text)


def test_wording_varies_between_clients(rebalance_seeds: Any, oracle_memo: Memo) -> None:
    openings = {oracle_memo(seed.text).split("\n\n")[2][:12] for seed in rebalance_seeds}
    assert len(openings) >= 3


def test_numbers_of_both_kinds_of_year_occur(rebalance_seeds: Any) -> None:
    """Both shapes that the memo words differently are among the seeds."""
    estimates = [seed.results["tax"]["estimate_usd"] for seed in rebalance_seeds]
    assert min(estimates) == 0 < max(estimates)


def shortfall(score: Score) -> str:
    """What keeps a score from 1.0, or ""."""
    if score.reward == 1.0:
        return ""
    numbers: Any = score.details.get("numbers", {"numbers": [], "missing_facts": []})
    rubric: Any = score.details.get("rubric", {"items": []})
    bad = [
        f"{n['text']} {n['verdict']} {n['reason']} {n['fact']}"
        for n in numbers["numbers"]
        if n["verdict"] in ("mismatch", "fabricated")
    ]
    failed = [
        f"{item['id']}: {item['rationale']}" for item in rubric["items"] if not item["passed"]
    ]
    return json.dumps([dict(score.metrics), bad, numbers["missing_facts"], failed, score.reason])
