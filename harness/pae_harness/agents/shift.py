"""The time that an agent has in its box: commands run one after another until it is over."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from pae_harness.agents.model_access import ModelAccess
from pae_harness.agents.trajectory import Command
from pae_harness.errors import SandboxError, ShiftOverError
from pae_harness.sandbox.checks import check_words
from pae_harness.sandbox.protocol import Box, ExecResult, LimitHit, Limits

_REASONS = {
    "time": "ran into its time limit of {seconds:g} s",
    "memory": "ran into its memory limit of {limits.memory_mb} MB",
    "pids": "ran into its limit of {limits.pids} processes",
    "disk": "filled its {limits.storage_mb} MB of storage",
}
# Enters the folder as the agent itself: one that it made unreadable is its own trouble.
_ENTER = ("sh", "-c", 'cd -- "$1" && shift && exec "$@"', "sh")
_LONGEST_WORD = 128_000  # bytes; Linux takes 131,071
_LONGEST_COMMAND = 1 << 20  # and about 2 MiB of words in all
_WORD = 9  # bytes that a word takes besides its own
_TOLD = 16_384  # bytes of a command's output that its trajectory has
_TOLD_IN_ALL = 32 << 20


class Shift:
    """What may be done in ``box`` within ``seconds``, and what was.

    ``failure`` says, in words, which limit ended it, or is empty. ``access`` is its way to a model.
    ``commands`` receives each command as it ends.
    """

    def __init__(
        self,
        box: Box,
        seconds: float,
        limits: Limits,
        *,
        workdir: str = "/app",
        access: ModelAccess | None = None,
        commands: list[Command] | None = None,
    ) -> None:
        self.box, self.workdir, self.access = box, workdir, access
        self.commands = [] if commands is None else commands
        self.failure = ""
        self._seconds, self._limits = seconds, limits
        self._ends = time.monotonic() + seconds
        self._told = 0

    @property
    def seconds_left(self) -> float:
        return max(0.0, self._ends - time.monotonic())

    def run(self, argv: Sequence[str], env: Mapping[str, str] | None = None) -> ExecResult:
        """The one command that is the agent, with its way to the model around it."""
        if self.access is not None:
            argv, env = self.access.wrap(argv), {**(env or {}), **self.access.env}
        return self._exec(argv, self.seconds_left, self.workdir, env, shown=argv)

    def exec(
        self,
        argv: Sequence[str],
        *,
        timeout: float | None = None,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        with_model: bool = False,
    ) -> ExecResult:
        """One of several commands, at most ``timeout`` seconds; running out of those is no failure.

        Raises ShiftOverError once the time is up, or a command has hit another limit.
        """
        cwd = self.workdir if cwd is None else cwd
        left = self.seconds_left
        if self.failure or left == 0:
            raise ShiftOverError(self.failure or self.fail("time"))
        if problem := _odd(argv, env, cwd, timeout) or _impossible(argv, env, cwd):
            return ExecResult(126, b"", problem.encode(), 0.0)
        inner = [*_ENTER, cwd, *argv]
        if with_model and self.access is not None:
            inner, env = self.access.wrap(inner), {**(env or {}), **self.access.env}
        own = left if timeout is None else max(0.0, min(timeout, left))
        return self._exec(inner, own, "/", env, shown=argv, told_cwd=cwd)

    def fail(self, limit: LimitHit) -> str:
        """Note that ``limit`` ended the shift; the first one counts. The reason in words."""
        reason = _REASONS[limit].format(seconds=self._seconds, limits=self._limits)
        self.failure = self.failure or f"the agent {reason}"
        return self.failure

    def _exec(
        self,
        argv: Sequence[str],
        timeout: float,
        cwd: str,
        env: Mapping[str, str] | None,
        *,
        shown: Sequence[str],
        told_cwd: str | None = None,
    ) -> ExecResult:
        started = datetime.now(UTC).isoformat(timespec="milliseconds")
        result = self.box.exec(argv, timeout=timeout, cwd=cwd, env=env)
        if result.limit and (result.limit != "time" or self.seconds_left < 0.01):
            self.fail(result.limit)
        self._keep(shown, told_cwd or cwd, started, result)
        return result

    def _keep(self, argv: Sequence[str], cwd: str, started: str, result: ExecResult) -> None:
        room = min(_TOLD, _TOLD_IN_ALL - self._told)
        said = result.stdout + (b"\n" if result.stdout and result.stderr else b"") + result.stderr
        if len(said) > room:
            half = room // 2
            left_out = f"\n[{len(said) - 2 * half} bytes left out]\n".encode()
            said = said[:half] + left_out + said[len(said) - half :]
        self._told += min(room, len(said))
        self.commands.append(
            Command(
                argv=tuple(_cut(word) for word in argv),
                cwd=cwd,
                started=started,
                seconds=round(result.seconds, 4),
                exit_code=result.exit_code,
                limit=result.limit,
                output=said.decode("utf-8", "replace"),
            )
        )


def _cut(word: str) -> str:
    if len(word) <= _TOLD:
        return word
    half = _TOLD // 2
    return f"{word[:half]}[{len(word) - 2 * half} characters left out]{word[-half:]}"


def _odd(argv: object, env: object, cwd: object, timeout: object) -> str:
    """What is not of its type, or nothing: a class may pass on what a model made up."""
    if not isinstance(argv, list | tuple) or not all(isinstance(word, str) for word in argv):
        return "a command must be texts"
    pairs = {} if env is None else env
    if not isinstance(pairs, Mapping) or not all(
        isinstance(word, str) for pair in pairs.items() for word in pair
    ):
        return "an environment must be texts by their names"
    if not isinstance(cwd, str):
        return "a command's folder must be a text"
    is_number = isinstance(timeout, int | float) and not isinstance(timeout, bool)
    if timeout is not None and (not is_number or timeout != timeout):
        return "a command's timeout must be a number of seconds"
    return ""


def _impossible(argv: Sequence[str], env: Mapping[str, str] | None, cwd: str) -> str:
    """Why no process can be given this, or nothing: the agent's own mistake, and not the box's."""
    try:
        check_words([*argv, cwd], env)
        words = [*argv, cwd, *(f"{name}={value}" for name, value in (env or {}).items())]
        sizes = [len(word.encode("utf-8", "surrogateescape")) for word in words]
    except SandboxError as error:
        return str(error)
    except UnicodeEncodeError:
        return "a command or its environment has half of a surrogate pair"
    if max(sizes) > _LONGEST_WORD or sum(sizes) + _WORD * len(sizes) > _LONGEST_COMMAND:
        return f"{argv[0]}: Argument list too long; write a file, and in pieces"
    return ""
