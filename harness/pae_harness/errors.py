"""Every failure that a user can cause or must be told of: one type per boundary.

A message says what was wrong, where, and what to do. ``exit_code`` is what the command line
returns for it; ``passing`` says that a trial which met it may well go through when it is tried
again.
"""

from __future__ import annotations

from pathlib import Path

EXIT_INTERRUPTED = 130


class PaeError(Exception):
    """A failure with a sentence for the user."""

    exit_code = 2
    passing = False


class UsageError(PaeError):
    """The command line or the configuration asks for something that is not there."""


class NothingSelectedError(PaeError):
    """A valid selection that matches no trial."""

    exit_code = 5


class TaskError(PaeError):
    """A task folder is wrong: ``file:line: what, and what to do``."""

    def __init__(self, message: str, path: Path | None = None, line: int | None = None) -> None:
        self.message = message
        self.path = path
        self.line = line
        where = "" if path is None else f"{path}:{line}: " if line else f"{path}: "
        super().__init__(f"{where}{message}")


class SandboxError(PaeError):
    """The sandbox itself failed, not what ran in it: a trial that meets it is ``unscored``."""

    exit_code = 3
    passing = True


class SandboxUnavailableError(SandboxError):
    """This machine cannot run the sandbox that was asked for; the message says the way out."""

    exit_code = 2


class BoxOutOfMemoryError(SandboxError):
    """What ran in a box used up its memory, so that the box itself ended."""

    passing = False


class PutRefusedError(SandboxError):
    """A box did not take what it was given: no room, or something else stands in its place."""


class OutputRefusedError(PaeError):
    """What a box left behind cannot be copied out: too large, a link, a device, a folder."""


class VerifierError(PaeError):
    """The verifier crashed or wrote something that is not a reward: ``unscored``."""

    exit_code = 3


class VerifierCutOffError(VerifierError):
    """The verifier's box was ended under it, or its model was out of reach."""

    passing = True


class BrokerError(PaeError):
    """The broker, through which a box asks a model, failed: ``unscored``."""

    exit_code = 3
    passing = True


class AgentLoadError(PaeError):
    """An agent's class is not to be had."""


class ShiftOverError(PaeError):
    """The agent's time in its box is over, or a limit ended it."""


class ModelOutOfReachError(PaeError):
    """The agent's model gave no answer, to a question of ours either: ``unscored``."""

    exit_code = 3
    passing = True


class RunFolderError(PaeError):
    """A run folder cannot be written or read."""

    exit_code = 3


class BaseImageError(PaeError):
    """A base image cannot be made: no mmdebstrap, no mirror, no room."""
