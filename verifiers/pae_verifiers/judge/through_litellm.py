"""Providers without an OpenAI-compatible endpoint, through the package ``litellm``.

It is an extra (``pip install 'portfolio-agent-evals[litellm]'``), takes hundreds of megabytes, and
is imported by nothing else. It finds the providers' keys in the environment by itself.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from typing import Any

from pae_verifiers.errors import VerifierInputError
from pae_verifiers.judge.answer import shortened
from pae_verifiers.judge.transport import Answer, AttemptFailed


class LiteLLM:
    """A transport through litellm. Raises VerifierInputError where it is not installed."""

    def __init__(self) -> None:
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # or it fetches a price list
        try:
            self._litellm: Any = importlib.import_module("litellm")
        except ImportError as error:
            raise VerifierInputError(
                f"the judge litellm:MODEL needs the package litellm ({error}); install it with "
                "pip install 'portfolio-agent-evals[litellm]'"
            ) from error
        self._litellm.suppress_debug_info = True
        self._litellm.telemetry = False

    def send(self, body: Mapping[str, Any], seconds: float) -> Answer:
        """An error of the provider is an answer with its status. Raises AttemptFailed without."""
        import httpx2  # noqa: F401

        try:
            response = self._litellm.completion(**body, timeout=seconds, num_retries=0)
        except self._litellm.exceptions.OpenAIError as error:
            raise AttemptFailed(shortened(str(error)), again=True) from None
        return Answer(200, response.model_dump_json().encode("utf-8"))
