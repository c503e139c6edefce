"""mini-swe-agent, the library, with its shell in the trial's box and its model behind the broker.

Its own loop, prompts and limits of format; what is replaced are the two ends that it has interfaces
for. Needs the extra ``agents``.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from types import SimpleNamespace
from typing import Any, ClassVar

from pae_harness.agents.workplace import ModelError, Workplace
from pae_harness.errors import AgentLoadError

_COMMAND_SECONDS = 120.0
_SPENT = 429  # the broker's status for a budget that is used up
_DONE = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"


def _library_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("mini-swe-agent")
    except PackageNotFoundError:
        raise AgentLoadError(
            "it is not installed: pip install 'portfolio-agent-evals[agents]'"
        ) from None


class MiniSweAgent:
    """The agent that ``-a mini-swe-agent`` names."""

    version: ClassVar[str] = _library_version()

    def run(self, work: Workplace) -> None:
        if work.model is None:
            raise ModelError(None, "mini-swe-agent needs a model: give one with --model")
        with tempfile.TemporaryDirectory() as settings:
            # Importing it reads, and makes, a settings folder of the user's, and prints a banner.
            os.environ["MSWEA_GLOBAL_CONFIG_DIR"] = settings
            os.environ["MSWEA_SILENT_STARTUP"] = "1"
            from minisweagent.agents.default import DefaultAgent
            from minisweagent.config import builtin_config_dir, get_config_from_spec

            config = get_config_from_spec(builtin_config_dir / "mini.yaml")
            model = _Model(work, config["model"])
            agent = DefaultAgent(
                model,
                _Environment(work, config["environment"].get("env", {})),
                system_template=config["agent"]["system_template"],
                instance_template=config["agent"]["instance_template"],
                cost_limit=0,  # the broker's budget holds
            )
            ended = agent.run(work.instruction)
            print(f"mini-swe-agent: {ended.get('exit_status')} after {agent.n_calls} calls")  # noqa: T201


class _Environment:
    """Its shell."""

    def __init__(self, work: Workplace, variables: dict[str, str]) -> None:
        self.config = SimpleNamespace(cwd="/app", env=variables)
        self._work, self._variables = work, variables

    def execute(self, action: dict[str, Any], cwd: str = "") -> dict[str, Any]:
        from minisweagent.exceptions import Submitted

        done = self._work.exec(
            # One stream, in the order in which it was written.
            ["bash", "-c", 'exec 2>&1; eval "$1"', "bash", str(action.get("command", ""))],
            timeout=_COMMAND_SECONDS,
            cwd=cwd or None,
            env=self._variables,
        )
        told = {
            "output": done.stdout + done.stderr,
            "returncode": -1 if done.exit_code is None else done.exit_code,
            "exception_info": "",
        }
        if done.timed_out:
            told["exception_info"] = f"The command was killed after {_COMMAND_SECONDS:g} seconds."
        first, _, rest = done.stdout.lstrip().partition("\n")
        if done.exit_code == 0 and first.strip() == _DONE:
            extra = {"exit_status": "Submitted", "submission": rest}
            raise Submitted({"role": "exit", "content": rest, "extra": extra})
        return told

    def get_template_vars(self, **more: Any) -> dict[str, Any]:
        said = self._work.exec(["sh", "-c", "uname -s; uname -r; uname -v; uname -m"]).stdout
        names = ("system", "release", "version", "machine")
        known = dict(zip(names, said.splitlines(), strict=False))
        return {**dict.fromkeys(names, ""), **known, **more}

    def serialize(self) -> dict[str, Any]:
        return {"info": {"config": {"environment_type": "pae"}}}


class _Model:
    """Its model: one tool, ``bash``, as the library has it."""

    def __init__(self, work: Workplace, config: dict[str, Any]) -> None:
        assert work.model is not None
        self.config = SimpleNamespace(model_name=work.model.name)
        self._work, self._config = work, config

    def query(self, messages: list[dict[str, Any]]) -> dict[str, Any]:
        from minisweagent.exceptions import LimitsExceeded
        from minisweagent.models.utils.actions_toolcall import BASH_TOOL

        plain = [{k: v for k, v in m.items() if k != "extra"} for m in messages]
        try:
            reply = self._work.complete(plain, tools=[BASH_TOOL])
        except ModelError as error:
            if error.status != _SPENT:
                raise
            extra = {"exit_status": "LimitsExceeded", "submission": ""}
            raise LimitsExceeded({"role": "exit", "content": str(error), "extra": extra}) from error
        choice = reply["choices"][0]
        message: dict[str, Any] = dict(choice["message"])
        actions = self._actions(message, choice.get("finish_reason"))
        message["extra"] = {"actions": actions, "cost": 0.0, "timestamp": time.time()}
        return message

    def _actions(self, message: dict[str, Any], finish_reason: object) -> list[dict[str, Any]]:
        from minisweagent.models.utils.actions_toolcall import parse_toolcall_actions

        calls = [
            SimpleNamespace(id=call.get("id", ""), function=SimpleNamespace(**call["function"]))
            for call in message.get("tool_calls") or []
        ]
        actions: list[dict[str, Any]] = parse_toolcall_actions(
            calls,
            format_error_template=self._config["format_error_template"],
            template_kwargs={"finish_reason": finish_reason},
        )
        return actions

    def format_message(self, **message: Any) -> dict[str, Any]:
        return message

    def format_observation_messages(
        self,
        message: dict[str, Any],
        outputs: list[dict[str, Any]],
        template_vars: dict[str, Any] | None = None,
    ) -> list[dict[str, Any]]:
        from minisweagent.models.utils.actions_toolcall import format_toolcall_observation_messages

        observed: list[dict[str, Any]] = format_toolcall_observation_messages(
            actions=message.get("extra", {}).get("actions", []),
            outputs=outputs,
            observation_template=self._config["observation_template"],
            template_vars=template_vars,
        )
        return observed

    def get_template_vars(self) -> dict[str, Any]:
        return {"model_name": self.config.model_name}

    def serialize(self) -> dict[str, Any]:
        return {"info": {"config": {"model": json.dumps(self.config.model_name)}}}
