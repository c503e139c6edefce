"""Ties a document out: every number against the facts of its sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal, localcontext

from pae_verifiers.numbers.binding import CLEARLY, Bound, Rival, bind
from pae_verifiers.numbers.book import Book
from pae_verifiers.numbers.claims import is_claim, is_denied, nothings
from pae_verifiers.numbers.decide import Decision, decide
from pae_verifiers.numbers.derived import is_derived
from pae_verifiers.numbers.explain import excerpt, note
from pae_verifiers.numbers.hidden import rule_on_hidden
from pae_verifiers.numbers.measure import EXACT
from pae_verifiers.numbers.model import (
    EXEMPT_KINDS,
    Document,
    Facts,
    NumberVerdict,
    Quantity,
    Scan,
    Tie,
    Vague,
    Verdict,
)
from pae_verifiers.numbers.place import OUT_OF_REACH, Place
from pae_verifiers.numbers.places import Places
from pae_verifiers.numbers.rulings import Names, rule_on
from pae_verifiers.numbers.score import missing, score
from pae_verifiers.numbers.vagueness import as_quantity, contradicts, stands_for_number

VERDICTS: tuple[Verdict, ...] = ("matched", "mismatch", "fabricated", "exempt")
CROWD = 200  # numbers of one sentence
BOTH_NEARER = 15  # the same where each stands nearer, and small words alone say so of one
TOGETHER = 20  # words by which two numbers, together, stand nearer to each other's fact
_MOST = 16  # numbers of one sentence that are tried as operands


def tie(scan: Scan, facts: Facts) -> Tie:
    """A verdict on every number of the document, in the order of the text, and the score."""
    with localcontext(EXACT):
        return _tie(scan, facts)


def _tie(scan: Scan, facts: Facts) -> Tie:
    prepared = Book(facts)
    names = Names(facts.strings, facts.facts)
    places = Places(scan.document, prepared, scan.quantities)
    claims = [quantity for quantity in scan.quantities if quantity.kind not in EXEMPT_KINDS]
    decisions = _settle([(q, places.of(q)) for q in claims], prepared)
    verdicts = [
        *(_verdict(q, decision) for q, decision in zip(claims, decisions, strict=True)),
        *(
            _exempt(quantity, places.of(quantity), names)
            for quantity in scan.quantities
            if quantity.kind in EXEMPT_KINDS
        ),
        *_vague_verdicts(scan.vague, places, prepared),
        *_nothing_verdicts(scan.document, places, prepared),
        *(rule_on_hidden(quantity, scan.document, prepared, names) for quantity in scan.hidden),
    ]
    verdicts.sort(key=lambda verdict: (verdict.quantity.start, verdict.quantity.end))
    return Tie(
        numeric_consistency=float(score(verdicts, facts.required)),
        numbers=tuple(verdicts),
        missing_facts=missing(verdicts, facts.required),
        vague=scan.vague,
        unsettled=_unsettled(decisions),
    )


def tie_json(result: Tie) -> dict[str, object]:
    """The tie as ``pae tie --json`` prints it; decimals taken from text are strings."""
    counts = Counter(verdict.verdict for verdict in result.numbers)
    return {
        "numeric_consistency": result.numeric_consistency,
        "counts": {name: counts[name] for name in VERDICTS},
        "numbers": [_number_json(verdict) for verdict in result.numbers],
        "missing_facts": list(result.missing_facts),
    }


def _number_json(verdict: NumberVerdict) -> dict[str, object]:
    quantity, fact = verdict.quantity, verdict.fact
    return {
        "text": quantity.text,
        "start": quantity.start,
        "end": quantity.end,
        "value": plain(quantity.value),
        "unit": quantity.unit,
        "kind": quantity.kind,
        "verdict": verdict.verdict,
        "reason": verdict.reason,
        "fact": fact.pointer if fact else None,
        "source": fact.literal if fact else None,
        "note": verdict.note,
        "sentence": excerpt(verdict.sentence, quantity.text),
    }


def plain(value: Decimal) -> str:
    """A decimal without an exponent, unless it is too long to read that way."""
    exponent = value.as_tuple().exponent
    short = isinstance(exponent, int) and abs(exponent) <= 100
    return format(value, "f") if short else str(value)


def _settle(numbers: Sequence[tuple[Quantity, Place]], prepared: Book) -> list[Decision]:
    """Decide all numbers: first what matches, then, knowing that, the rest."""
    first = _first(numbers, prepared)
    taken = _taken(first)
    settled = [
        decision
        if decision.verdict != "mismatch" or decision.reason != "wrong_fact"
        else decide(quantity, place, prepared, taken.get(_where(place), frozenset()))
        for decision, (quantity, place) in zip(first, numbers, strict=True)
    ]
    return _without_derived(_without_doubles(_without_swaps(settled)))


def _first(numbers: Sequence[tuple[Quantity, Place]], prepared: Book) -> list[Decision]:
    """The numbers, each decided as if nothing were known of the others.

    In a sentence of very many numbers, as no honest writer makes, equal ones are decided once.
    """
    decided: dict[tuple[object, ...], Decision] = {}
    decisions: list[Decision] = []
    for quantity, place in numbers:
        if len(place.numbers) < CROWD:
            decisions.append(decide(quantity, place, prepared, frozenset()))
            continue
        alike = (id(place), place.context(quantity), *_as_read(quantity))
        if alike not in decided:
            decided[alike] = decide(quantity, place, prepared, frozenset())
        decisions.append(decided[alike])
    return decisions


def _as_read(quantity: Quantity) -> tuple[object, ...]:
    return (
        *(quantity.text, quantity.value, quantity.unit, quantity.kind, quantity.quantum),
        *(quantity.scale, quantity.bound, quantity.sign_from_word),
    )


def _where(place: Place) -> tuple[int, int]:
    return place.span.at, place.span.until


def _taken(decisions: Iterable[Decision]) -> dict[tuple[int, int], frozenset[int]]:
    """Sentence -> the aliases of the subjects that its numbers are bound to and match."""
    found: dict[tuple[int, int], set[int]] = {}
    for decision in decisions:
        if decision.verdict == "matched" and decision.entry and not decision.unsettled:
            where = _where(decision.bound.place)
            found.setdefault(where, set()).update(decision.bound.heard(decision.entry))
    return {where: frozenset(cited) for where, cited in found.items()}


def _without_swaps(decisions: list[Decision]) -> list[Decision]:
    """Numbers that stand in each other's place become wrong_fact, both of them."""
    rather = [_rather(decision) for decision in decisions]
    moves: dict[tuple[str, str, bool], Rival] = {}
    for decision, others in zip(decisions, rather, strict=True):
        for other in others:
            move = _pointer(decision), other.entry.fact.pointer, other.clear
            moves[move] = max(other, moves.get(move, other), key=lambda rival: rival.gain)
    settled = list(decisions)
    for index, (decision, others) in enumerate(zip(decisions, rather, strict=True)):
        for other in others:
            back = (other.entry.fact.pointer, _pointer(decision))
            partners = (moves.get((*back, clear)) for clear in (True, False))
            if any(partner and _is_swap(other, partner) for partner in partners):
                settled[index] = Decision(
                    decision.bound, "mismatch", "wrong_fact", other.entry, instead=decision.entry
                )
    return settled


