"""Which model a name stands for, and where it answers."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlsplit

from pae_verifiers.errors import VerifierInputError

ANY_KEY = "JUDGE_API_KEY"


class Preset(NamedTuple):
    """A provider's OpenAI-compatible endpoint, and the variables that its key may stand in."""

    base_url: str
    key_variables: tuple[str, ...] = ()


PRESETS = {
    "openai": Preset("https://api.openai.com/v1", ("OPENAI_API_KEY",)),
    "anthropic": Preset("https://api.anthropic.com/v1", ("ANTHROPIC_API_KEY",)),
    "gemini": Preset(
        "https://generativelanguage.googleapis.com/v1beta/openai",
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    ),
    "openrouter": Preset("https://openrouter.ai/api/v1", ("OPENROUTER_API_KEY",)),
    "vllm": Preset("http://127.0.0.1:8000/v1"),
    "ollama": Preset("http://127.0.0.1:11434/v1"),
    "llama.cpp": Preset("http://127.0.0.1:8080/v1"),
}


@dataclass(frozen=True)
class Model:
    """A model at an endpoint.

    ``provider`` is a preset's name, or empty. The key is the first of ``key_variables`` that is
    set in the environment; none of them need be where ``needs_key`` is false.
    """

    name: str
    base_url: str
    provider: str
    key_variables: tuple[str, ...]

    @property
    def needs_key(self) -> bool:
        return bool(self.provider and PRESETS[self.provider].key_variables)

    def __str__(self) -> str:
        return f"{self.name}@{self.provider or self.base_url}"


def parse(text: str) -> Model:
    """The model that ``NAME@PRESET`` or ``NAME@http(s)://HOST[:PORT]/PATH`` stands for.

    The last @ divides. Raises VerifierInputError for an unknown preset, a missing name, or a URL
    that carries credentials, a query or a fragment.
    """
    name, at, where = text.rpartition("@")
    if not at or not name or not where or any(c.isspace() for c in text):
        raise VerifierInputError(
            f"{text!r} is no model: give NAME@PROVIDER ({', '.join(PRESETS)}) or NAME@BASE_URL"
        )
    if where in PRESETS:
        preset = PRESETS[where]
        return Model(name, preset.base_url, where, (ANY_KEY, *preset.key_variables))
    return Model(name, _base_url(where), "", (ANY_KEY,))


def key_of(model: Model, environ: Mapping[str, str]) -> str:
    """The key for ``model``, or empty where it needs none and there is none.

    Raises VerifierInputError for one that is missing or can be in no header; it is never quoted.
    """
    for variable in model.key_variables:
        if key := environ.get(variable, "").strip():
            if not key.isascii() or not key.isprintable() or " " in key:
                raise VerifierInputError(
                    f"the key in {variable} has a character that no header can carry: set it anew"
                )
            return key
    if model.needs_key:
        raise VerifierInputError(f"{model} needs a key: set {' or '.join(model.key_variables)}")
    return ""


def is_loopback(base_url: str) -> bool:
    """Whether an address is this machine's own, which no proxy and no other machine reaches."""
    host = urlsplit(base_url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _base_url(text: str) -> str:
    try:
        url = urlsplit(text)
        sound = url.scheme in ("http", "https") and bool(url.hostname) and (url.port or 1) > 0
    except ValueError:
        sound = False
    if not sound:
        raise VerifierInputError(
            f"{text!r} is neither a provider ({', '.join(PRESETS)}) nor an http(s) address"
        )
    if url.username is not None or url.query or url.fragment:
        # Not quoted: what follows may be a key.
        raise VerifierInputError(
            "a model's base URL has no user, query or fragment; a key goes into the environment "
            f"as {ANY_KEY}"
        )
    return text.rstrip("/")
