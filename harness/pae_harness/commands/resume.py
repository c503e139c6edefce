"""``pae resume``: run what is missing of a run that ended early."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pae_harness import options
from pae_harness.commands import run as run_command
from pae_harness.commands.run import Report, exit_code, show, show_plan
from pae_harness.runs.aggregate import aggregate
from pae_harness.runs.folder import RunFolder
from pae_harness.runs.progress import Progress
from pae_harness.runs.read import missing, read_log
from pae_harness.runs.resuming import (
    note,
    read_run,
    recover,
    require_the_same,
    require_the_same_verifier,
    saved_settings,
    session_of,
)
from pae_harness.runs.session import Finished, Session, open_for, run_in
from pae_harness.settings import Resolved, resolve

OPTIONS = (options.TASKS, options.ALLOW_CHANGED, *options.RESUME_OPTIONS)


def main(args: argparse.Namespace) -> int:
    """Exit code as `pae run` has it, of the whole run."""
    path = args.run.resolve()  # runs/latest may come to point elsewhere
    described = read_run(path)
    flags = resolve(OPTIONS, args, environ={})
    settings = saved_settings(described, run_command.OPTIONS, flags)
    session = session_of(described, settings, flags["tasks"])
    if not flags["allow_changed"]:
        require_the_same(described, session)
    todo = missing([trial.path for trial in session.trials], read_log(path).results)
    if flags["dry_run"]:
        trials = [trial for trial in session.trials if trial.path in todo]
        return show_plan(replace(session, trials=trials), args.json)
    finished = (
        _go_on(path, described, session, flags, args.quiet) if todo else _whole(path, session)
    )
    ended = [result for _, result in finished.results]
    figures = aggregate(ended, settings["pass_at"]) if ended else None
    report = Report(finished, figures, described["sandbox"], session.judge, settings["min_reward"])
    show(report, args.json)
    return exit_code(finished, figures, settings["min_reward"])


def _go_on(
    path: Path, described: Mapping[str, Any], session: Session, flags: Resolved, quiet: bool
) -> Finished:
    sandbox = open_for(session, described["sandbox"])
    if not flags["allow_changed"]:
        require_the_same_verifier(described, sandbox)
    folder = RunFolder.reopen(path)
    try:
        done = recover(folder, session)
        todo = missing([trial.path for trial in session.trials], done)
        if todo:
            note(folder, described, session, sandbox, flags)
        finished = {path: result for path, result in done.items() if path not in todo}
        return run_in(
            folder,
            session,
            sandbox,
            Progress(session.trials, session.judge, quiet=quiet, done=finished),
            failed=lambda trial, result: result.outcome != "scored",
            done=done,
        )
    finally:
        folder.close()


def _whole(path: Path, session: Session) -> Finished:
    sys.stderr.write(f"pae: nothing is missing of {path}\n")
    done = read_log(path).results
    return Finished(path, [(trial, done[trial.path]) for trial in session.trials])