def _without_doubles(decisions: list[Decision]) -> list[Decision]:
    """A figure that stands for two facts of a sentence is wrong of the one that it is not.

    "We sold $95,000 and bought $95,000" of purchases of $95,000: "sold" stands right beside the
    first, and no other number of the sentence gives the sales.
    """
    settled = list(decisions)
    sentences: dict[tuple[int, int], list[int]] = {}
    for index, decision in enumerate(decisions):
        if decision.verdict == "matched" and decision.entry:
            sentences.setdefault(_where(decision.bound.place), []).append(index)
    for indices in sentences.values():
        given = Counter(_pointer(decisions[index]) for index in indices)
        for index in indices if len(indices) < CROWD else ():
            decision = decisions[index]
            if given[_pointer(decision)] < 2:
                continue
            meant = next((r for r in _rather(decision) if _governs(decision.bound, r)), None)
            if meant and not given[meant.entry.fact.pointer]:
                settled[index] = Decision(
                    decision.bound, "mismatch", "wrong_fact", meant.entry, instead=decision.entry
                )
    return settled


def _governs(bound: Bound, rival: Rival) -> bool:
    """Whether the rival's subject stands right beside the number, and its own further off."""
    return rival.clear and rival.gain >= CLEARLY and bound.subject_reach(rival.entry) <= 1


