"""Which judge a name stands for.

``rules`` is the task's own rules.py. A model is ``NAME@PROVIDER`` or ``NAME@BASE_URL``,
``litellm:MODEL``, ``replay:DIR`` for recorded answers, or ``model`` for the one that the variables
JUDGE_MODEL, JUDGE_BASE_URL and JUDGE_API_KEY name. JUDGE_PROMPT says how a model is asked.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pae_verifiers.errors import VerifierInputError
from pae_verifiers.judge import JUDGES, models

if TYPE_CHECKING:
    from pae_verifiers.judge.prompts import Prompt
    from pae_verifiers.judge.protocol import Judge
    from pae_verifiers.judge.transport import Transport
    from pae_verifiers.rubric.model import Rubric

MODEL, BASE_URL, KEY = "JUDGE_MODEL", "JUDGE_BASE_URL", models.ANY_KEY
PROMPT = "JUDGE_PROMPT"
LITELLM, REPLAY, SOCKET = "litellm:", "replay:", "unix://"
FORMS = ("replay:DIR", "litellm:MODEL", "NAME@PROVIDER", "NAME@BASE_URL")


def check(name: str) -> None:
    """Raise VerifierInputError unless ``name`` can stand for a judge."""
    if name in JUDGES:
        return
    for prefix in (LITELLM, REPLAY):
        if name.startswith(prefix) and name != prefix:
            return
    if "@" not in name:
        known = ", ".join((*JUDGES, *FORMS))
        raise VerifierInputError(f"there is no judge {name!r}; there is: {known}")
    models.parse(name)


def select(
    name: str,
    tests: Path,
    rubric: Rubric,
    *,
    prompt: Prompt | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Judge:
    """The judge called ``name``, for ``rubric`` of the task whose tests folder is ``tests``.

    ``prompt`` is how a model is asked (default: as ``environ`` says, else hardened). Raises
    VerifierInputError for an unknown name or where key, model or address is missing, RubricError
    where the rules cannot be loaded.
    """
    check(name)
    if name == "rules":
        from pae_verifiers.judge import rules

        return rules.load(tests / "rules.py", rules.asked(rubric))
    return _model_judge(name, prompt, environ)


def _model_judge(name: str, prompt: Prompt | None, environ: Mapping[str, str]) -> Judge:
    from pae_verifiers.judge.client import ModelChat
    from pae_verifiers.judge.model import ModelJudge
    from pae_verifiers.judge.patience import JudgePatience

    label, model, transport = _reached(name, environ)
    patience = JudgePatience.from_environment(environ)
    chat = ModelChat(model, transport, patience)
    return ModelJudge(label, model, chat, prompt or _prompt(environ), patience)


def _prompt(environ: Mapping[str, str]) -> Prompt:
    from pae_verifiers.judge.prompts import PROMPTS, load

    name = environ.get(PROMPT) or "hardened"
    if name not in PROMPTS:
        raise VerifierInputError(f"{PROMPT} is {name!r}, not one of {', '.join(PROMPTS)}")
    return load(name)


def _reached(name: str, environ: Mapping[str, str]) -> tuple[str, str, Transport]:
    """What the judge is called, what its endpoint calls the model, and the way there."""
    if name.startswith(LITELLM):
        from pae_verifiers.judge.through_litellm import LiteLLM

        model = name.removeprefix(LITELLM)
        return f"{model}@litellm", model, LiteLLM()
    if name.startswith(REPLAY):
        return _replayed(Path(name.removeprefix(REPLAY)), environ)
    from pae_verifiers.judge.endpoint import Endpoint

    if name == "model":
        return _from_environment(environ)
    model_ = models.parse(name)
    return str(model_), model_.name, Endpoint(model_.base_url, models.key_of(model_, environ))


def _replayed(folder: Path, environ: Mapping[str, str]) -> tuple[str, str, Transport]:
    from pae_verifiers.judge.replay import Replay

    replay = Replay(folder)
    model = _plain(environ.get(MODEL, "")) or ", ".join(sorted(replay.models))
    if model not in replay.models:
        known = ", ".join(sorted(replay.models))
        raise VerifierInputError(
            f"{folder}: the models asked there are {known}; set {MODEL} to one of them"
        )
    return f"{model}@replay", model, replay


def _from_environment(environ: Mapping[str, str]) -> tuple[str, str, Transport]:
    from pae_verifiers.judge.endpoint import Endpoint

    name, address = environ.get(MODEL, ""), environ.get(BASE_URL, "")
    if not name:
        raise VerifierInputError(
            f"the judge 'model' is not named: set {MODEL} to NAME@PROVIDER "
            f"({', '.join(models.PRESETS)}), or to NAME and {BASE_URL} to its address"
        )
    if not address:
        model = models.parse(name)
        return str(model), model.name, Endpoint(model.base_url, models.key_of(model, environ))
    plain = _plain(name)
    if address.startswith(SOCKET):
        label = name
    else:
        address = models.parse(f"{plain}@{address}").base_url
        label = name if name != plain else f"{plain}@{address}"
    # Only the key that goes with the address: a provider's own stays away from other addresses.
    return label, plain, Endpoint(address, environ.get(KEY, ""))


def _plain(name: str) -> str:
    """The model's name alone, where a provider or an address stands behind it."""
    try:
        return models.parse(name).name
    except VerifierInputError:
        return name
