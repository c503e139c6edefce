"""One trial's access to a model: a folder for its box, with a socket, and a token that opens it."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Literal

from pae_harness.broker.exchange import Exchange
from pae_harness.sandbox.protocol import Mount

TARGET = "/broker"  # where a box has the folder
SOCKET = "broker.sock"
ADDRESS = f"unix://{TARGET}/{SOCKET}"
Role = Literal["judge", "agent"]
# The names under which a box of each role looks for what it needs.
_VARIABLES = {
    "judge": ("JUDGE_API_KEY", "JUDGE_BASE_URL", "JUDGE_MODEL"),
    "agent": ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL"),
}


@dataclass(frozen=True)
class Grant:
    """What a box is given, and what came of it. Valid within the broker's ``grant`` block."""

    folder: Path
    token: str
    models: Sequence[str]
    role: Role
    _exchanges: list[Exchange]
    _trouble: Callable[[], str] = field(default=str, repr=False)

    @classmethod
    def prepare(
        cls, folder: Path, models: Sequence[str], role: Role, exchanges: list[Exchange]
    ) -> Grant:
        """A grant with a fresh token, on a new folder that any user of a box may enter."""
        folder.mkdir()
        folder.chmod(0o755)
        return cls(folder, f"pae-{secrets.token_urlsafe(32)}", models, role, exchanges)

    @property
    def mount(self) -> Mount:
        """The folder as the box has it, read-only; not the socket, which is made anew each time."""
        return Mount(self.folder, TARGET)

    @property
    def env(self) -> Mapping[str, str]:
        """The variables by which the box finds the socket; none of them opens anything else."""
        key, url, model = _VARIABLES[self.role]
        return {key: self.token, url: ADDRESS, model: self.models[0] if self.models else ""}

    @property
    def exchanges(self) -> Sequence[Exchange]:
        """What was asked and answered so far."""
        return tuple(self._exchanges)

    @property
    def usage(self) -> dict[str, float]:
        """``judge_calls``, ``judge_prompt_tokens`` and so on, of what the endpoint answered.

        A figure that some reply does not tell, or nobody knows the price of, is left out.
        ``judge_reused`` counts the answers from the cache or a record, ``judge_control_calls`` the
        broker's own questions; tokens and cost are of those too.
        """
        paid = [e for e in self._exchanges if e.paid]
        own = sum(e.source == "control" for e in paid)
        figures: dict[str, float] = {"calls": len(paid) - own}
        if own:
            figures["control_calls"] = own
        if reused := len(self._exchanges) - len(paid):
            figures["reused"] = reused
        charged = [e for e in paid if not e.refused]
        told = [e.usage for e in charged if e.usage is not None]
        if paid and len(told) == len(charged):
            figures["prompt_tokens"] = sum(u.prompt_tokens for u in told)
            figures["completion_tokens"] = sum(u.completion_tokens for u in told)
            costs = [u.cost for u in told if u.cost is not None]
            if len(costs) == len(charged):
                figures["cost_usd"] = float(sum(costs, Decimal(0)))
        return {f"{self.role}_{name}": value for name, value in figures.items()}

    def trouble(self) -> str:
        """Why the model is out of reach, in one sentence without the key; empty where it is not.

        To be asked when the box is gone: what is under way is cancelled, and nothing more is
        answered. Only where the last call failed at the endpoint is the endpoint asked again, by a
        plain request of the broker's own, once, for 30 s at most. Raises BrokerError where the
        broker has ended.
        """
        return self._trouble()

    def remove(self) -> None:
        """Remove the folder; the server leaves its socket behind."""
        shutil.rmtree(self.folder, ignore_errors=True)
