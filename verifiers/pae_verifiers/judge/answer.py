"""What an endpoint's answer is: a completion, a failure that may pass, or one that will not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pae_verifiers.judge.backoff import wanted_wait
from pae_verifiers.judge.chat import Completion
from pae_verifiers.judge.transport import Answer, AttemptFailed

AGAIN = frozenset({408, 409, 425, 429})  # and all from 500 on
SHOWN = 300  # characters of a provider's message
MOST_COUNTED = 1e12  # of any figure of a usage object
REFUSED = "content_filter"


def completion(answer: Answer) -> Completion:
    """The completion that the answer holds; a refusal has the finish reason ``content_filter``.

    Raises AttemptFailed for everything else, with what the endpoint says about it.
    """
    if answer.status != 200:
        raise failure(answer)
    data = _object(answer.body)
    if data is None:
        raise AttemptFailed("the endpoint's answer is no JSON object", again=True)
    if error := data.get("error"):  # as OpenRouter has it: a failure under status 200
        code = error.get("code") if isinstance(error, dict) else None
        again = isinstance(code, int) and _passes(code)
        raise AttemptFailed(f"the endpoint answers: {_message(data)}", again=again)
    choices = data.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise AttemptFailed("the endpoint's answer has no choice with a message", again=True)
    if choice.get("error") or choice.get("finish_reason") == "error":
        raise AttemptFailed("the endpoint broke off its answer", again=True)
    refusal = message.get("refusal")
    refused = isinstance(refusal, str) and bool(refusal.strip())
    return Completion(
        text=_whole(str(refusal) if refused else _text(message.get("content"))),
        finish_reason=REFUSED if refused else shortened(str(choice.get("finish_reason") or "")),
        model=shortened(str(data.get("model") or "")),
        usage=_usage(data.get("usage")),
    )


def failure(answer: Answer) -> AttemptFailed:
    """What an answer of another status than 200 amounts to."""
    if 300 <= answer.status < 400:
        return AttemptFailed(
            "the endpoint redirects to another address, which is not given the key: "
            "name that address as the base URL",
            again=False,
        )
    data = _error_body(answer.body)
    said = _message(data) or shortened(answer.body.decode("utf-8", "replace"))
    why = f"HTTP {answer.status}: {said}" if said else f"HTTP {answer.status}"
    hopeless = answer.headers.get("x-should-retry", "").lower() == "false" or _spent(data)
    return AttemptFailed(
        why,
        again=_passes(answer.status) and not hopeless,
        wait=wanted_wait(answer.headers),
    )


def error_of(answer: Answer) -> tuple[str, str]:
    """The parameter that an error names, or "", and all that it says."""
    error = _error_body(answer.body).get("error")
    param = error.get("param") if isinstance(error, dict) else None
    said = answer.body[:20_000].decode("utf-8", "replace")
    return (param if isinstance(param, str) else "", said)


def shortened(text: str) -> str:
    """``text`` on one line that no terminal obeys, and of its characters SHOWN at most."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= SHOWN else line[: SHOWN - 2] + " …"


def _passes(status: int) -> bool:
    return status in AGAIN or 500 <= status < 600


def _spent(data: Mapping[str, Any]) -> bool:
    """Whether a 429 says that there is no money left, which no waiting helps."""
    error = data.get("error")
    return isinstance(error, dict) and "insufficient_quota" in (
        error.get("code"),
        error.get("type"),
    )


def _object(body: bytes) -> dict[str, Any] | None:
    data = _data(body)
    return data if isinstance(data, dict) else None


def _error_body(body: bytes) -> dict[str, Any]:
    """The object of an error, which Gemini puts into a list."""
    data = _data(body)
    inner = data[0] if isinstance(data, list) and data else data
    return inner if isinstance(inner, dict) else {}


def _data(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _message(data: Mapping[str, Any]) -> str:
    """The message of an error body in any of the usual shapes."""
    error = data.get("error") or data.get("detail") or data.get("message") or ""
    if isinstance(error, dict):
        error = error.get("message") or error.get("code") or error
    return shortened(error if isinstance(error, str) else json.dumps(error, ensure_ascii=False))


def _text(content: object) -> str:
    """A message's content: text, or a list of parts of which the text counts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(
        part["text"]
        for part in parts
        if isinstance(part, dict)
        and part.get("type") in ("text", "output_text")
        and isinstance(part.get("text"), str)
    )


def _whole(text: str) -> str:
    """``text`` with a question mark for each half of a character, which no file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _usage(usage: object) -> dict[str, float]:
    """The plain figures of a usage object; what it breaks them down to is left out."""
    return {
        key: value
        for key, value in (usage.items() if isinstance(usage, dict) else ())
        if isinstance(value, int | float)
        and not isinstance(value, bool)
        and 0 <= value <= MOST_COUNTED
        and key.isidentifier()
        and key.isascii()
    }
