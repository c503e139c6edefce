"""What a reader sees of a block's inline content and of raw HTML, with source positions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it.token import Token

from pae_verifiers.numbers import html_text
from pae_verifiers.numbers.builder import Builder, Piece, collapsed, placed

_LINK_TITLE = re.compile(r"""\s("[^"]*"|'[^']*'|\([^()]*\))\s*\)$""")


_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SIGN = re.compile(r"([#$%+:=>@^{}-])")
_ONLY_DIGITS = re.compile(r"[\d,\s*]+$")


class Shown:
    """Turns tokens into the pieces that are shown; what is not shown goes to ``out.hide``."""

    def __init__(self, source: str, out: Builder) -> None:
        self.source = source
        self.out = out
        self.visibility = html_text.Visibility()
        self.raised = False  # inside <sup>, whose digits a reader sees as a footnote's mark

    def inline(self, token: Token, hashes: str = "") -> list[Piece]:
        """The pieces of a block's content, which in a heading follows its ``hashes``."""
        starts = token.meta["starts"]
        if hashes:
            found = self.source.find(token.content, starts[0] + len(hashes))
            starts = [max(found, starts[0])]
        return list(self.spans(token, line_positions(self.source, token.content, starts)))

    def spans(self, token: Token, where: Sequence[int]) -> Iterator[Piece]:
        """The pieces of an inline token whose content stands at ``where`` in the source."""
        if not token.children:
            if where:
                yield from self._lines(token.content, where)
            return
        end = (where[-1] + 1) if where else 0
        contiguous = isinstance(where, range) and where
        bounds = range(where[0], end + 1) if contiguous else [*where, end]
        for child in token.children:
            at, to = child.meta.get("at", 0), child.meta.get("to", 0)
            spots, stop = bounds[at:to], bounds[min(to, len(bounds)) - 1] + 1 if to else end
            if not spots:
                continue
            yield from self._span(child, spots, stop)

    def html(self, kind: str, text: str, where: Sequence[int]) -> Iterator[Piece]:
        """What a reader sees of one part of raw HTML, whose characters stand at ``where``."""
        start, end = where[0], where[-1] + 1
        if kind == "comment" or (self.visibility.hidden and kind != "tag"):
            self.out.hide(start, end)
        elif kind == "tag":
            self.visibility.feed(text)
            self.raised = text[:4].lower() in ("<sup", "<sub")
            for at, to in html_text.unseen_attributes(text):
                self.out.hide(where[at], where[to])
            alt = html_text.alt_text(text)
            if alt:
                shown = text[alt[0] : alt[1]]
                spots = where[alt[0] : alt[1]]
                yield placed(shown, spots)
            elif html_text.tag_name(text) in html_text.BREAKING:
                yield collapsed("\n", start, end)
            elif html_text.tag_name(text) in html_text.CELLS:
                yield collapsed("\t", start, end)
        elif kind == "entity":
            yield collapsed(html_text.unescape(text), start, end)
        else:
            yield placed(self._lifted(text), where)

    def _span(self, child: Token, spots: Sequence[int], stop: int) -> Iterator[Piece]:
        """What one inline token shows; ``spots`` are the source positions it consumed."""
        if child.type == "html_inline":
            kind = "comment" if child.content.startswith(("<!", "<?")) else "tag"
            yield from self.html(kind, child.content, spots)
        elif self.visibility.hidden and child.type in ("text_special", "code_inline"):
            self.out.hide(spots[0], stop)
        elif child.type == "text":
            yield from self._text(child.content, spots, stop)
        elif child.type in ("text_special", "softbreak", "hardbreak"):
            yield collapsed(child.content or "\n", spots[0], stop)
        elif child.type == "code_inline":
            inner = spots[len(child.markup) : len(spots) - len(child.markup)]
            if len(inner) > len(child.content):
                inner = inner[1:-1]
            yield placed(child.content, inner)
        elif child.type == "image":
            self._hide_title(child, spots)
            yield from self.spans(child, spots[2 : 2 + len(child.content)])
        elif child.type == "link_open":
            self._hide_title(child, spots)

    def _lines(self, text: str, spots: Sequence[int]) -> Iterator[Piece]:
        """Text without markup, line by line where its lines are not shown as they stand."""
        if not (self.raised or self.visibility.hidden) and len(text) == len(spots):
            yield placed(text, spots)
            return
        at = 0
        for line in text.split("\n"):
            if at:
                yield collapsed("\n", spots[at - 1], spots[at - 1] + 1)
            if line:
                to = at + len(line)
                yield from self._text(line, spots[at:to], spots[to - 1] + 1)
            at += len(line) + 1

    def _text(self, text: str, spots: Sequence[int], stop: int) -> Iterator[Piece]:
        if self.visibility.hidden:
            self.out.hide(spots[0], stop)
        elif len(text) == len(spots):
            yield placed(self._lifted(text), spots)
        else:
            yield collapsed(text, spots[0], stop)

    def _lifted(self, text: str) -> str:
        """Digits as superscripts where they are raised, and nothing but digits between signs."""
        if not self.raised:
            return text
        parts = _SIGN.split(text)
        return "".join(
            part.translate(_SUPERSCRIPTS) if _ONLY_DIGITS.match(part) else part for part in parts
        )

    def _hide_title(self, token: Token, spots: Sequence[int]) -> None:
        if token.attrGet("title"):
            found = _LINK_TITLE.search("".join(self.source[at] for at in spots))
            if found:
                self.out.hide(spots[found.start(1) + 1], spots[found.end(1) - 1])


def line_positions(source: str, content: str, starts: Sequence[int]) -> Sequence[int]:
    """The source position of each character of a block's content, line by line.

    A content line ends where its source line ends and may lack some leading white space, so it is
    found at its line's first visible character; what precedes that was expanded from tabs at most.
    """
    if starts and content and source.startswith(content, starts[0]) and content[0] not in " \t\n":
        return range(starts[0], starts[0] + len(content))  # most blocks stand there as they are
    where: list[int] = []
    for number, line in enumerate(content.split("\n")):
        start = starts[min(number, len(starts) - 1)] if starts else 0
        visible = line.lstrip(" \t")
        lead = len(line) - len(visible)
        found = source.find(visible, start, start + len(line) + 256) if visible else start
        at = found if found >= 0 else start
        where.extend(max(0, at - lead + i) for i in range(lead))
        where.extend(range(at, at + len(visible)))
        where.append(at + len(visible))
    where.pop()
    last = max(0, len(source) - 1)
    return [min(at, last) for at in where] if where and max(where) > last else where
