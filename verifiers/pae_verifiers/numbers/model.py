"""What the number pipeline passes along: documents, quantities, facts and verdicts.

Everything here is frozen data; the modules beside it are the functions on it. Offsets named
``start``/``end`` count code points in the *source* as the author wrote it; offsets named
``at``/``until`` count code points in the *rendered* text that a reader sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, NamedTuple, TypeVar

Made = TypeVar("Made")

BlockKind = Literal["paragraph", "heading", "list_item", "table_cell", "code"]
QuantityKind = Literal["quantity", "spelled", "date", "ordinal", "label", "list_marker"]
Bound = Literal["<", "<=", ">", ">=", "~", "+-"]
Verdict = Literal["matched", "mismatch", "fabricated", "exempt"]
Sign = Literal["signed", "magnitude"]

EXEMPT_KINDS: frozenset[QuantityKind] = frozenset({"date", "ordinal", "label", "list_marker"})


_new = object.__new__
_set = object.__setattr__


def made(kind: type[Made], fields: dict[str, object]) -> Made:
    """A frozen dataclass's instance with these values, which must be those of all its fields.

    Its constructor sets each field on its own, which takes several times as long.
    """
    instance = _new(kind)
    _set(instance, "__dict__", fields)
    return instance


class Span(NamedTuple):
    """A half-open range ``[at, until)`` of the rendered text."""

    at: int
    until: int


@dataclass(frozen=True)
class Block:
    """One paragraph, heading, list item, table cell or code block of the rendered text."""

    kind: BlockKind
    span: Span
    sentences: tuple[Span, ...]
    headings: tuple[str, ...] = ()  # enclosing headings, outermost first
    lead_in: str = ""  # the paragraph that introduces this list or table
    row: str = ""  # table cell: its whole row, as text
    row_label: str = ""  # table cell: the row's first cell
    column: str = ""  # table cell: its column's header
    numbered: bool = False  # begins with the number that its ordered list gives it


@dataclass(frozen=True)
class HiddenText:
    """Text in the source that no reader sees, such as an HTML comment."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Document:
    """A document as written (``source``) and as a reader sees it (``text``).

    ``offsets[i]`` is the source offset of rendered code point ``i``; ``ends[i]`` is where the
    source of that code point ends (an entity or an escape spans several).
    """

    source: str
    text: str
    offsets: Sequence[int]
    ends: Sequence[int]
    blocks: tuple[Block, ...]
    hidden: tuple[HiddenText, ...] = ()


@dataclass(frozen=True)
class Quantity:
    """A number with its unit, as a reader reads it.

    ``value`` is signed and in the unit given, with scale words applied (``$4.5bn`` is 4500000000
    USD, ``35 bps`` is 35 bps); ``quantum`` is the size of the last digit shown, times ``scale``.
    """

    text: str
    start: int
    end: int
    value: Decimal
    unit: str | None
    kind: QuantityKind
    quantum: Decimal
    at: int
    until: int
    scale: Decimal = Decimal(1)  # of a scale word: 1000000 for "$4.5m"
    bound: Bound | None = None
    sign_from_word: bool = False
    lookalike: bool = False
    per_annum: bool = False


@dataclass(frozen=True)
class Vague:
    """A vague amount in words ("double-digit", "mid-teens", "halved")."""

    text: str
    start: int
    end: int
    at: int
    until: int


@dataclass(frozen=True)
class Scan:
    """All that a scan found, each list in the order of the text."""

    document: Document
    quantities: tuple[Quantity, ...]
    vague: tuple[Vague, ...] = ()
    hidden: tuple[Quantity, ...] = ()


@dataclass(frozen=True)
class Fact:
    """A number that the sources state.

    ``literal`` is the number as it stands in the JSON text, so its precision is known;
    ``aliases`` are groups of synonyms, of which the first names the subject.
    """

    pointer: str
    literal: str
    value: Decimal
    unit: str | None
    aliases: tuple[tuple[str, ...], ...] = ()
    sign: Sign = "signed"
    required: str | None = None


@dataclass(frozen=True)
class Facts:
    """Everything the sources say: numbers, and the dates, names and labels in their strings."""

    facts: tuple[Fact, ...]
    strings: tuple[str, ...] = ()  # all text of the sources, in which dates and names are known
    required: tuple[str, ...] = ()  # the groups of which one fact each must be cited


@dataclass(frozen=True)
class NumberVerdict:
    """What became of one quantity: verdict, the slip's name, the fact it was held against.

    ``note`` says what more there is to say of a miss ("×100", "rounds to 12.5"); ``sentence`` is
    the one that the quantity stands in.
    """

    quantity: Quantity
    verdict: Verdict
    reason: str = ""
    fact: Fact | None = None
    sentence: str = ""
    hidden: bool = False
    note: str = ""


@dataclass(frozen=True)
class Tie:
    """The verdict on a whole document. ``numeric_consistency`` is in [0, 1]."""

    numeric_consistency: float
    numbers: tuple[NumberVerdict, ...]
    missing_facts: tuple[str, ...] = ()  # required groups that nothing in the document cites
    vague: tuple[Vague, ...] = ()
    unsettled: tuple[tuple[str, str], ...] = field(default=())  # (sentence, pointer), see binding
