"""A task whose verifier asks a model, for tests of everything around that question.

Its ``test.sh`` is not the one that a task must have: it is put there after the task was loaded.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from pae_harness.tasks import Task, load

DATA = Path(__file__).parent / "data"
ENVIRONMENT = """\
JUDGE_API_KEY = "${JUDGE_API_KEY:-}"
JUDGE_MODEL = "${JUDGE_MODEL:-another}"
ASKED_LITERAL = "one"
ASKED_DEFAULT = "${HOME:-two}"
ASKED_UNSET = "${ASKED_FROM_THE_HOST}"
"""


def asking_task(folder: Path) -> Task:
    """The tiny task with the verifier of ``data/asking/ask.py``, in ``folder``."""
    suite = shutil.copytree(DATA / "tiny", folder)
    place = suite / "tasks" / "tiny-note"
    manifest = place / "task.toml"
    text = manifest.read_text()
    manifest.write_text(text.replace('JUDGE_API_KEY = "${JUDGE_API_KEY:-}"\n', ENVIRONMENT))
    shutil.copy(DATA / "asking" / "ask.py", place / "tests")
    task = load(place)
    (place / "tests" / "test.sh").write_text("#!/bin/sh\nexec python3 -I /tests/ask.py\n")
    return task
