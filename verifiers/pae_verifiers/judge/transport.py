"""How a request body gets to a model and an answer comes back, whatever lies between."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True)
class Answer:
    """One answer of an endpoint: ``headers`` by their names in lower case, ``body`` as it came."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


class AttemptFailed(Exception):
    """One attempt without a completion; the message says why, in a line without the key.

    ``again`` says whether another attempt may fare better, ``wait`` how many seconds the endpoint
    asks to be left alone, None where it does not say.
    """

    def __init__(self, why: str, *, again: bool, wait: float | None = None) -> None:
        super().__init__(why)
        self.again, self.wait = again, wait


class Transport(Protocol):
    """A way to one endpoint."""

    def send(self, body: Mapping[str, Any], seconds: float) -> Answer:
        """The answer to a chat-completions body, within ``seconds``.

        Raises AttemptFailed where there is none.
        """
        ...
