"""What a document may be held against beside the facts: text, or data in JSON or YAML."""

from __future__ import annotations

import json
from pathlib import Path

from pae_verifiers.errors import SourcesError
from pae_verifiers.files import read_input
from pae_verifiers.yamlfile import parse

STEM = "reference"


def find(tests: Path) -> object:
    """The content of the task's ``tests/reference.*``; None where there is no such file.

    Raises VerifierInputError where there are several, or the one cannot be read.
    """
    names = sorted(path.name for path in tests.glob(f"{STEM}.*"))
    if len(names) > 1:
        raise SourcesError(f"there is one reference at most, not {', '.join(names)}")
    return read(tests / names[0]) if names else None


def read(path: Path) -> object:
    """Data from ``.json``, ``.yaml`` and ``.yml``, the text of any other file.

    Raises VerifierInputError, naming the file, for what cannot be read.
    """
    return from_text(read_input(path.parent, path.name), path.name)


def from_text(text: str, file: str) -> object:
    """The same for the content of the file called ``file``."""
    kind = Path(file).suffix.lower()
    if kind not in (".json", ".yaml", ".yml"):
        return text
    try:
        data = json.loads(text) if kind == ".json" else parse(text, file, SourcesError).plain()
        # YAML's dates are text to a judge; NaN is nothing to anybody.
        return json.loads(json.dumps(data, default=str, allow_nan=False))
    except (ValueError, RecursionError) as error:
        raise SourcesError(f"{file}: not plain JSON data: {error}") from error
