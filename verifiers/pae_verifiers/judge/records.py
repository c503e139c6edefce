"""Where records of exchanges with a model lie, and how one holds its answer.

A record is a JSON file in a folder called ``judge``, anywhere below the folder of a run, or of
many. Its ``request`` is answered with ``status`` and ``reply`` where that was a JSON object, else
``text``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

FOLDER = "judge"  # of a trial's folder, for what its judge was asked


def folders(root: Path) -> Iterator[Path]:
    """Every folder of records below ``root``, sorted; nothing that an agent wrote is looked into.

    So of a trial's folder only its own one counts, and none whose name begins with a dot.
    """
    for place, names, files in os.walk(root):
        if "trial.json" in files:
            names[:] = [name for name in names if name == FOLDER]
        names[:] = sorted(name for name in names if not name.startswith("."))
        if Path(place).name == FOLDER:
            names.clear()
            yield Path(place)


def recorded_body(record: Mapping[str, Any]) -> bytes:
    """The body of a reply, from the JSON of a record: the same data, if not the same spaces."""
    if "reply" in record:
        return json.dumps(record["reply"], ensure_ascii=False).encode("utf-8", "surrogatepass")
    return str(record.get("text", "")).encode("utf-8", "surrogatepass")
