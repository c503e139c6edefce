"""What one instance of a deduction is: two of them may not be made of one sentence or row."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property

from pae_verifiers.rubric.checklist.model import Instance
from pae_verifiers.rubric.checklist.sections import Response

# What an instance may be counted as; several where its excerpt occurs several times.
Places = frozenset[Hashable]

ENOUGH = 100

# Rather too many ends than too few: two sentences must never be taken for one.
_SENTENCE_ENDS = re.compile(r"[.!?][\"'”’)\]]*\s+|[。！？]|\n")


class Units:
    """Sentences, table rows and legs of one candidate."""

    def __init__(self, source: str, response: Response | None) -> None:
        self.source = source
        self._response = response
        self._leg_starts: dict[str, list[int]] = {}
        self._spots: dict[tuple[str, str], tuple[int, ...]] = {}

    def places(self, instance: Instance) -> Places:
        """Where an instance can lie. Excerpts are taken at any of their occurrences.

        At most ``ENOUGH`` of them: of that many instances each then finds a place of its own.
        """
        found: set[Hashable] = set()
        for place in self._places(instance):
            found.add(place)
            if len(found) == ENOUGH:
                break
        return frozenset(found)

    def _places(self, instance: Instance) -> Iterator[Hashable]:
        spots = self.spots(instance)
        if not spots:
            yield " ".join(instance.specific.split()).casefold()
        for spot in spots:
            match instance.deduction.per:
                case "sentence":
                    yield bisect_right(self._sentences, spot)
                case "row":
                    yield bisect_right(self._rows, spot)
                case "leg":
                    yield bisect_right(self._legs(instance.deduction.section), spot)
                case "claim" | "instance":
                    yield (*instance.evidence, spot)

    def spots(self, instance: Instance) -> tuple[int, ...]:
        """Where its first excerpt that lies in the deduction's section occurs there."""
        section = instance.deduction.section
        for excerpt in instance.evidence:
            if (section, excerpt) not in self._spots:
                found = (spot for spot in self._finds(excerpt) if self._holds(section, spot))
                self._spots[section, excerpt] = tuple(found)
            if spots := self._spots[section, excerpt]:
                return spots
        return ()

    def _finds(self, excerpt: str) -> Iterator[int]:
        wanted = excerpt.strip()
        spot = self.source.find(wanted) if wanted else -1
        while spot >= 0:
            yield spot
            spot = self.source.find(wanted, spot + len(wanted))

    def _holds(self, section: str, spot: int) -> bool:
        return self._response is None or self._response.holds(section, spot)

    def _legs(self, section: str) -> list[int]:
        if section not in self._leg_starts:
            legs = self._response.legs(section) if self._response else ()
            self._leg_starts[section] = [leg.start for leg in legs]
        return self._leg_starts[section]

    @cached_property
    def _sentences(self) -> list[int]:
        return [match.end() for match in _SENTENCE_ENDS.finditer(self.source)]

    @cached_property
    def _rows(self) -> list[int]:
        return [match.end() for match in re.finditer("\n", self.source)]


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
