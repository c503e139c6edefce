"""Where run folders go by default: beside the suite, never into a task."""

from __future__ import annotations

from pathlib import Path


def runs_folder(start: Path) -> Path:
    """``runs`` beside the ``tasks`` folder that ``start`` lies in or under, else in ``start``.

    A run folder within a task would be part of the task: of its digest, and of what is checked.
    """
    place = start
    for folder in (start, *start.parents):
        if (folder / "task.toml").is_file():
            place = folder.parent
    for folder in (place, *place.parents):
        tasks = folder / "tasks"
        if tasks.is_dir() and any(tasks.glob("*/task.toml")):
            return folder / "runs"
    return place / "runs"
