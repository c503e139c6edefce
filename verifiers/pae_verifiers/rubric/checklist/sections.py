"""The sections of a response, their language blocks and their parts, by place in the source."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from pae_verifiers.rubric.checklist.model import Layout
from pae_verifiers.rubric.checklist.words import BULLET, has_han, is_chinese, is_ornament

_LONG = 200  # characters: no editor breaks lines there
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)


class Range(NamedTuple):
    """A half-open range of code points of the source."""

    start: int
    end: int


class Block(NamedTuple):
    """Lines of a section under one language's header.

    ``header`` is that line as it stands there, without outer white space; it is empty for what
    stands before the first one. ``language`` is the place, in the layout, of the language.
    """

    header: str
    language: int
    lines: tuple[Range, ...]


@dataclass(frozen=True)
class Response:
    """A candidate's source, in the sections that a layout names."""

    source: str
    layout: Layout

    @cached_property
    def sections(self) -> Mapping[str, tuple[Range, ...]]:
        """Where each section that is there lies: from its marker to the next marker or the end.

        A marker that is repeated begins the section once more; in a comment it begins nothing.
        """
        seen = _COMMENT.sub(lambda comment: " " * len(comment[0]), self.source)
        marks = sorted(
            (match.start(), match.end(), name)
            for name, marker in self.layout.sections.items()
            for match in _marker(marker).finditer(seen)
        )
        ends = [*(start for start, _, _ in marks[1:]), len(self.source)]
        found: dict[str, tuple[Range, ...]] = {}
        for (_, start, name), end in zip(marks, ends, strict=False):
            found[name] = (*found.get(name, ()), Range(start, end))
        return found

    def missing(self) -> tuple[str, ...]:
        """The names of the sections that are not there, or are empty."""
        return tuple(
            name
            for name in self.layout.sections
            if not any(self.text(run).strip() for run in self.sections.get(name, ()))
        )

    def holds(self, section: str, place: int) -> bool:
        """Whether ``place`` lies in a section; every place lies in the section ``""``."""
        runs = self.sections.get(section, ())
        return not section or any(run.start <= place < run.end for run in runs)

    def text(self, span: Range) -> str:
        return self.source[span.start : span.end]

    def lines(self, section: str) -> Iterator[Range]:
        """The lines of a section, without their ends."""
        for run in self.sections.get(section, ()):
            at = run.start
            for line in self.text(run).splitlines(keepends=True):
                yield Range(at, at + len(line.rstrip("\r\n")))
                at += len(line)

    def blocks(self, section: str) -> tuple[Block, ...]:
        """The language blocks of a section, the first for what stands before any header.

        A line begins a block if it is a language's header, or its name in another dress.
        """
        names = [_bare(header) for header in self.layout.languages]
        blocks: list[tuple[str, int, list[Range]]] = [("", 0, [])]
        for line in self.lines(section):
            name = _bare(self.text(line))
            if name and name in names:
                blocks.append((self.text(line).strip(), names.index(name), []))
            else:
                blocks[-1][2].append(line)
        return tuple(Block(header, language, tuple(lines)) for header, language, lines in blocks)

    def judged(self, section: str) -> tuple[Range, ...]:
        """The lines of a section in its first language; all where there is none of it.

        A translation into Chinese is left out wherever it stands, with or without its header; what
        is no Chinese is none, whatever header it has.
        """
        blocks = self.blocks(section)
        first = (block for block in blocks if not self._is_translation(block))
        lines = tuple(line for block in first for line in block.lines)
        if self.layout.languages and not has_han(self.layout.languages[0]):
            lines = tuple(line for line in lines if not is_chinese(self.text(line)))
        if any(self.text(line).strip() for line in lines):
            return lines
        return tuple(line for block in blocks for line in block.lines)

    def _is_translation(self, block: Block) -> bool:
        if not block.language:
            return False
        text = "".join(self.text(line) for line in block.lines)
        return is_chinese(text) or not has_han(self.layout.languages[block.language])

    def body(self, section: str) -> tuple[Range, ...]:
        """The paragraphs and bullet points below the title, the first line, of :meth:`judged`."""
        lines = iter(self.judged(section))
        next((line for line in lines if not self._is_blank(line)), None)
        return tuple(self._parts(lines))

    def legs(self, section: str) -> tuple[Range, ...]:
        """The paragraphs and bullet points of a section in every language, titles included."""
        return tuple(part for block in self.blocks(section) for part in self._parts(block.lines))

    def _parts(self, lines: Iterable[Range]) -> Iterator[Range]:
        """A blank line or a bullet ends a part, but what is indented goes on with it.

        So does a line that is too long for somebody to have broken it by hand.
        """
        part: Range | None = None
        ended = False
        for line in lines:
            if self._is_blank(line):
                ended = True
                continue
            text = self.text(line)
            indented = len(text) - len(text.lstrip()) >= 2
            bullet = BULLET.match(text.lstrip()) is not None
            if part is not None and not indented and (ended or bullet):
                yield part
                part = None
            part = Range(line.start if part is None else part.start, line.end)
            ended = len(text) > _LONG
        if part is not None:
            yield part

    def _is_blank(self, line: Range) -> bool:
        text = self.text(line)
        return not text.strip() or is_ornament(text)


def _marker(marker: str) -> re.Pattern[str]:
    """A marker at the beginning of a line, in whatever heading or emphasis it stands."""
    return re.compile(rf"(?:^|(?<=\r))[#>*_ \t]*{re.escape(marker)}[*_:]*(?!\S)", re.MULTILINE)


def _bare(header: str) -> str:
    """What a header line says, without its dashes and other dress."""
    return header.strip(" \t\xa0\u3000-–—―#*_=:[]【】").casefold()
