"""verifier.yaml: what is read and what is refused."""

from __future__ import annotations

import pytest

from pae_verifiers.config import Config, Metric, load
from pae_verifiers.errors import VerifierInputError

FULL = """\
document: /app/output/memo.md
results: /app/output/results.json
sources: [/app/policy/ips.yaml]
facts: facts.yaml
rubric: rubric.yaml
combine: product
metrics:
  numeric_consistency: {weight: 0.7, check: numbers}
  judge_rubric: {weight: 0.3, check: rubric}
"""


def test_everything_is_read() -> None:
    assert load(FULL) == Config(
        document="/app/output/memo.md",
        results="/app/output/results.json",
        sources=("/app/policy/ips.yaml",),
        facts="facts.yaml",
        rubric="rubric.yaml",
        combine="product",
        metrics=(
            Metric("numeric_consistency", "numbers", 0.7),
            Metric("judge_rubric", "rubric", 0.3),
        ),
    )


def test_the_default_is_a_geometric_mean() -> None:
    assert load(FULL.replace("combine: product\n", "")).combine == "geometric"


def test_ten_tenths_sum_to_one() -> None:
    metrics = "".join(f"  m{n}: {{weight: 0.1, check: numbers}}\n" for n in range(10))
    assert len(load(f"document: /m.md\nresults: /r.json\nmetrics:\n{metrics}").metrics) == 10


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("weight: 0.3", "weight: 0.31", "verifier.yaml:7: the weights sum to 1.01, not 1"),
        ("weight: 0.3", "weight: 0", "verifier.yaml:9: expected a number above 0"),
        ("check: rubric", "check: rubrik", "verifier.yaml:9: 'rubrik' is not one of numbers, "
         "rubric; did you mean 'rubric'?"),
        ("product", "weighted_sum", "verifier.yaml:6: weighted_sum is only for tasks without a "
         "rubric"),
        ("rubric: rubric.yaml\n", "", "verifier.yaml:6: a metric with 'check: rubric' needs the "
         "key 'rubric'"),
        ("results: /app/output/results.json\n", "", "verifier.yaml:6: a metric with 'check: "
         "numbers' needs the key 'results'"),
        ("/app/output/memo.md", "memo.md", "verifier.yaml:1: 'memo.md' is not an absolute path"),
        ("/app/policy/ips.yaml", "/app/../etc", "verifier.yaml:3: '/app/../etc' is not an absolute "
         "path"),
        ("facts.yaml", "../facts.yaml", "verifier.yaml:4: '../facts.yaml': expected the name of a "
         "file beside verifier.yaml"),
        ("judge_rubric", "reward", "verifier.yaml:9: 'reward' cannot be a metric's name"),
        ("document: /app/output/memo.md\n", "", "verifier.yaml:1: the key 'document' is missing"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_refused_with_its_line(old: str, new: str, message: str) -> None:
    assert old in FULL
    with pytest.raises(VerifierInputError) as caught:
        load(FULL.replace(old, new, 1))
    assert str(caught.value) == message
