"""Recorded exchanges instead of an endpoint: the same answers to the same requests, no network.

A record is a JSON file in a folder called ``judge``, anywhere below the folder that is replayed. Of
it only ``request``, ``status`` and the answer are read: ``reply`` or ``response`` where that was
JSON, ``text`` where it was not.
"""

from __future__ import annotations

import json
import os
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
    for path in sorted(_files(folder)):
        try:
            record = json.loads(path.read_bytes())
            request = record.get("request") if isinstance(record, dict) else None
            digest = body_digest(request) if isinstance(request, dict) else ""
        except (OSError, ValueError, RecursionError) as error:
            raise VerifierInputError(f"{path}: no record of an exchange: {error}") from error
        status = record.get("status") if isinstance(record, dict) else None
        if isinstance(request, dict) and isinstance(status, int):
            yield digest, request, Answer(status, _body(record))


def _files(folder: Path) -> Iterator[Path]:
    """The files that may be records: of a trial's folder only its own, nothing an agent wrote."""
    for root, folders, files in os.walk(folder):
        here = Path(root)
        if here.name == FOLDER:
            folders.clear()
            found = (here / name for name in files if name.endswith(".json"))
            yield from (path for path in found if path.is_file())  # no pipe, which has no end
        elif "trial.json" in files:
            folders[:] = [name for name in folders if name == FOLDER]


def _body(record: Mapping[str, Any]) -> bytes:
    answer = record.get("reply", record.get("response"))
    if answer is None:
        return str(record.get("text", "")).encode("utf-8", "surrogatepass")
    return json.dumps(answer).encode("ascii")
