"""Which model ``--model`` names."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pae_harness.errors import UsageError

if TYPE_CHECKING:
    from pae_verifiers.judge.models import Model

AGENT_KEY = "AGENT_API_KEY"


def parse(text: str) -> Model:
    """The model that ``text`` names; its key may stand in AGENT_API_KEY, not in the judge's.

    Raises UsageError for anything else than NAME@PROVIDER or NAME@BASE_URL.
    """
    from pae_verifiers.errors import VerifierInputError
    from pae_verifiers.judge import models

    try:
        model = models.parse(text)
    except VerifierInputError as error:
        raise UsageError(str(error)) from error
    return replace(model, key_variables=(AGENT_KEY, *model.key_variables[1:]))
