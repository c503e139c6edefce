"""markdown-it with exact source positions: the parser itself keeps only lines, and those of blocks.

Two joints are used. The inline parser's loop is ours, so every token can be marked with the range
that its rule consumed; and every leaf block rule is wrapped, so that a block remembers where the
text of each of its lines begins, past quote marks, list markers and indentation.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

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

BlockRule = Callable[[StateBlock, int, int, bool], bool]


def parse(source: str) -> tuple[list[Token], list[tuple[int, int]]]:
    """The block tokens of ``source`` and the source ranges of its link reference definitions.

    ``source`` has line feeds only and no NUL. Tokens of leaf blocks have ``meta["starts"]`` and
    ``meta["stops"]``: where the text of each of their lines begins and ends. Inline tokens have
    ``meta["at"]`` and ``meta["to"]``, counted from the start of their block's content.
    """
    env: dict[str, object] = {}
    tokens = _parser().parse(source, env)
    definitions = env.get("definitions", [])
    assert isinstance(definitions, list)
    return tokens, definitions


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    md = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING})
    md.enable(["table", "strikethrough"])
    md.disable(["text_join", "fragments_join"])
    inline = _Inline()
    inline.ruler, inline.ruler2 = md.inline.ruler, md.inline.ruler2
    md.inline = inline
    original = dict(
        zip(md.block.ruler.get_active_rules(), md.block.ruler.getRules(""), strict=True)
    )
    for name, alt in _LEAF_RULES.items():
        md.block.ruler.at(name, _remembering(name, original[name]), {"alt": alt})
    return md


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


class _Inline(ParserInline):
    """The inline parser, with one token for every stretch of text that one rule consumed."""

    def tokenize(self, state: StateInline) -> None:
        rules = self.ruler.getRules("")
        end = state.posMax
        limit = state.md.options["maxNesting"]
        while state.pos < end:
            at, first = state.pos, len(state.tokens)
            if state.level >= limit or not any(rule(state, False) for rule in rules):
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
