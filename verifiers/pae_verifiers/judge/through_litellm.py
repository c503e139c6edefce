"""Providers without an OpenAI-compatible endpoint, through the package ``litellm``.

It is an extra (``pip install 'portfolio-agent-evals[litellm]'``), takes hundreds of megabytes, and
nothing else imports it. It finds the providers' keys in the environment by itself.
"""

from __future__ import annotations

import importlib
import json
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
        self._litellm, self._openai = _module("litellm"), _module("openai")
        self._litellm.suppress_debug_info = True
        self._litellm.telemetry = False

    def send(self, body: Mapping[str, Any], seconds: float) -> Answer:
        """What the provider answers, an error too. Raises AttemptFailed where it says nothing."""
        try:
            response = self._litellm.completion(**body, timeout=seconds, num_retries=0)
        except self._openai.OpenAIError as error:
            status = getattr(error, "status_code", None)
            passes = isinstance(error, self._openai.APIConnectionError | self._litellm.Timeout)
            if passes or not isinstance(status, int):
                raise AttemptFailed(shortened(str(error)), again=passes) from None
            said = json.dumps({"error": {"message": str(error)}}).encode("ascii")
            return Answer(status, said, _headers(error))
        return Answer(200, response.model_dump_json().encode("utf-8", "surrogatepass"))


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise VerifierInputError(
            f"the judge litellm:MODEL needs the package litellm ({error}); install it with "
            "pip install 'portfolio-agent-evals[litellm]'"
        ) from error


def _headers(error: Exception) -> dict[str, str]:
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    return {str(name).lower(): str(value) for name, value in headers.items()}
