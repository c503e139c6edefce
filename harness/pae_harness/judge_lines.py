"""What ``pae judge`` prints: a judgement of any rubric's kind, line by line, for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pae_harness.coloured import LineNumbers
from pae_harness.oneline import printable, shortened

if TYPE_CHECKING:
    from pae_verifiers.rubric.model import Grade

GOOD, BAD, ASIDE = "green", "red", "dim"
Line = tuple[str, str]  # and its style


def headline(graded: Grade) -> str:
    """``scored 0.375, FAIL (judge gm@openai)``, or the status with its reason."""
    if graded.score is None:
        return printable(f"{graded.status}: {graded.reason}")
    judgment = graded.details.get("judgment")
    shown = f"scored {float(graded.score):.3f}{f', {judgment}' if judgment else ''}"
    return printable(f"{shown} (judge {graded.details['judge']})")


def lines(details: Mapping[str, Any], source: str) -> Iterator[Line]:
    """Each item or dimension with its reason and evidence; whatever else is worth a line."""
    line_of = LineNumbers(source)
    for judge in details.get("judges", ()):
        score = "no score" if judge["score"] is None else f"{judge['score']:.3f}"
        yield printable(f"  {judge['judge']}: {score}"), ""
        for line, style in lines(judge, source):
            yield f"  {line}", style
    for item in details.get("items", ()):
        yield from _answer("passed" if item["passed"] else "failed", item, item["passed"], line_of)
    for dimension in details.get("dimensions", ()):
        yield from _dimension(dimension, details, line_of)
    for dimension in details.get("bonus", ()):
        mark = f"bonus {dimension['score']}/{dimension['max']}"
        yield from _answer(mark, dimension, True, line_of)
    for flag in details.get("flags", ()):
        mark = "raised" if flag["raised"] else "not raised"
        yield from _answer(mark, flag, not flag["raised"], line_of)
    for key in ("overall_rationale", "general_comments"):
        for text in details.get(key, "").splitlines():
            yield f"  {printable(text)}", ""
    for text in details.get("disagreements", ()):
        yield f"  disagreement: {printable(text)}", "yellow"
    for attempt in details.get("steering", ()):
        where = line_of(attempt["start"])
        yield f"  to the judge, line {where}: {shortened(attempt['text'], 100)}", "yellow"
    if record := details.get("judge_record"):
        yield _asked(record), ASIDE


def _dimension(
    dimension: Mapping[str, Any], details: Mapping[str, Any], line_of: LineNumbers
) -> Iterator[Line]:
    most = dimension.get("max", details.get("max_attainable"))
    mark = f"{dimension['score']}/{most}"
    if "feedback" not in dimension:
        yield from _answer(mark, dimension, dimension["passed"], line_of)
        return
    yield f"  {mark} {dimension['id']}", GOOD if dimension["score"] == most else BAD
    for text in dimension["feedback"].splitlines():
        yield f"    {printable(text)}", ""
    for part in (*dimension["checks"], *dimension["deductions"]):
        yield from _evidence(part, line_of, f"{part['name']}: ")


def _answer(
    mark: str, answer: Mapping[str, Any], good: bool, line_of: LineNumbers
) -> Iterator[Line]:
    said = printable(answer["rationale"])
    yield f"  {mark} {answer['id']}: {said}", GOOD if good else BAD
    yield from _evidence(answer, line_of)


def _evidence(answer: Mapping[str, Any], line_of: LineNumbers, before: str = "") -> Iterator[Line]:
    for quote in answer["evidence"]:
        line = line_of(quote["start"])
        yield f"    {printable(before)}line {line}: {shortened(quote['text'], 200)}", ASIDE


def _asked(record: Mapping[str, Any]) -> str:
    model = record["fingerprint"]["model"]
    count = len(record["attempts"])
    if not count:
        return printable(f"  asked {model['requested']}, nobody answered")
    parts = [f"asked {model['requested']}, {model['resolved'] or 'somebody'} answered"]
    parts.append(f"{count} {'reply' if count == 1 else 'replies'}")
    usage = record["usage"]
    if {"prompt_tokens", "completion_tokens"} <= usage.keys():
        parts.append(f"{usage['prompt_tokens']} + {usage['completion_tokens']} tokens")
    if record["dropped"]:
        parts.append(f"without {', '.join(record['dropped'])}")
    return printable(f"  {'; '.join(parts)}")
