"""No two instances in one place: as many as can be are given one of their own."""

from __future__ import annotations

import pytest

from pae_verifiers.rubric.checklist.units import crowded


@pytest.mark.parametrize(
    ("places", "left"),
    [
        ([], ()),
        ([{1}, {2}], ()),
        ([{1}, {1}], (1,)),
        ([{1, 2}, {1}], ()),
        ([{1, 2}, {2, 3}, {1}, {3}], (3,)),
        ([{1}, {1}, {2}, {1}], (1, 3)),
        ([{1, 2, 3}, {1, 2}, {1}], ()),
    ],
)
def test_crowded(places: list[set[int]], left: tuple[int, ...]) -> None:
    assert crowded([frozenset(each) for each in places]) == left
