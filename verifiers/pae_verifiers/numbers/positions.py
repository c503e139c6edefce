"""markdown-it with exact source positions: the parser itself keeps only lines, and those of blocks.

Two joints are used. The inline parser's loop is ours, so every token can be marked with the range
that its rule consumed; and every leaf block rule is wrapped, so that a block remembers where the
text of each of its lines begins, past quote marks, list markers and indentation.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.ruler import Ruler
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType

# Deeper nesting than any reader follows; beyond it the parser drops text, see markdown.py.
MAX_NESTING = 40

# The leaf rules of CommonMark and tables, and the rules that each may interrupt.
_LEAF_RULES = {
    "table": ["paragraph", "reference"],
    "code": [],
    "fence": ["paragraph", "reference", "blockquote", "list"],
    "reference": [],
    "html_block": ["paragraph", "reference", "blockquote"],
    "heading": ["paragraph", "reference", "blockquote"],
    "lheading": [],
    "paragraph": [],
}

# The rules of blocks that hold blocks, likewise.
_CONTAINER_RULES = {
    "blockquote": ["paragraph", "reference", "blockquote", "list"],
    "hr": ["paragraph", "reference", "blockquote", "list"],
    "list": ["paragraph", "reference", "blockquote"],
}
# What a line must begin with for a rule to apply. Rules find that out themselves, but slowly.
_BEGINNINGS = {
    "fence": "`~", "reference": "[", "html_block": "<", "heading": "#", "blockquote": ">",
    "hr": "*-_", "list": "*-+0123456789", "table": "|-:",
}  # fmt: skip
# What no rule of ours begins with; the parser's own text rule stops at many more characters.
_STRETCH = re.compile(r"[^\n!&*<\[\\\]_`~]+")
# Lines of nothing else; white space at a line's end or beginning is not shown as it is written.
_LINES = re.compile(r"[^\n!&*<\[\\\]_`~]++(?>(?:(?<![ \t])\n(?![ \t])[^\n!&*<\[\\\]_`~]++)*)")

# And what an inline rule's text begins with.
_INLINE_BEGINNINGS = {
    "newline": "\n", "escape": "\\", "backticks": "`", "strikethrough": "~", "emphasis": "*_",
    "link": "[", "image": "!", "autolink": "<", "html_inline": "<", "entity": "&",
}  # fmt: skip
# A line that may underline a heading ends so.
_UNDERLINE = re.compile(r"[-=][ \t]*$", re.MULTILINE)
InlineRule = Callable[[StateInline, bool], bool]
BlockRule = Callable[[StateBlock, int, int, bool], bool]


def parse(source: str) -> tuple[list[Token], list[tuple[int, int]]]:
    """The block tokens of ``source`` and the source ranges of its link reference definitions.

    ``source`` has line feeds only and no NUL. Tokens of leaf blocks have ``meta["starts"]`` and
    ``meta["stops"]``: where the text of each of their lines begins and ends. Inline tokens have
    ``meta["at"]`` and ``meta["to"]``, counted from the start of their block's content; a block of
    plain text has none.
    """
    env: dict[str, object] = {"underlined": _UNDERLINE.search(source) is not None}
    tokens = _parser().parse(source, env)
    definitions = env.get("definitions", [])
    assert isinstance(definitions, list)
    return tokens, definitions


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    md = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING})
    md.enable(["table", "strikethrough"])
    md.disable(["text_join", "fragments_join"])
    md.inline.ruler.at("text", _text)
    inline = _Inline()
    inline.ruler, inline.ruler2 = md.inline.ruler, md.inline.ruler2
    inline.by_beginning = _by_beginning(inline.ruler)
    md.inline = inline
    original = dict(
        zip(md.block.ruler.get_active_rules(), md.block.ruler.getRules(""), strict=True)
    )
    for name, alt in _LEAF_RULES.items():
        rule = _beginning(name, _remembering(name, original[name]))
        rule = _underlined(rule) if name == "lheading" else rule
        md.block.ruler.at(name, rule, {"alt": alt})
    for name, alt in _CONTAINER_RULES.items():
        md.block.ruler.at(name, _beginning(name, original[name]), {"alt": alt})
    return md


def _underlined(rule: BlockRule) -> BlockRule:
    """The rule of headings with a line below them, which reads on to a paragraph's end in vain."""

    def underlined(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        if state.env["underlined"]:
            return rule(state, start, end, silent)
        state.parentType = "paragraph"  # as the rule itself leaves it
        return False

    return underlined


def _by_beginning(ruler: Ruler[InlineRule]) -> dict[str, list[InlineRule]]:
    """The inline rules to try at a character, in order."""
    found: dict[str, list[InlineRule]] = {}
    for name, rule in zip(ruler.get_active_rules(), ruler.getRules(""), strict=True):
        for char in _INLINE_BEGINNINGS.get(name, ""):
            found.setdefault(char, []).append(rule)
    return found


def _beginning(name: str, rule: BlockRule) -> BlockRule:
    """The block rule, tried only at lines that begin as it must, or before such a line."""
    if name not in _BEGINNINGS:
        return rule
    beginnings = frozenset(_BEGINNINGS[name])
    further = name == "table"  # whose second line tells

    def beginning(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        line = start + further
        if line >= end:
            return False
        at = state.bMarks[line] + state.tShift[line]
        return state.src[at : at + 1] in beginnings and rule(state, start, end, silent)

    return beginning


def _remembering(name: str, rule: BlockRule) -> BlockRule:
    """The block rule, marking the tokens that it makes with the bounds of their lines."""

    def remembering(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        if name == "reference" and _is_footnote(state, start):
            return False
        first = len(state.tokens)
        if not rule(state, start, end, silent):
            return False
        if not silent:
            lines = range(start, state.line)
            starts = [state.bMarks[line] + state.tShift[line] for line in lines]
            stops = [state.eMarks[line] for line in lines]
            for token in state.tokens[first:]:
                token.meta = {"starts": starts, "stops": stops, "line": start}
            if name == "reference" and starts:
                state.env.setdefault("definitions", []).append((starts[0], stops[-1]))
        return True

    return remembering


def _is_footnote(state: StateBlock, line: int) -> bool:
    """``[^1]: text`` is a footnote, which a reader sees, and no definition of a link."""
    at = state.bMarks[line] + state.tShift[line]
    return state.src.startswith("[^", at)


def _text(state: StateInline, silent: bool) -> bool:
    """The rule for plain text."""
    found = _STRETCH.match(state.src, state.pos)
    if not found:
        return False
    if not silent:
        state.pending += found.group()
    state.pos = found.end()
    return True


class _Inline(ParserInline):
    """The inline parser, with one token for every stretch of text that one rule consumed."""

    by_beginning: dict[str, list[InlineRule]]

    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        """The tokens of ``src``; none where it is lines of text and nothing else."""
        return tokens if _LINES.fullmatch(src) else super().parse(src, md, env, tokens)

    def tokenize(self, state: StateInline) -> None:
        rules = self.by_beginning
        end = state.posMax
        limit = state.md.options["maxNesting"]
        while state.pos < end:
            at, first = state.pos, len(state.tokens)
            stretch = _STRETCH.match(state.src, at) if state.level < limit else None
            if stretch:
                meta = {"at": at, "to": stretch.end()}
                token = Token("text", "", 0, content=stretch.group(), meta=meta, level=state.level)
                state.tokens.append(token)
                state.pos = stretch.end()
                continue
            for rule in rules.get(state.src[at], ()) if state.level < limit else ():
                if rule(state, False):
                    break
            else:
                state.pending += state.src[at]
                state.pos = at + 1
            if state.pending:
                state.pushPending()
            _mark(state, first, at)


def _mark(state: StateInline, first: int, at: int) -> None:
    """Give the tokens made since ``first`` the source range they came from."""
    to = state.pos
    for token in state.tokens[first:]:
        if "at" in token.meta:
            continue
        token.meta = {"at": at, "to": to}
        if token.type == "text" and token.content:
            if not state.src.startswith(token.content, at):
                found = state.src.find(token.content, at, to)
                if found < 0:
                    continue
                at = found
            token.meta = {"at": at, "to": at + len(token.content)}
            at += len(token.content)
