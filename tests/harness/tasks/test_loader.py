from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from pae_harness.errors import TaskError
from pae_harness.tasks import (
    EnvironmentLimits,
    Expect,
    Input,
    Metadata,
    Output,
    Trap,
    load,
)
from pae_verifiers.config import Config, Metric


def test_the_record(sample: Any) -> None:
    task = load(sample.task)
    assert (task.name, task.path, task.version) == ("sample-note", sample.task, "1.0.0")
    assert task.description == "Write a short note on one trade."
    assert task.keywords == ("sample", "note")
    assert task.metadata == Metadata(
        theme="Samples",
        tier=1,
        reward_type="llm-judge-hybrid",
        status="draft",
        traps=("invented_number", "market_forecast"),
        inputs=(
            Input("/app/data/results.json", "The trade."),
            Input("/app/data/policy.yaml"),
        ),
        outputs=(Output("/app/output/note.md", "Markdown", "The note."),),
    )
    assert task.outputs == ("/app/output/note.md",)


def test_the_limits(sample: Any) -> None:
    task = load(sample.task)
    assert (task.agent_timeout_sec, task.verifier_timeout_sec) == (60.0, 30.0)
    assert task.environment == EnvironmentLimits(
        cpus=0.5, memory_mb=512, storage_mb=64, build_timeout_sec=120.0
    )
    assert task.verifier_env == {"JUDGE_API_KEY": "${JUDGE_API_KEY:-}"}
    assert not task.installs_software


def test_limits_that_are_not_given(sample: Any) -> None:
    path: Path = sample.task / "task.toml"
    path.write_text(path.read_text().partition("[environment]")[0])
    assert load(sample.task).environment == EnvironmentLimits(
        cpus=1.0, memory_mb=2048, storage_mb=1024, build_timeout_sec=600.0
    )


def test_the_verifier(sample: Any) -> None:
    assert load(sample.task).verifier == Config(
        document="/app/output/note.md",
        results="/app/data/results.json",
        sources=("/app/data/policy.yaml",),
        facts="facts.yaml",
        rubric="rubric.yaml",
        combine="geometric",
        metrics=(
            Metric("numeric_consistency", "numbers", 0.7),
            Metric("judge_rubric", "rubric", 0.3),
        ),
    )


def test_the_traps_in_the_order_of_the_record(sample: Any) -> None:
    sample.edit(
        "task.toml",
        '["invented_number", "market_forecast"]',
        '["market_forecast", "invented_number"]',
    )
    assert load(sample.task).traps == (
        Trap(
            name="market_forecast",
            description="Says where markets are heading.",
            metric="judge_rubric",
            min_loss=0.05,
            expect=Expect(item="market_forecast"),
        ),
        Trap(
            name="invented_number",
            description="Cites a number that is nowhere in the data.",
            metric="numeric_consistency",
            min_loss=0.5,
            expect=Expect(verdict="fabricated"),
        ),
    )


def test_a_trap_by_its_name(sample: Any) -> None:
    task = load(sample.task)
    assert task.trap("market_forecast") == task.traps[1]
    assert task.trap("market_forecasts") is None


def test_the_conventions_follow_the_instruction(sample: Any) -> None:
    assert load(sample.task).instruction_for_agent == (
        "# Write the note\n\nWrite /app/output/note.md.\n\n"
        "# Conventions\n\nCite numbers as the data has them.\n"
    )


def test_a_suite_without_conventions(sample: Any) -> None:
    (sample.root / "tasks" / "CONVENTIONS.md").unlink()
    assert load(sample.task).instruction_for_agent == (
        "# Write the note\n\nWrite /app/output/note.md.\n"
    )


