"""The rubric of the package."""

from __future__ import annotations

import pytest
from tests.verifiers.rubric.checklist.samples import NAME, SOURCE

from pae_verifiers.rubric.checklist.rubric import ChecklistRubric
from pae_verifiers.rubric.load import load


@pytest.fixture(scope="session")
def rubric() -> ChecklistRubric:
    loaded = load(SOURCE, NAME)
    assert isinstance(loaded, ChecklistRubric)
    return loaded
