"""One trial's outputs, judged: the verifier's box, with what its judge needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pae_harness.judging import Access, Judging
from pae_harness.result import TrialKey
from pae_harness.sandbox.protocol import Sandbox
from pae_harness.tasks import Task
from pae_harness.verifier_phase import Verified, run_verifier


@dataclass
class Verification:
    """A verification that is to be made; ``usage`` is what it spent, also where it failed."""

    task: Task
    key: TrialKey
    sandbox: Sandbox
    judging: Judging
    timeout_scale: float = 1.0
    usage: Mapping[str, float] = field(default_factory=dict)

    def run(self, tree: Path, outputs: Mapping[str, Path], folder: Path) -> Verified:
        """Verify ``outputs`` against the fixtures in ``tree``; files go into ``folder``.

        Raises what :func:`run_verifier` does, and BrokerError.
        """
        timeout = self.task.verifier_timeout_sec * self.timeout_scale
        access = Access({})
        try:
            with self.judging.access(self.key, folder, timeout) as access:
                verified = run_verifier(
                    self.task, tree, outputs, self.sandbox, folder, access=access, timeout=timeout
                )
        finally:
            self.usage = access.usage
        self.judging.accepted(self.key, access, verified.details)
        return verified
