"""A trial's second box: the task's tests on the outputs and the pristine fixtures.

What comes back is a claim. It is accepted only if it is a well-formed reward over the metrics that
the task declares, and the reward itself is computed again here.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pae_harness.errors import OutputRefusedError, VerifierCutOffError, VerifierError
from pae_harness.judging import Access
from pae_harness.result import TrialResult
from pae_harness.sandbox.protocol import (
    Box,
    BoxSpec,
    ExecResult,
    Limits,
    Mount,
    OutputLimits,
    Sandbox,
)
from pae_harness.tasks import Task
from pae_verifiers.reward import combine

LOGS = "/logs/verifier"
JUDGE_VARIABLES = frozenset(
    {
        "JUDGE_API_KEY",
        "JUDGE_BASE_URL",
        "JUDGE_MODEL",
        "JUDGE_PROMPT",
        "JUDGE_DEADLINE_SEC",
        "PAE_JUDGE",
    }
)
_QUARANTINED = 3  # the verifier's exit code where a judge's reply could not be used
_TEMPLATE = re.compile(r"\$\{[A-Za-z_][A-Za-z0-9_]*(?::-([^}]*))?\}")
LIMITS = Limits(cpus=1, memory_mb=2048, pids=64, storage_mb=256)


@dataclass(frozen=True)
class Verified:
    """The verifier's accepted answer. ``reason`` is set where the document was not evaluable."""

    reward: float
    metrics: Mapping[str, float]
    details: Mapping[str, Any]
    reason: str
    software: str = ""

    def result(self, so_far: TrialResult) -> TrialResult:
        """The trial's result, of which ``so_far`` is what was known before."""
        return replace(
            so_far,
            outcome="agent_failed" if self.reason else "scored",
            reward=self.reward,
            reason=self.reason,
            metrics=self.metrics,
            details=self.details,
        )


def run_verifier(
    task: Task,
    tree: Path,
    outputs: Mapping[str, Path],
    sandbox: Sandbox,
    folder: Path,
    *,
    access: Access,
    timeout: float,
) -> Verified:
    """Verify ``outputs`` in a fresh box, within ``timeout`` seconds, and keep what it wrote in
    ``folder/verifier``. ``access`` is what it is given for its judge.

    Raises VerifierError where the verifier crashed, ran too long, answered nonsense or was not told
    what its judge thinks, and SandboxError where the box failed: both leave the trial unscored.
    """
    spec = BoxSpec(
        limits=LIMITS,
        writable=(LOGS, "/tmp"),
        mounts=(
            Mount(tree, "/fixtures"),
            Mount(task.path / "tests", "/tests"),
            *(Mount(source, path) for path, source in outputs.items()),
            *access.mounts,
        ),
        env={**_settings(task), **access.env},
        software="verifier",
    )
    kept = folder / "verifier"
    with sandbox.start(spec) as box:
        software = box.software
        result = box.exec(["sh", "/tests/test.sh"], timeout=timeout)
        take_logs(box, kept)
    kept.mkdir(exist_ok=True)
    (kept / "log").write_bytes(result.stdout + result.stderr)
    if access.off and result.exit_code == _QUARANTINED:
        raise VerifierError("judge off: the rubric is not judged; `pae regrade` can do it later")
    if result.exit_code != 0:
        cut_off = access.out_of_reach or (result.exit_code is None and result.limit is None)
        raise (VerifierCutOffError if cut_off else VerifierError)(_why(result, timeout))
    verified = accept(task, _read(kept / "reward.json"), _read(kept / "details.json"))
    return replace(verified, software=software)


def take_logs(box: Box, into: Path) -> None:
    """Kill the box and copy out what its tests wrote. Raises VerifierError for what is refused."""
    box.kill()
    try:
        box.get(LOGS, into, OutputLimits())
    except OutputRefusedError as error:
        raise VerifierError(f"the verifier's files cannot be used: {error}") from error


def accept(task: Task, claim: Mapping[str, Any], details: Mapping[str, Any]) -> Verified:
    """Check the verifier's claim against the task and compute the reward from its metrics.

    A metric may be missing only if details list it as not measured and another one is 0.
    Raises VerifierError for anything else.
    """
    config = task.verifier
    weights = config.weights
    for name, value in claim.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise VerifierError(f"reward.json: {name} is {value!r}, not a number")
        if not math.isfinite(value) or not 0 <= value <= 1:
            raise VerifierError(f"reward.json: {name} is {value}, outside 0 to 1")
    metrics = {name: float(claim[name]) for name in weights if name in claim}
    if unknown := set(claim) - set(weights) - {"reward"}:
        raise VerifierError(f"reward.json: {min(unknown)} is no metric of this task")
    missing = [name for name in weights if name not in metrics]
    if missing != details.get("not_measured", []):
        raise VerifierError(f"reward.json lacks {missing}, details.json does not say the same")
    try:
        reward = combine(metrics, weights, config.combine)
    except ValueError as error:
        raise VerifierError(f"reward.json: {error}") from error
    if not math.isclose(float(claim.get("reward", -1)), reward, abs_tol=1e-9):
        raise VerifierError(
            f"reward.json: the reward {claim.get('reward')} is not what its metrics give ({reward})"
        )
    reason = str(details.get("reason")) if details.get("status") == "not_evaluable" else ""
    return Verified(reward, metrics, details, reason)


def _settings(task: Task) -> dict[str, str]:
    """The task's own variables: literally, or as their templates have it without any value.

    None comes from this machine's environment, and those of the judge from the broker alone.
    """
    own = {
        name: _TEMPLATE.sub(lambda found: found[1] or "", value)
        for name, value in task.verifier_env.items()
    }
    return {name: value for name, value in own.items() if name not in JUDGE_VARIABLES}


def _read(path: Path) -> Mapping[str, Any]:
    try:
        data = json.loads(path.read_bytes())
    except FileNotFoundError as error:
        raise VerifierError(f"the verifier wrote no {path.name}") from error
    except (ValueError, RecursionError) as error:
        raise VerifierError(f"the verifier's {path.name} is not JSON: {error}") from error
    if not isinstance(data, dict):
        raise VerifierError(f"the verifier's {path.name} is not a JSON object")
    return data


def _why(result: ExecResult, timeout: float) -> str:
    if result.limit == "time":
        return f"the verifier ran into its time limit of {timeout:g} s"
    if result.limit:
        return f"the verifier ran into its {result.limit} limit"
    said = result.stderr.decode(errors="replace").strip()
    if result.exit_code == _QUARANTINED and (reason := said.rpartition("quarantined: ")[2]):
        return f"the judge gave nothing that can be used: {reason}"
    last = result.stderr.decode(errors="replace").strip().splitlines()[-1:]
    return f"the verifier failed with exit code {result.exit_code}: {''.join(last)}"
