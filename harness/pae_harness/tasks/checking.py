"""All static checks of a task folder; nothing of it is executed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from pae_harness.errors import TaskError
from pae_harness.tasks import check_files, check_record, check_rubric, check_scoring, check_traps
from pae_harness.tasks.draft import Draft, read_draft
from pae_harness.tasks.external import is_external

CHECKS: tuple[Callable[[Draft], Iterator[TaskError]], ...] = (
    check_files.plain_files,
    check_files.required_files,
    check_files.test_script,
    check_files.fixtures,
    check_files.standard_library,
    check_files.image,
    check_record.folder_name,
    check_record.receipt,
    check_record.artifacts,
    check_scoring.weights,
    check_scoring.metric_checks,
    check_scoring.paths,
    check_scoring.facts,
    check_rubric.items,
    check_rubric.as_the_verifier_reads_it,
    check_rubric.inputs,
    check_rubric.rules,
    check_traps.trap_names,
    check_traps.trap_expectations,
)


def check(folder: Path, *, oracles: Path | None = None) -> list[TaskError]:
    """Everything that is wrong with a task folder, sorted by file and line; empty if nothing is.

    ``oracles`` is the folder of oracle folders; by default the one beside the task's parent. Of a
    folder that is Harbor's, what keeps it from being run here.
    """
    if is_external(folder):
        from pae_harness.harbor.external_load import problems

        return problems(folder.absolute())
    return check_draft(read_draft(folder.absolute(), oracles))


def check_draft(draft: Draft) -> list[TaskError]:
    """What is wrong with the files of ``draft``, singly and together."""
    if not draft.folder.is_dir():
        return [TaskError("is not a task folder", draft.folder)]
    found = {str(error): error for error in draft.problems}
    for one in CHECKS:
        for error in one(draft):
            found.setdefault(str(error), error)
    return sorted(found.values(), key=lambda error: (str(error.path), error.line or 0))
