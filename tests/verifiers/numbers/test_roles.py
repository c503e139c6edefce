"""The grammar of comparisons: which number is the old one, and which the new."""

from __future__ import annotations

import pytest

from pae_verifiers.numbers.markdown import render
from pae_verifiers.numbers.roles import roles
from pae_verifiers.numbers.scanner import scan

OLD_NEW = ["before", "after"]
NEW_OLD = ["after", "before"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It fell from 12% to 9%", OLD_NEW),
        ("It fell from about 12% to roughly 9%", OLD_NEW),
        ("from 12% before to 9% after", OLD_NEW),
        ("12% → 9%", OLD_NEW),
        ("12% -> 9%", OLD_NEW),
        ("It is 9% after 12%", NEW_OLD),
        ("12% before, after the trades 9%", OLD_NEW),
        ("The 95% confidence was 9%", ["", ""]),
        ("before and after it was 12% and 9%", ["", ""]),
        ("It is 9% now, 12% a year ago", ["after", ""]),
        ("It was 12% before, 9% in the end", ["before", ""]),
        ("It was 12% before; today it is 9%", OLD_NEW),
        ("It was 12% and now stands at about 9%", ["", "after"]),
        ("It came down to 9% from 12%", NEW_OLD),
        ("It is 9%, down from 12%", NEW_OLD),
        ("It is 9%, compared with 12% before", NEW_OLD),
        ("It is 9%, against 12% before the trades", NEW_OLD),
        ("It is 9%, it was 12%", NEW_OLD),
        ("12% before and 9% after", OLD_NEW),
        ("previously 12%, now 9%", OLD_NEW),
        ("It is 9%, against a target of 12%", ["", ""]),
        ("12% and 9%", ["", ""]),
        ("It stood at 9% rather than 12%", ["", ""]),
    ],
)
def test_roles_of_two_numbers(text: str, expected: list[str]) -> None:
    numbers = scan(render(text)).quantities
    found = roles(text, 0, numbers)
    assert [found.get(number.at, "") for number in numbers] == expected


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("Weight before", "before"),
        ("Weight after (%)", "after"),
        ("Before | Weight", "before"),
        ("Before and after", ""),
        ("Weight", ""),
    ],
)
def test_a_table_gives_the_role_by_its_label(label: str, expected: str) -> None:
    numbers = scan(render("12%")).quantities
    assert roles("12%", 0, numbers, label).get(0, "") == expected
