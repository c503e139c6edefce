"""Answers from the records of earlier runs, with nobody asked again."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pae_harness.broker.upstream import Reply
from pae_harness.errors import UsageError
from pae_verifiers.canonical import digest
from pae_verifiers.judge.records import folders, recorded_body

_NAME = re.compile(r"\d{3,}-([0-9a-f]{64})\.json")


class Records:
    """All records below ``folder``: a run's, or those of many runs. Raises UsageError for none.

    ``judge`` is what the run's own run.json says of its judge, or empty.
    """

    def __init__(self, folder: Path) -> None:
        self._by_trial: dict[str, dict[str, list[Path]]] = {}
        self._anywhere: defaultdict[str, list[Path]] = defaultdict(list)
        for place in folders(folder):
            trial: defaultdict[str, list[Path]] = defaultdict(list)
            for path in sorted(place.iterdir()):
                if (named := _NAME.fullmatch(path.name)) and path.is_file():
                    trial[named[1]].append(path)
                    self._anywhere[named[1]].append(path)
            self._by_trial.setdefault(_trial_of(place), dict(trial))
        self.judge = _judge_of(folder)
        if not self._anywhere and not self.judge.get("model"):
            raise UsageError(
                f"{folder} holds no records of a judge that is a model: "
                "give the folder of a run that had one"
            )

    def models(self, trial: str) -> tuple[str, ...]:
        """The models that the records of ``trial`` were asked of, else the run's, else any."""
        own = [path for paths in self._by_trial.get(trial, {}).values() for path in paths]
        named = str(self.judge.get("model") or "")
        if not own and named:
            return (named,)
        paths = own or [paths[0] for paths in self._anywhere.values()][:1]
        asked = [_read(path).get("request", {}).get("model") for path in sorted(paths)]
        return tuple(dict.fromkeys(name for name in asked if isinstance(name, str)))

    def of(self, trial: str) -> TrialRecords:
        """The records as the trial at ``trial``, a path below a run's folder, may use them."""
        return TrialRecords(self._by_trial.get(trial, {}), self._anywhere)


class TrialRecords:
    """What one trial is answered: the n-th time what it was answered then, else what any was."""

    def __init__(self, own: Mapping[str, list[Path]], anywhere: Mapping[str, list[Path]]) -> None:
        self._own, self._anywhere = own, anywhere

    def find(self, request: str, occurrence: int) -> Reply | None:
        """See :class:`pae_harness.broker.conversation.Known`."""
        mine = self._own.get(request, [])[occurrence : occurrence + 1]
        others = self._anywhere.get(request, [])
        replies = (_reply(path) for path in (*mine, *others))
        return next((reply for reply in replies if reply is not None), None)


def _trial_of(place: Path) -> str:
    """``TASK/seed-N/SOLUTION`` of the trial whose records are in ``place``."""
    return "/".join(place.resolve().parts[-4:-1])


def _read(path: Path) -> Mapping[str, Any]:
    try:
        data = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"{path} cannot be replayed: {error}") from error
    if not isinstance(data, dict) or not isinstance(data.get("request"), dict):
        raise UsageError(f"{path} cannot be replayed: it is no record of an exchange")
    return data


def _reply(path: Path) -> Reply | None:
    try:
        record = _read(path)
        asked = digest(record["request"])
    except (UsageError, ValueError):
        return None
    if asked != path.name.partition("-")[2].removesuffix(".json"):
        return None  # the answer to another question, under this one's name
    status, headers = record.get("status"), record.get("headers")
    if not isinstance(status, int) or not isinstance(headers, dict):
        return None
    kept = {str(name): str(value) for name, value in headers.items()}
    return Reply(status, kept, recorded_body(record))


def _judge_of(folder: Path) -> Mapping[str, Any]:
    path = folder / "run.json"
    if not path.is_file():
        return {}
    try:
        judge = json.loads(path.read_bytes()).get("judge")
    except (OSError, ValueError, AttributeError, RecursionError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from error
    return judge if isinstance(judge, dict) else {}
