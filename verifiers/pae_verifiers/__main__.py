"""What a task's ``tests/test.sh`` runs: read the task and the document, write the reward.

Exit status: 0 with reward.json; 2 where the task's own files or the judge's settings are at fault;
3 where a model judge gave no reply that can be used, or none in time. 2 and 3 come with one
sentence on stderr. Only 0 leaves a reward.json; 0 and 3 leave a details.json.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pae_verifiers import budget, config, details, files, reference
from pae_verifiers.errors import DocumentError, SourcesError, VerifierInputError
from pae_verifiers.verify import Score, Sources, not_evaluable, parse_results, verify

if TYPE_CHECKING:
    from pae_verifiers.judge.protocol import Judge
    from pae_verifiers.rubric.model import Rubric


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verification and return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python3 -m pae_verifiers",
        allow_abbrev=False,
        formatter_class=partial(argparse.HelpFormatter, width=100),  # or it looks at the terminal
    )
    for name in ("tests", "fixtures", "outputs", "logs"):
        parser.add_argument(f"--{name}", type=Path, required=True, metavar="DIR")
    options = parser.parse_args(arguments)
    reward = options.logs / "reward.json"
    try:
        options.logs.mkdir(parents=True, exist_ok=True)
        reward.unlink(missing_ok=True)
        score = run(options.tests, options.fixtures, options.outputs, _judge_name())
    except VerifierInputError as error:
        sys.stderr.write(f"pae_verifiers: {error}\n")
        return 2
    files.write(options.logs / "details.json", details.dump(score.details))
    if score.reward is None:
        sys.stderr.write(f"pae_verifiers: quarantined: {score.reason}\n")
        return 3
    files.write(reward, details.dump(score.reward_json()))
    return 0


def run(tests: Path, fixtures: Path, outputs: Path, judge: str = "rules") -> Score:
    """Verify what lies under ``outputs``; results and sources come from ``fixtures`` alone.

    The task's files are read first, so that a broken task is never taken for a bad document.
    Raises VerifierInputError for those.
    """
    settings = config.load(files.read_input(tests, "verifier.yaml"))
    sources = _sources(settings, tests, fixtures)
    rubric, chosen = _rubric(settings, tests, judge)
    try:
        data = files.read_document(outputs, settings.document)
        if data is None:
            return not_evaluable(settings, f"there is no {settings.document}")
        with budget.bounded():
            score = verify(data, settings, sources, rubric, chosen, _present(rubric, outputs))
            details.check_size(score.details)
            return score
    except DocumentError as error:
        return not_evaluable(settings, str(error))


def _sources(settings: config.Config, tests: Path, fixtures: Path) -> Sources:
    from pae_verifiers.numbers import facts
    from pae_verifiers.yamlfile import parse

    results = files.read_input(fixtures, settings.results) if settings.results else "{}"
    texts = [files.read_input(fixtures, path) for path in settings.sources]
    names = None
    if settings.facts:
        text = files.read_input(tests, settings.facts)
        names = parse(text, settings.facts, SourcesError).plain_mapping()
    return Sources(
        facts.load(results, names, texts=texts),
        parse_results(results, settings.results),
        reference.find(tests),
    )


def _rubric(settings: config.Config, tests: Path, judge: str) -> tuple[Rubric | None, Judge | None]:
    from pae_verifiers.judge import select

    select.check(judge)
    if not settings.rubric:
        return None, None
    from pae_verifiers.rubric.load import load

    rubric = load(files.read_input(tests, settings.rubric), settings.rubric)
    return rubric, select.select(judge, tests, rubric) if rubric.size else None


def _present(rubric: Rubric | None, outputs: Path) -> frozenset[str]:
    wanted = rubric.files if rubric else ()
    return frozenset(path for path in wanted if files.is_plain_file(outputs, path))


def _judge_name() -> str:
    return os.environ.get("PAE_JUDGE", "") or "rules"


if __name__ == "__main__":
    gc.disable()  # a process this short leaves the collector nothing worth looking for,
    status = main()
    gc.freeze()  # and at its end neither
    sys.exit(status)
