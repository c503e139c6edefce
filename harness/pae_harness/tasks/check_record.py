"""Static checks on the task's record: its name, and what its status claims."""

from __future__ import annotations

from collections.abc import Iterator

from pae_harness.errors import TaskError
from pae_harness.tasks.draft import Draft

RECEIPT = "receipt.json"


def folder_name(draft: Draft) -> Iterator[TaskError]:
    """The second part of task.name is the folder's name."""
    if draft.task is None:
        return
    name = draft.task.value["task"]["name"].split("/")[1]
    if name != draft.folder.name:
        yield draft.task.error(
            f"the task is called '{name}' but its folder '{draft.folder.name}'", "task", "name"
        )


def receipt(draft: Draft) -> Iterator[TaskError]:
    """A task that calls itself ready has been validated."""
    if draft.task is None or draft.task.value["metadata"]["status"] != "ready":
        return
    if not (draft.oracle / RECEIPT).is_file():
        yield draft.task.error(
            f"status is 'ready', but the oracle has no {RECEIPT}: validate the task first",
            "metadata",
            "status",
        )


def artifacts(draft: Draft) -> Iterator[TaskError]:
    """Harbor's artifacts, where given, are the declared outputs."""
    if draft.task is None or "artifacts" not in draft.task.value:
        return
    outputs = [output["path"] for output in draft.task.value["metadata"]["outputs"]]
    if sorted(draft.task.value["artifacts"]) != sorted(outputs):
        yield draft.task.error("artifacts must be the paths of metadata.outputs", "artifacts")
