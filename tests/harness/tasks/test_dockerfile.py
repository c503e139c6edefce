from __future__ import annotations

import pytest

from pae_harness.tasks.dockerfile import installs_software, instructions


@pytest.mark.parametrize(
    "text",
    [
        "ARG BASE_IMAGE\nFROM ${BASE_IMAGE}\n",
        "ARG BASE_IMAGE=python:3.12\nfrom $BASE_IMAGE as base\nWORKDIR /app\n",
        "# RUN pip install numpy\nARG BASE_IMAGE\nFROM ${BASE_IMAGE:-python:3.12}\nLABEL a=b\n",
    ],
)
def test_a_dockerfile_that_only_names_the_base_image(text: str) -> None:
    assert not installs_software(text)


@pytest.mark.parametrize(
    "line",
    ["RUN true", "COPY a /a", "ADD a /a", "ENV A=b", "FROM python:3.12", 'SHELL ["sh"]'],
)
def test_a_dockerfile_that_does_more(line: str) -> None:
    assert installs_software(f"ARG BASE_IMAGE\nFROM ${{BASE_IMAGE}}\n{line}\n")


def test_continued_lines_are_one_instruction() -> None:
    text = "FROM a\nRUN one \\\n# comment\n\n  two\nUSER b"
    assert instructions(text) == [
        (1, "FROM", "a"),
        (2, "RUN", "one two"),
        (6, "USER", "b"),
    ]
