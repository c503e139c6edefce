"""``pae judge``: put a rubric to any document."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pae_harness import options
from pae_harness.config import read_config
from pae_harness.console import reader_may_leave, stdout_console
from pae_harness.documents import is_plain, read_text
from pae_harness.errors import UsageError
from pae_harness.judge_lines import headline, lines
from pae_harness.nearest import nearest
from pae_harness.settings import resolve
from pae_verifiers.errors import VerifierInputError

if TYPE_CHECKING:
    from pae_verifiers.judge.protocol import Judge, Judgement
    from pae_verifiers.rubric.model import Case, Grade, Rubric

NEGATIVE, UNJUDGED = 1, 3


def main(args: argparse.Namespace) -> int:
    """0 where the document is scored; 1 where it fails a threshold or cannot be evaluated; 3 where
    the judge gave no reply of use. Raises UsageError for files, rubrics and judges of no use.
    """
    path = rubric_path(args.rubric)
    try:
        graded, own, source = _judged(args, path)
    except VerifierInputError as error:
        raise UsageError(str(error)) from error
    with reader_may_leave():
        if args.native and graded.status == "quarantined":
            sys.stderr.write(f"pae: {headline(graded)}\n")
        elif args.native:
            sys.stdout.write(f"{own}\n")
        elif args.json:
            json.dump(report(path.stem, graded), sys.stdout, ensure_ascii=False, indent=2)
            sys.stdout.write("\n")
        else:
            _show(graded, source, quiet=args.quiet)
    return _exit_code(graded)


def rubric_path(name: str) -> Path:
    """The file ``name``, or the shipped rubric of that name. Raises UsageError, listing those."""
    if Path(name).is_file():
        return Path(name)
    from pae_verifiers.rubric.load import shipped_names, shipped_path

    shipped = shipped_names()
    if name in shipped:
        return shipped_path(name)
    near = nearest(name, shipped)
    hint = f"did you mean {near}?" if near else f"those that come with pae: {', '.join(shipped)}"
    raise UsageError(f"there is no rubric {name}: neither a file nor a name; {hint}")


def report(rubric: str, graded: Grade) -> dict[str, Any]:
    """The object of ``pae judge --json``."""
    head = {"rubric": rubric, "status": graded.status, "reason": graded.reason}
    return {**head, **graded.details}


def _judged(args: argparse.Namespace, path: Path) -> tuple[Grade, str, str]:
    """The grade, the output of the kind's own where it is asked for, the document's source."""
    from pae_verifiers.rubric.grade import grade
    from pae_verifiers.rubric.load import load

    rubric = load(read_text(path), path.name)
    native = getattr(rubric, "native", None)
    if args.native and native is None:
        raise UsageError(f"--native: a rubric of the kind {rubric.kind!r} has no output of its own")
    case = _case(args, rubric)
    judge = _Kept(_judge(args, path, rubric)) if rubric.size else None
    second = None if args.second is None else _second(args, path, rubric)
    graded = grade(rubric, judge, case)
    if second is not None and graded.details["judge"] != "code":
        from pae_harness.two_judges import together

        graded = together(graded, grade(rubric, second, case))
    own = graded.reason  # the kind's fixed sentence, where there is nothing to judge
    if native is not None and args.native and graded.status == "scored":
        reply = judge.judgement.reply if judge and judge.judgement else {}
        own = json.dumps(native(reply, case), ensure_ascii=False, indent=2)
    return graded, own, case.candidate.source


def _case(args: argparse.Namespace, rubric: Rubric) -> Case:
    from pae_verifiers.judge.candidate import Candidate
    from pae_verifiers.numbers import markdown, plain
    from pae_verifiers.rubric.model import Case
    from pae_verifiers.verify import parse_results

    text = read_text(args.file)
    document = plain.render(text) if is_plain(args.file) else markdown.render(text)
    facts: Mapping[str, Any] = {}
    if args.results is not None:
        facts = parse_results(read_text(args.results), str(args.results))
    name = Path(args.file).name
    return Case(
        Candidate(document),
        facts,
        context=_given(args.context),
        reference=_given(args.reference),
        present=frozenset(file for file in rubric.files if Path(file).name == name),
    )


def _given(path: Path | None) -> Any:
    """A context or a reference: data or text, by the file's name; None where there is none."""
    from pae_verifiers import reference

    return None if path is None else reference.from_text(read_text(path), str(path))


def _judge(args: argparse.Namespace, path: Path, rubric: Rubric) -> Judge:
    """The judge asked for; without a word on it, the rules beside the rubric."""
    wanted = resolve((options.JUDGE,), args, os.environ, read_config(Path.cwd()))
    name = wanted["judge"] or ("rules" if (path.parent / "rules.py").is_file() else "")
    if not name:
        raise UsageError(
            "nobody is named to judge: give --judge NAME@PROVIDER, with the model's key in "
            "JUDGE_API_KEY"
        )
    return _named(name, args, path, rubric)


def _second(args: argparse.Namespace, path: Path, rubric: Rubric) -> Judge:
    if rubric.kind != "points":
        raise UsageError(f"--second: two judges are for the kind 'points', not {rubric.kind!r}")
    return _named(args.second, args, path, rubric)


def _named(name: str, args: argparse.Namespace, path: Path, rubric: Rubric) -> Judge:
    from pae_verifiers.judge.prompts import load
    from pae_verifiers.judge.select import select

    system = None if args.system is None else read_text(args.system)
    return select(name, path.parent, rubric, prompt=load(args.prompt, system))


class _Kept:
    """A judge whose judgement is kept, for what is made of the reply itself."""

    def __init__(self, judge: Judge) -> None:
        self._judge, self.name = judge, judge.name
        self.judgement: Judgement | None = None

    def judge(self, rubric: Rubric, case: Case) -> Judgement:
        self.judgement = self._judge.judge(rubric, case)
        return self.judgement


def _show(graded: Grade, source: str, *, quiet: bool) -> None:
    from rich.text import Text

    console = stdout_console(soft_wrap=True)
    console.print(Text(headline(graded)))
    if not quiet:
        for line, style in lines(graded.details, source):
            console.print(Text(line, style))


def _exit_code(graded: Grade) -> int:
    if graded.status == "quarantined":
        return UNJUDGED
    failed = graded.status == "not_evaluable" or graded.details.get("judgment") == "FAIL"
    return NEGATIVE if failed else 0