def _is_swap(one: Rival, other: Rival) -> bool:
    """Whether two numbers stand clearly nearer to each other's fact, each or taken together.

    Where small words alone say that it is this fact, both must, and by more.
    """
    each, together = min(one.gain, other.gain), one.gain + other.gain
    if one.clear and other.clear:
        return each >= CLEARLY or together >= TOGETHER
    if one.clear or other.clear:
        if each >= CLEARLY:
            return together >= BOTH_NEARER
        return 2 * TOGETHER <= together < OUT_OF_REACH
    return each >= CLEARLY and TOGETHER <= together < OUT_OF_REACH


def _rather(decision: Decision) -> list[Rival]:
    """The facts that a matched number may stand nearer to than to its own."""
    if decision.verdict != "matched" or decision.entry is None:
        return []
    return decision.bound.rivals(decision.entry)


def _pointer(decision: Decision) -> str:
    return decision.fact.pointer if decision.fact else ""


def _without_derived(decisions: list[Decision]) -> list[Decision]:
    """Inventions that are sums or differences of two cited numbers are named as such."""
    matched: dict[tuple[int, int], list[Bound]] = {}
    for decision in decisions:
        if decision.verdict == "matched":
            matched.setdefault(_where(decision.bound.place), []).append(decision.bound)
    return [
        Decision(decision.bound, "mismatch", "derived")
        if decision.verdict == "fabricated"
        and is_derived(decision.bound, matched.get(_where(decision.bound.place), [])[:_MOST])
        else decision
        for decision in decisions
    ]


def _verdict(quantity: Quantity, decision: Decision) -> NumberVerdict:
    return NumberVerdict(
        quantity=quantity,
        verdict=decision.verdict,
        reason=decision.reason,
        fact=decision.fact,
        sentence=decision.bound.place.text,
        note=_note(quantity, decision) if decision.verdict == "mismatch" else "",
    )


def _note(quantity: Quantity, decision: Decision) -> str:
    instead = decision.instead.fact if decision.instead else None
    return note(quantity, decision.reason, decision.fact, instead)


def _exempt(quantity: Quantity, place: Place, names: Names) -> NumberVerdict:
    ruling = rule_on(quantity, names)
    return NumberVerdict(quantity, ruling.verdict, ruling.reason, sentence=place.text)


def _vague_verdicts(
    found: Iterable[Vague], places: Places, prepared: Book
) -> Iterable[NumberVerdict]:
    """Mismatches for the vague words that stand in for a number, or contradict one."""
    for vague in found:
        quantity = as_quantity(vague)
        place = places.of(quantity)
        beside = stands_for_number(vague, place.text, place.span.at)
        if (
            beside
            or (is_claim(vague) and is_denied(vague, place, prepared))
            or contradicts(vague, bind(quantity, place, prepared))
        ):
            yield NumberVerdict(quantity, "mismatch", "vague", sentence=place.text)


def _nothing_verdicts(
    document: Document, places: Places, prepared: Book
) -> Iterable[NumberVerdict]:
    """Mismatches where something is said to cost or be nothing, and the sources know better."""
    for vague in nothings(document):
        quantity = as_quantity(vague)
        place = places.of(quantity)
        if is_denied(vague, place, prepared):
            yield NumberVerdict(quantity, "mismatch", "vague", sentence=place.text)


def _unsettled(decisions: Iterable[Decision]) -> tuple[tuple[str, str], ...]:
    pairs = (
        (decision.bound.place.text, decision.fact.pointer)
        for decision in decisions
        if decision.unsettled and decision.verdict == "matched" and decision.fact
    )
    return tuple(dict.fromkeys(pairs))


__all__ = ["plain", "tie", "tie_json"]
