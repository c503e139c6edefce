"""Recorded exchanges instead of an endpoint: the same answers to the same requests, no network."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from pae_verifiers.canonical import digest
from pae_verifiers.errors import VerifierInputError
from pae_verifiers.judge.records import FOLDER, folders, recorded_body
from pae_verifiers.judge.transport import Answer, AttemptFailed


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
        answer = self._answers.get(digest(body))
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
        for asked, _, answer in self._records:
            if answer.status == 200 or asked not in found or found[asked].status != 200:
                found[asked] = answer
        return found


def _records(folder: Path) -> Iterator[tuple[str, Mapping[str, Any], Answer]]:
    """(digest, request, answer) of each file that is a record, by the order of their paths."""
    for path in (path for place in folders(folder) for path in sorted(place.glob("*.json"))):
        if not path.is_file():
            continue  # a pipe, which has no end
        try:
            record = json.loads(path.read_bytes())
            request = record.get("request") if isinstance(record, dict) else None
            asked = digest(request) if isinstance(request, dict) else ""
        except (OSError, ValueError, RecursionError) as error:
            raise VerifierInputError(f"{path}: no record of an exchange: {error}") from error
        status = record.get("status") if isinstance(record, dict) else None
        if isinstance(request, dict) and isinstance(status, int):
            yield asked, request, Answer(status, recorded_body(record))
