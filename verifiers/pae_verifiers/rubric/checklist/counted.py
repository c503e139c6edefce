"""The checks that code decides, under every judge: ``by: code``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, cast

from pae_verifiers.rubric.checklist.model import Check, Finding, Layout, Verdict
from pae_verifiers.rubric.checklist.sections import Block, Response
from pae_verifiers.rubric.checklist.words import has_chinese_prose, has_han, words
from pae_verifiers.yamlfile import Node

Params = Mapping[str, object]


class Outcome(NamedTuple):
    """What a counter found, and why, in a sentence."""

    verdict: Verdict
    justification: str


class Counter(NamedTuple):
    """A built-in check: ``params`` reads its parameters, ``run`` decides.

    ``params`` gets the node in the rubric and the rubric's layout, and raises RubricError.
    ``may_be_na`` says that some responses are none of its business.
    """

    params: Callable[[Node, Layout], Params]
    run: Callable[[Response, Params], Outcome]
    may_be_na: bool = False


def decide(check: Check, response: Response) -> Finding:
    """The finding on one ``by: code`` check."""
    outcome = COUNTERS[check.count].run(response, check.params)
    return Finding(check, outcome.verdict, outcome.justification)


def section_name(node: Node, layout: Layout) -> str:
    """The section that a node names. Raises RubricError if the layout has none of that name."""
    return node.choice(tuple(layout.sections))


def _word_limits_params(node: Node, layout: Layout) -> Params:
    entries = node.fields(required=("section", "max"), optional=("part_max", "part_slack"))
    limits = {key: entries[key].integer() for key in entries if key != "section"}
    for key, least in (("max", 1), ("part_max", 1), ("part_slack", 0)):
        if limits.get(key, least) < least:
            raise entries[key].error(f"{key} must be at least {least}")
    if "part_slack" in limits and "part_max" not in limits:
        raise entries["part_slack"].error("part_slack is for a part_max")
    return {"section": section_name(entries["section"], layout), **limits}


def _word_limits(response: Response, params: Params) -> Outcome:
    """At most ``max`` words in all, and in no paragraph or bullet point above ``part_max``.

    ``part_slack`` is how far a part may go beyond, where the limit is given as an approximate one.
    """
    section, most = cast(str, params["section"]), cast(int, params["max"])
    total = sum(words(response.text(line)) for line in response.judged(section))
    parts = [words(response.text(part)) for part in response.body(section)]
    part_max = cast(int, params.get("part_max", most))
    slack = cast(int, params.get("part_slack", 0))
    about = "about " if slack else ""
    faults = [f"it is above {most}"] if total > most else []
    faults += [
        f"part {number} with {count} words is above {about}{part_max}"
        for number, count in enumerate(parts, start=1)
        if count > part_max + slack
    ]
    said = f"{section} is {total} words"
    if faults:
        return Outcome("FAIL", f"{said}; {'; '.join(faults)}.")
    return Outcome("PASS", f"{said}, its longest part {max(parts, default=0)}.")


def _language_blocks_params(node: Node, layout: Layout) -> Params:
    entries = node.fields(required=("section",))
    if len(layout.languages) < 2:
        raise node.error("the counter 'language_blocks' needs at least two response languages")
    return {"section": section_name(entries["section"], layout)}


def _language_blocks(response: Response, params: Params) -> Outcome:
    """A translated section has every header line, exact, in order, each with text below it.

    It is translated if it has a header, or one in another dress, or Chinese prose.
    """
    blocks = response.blocks(cast(str, params["section"]))
    headers = [block.header for block in blocks[1:]]
    loose = _chinese_before_translation(response, blocks)
    if not headers and not loose:
        return Outcome("N/A", "single-language response; no translation to lay out.")
    wanted = list(response.layout.languages)
    faults = [f"the header {header!r} is malformed" for header in headers if header not in wanted]
    for index, header in enumerate(wanted):
        places = [block for block in blocks[1:] if block.language == index]
        if not places:
            faults.append(f"there is no {header!r}")
        elif not any(response.text(line).strip() for block in places for line in block.lines):
            faults.append(f"nothing stands below {header!r}")
    order = [block.language for block in blocks[1:]]
    if order != sorted(set(order)):
        faults.append("the blocks are out of order or repeated")
    if loose:
        faults.append(f"translated text stands outside its block: {loose[:20]!r}")
    if faults:
        return Outcome("FAIL", f"{'; '.join(faults)}.")
    return Outcome("PASS", f"all {len(wanted)} blocks are there, in order, under exact headers.")


def _chinese_before_translation(response: Response, blocks: tuple[Block, ...]) -> str:
    """The first line with Chinese prose before the second language's header, or nothing."""
    for block in blocks:
        if block.language or has_han(response.layout.languages[0]):
            return ""
        for line in block.lines:
            if has_chinese_prose(response.text(line)):
                return response.text(line).strip()
    return ""


COUNTERS: Mapping[str, Counter] = {
    "word_limits": Counter(_word_limits_params, _word_limits),
    "language_blocks": Counter(_language_blocks_params, _language_blocks, may_be_na=True),
}