def test_the_first_problem_is_raised(sample: Any) -> None:
    sample.edit("task.toml", "timeout_sec = 60.0", "timeout_secs = 60.0")
    with pytest.raises(TaskError) as caught:
        load(sample.task)
    assert str(caught.value) == (
        f"{sample.task}/task.toml:26: unknown key 'timeout_secs' in [agent]; "
        "did you mean 'timeout_sec'?"
    )
    assert (caught.value.path, caught.value.line) == (sample.task / "task.toml", 26)
    assert caught.value.exit_code == 2


def test_an_oracle_in_another_folder(sample: Any, tmp_path: Path) -> None:
    (sample.root / "oracles").rename(tmp_path / "secrets")
    task = load(sample.task, oracles=tmp_path / "secrets")
    assert task.oracle == tmp_path / "secrets" / "sample-note"
    with pytest.raises(TaskError, match=r"oracles/sample-note/solve.sh: is missing"):
        load(sample.task)


def test_an_oracle_in_the_task_itself(sample: Any) -> None:
    before = load(sample.task)
    sample.oracle.rename(sample.task / "solution")
    task = load(sample.task)
    assert task.oracle == sample.task / "solution"
    assert task.digests == before.digests


def test_a_task_without_traps(sample: Any) -> None:
    sample.edit("task.toml", '["invented_number", "market_forecast"]', "[]")
    sample.remove("oracle:traps.toml").remove("oracle:traps")
    assert load(sample.task).traps == ()


def test_a_task_without_a_rubric(sample: Any) -> None:
    sample.edit("tests/verifier.yaml", "rubric: rubric.yaml\n", "")
    sample.edit("tests/verifier.yaml", "  judge_rubric: {weight: 0.3, check: rubric}\n", "")
    sample.edit("tests/verifier.yaml", "weight: 0.7", "weight: 1")
    sample.edit("tests/verifier.yaml", "combine: geometric", "combine: weighted_sum")
    sample.remove("tests/rubric.yaml").remove("tests/rules.py")
    sample.edit("task.toml", ', "market_forecast"]', "]")
    sample.remove("oracle:traps/market_forecast.sh")
    text: str = (sample.oracle / "traps.toml").read_text()
    sample.write("oracle:traps.toml", text.partition("[market_forecast]")[0])
    task = load(sample.task)
    assert task.verifier.rubric == ""
    assert task.verifier.metrics == (Metric("numeric_consistency", "numbers", 1.0),)
    assert task.verifier.combine == "weighted_sum"


def test_weights_are_summed_as_they_are_written(sample: Any) -> None:
    sample.edit("tests/rubric.yaml", "weight: 0.7", "weight: 0.4")
    sample.edit(
        "tests/rubric.yaml",
        "  - id: market_forecast",
        "  - {id: short, role: required, weight: 0.3, by: code, check: max_words, "
        "params: {max: 9}, text: Short.}\n  - id: market_forecast",
    )
    assert 0.1 + 0.2 + 0.4 + 0.3 == 1.0 and 0.1 + 0.2 != 0.3
    load(sample.task)


def test_a_task_cannot_be_changed(sample: Any) -> None:
    task = load(sample.task)
    with pytest.raises(dataclasses.FrozenInstanceError):
        task.name = "other"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("changed", "digests"),
    [
        ("environment/generate.py", {"environment", "task"}),
        ("tests/rubric.yaml", {"tests", "task"}),
        ("instruction.md", {"task", "instruction"}),
        ("../CONVENTIONS.md", {"instruction"}),
        ("oracle:solve.sh", {"oracle"}),
        ("oracle:traps/market_forecast.sh", {"oracle"}),
        ("oracle:receipt.json", set()),
    ],
)
def test_what_a_change_does_to_the_digests(sample: Any, changed: str, digests: set[str]) -> None:
    before = dataclasses.asdict(load(sample.task).digests)
    path: Path = sample.path(changed)
    path.write_text((path.read_text() if path.exists() else "") + "\n# more\n")
    after = dataclasses.asdict(load(sample.task).digests)
    assert {name for name in after if after[name] != before[name]} == digests
