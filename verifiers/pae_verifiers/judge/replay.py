"""Recorded exchanges instead of an endpoint: the same answers to the same requests, no network.

A record is a JSON file in a folder called ``judge``, anywhere below the folder that is replayed.
Of it only ``request``, ``status`` and ``response`` (a JSON object, or the text of what was none)
are read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from pae_verifiers.errors import VerifierInputError
from pae_verifiers.judge.chat import body_digest
from pae_verifiers.judge.transport import Answer, AttemptFailed

FOLDER = "judge"


class Replay:
    """A transport that answers from the records below ``folder``.

    Raises VerifierInputError where there is no record at all.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        if not self._answers:
            raise VerifierInputError(
                f"{folder}: no recorded exchange is below it (JSON files in folders "
                f"called {FOLDER})"
            )

    def send(self, body: Mapping[str, Any], seconds: float) -> Answer:
        """Raises AttemptFailed for a request that nobody recorded."""
        answer = self._answers.get(body_digest(body))
        if answer is None:
            raise AttemptFailed(
                f"no exchange below {self._folder} has this request: the document, the rubric, "
                "the prompt, the model or their settings are others",
                again=False,
            )
        return answer

    @cached_property
    def models(self) -> frozenset[str]:
        """The names of the models that were asked."""
        return frozenset(name for _, request, _ in self._records if (name := request.get("model")))

    @cached_property
    def _records(self) -> tuple[tuple[str, Mapping[str, Any], Answer], ...]:
        return tuple(_records(self._folder))

    @cached_property
    def _answers(self) -> Mapping[str, Answer]:
        """By the digest of the request; of several, the last, and a completion before an error."""
        found: dict[str, Answer] = {}
        for digest, _, answer in self._records:
            if answer.status == 200 or digest not in found or found[digest].status != 200:
                found[digest] = answer
        return found


def _records(folder: Path) -> Iterator[tuple[str, Mapping[str, Any], Answer]]:
    """(digest, request, answer) of each file that is a record, in the order of their names."""
    for path in sorted(folder.rglob("*.json")):
        if path.parent.name != FOLDER:
            continue
        try:
            record = json.loads(path.read_bytes())
        except (OSError, ValueError, RecursionError) as error:
            raise VerifierInputError(f"{path}: no record of an exchange: {error}") from error
        request = record.get("request") if isinstance(record, dict) else None
        status = record.get("status") if isinstance(record, dict) else None
        if isinstance(request, dict) and isinstance(status, int):
            yield body_digest(request), request, Answer(status, _body(record.get("response")))


def _body(response: object) -> bytes:
    text = response if isinstance(response, str) else json.dumps(response)
    return text.encode("utf-8", "surrogatepass")
