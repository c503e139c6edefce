"""``pae export harbor``: write tasks, one a seed, that run under Harbor."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pae_harness import options
from pae_harness.config import read_config
from pae_harness.console import reader_may_leave
from pae_harness.errors import UsageError
from pae_harness.settings import Resolved, resolve

if TYPE_CHECKING:
    from pae_harness.harbor.export import Terms
    from pae_verifiers.judge.models import Model

FORMATS = ("harbor",)


def main(args: argparse.Namespace) -> int:
    """Exit code 0; UsageError for a folder that holds something, TaskError for a broken task."""
    settings = resolve(options.EXPORT_OPTIONS, args, config=read_config(Path.cwd()))
    check_format(args.format)
    terms = terms_of(args)
    return export(args.folder, args.task, settings, terms, as_json=args.json, quiet=args.quiet)


def check_format(name: str) -> None:
    """Raises UsageError for a format that is not written here."""
    from pae_harness.nearest import nearest

    if name not in FORMATS:
        near = nearest(name, FORMATS)
        hint = f"did you mean {near}?" if near else f"known is {', '.join(FORMATS)}"
        raise UsageError(f"there is no export {name!r}; {hint}")


def terms_of(args: argparse.Namespace) -> Terms:
    """What ``--judge``, ``--base-image`` and ``--wheels`` say. Raises UsageError for nonsense."""
    from pae_harness.harbor import export_images, export_wheels
    from pae_harness.harbor.export import Terms

    base = args.base_image or export_images.STOCK
    if any(character.isspace() for character in base):
        raise UsageError(f"--base-image: {base!r} cannot be an image's name")
    if args.wheels is None:
        # Of another image nothing is known: it may be any Python that there is a verifier for.
        targets = export_wheels.STOCK if base == export_images.STOCK else export_wheels.ALL
    else:
        try:
            targets = export_wheels.parse_targets(args.wheels)
        except ValueError as error:
            raise UsageError(f"--wheels: {error}") from error
    return Terms(base, targets, judge_of(args.judge))


def judge_of(text: str) -> Model | None:
    """The model that is to judge; None for the rules judge.

    Raises UsageError for anything else, and for a server that no container can reach.
    """
    if text == "rules":
        return None
    from pae_verifiers.errors import VerifierInputError
    from pae_verifiers.judge import models

    try:
        model = models.parse(text)
    except VerifierInputError as error:
        raise UsageError(f"--judge: {error}; or rules, the stand-in") from error
    if models.is_loopback(model.base_url):
        raise UsageError(
            f"--judge: {model.base_url} is this machine's loopback, which no container reaches; "
            "give an address of the server that they do"
        )
    return model


def export(
    folder: Path,
    names: list[str],
    settings: Resolved,
    terms: Terms,
    *,
    as_json: bool,
    quiet: bool,
) -> int:
    """Write the tasks of these names on the seeds of ``settings`` into ``folder``."""
    from pae_harness.cache import require_cache
    from pae_harness.disk import refusal, remedy
    from pae_harness.fixtures import fixtures, require_inputs
    from pae_harness.harbor.export import claim, export_task
    from pae_harness.harbor.external_model import HarborTask
    from pae_harness.runs.plan import parse_seeds
    from pae_harness.runs.session import select_tasks
    from pae_harness.sandbox import open_sandbox
    from pae_harness.tasks.digests import tree_digest

    seeds = parse_seeds(settings["seeds"])
    tasks = select_tasks(names, settings["tasks"])
    for task in tasks:
        if isinstance(task, HarborTask):
            raise UsageError(f"{task.path} is a Harbor task already: it needs no export")
        task.check_judge("rules" if terms.model is None else str(terms.model))
    rows = []
    try:
        claim(folder)
        require_cache()
        sandbox = open_sandbox(settings["sandbox"], _tell)
        for task in tasks:
            for seed in seeds:
                tree = fixtures(task.path / "environment", seed, sandbox)
                require_inputs(task, tree, seed)
                made = export_task(task, seed, tree, folder, terms)
                digest = tree_digest(made)
                rows.append({"task": task.name, "seed": seed, "path": str(made), "digest": digest})
                if not quiet:
                    sys.stderr.write(f"{made}\n")
    except OSError as error:
        why = remedy(error, "give another folder")
        raise UsageError(f"cannot write the export: {refusal(error, folder)}; {why}") from error
    with reader_may_leave():
        _report(folder, rows, terms, as_json)
    return 0


def _tell(sentence: str) -> None:
    sys.stderr.write(f"pae: {sentence}\n")


def _report(folder: Path, rows: list[dict[str, object]], terms: Terms, as_json: bool) -> None:
    judge = "rules" if terms.model is None else str(terms.model)
    if as_json:
        report = {"judge": judge, "base_image": terms.base_image, "tasks": rows}
        json.dump(report, sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
        return
    count = f"{len(rows)} task" + "s" * (len(rows) != 1)
    stand_in = ", a stand-in: not for publishing" if terms.model is None else ""
    sys.stdout.write(
        f"{count} for Harbor in {folder}; on {terms.base_image}; judge {judge}{stand_in}\n"
    )
