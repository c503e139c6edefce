"""A solution at work in its box, whatever kind it is of, and what its end comes to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from pae_harness.agents.shift import Shift
from pae_harness.errors import (
    BoxOutOfMemoryError,
    ModelOutOfReachError,
    SandboxError,
)
from pae_harness.sandbox.protocol import ExecResult
from pae_harness.solutions import Solution

LOG = "agent.log"


def at_work(
    solution: Solution,
    shift: Shift,
    instruction: str,
    folder: Path,
    *,
    command: Sequence[str] | None,
    env: Mapping[str, str] | None = None,
) -> ExecResult | None:
    """Run ``solution``: ``command``, with ``env``, unless it is a class; None where neither is.

    What it said goes into ``folder/agent.log``. Raises SandboxError where the box failed.
    """
    result = None
    if solution.hosted is not None:
        from pae_harness.agents.hosted import run_hosted

        result = run_hosted(solution.hosted, shift, instruction)
    elif command is not None:
        result = shift.run(command, env)
    _write_log(folder / LOG, result)
    return result


def settle(shift: Shift, result: ExecResult | None, collect: Callable[[], str]) -> str:
    """Kill the box and ``collect`` what is in it: why that cannot be evaluated, or nothing.

    Raises ModelOutOfReachError where the work ended for want of its model.
    """
    problem = ""
    try:
        shift.box.kill()
        problem = collect()
    except BoxOutOfMemoryError:
        # What it left in memory, files or else, may be the end of the box even afterwards.
        if result is None:
            raise
        if not shift.failure:
            shift.fail("memory")
    except SandboxError:
        # Whoever drags the box along into a limit has hit it all the same.
        if not shift.failure:
            raise
    if shift.access is not None and (trouble := shift.access.trouble()):
        raise ModelOutOfReachError(trouble)
    return shift.failure or problem


def _write_log(path: Path, result: ExecResult | None) -> None:
    """What the solution said, on both its streams."""
    if result is None:
        path.write_bytes(b"")
        return
    cut = b"\n[output beyond the limit was dropped]" if result.truncated else b""
    path.write_bytes(result.stdout + (b"\n" if result.stdout else b"") + result.stderr + cut)
