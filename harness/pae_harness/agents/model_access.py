"""An agent's way to its model: the broker's socket, and inside the box an address in front of it.

Agents know how to ask an address, not a socket: a forwarder, started around the agent's command,
listens on the box's own loopback and passes everything on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pae_harness.broker.grant import SOCKET, TARGET, Grant
from pae_harness.sandbox.protocol import Mount

FORWARDER = "forward.py"
PORT = 4141
_ORIGIN = f"http://127.0.0.1:{PORT}"


@dataclass(frozen=True)
class ModelAccess:
    """What one trial's agent is given."""

    grant: Grant

    @property
    def mounts(self) -> tuple[Mount, ...]:
        """The folder with the socket and the forwarder, for the agent's box."""
        return (self.grant.mount,)

    @property
    def env(self) -> Mapping[str, str]:
        """What a command in the box finds the model by; the token is good for this trial alone."""
        token, model = self.grant.token, self.model
        return {
            "OPENAI_BASE_URL": f"{_ORIGIN}/v1",
            "OPENAI_API_BASE": f"{_ORIGIN}/v1",
            "OPENAI_API_KEY": token,
            "OPENAI_MODEL": model,
            "ANTHROPIC_BASE_URL": _ORIGIN,
            "ANTHROPIC_API_KEY": token,
            "ANTHROPIC_MODEL": model,
        }

    def wrap(self, argv: Sequence[str]) -> list[str]:
        """``argv`` with the forwarder around it."""
        return ["python3", "-I", f"{TARGET}/{FORWARDER}", str(PORT), f"{TARGET}/{SOCKET}", *argv]

    @property
    def model(self) -> str:
        return self.grant.models[0]

    @property
    def token(self) -> str:
        return self.grant.token

    @property
    def socket(self) -> Path:
        """The socket on this machine, for an agent that runs on it."""
        return self.grant.folder / SOCKET

    @property
    def usage(self) -> Mapping[str, float]:
        """``agent_calls``, ``agent_prompt_tokens`` and so on, so far."""
        return self.grant.usage

    def trouble(self) -> str:
        """Why the model is out of reach, in a sentence, or nothing; asks it where that is open."""
        return self.grant.trouble()
