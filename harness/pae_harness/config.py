"""``pae.toml`` and the ``PAE_`` variables, held against the options that there are."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pae_harness.errors import UsageError
from pae_harness.nearest import nearest
from pae_harness.options import ALL, OTHER_VARIABLES
from pae_harness.settings import CONFIG_FILE, PRICES


def check_environment(environ: Mapping[str, str]) -> None:
    """Raises UsageError for a variable PAE_X that is nearly, but not quite, one that is known."""
    known = [option.name.upper() for option in ALL] + list(OTHER_VARIABLES)
    for variable in sorted(environ):
        name = variable.removeprefix("PAE_")
        if name == variable or name in known:
            continue
        if (near := nearest(name, known)) is not None:
            raise UsageError(f"{variable} is not known; did you mean PAE_{near}?")


def read_config(start: Path) -> dict[str, Any]:
    """What the nearest ``pae.toml`` at or above ``start`` says, or nothing.

    Raises UsageError for a file that is not TOML or has a key that no option has.
    """
    for folder in (start, *start.parents):
        path = folder / CONFIG_FILE
        if path.is_file():
            return _read_config_file(path)
    return {}


def _read_config_file(path: Path) -> dict[str, Any]:
    try:
        config = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: not TOML: {error}") from error
    names = [*(option.name for option in ALL), PRICES]
    for key in config:
        if key == PRICES and not isinstance(config[key], dict):
            raise UsageError(f"{path}: [{PRICES}] is a table of models")
        if key not in names:
            near = nearest(key, names)
            hint = f"; did you mean {near!r}?" if near else f"; known: {', '.join(names)}"
            raise UsageError(f"{path}: unknown key {key!r}{hint}")
    for key in ("tasks", "agent_dir", "out"):
        if key in config:
            config[key] = str(path.parent / str(config[key]))
    return config
