"""The document under judgement, with the views of it that a rule needs."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property

from pae_verifiers.judge.amounts import Amount, amounts
from pae_verifiers.judge.prose import Piece, columns, cut
from pae_verifiers.numbers.model import Block, Document, Span
from pae_verifiers.text import BLANKS

_QUOTES = str.maketrans("‘’“”", "''\"\"")
_FILLERS = re.compile(r"(?<=\w)[\u115f\u1160\u3164\uffa0]+(?=\w)")
_NUMBERING = re.compile(r"\(?\d{1,2}[.):]\s+")


@dataclass(frozen=True)
class Candidate:
    """A document as written (``source``) and as a reader sees it (``text``)."""

    document: Document

    @property
    def source(self) -> str:
        return self.document.source

    @property
    def text(self) -> str:
        return self.document.text

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """The document cut into sentences and table rows, headings and code included."""
        return cut(self.document, self._amounts)

    @cached_property
    def columns(self) -> tuple[Piece, ...]:
        """The columns of the document's tables."""
        return columns(self.document, self._amounts)

    @cached_property
    def _amounts(self) -> tuple[Amount, ...]:
        return amounts(self.document)

    def words(self) -> int:
        """The whitespace-separated tokens of the rendered text.

        The number that a list gives its item is no word, as the bullet of another list is none.
        Fillers, which rendering drops, part words as the spaces do that they look like.
        """
        numbered = sum(block.numbered for block in self.document.blocks)
        return (
            len(self.text.translate(BLANKS).split()) + len(_FILLERS.findall(self.source)) - numbered
        )

    def sentences(self) -> tuple[str, ...]:
        """Every sentence of the rendered text, headings and table cells included."""
        return tuple(
            text
            for block in self.document.blocks
            for span in block.sentences
            if (text := self._slice(span).strip())
        )

    def section(self, heading: str) -> str | None:
        """The rendered text below ``heading``, its subsections included; None without it.

        Case, markup, leading numbering and trailing punctuation do not matter. Of several
        sections with that heading, the texts follow one another. Subheadings alone are no text.
        """
        wanted = heading_key(heading)
        if not any(self._is_heading(block, wanted) for block in self.document.blocks):
            return None
        runs = self._below(wanted)
        if all(block.kind == "heading" for run in runs for block in run):
            return ""
        spans = (Span(run[0].span.at, run[-1].span.until) for run in runs)
        return "\n\n".join(self._slice(span) for span in spans).strip()

    def shows(self, excerpt: str) -> bool:
        """Whether a reader sees at least half of an excerpt of the source, at one of its places."""
        hidden = self.document.hidden
        at = self.source.find(excerpt)
        while at >= 0:
            until = at + len(excerpt)
            unseen = sum(max(0, min(h.end, until) - max(h.start, at)) for h in hidden)
            if 2 * unseen <= len(excerpt):
                return True
            at = self.source.find(excerpt, until)
        return False

    def _below(self, wanted: str) -> list[list[Block]]:
        """The runs of neighbouring blocks that stand below the heading."""
        runs: list[list[Block]] = []
        inside = False
        for block in self.document.blocks:
            below = any(heading_key(heading) == wanted for heading in block.headings)
            if below and not self._is_heading(block, wanted):
                if not inside:
                    runs.append([])
                runs[-1].append(block)
                inside = True
            else:
                inside = False
        return runs

    def _is_heading(self, block: Block, wanted: str) -> bool:
        return block.kind == "heading" and heading_key(self._slice(block.span)) == wanted

    def _slice(self, span: Span) -> str:
        return self.text[span.at : span.until]


def heading_key(heading: str) -> str:
    """What two spellings of one heading have in common."""
    plain = unicodedata.normalize("NFKC", heading).translate(_QUOTES)
    plain = plain.replace("*", "").replace("_", "").replace("`", "").lstrip("# \t")
    plain = " ".join(_NUMBERING.sub("", plain.strip(), count=1).split())
    return plain.rstrip(" .:;,!?-–—#").casefold()
