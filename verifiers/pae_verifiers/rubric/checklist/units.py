"""What one instance of a deduction is: two of them may not be made of one sentence or row."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property

from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.rubric.checklist.model import Instance
from pae_verifiers.rubric.checklist.sections import Response

# What an instance may be counted as; several where its excerpt occurs several times.
Places = frozenset[Hashable]


class Units:
    """Sentences, table rows and legs of one candidate."""

    def __init__(self, candidate: Candidate, response: Response | None) -> None:
        self._candidate = candidate
        self._source = candidate.source
        self._response = response

    def places(self, instance: Instance) -> Places:
        """Where an instance can lie. Excerpts are taken at any of their occurrences."""
        return frozenset(self._places(instance))

    def _places(self, instance: Instance) -> Iterator[Hashable]:
        spots = self.spots(instance)
        if not spots:
            yield " ".join(instance.specific.split()).casefold()
        for spot in spots:
            match instance.deduction.per:
                case "sentence":
                    yield bisect_right(self._sentences, spot)
                case "row":
                    yield self._source.count("\n", 0, spot)
                case "leg":
                    yield bisect_right(self._legs(instance.deduction.section), spot)
                case "claim" | "instance":
                    yield (*instance.evidence, spot)

    def spots(self, instance: Instance) -> tuple[int, ...]:
        """Where its first excerpt that lies in the deduction's section occurs there."""
        section = instance.deduction.section
        for excerpt in instance.evidence:
            spots = tuple(spot for spot in self._finds(excerpt) if self._holds(section, spot))
            if spots:
                return spots
        return ()

    def _finds(self, excerpt: str) -> Iterator[int]:
        spot = self._source.find(excerpt) if excerpt else -1
        while spot >= 0:
            yield spot
            spot = self._source.find(excerpt, spot + len(excerpt))

    def _holds(self, section: str, spot: int) -> bool:
        return self._response is None or self._response.holds(section, spot)

    def _legs(self, section: str) -> list[int]:
        return [leg.start for leg in self._response.legs(section)] if self._response else []

    @cached_property
    def _sentences(self) -> list[int]:
        """The starts of all sentences and table cells, in the source."""
        document = self._candidate.document
        spans = (span for block in document.blocks for span in block.sentences)
        return sorted(document.offsets[span.at] for span in spans if span.at < span.until)


def crowded(instances: Sequence[Places]) -> tuple[int, ...]:
    """The positions of the instances that are left with no place of their own.

    A largest matching of instances to places, found by augmenting paths (Kuhn).
    """
    holder: dict[Hashable, int] = {}

    def settle(number: int, tried: set[Hashable]) -> bool:
        for place in instances[number] - tried:
            tried.add(place)
            if place not in holder or settle(holder[place], tried):
                holder[place] = number
                return True
        return False

    return tuple(number for number in range(len(instances)) if not settle(number, set()))
