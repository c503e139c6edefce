"""Verify a document: every number tied to its source, a rubric graded, one reward.

The public function is :func:`score`. It is imported on first use, so that importing the package
costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pae_verifiers.scoring import Score, score

__all__ = ["Score", "score"]


def __getattr__(name: str) -> object:
    if name in __all__:
        from pae_verifiers import scoring

        return getattr(scoring, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
