"""What the broker itself answers where it does not pass a request on: OpenAI's error JSON."""

from __future__ import annotations

import json


class Refusal(Exception):
    """An answer of the broker's own. No client need try again: the broker already has."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message

    def body(self) -> bytes:
        """``{"error": {...}}``, as OpenAI's clients read it."""
        error = {"message": self.message, "type": "broker_error", "param": None, "code": self.code}
        return json.dumps({"error": error}).encode("ascii")
