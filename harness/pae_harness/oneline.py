"""Text of unknown origin on one line of a terminal, which it must not drive."""

from __future__ import annotations

MOST = 500


def printable(text: str) -> str:
    """``text`` with a space for each line break, control, format or surrogate character."""
    return "".join(c if c.isprintable() else " " for c in text)


def shortened(text: str) -> str:
    """``text``, printable, and of more than 500 characters only the beginning and the end."""
    text = printable(text)
    return text if len(text) <= MOST else f"{text[: MOST // 2]} … {text[-MOST // 2 :]}"
