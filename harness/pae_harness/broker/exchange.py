"""One exchange with a model, as it is kept: a JSON file named by its number and its request."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pae_harness.broker.usage import Usage

Source = Literal["upstream", "control", "cache", "replay"]  # control: the broker's own question


@dataclass(frozen=True)
class Exchange:
    """A request and its answer.

    ``digest`` is of the canonical request. ``status`` is None where nobody heard the end: the box
    left, or the endpoint broke off in a stream, and ``why`` says so. ``failed`` are the attempts
    before the last, in a few words each; ``seconds`` is the time they all took. ``unanswered`` is
    one that the endpoint was asked, and failed to answer: see ``pae_harness.broker.control``.
    """

    number: int
    path: str
    digest: str
    request: Mapping[str, Any]
    source: Source
    started: str
    seconds: float = 0.0
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    model: str = ""
    usage: Usage | None = None
    failed: tuple[str, ...] = ()
    why: str = ""
    unanswered: bool = False

    @property
    def paid(self) -> bool:
        """Whether the endpoint was asked, and may charge for it."""
        return self.source in ("upstream", "control")

    @property
    def refused(self) -> bool:
        """Whether the endpoint itself said no, which costs nothing."""
        return self.paid and not self.why and self.status is not None and self.status >= 400

    @property
    def file_name(self) -> str:
        return f"{self.number:03}-{self.digest}.json"

    def to_json(self) -> dict[str, Any]:
        """As the file holds it; a reply that is no JSON is kept as ``text``."""
        usage: dict[str, Any] | None = None
        if self.usage is not None:
            usage = {
                "prompt_tokens": self.usage.prompt_tokens,
                "completion_tokens": self.usage.completion_tokens,
            }
            if self.usage.cost is not None:
                usage["cost_usd"] = float(self.usage.cost)
        return {
            "number": self.number,
            "path": self.path,
            "sha256": self.digest,
            "source": self.source,
            "started": self.started,
            "seconds": round(self.seconds, 4),
            "failed_attempts": list(self.failed),
            "status": self.status,
            "headers": dict(self.headers),
            "model": self.model,
            "usage": usage,
            "why": self.why,
            "request": self.request,
            **_reply(self.body),
        }


def write(folder: Path, data: bytes, name: str) -> None:
    """Put ``data`` into ``folder/name``: all of it, or nothing under that name."""
    draft = folder / f"{name}.part"  # no name that a reader of records takes
    draft.write_bytes(data)
    draft.rename(folder / name)


def encode(exchange: Exchange) -> bytes:
    """The file's bytes."""
    return json.dumps(exchange.to_json(), ensure_ascii=False, indent=1).encode(
        "utf-8", "surrogatepass"
    )


def _reply(body: bytes) -> dict[str, Any]:
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return {"text": body.decode("utf-8", "replace")}
    if isinstance(data, dict):
        return {"reply": data}
    return {"text": body.decode("utf-8", "replace")}
