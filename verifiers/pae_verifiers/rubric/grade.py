"""Put a rubric to a document: code decides what it can, the judge the rest, code the score."""

from __future__ import annotations

from dataclasses import replace

from pae_verifiers.judge.protocol import Judge, Judgement
from pae_verifiers.judge.steering import report
from pae_verifiers.rubric.model import Case, Grade, Rubric


def grade(rubric: Rubric, judge: Judge | None, case: Case) -> Grade:
    """Grade the case's document; ``judge`` may be None for a rubric that code decides alone.

    Raises ValueError for a judge that is missing or whose reply has faults, VerifierInputError
    where the task's files are at fault.
    """
    early = rubric.before(case)
    if early is not None:
        return _named(early, rubric, "code", case)
    judgement = Judgement()
    if rubric.size:
        if judge is None:
            raise ValueError("this rubric has questions for a judge, and there is none")
        judgement = judge.judge(rubric, case)
    if judgement.status == "scored":
        if rubric.size and (faults := rubric.faults(judgement.reply, case)):
            raise ValueError(f"the judge's reply cannot be used: {'; '.join(faults)}")
        graded = rubric.grade(judgement.reply, case)
    else:
        graded = Grade(None, judgement.status, judgement.reason)
    if judgement.record:
        graded = replace(graded, details={**graded.details, "judge_record": judgement.record})
    return _named(graded, rubric, judge.name if judge else "code", case)


def _named(grade: Grade, rubric: Rubric, judge: str, case: Case) -> Grade:
    score = None if grade.score is None else float(grade.score)
    head = {"judge": judge, "kind": rubric.kind, "score": score}
    steering = report(case.candidate.source)
    tail = {"steering": steering} if steering else {}
    return replace(grade, details={**head, **grade.details, **tail})
