"""What can be wrong with the verifier's own inputs: one type per boundary."""

from __future__ import annotations


class VerifierInputError(Exception):
    """The task's files (tests, fixtures) cannot be used: file, what is wrong, what to do."""


class SourcesError(VerifierInputError):
    """results.json or facts.yaml cannot be read or do not fit together."""


class RubricError(VerifierInputError):
    """The rubric or its rules cannot be used."""


class DocumentError(Exception):
    """The document cannot be evaluated (empty, too large, not text): the trial earns 0."""


class JudgeUnavailableError(Exception):
    """A model judge gave no answer in time: the trial is unscored, whatever the document says."""
