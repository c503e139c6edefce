"""The task.toml of an exported task. Pure: from the task's own to Harbor's text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pae_verifiers.judge.models import Model

_TEMPLATE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_EVERYBODYS = ("author_name", "author_email", "difficulty", "category", "tags")
_NOT_EXPORTED = (*_EVERYBODYS, "traps")
_LIMITS = ("build_timeout_sec", "cpus", "memory_mb", "storage_mb")


def exported_name(name: str, seed: int) -> str:
    """What a task of one seed is called, also its folder: ``pf-judg-rebalance-memo-seed-1``."""
    return f"{name}-seed-{seed}"


def manifest(original: Mapping[str, Any], seed: int, model: Model | None) -> dict[str, Any]:
    """Harbor's task.toml, schema 1.4, for ``original``, a checked task.toml, on ``seed``.

    ``model`` is the judge; None is the rules judge. There is no ``network_mode``: Harbor's own
    offline mode needs images from a registry, so the Compose files cut the network.
    """
    task, metadata = original["task"], original["metadata"]
    org, _, name = task["name"].partition("/")
    limits = original.get("environment", {})
    return {
        "schema_version": original["schema_version"],
        "artifacts": [output["path"] for output in metadata["outputs"]],
        "task": {**task, "name": f"{org}/{exported_name(name, seed)}"},
        "metadata": {
            **{key: metadata[key] for key in _EVERYBODYS if key in metadata},
            "pae": {
                **{key: metadata[key] for key in metadata if key not in _NOT_EXPORTED},
                "seed": seed,
                "judge": "rules, a stand-in" if model is None else str(model),
            },
        },
        "agent": {"timeout_sec": original["agent"]["timeout_sec"]},
        "verifier": {
            "timeout_sec": original["verifier"]["timeout_sec"],
            "environment_mode": "separate",
            "env": _environment(original["verifier"].get("env", {}), model),
        },
        "environment": {key: limits[key] for key in _LIMITS if key in limits},
    }


def _environment(own: Mapping[str, str], model: Model | None) -> dict[str, str]:
    """The verifier's variables. A template that is unset would end Harbor's job: each gets an
    empty default."""
    judge = {"PAE_JUDGE": "rules"}
    if model is not None:
        judge = {
            "PAE_JUDGE": "model",
            "JUDGE_MODEL": model.name,
            "JUDGE_BASE_URL": model.base_url,
            "JUDGE_API_KEY": "${JUDGE_API_KEY:-}",
        }
    return {**{name: _TEMPLATE.sub(r"${\1:-}", value) for name, value in own.items()}, **judge}
