"""Raw HTML inside Markdown: which parts of it a reader sees."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

PartKind = Literal["text", "entity", "comment", "tag"]

_COMMENT_CLOSE = {"<!--": "-->", "<?": "?>", "<![CDATA[": "]]>", "<!": ">"}
_MARKUP = re.compile(r"<!--|<\?|<!\[CDATA\[|<!|</?[A-Za-z]|&(?=[#A-Za-z])")
_TAG = re.compile(r"""</?[A-Za-z](?:[^<>"']|"[^"]*"|'[^']*')*>""")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_NAME = re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)")
_ATTRIBUTE = re.compile(
    r"""\s(title|aria-label|aria-description|data-[\w-]+|value|content|placeholder|alt)"""
    r"""\s*=\s*("[^"]*"|'[^']*')""",
    re.IGNORECASE,
)
_HIDING = re.compile(
    r"\shidden(?=[\s=/>])|display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])"
    r"|opacity\s*:\s*0(?![.\d])",
    re.IGNORECASE,
)
_NEVER_SHOWN = frozenset({"script", "style", "template", "title", "head", "noscript"})
_VOID_TAGS = "area base br col embed hr img input link meta source track wbr"
_BREAKING_TAGS = """
br p div tr li ul ol table thead tbody section article h1 h2 h3 h4 h5 h6 hr dt dd
blockquote pre details summary caption figcaption
"""
_VOID = frozenset(_VOID_TAGS.split())
CELLS = frozenset({"td", "th"})
BREAKING = frozenset(_BREAKING_TAGS.split())


class Part(NamedTuple):
    """A stretch ``[at, to)`` of HTML."""

    kind: PartKind
    at: int
    to: int


def parts(text: str) -> Iterator[Part]:
    """Cut HTML into text, entities, comments (declarations too) and tags, in linear time."""
    at = 0
    unclosed: set[str] = set()
    while match := _MARKUP.search(text, at):
        start, opener = match.start(), match.group()
        to = _close(text, start, opener, unclosed)
        if to is None:
            yield Part("text", at, start + 1)
            at = start + 1
            continue
        if start > at:
            yield Part("text", at, start)
        kind: PartKind = "entity" if opener == "&" else "tag"
        if opener in _COMMENT_CLOSE:
            kind = "comment"
        yield Part(kind, start, to)
        at = to
    if at < len(text):
        yield Part("text", at, len(text))


def _close(text: str, start: int, opener: str, unclosed: set[str]) -> int | None:
    """Where the markup that begins at ``start`` ends; None where it is only text."""
    if opener in _COMMENT_CLOSE:
        close = _COMMENT_CLOSE[opener]
        found = text.find(close, start + len(opener))
        return len(text) if found < 0 else found + len(close)
    if opener == "&":
        entity = _ENTITY.match(text, start)
        return entity.end() if entity else None
    if ">" in unclosed:
        return None
    tag = _TAG.match(text, start)
    if tag is None and text.find(">", start) < 0:
        unclosed.add(">")
    return tag.end() if tag else None


def tag_name(tag: str) -> str:
    """``br`` for ``<br/>``, ``td`` for ``</td>``; empty for what is no tag."""
    found = _NAME.match(tag)
    return found.group(1).lower() if found else ""


def alt_text(tag: str) -> tuple[int, int] | None:
    """The range of an image's alternative text within its tag."""
    for match in _ATTRIBUTE.finditer(tag):
        if match.group(1).lower() == "alt":
            return match.start(2) + 1, match.end(2) - 1
    return None


def unseen_attributes(tag: str) -> list[tuple[int, int]]:
    """Ranges within a tag of attribute values that are prose but are not shown on the page."""
    return [
        (match.start(2) + 1, match.end(2) - 1)
        for match in _ATTRIBUTE.finditer(tag)
        if match.group(1).lower() != "alt"
    ]


def unescape(entity: str) -> str:
    """The characters that an entity stands for."""
    return html.unescape(entity)


@dataclass
class Visibility:
    """Follows tags through a document and knows whether the text after them is shown."""

    hiding: str = ""  # the element that hides what follows
    depth: int = 0

    @property
    def hidden(self) -> bool:
        return bool(self.hiding)

    def feed(self, tag: str) -> None:
        """Take note of one opening or closing tag."""
        name = tag_name(tag)
        if not name or name in _VOID or tag.endswith("/>"):
            return
        closing = tag.startswith("</")
        if self.hiding:
            if name == self.hiding:
                self.depth += -1 if closing else 1
                if self.depth == 0:
                    self.hiding = ""
        elif not closing and (name in _NEVER_SHOWN or _HIDING.search(tag)):
            self.hiding, self.depth = name, 1
