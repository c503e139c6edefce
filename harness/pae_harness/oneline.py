"""Text of unknown origin on one line of a terminal, which it must not drive."""

from __future__ import annotations

MOST = 500


def printable(text: str) -> str:
    """``text`` with a space for each line break, control, format or surrogate character."""
    return "".join(c if c.isprintable() else " " for c in text)


def shortened(text: str, most: int = MOST) -> str:
    """``text``, printable, and of more than ``most`` characters only the beginning and the end."""
    text = printable(text)
    return text if len(text) <= most else f"{text[: most // 2]} … {text[-most // 2 :]}"
