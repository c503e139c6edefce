"""Replies that a verifier accepted, kept for whoever asks the same endpoint the same again.

The attempt is part of the key, and which time it was asked: two attempts never share one sample.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pae_harness.broker.exchange import Exchange
from pae_harness.broker.upstream import Reply
from pae_harness.cache import cache_root, cached_folder
from pae_verifiers.canonical import digest
from pae_verifiers.judge.records import recorded_body

KIND = "replies"
_FILE = "reply.json"


class ReplyCache:
    """The replies of the endpoint at ``base_url`` to trials of this ``attempt``."""

    def __init__(self, base_url: str, attempt: int) -> None:
        self._base_url, self._attempt = base_url, attempt

    def find(self, request: str, occurrence: int) -> Reply | None:
        """See :class:`pae_harness.broker.conversation.Known`; what cannot be read is not there."""
        path = cache_root() / KIND / self._key(request, occurrence) / _FILE
        try:
            kept = json.loads(path.read_bytes())
            if kept["request"] != request or kept["base_url"] != self._base_url:
                return None
            return Reply(200, {"content-type": str(kept["content_type"])}, recorded_body(kept))
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def keep(self, exchanges: Sequence[Exchange], accepted: Iterable[str]) -> None:
        """Keep the replies to the requests whose digests are ``accepted``, each as often as there.

        Raises RunFolderError where the cache cannot be written.
        """
        answered: defaultdict[str, list[Exchange]] = defaultdict(list)
        for exchange in exchanges:
            if exchange.status == 200 and exchange.source == "upstream":
                answered[exchange.digest].append(exchange)
        for request, count in Counter(accepted).items():
            for occurrence, exchange in enumerate(answered[request][-count:]):
                self._put(exchange, occurrence)

    def _put(self, exchange: Exchange, occurrence: int) -> None:
        record = exchange.to_json()
        kept: dict[str, Any] = {
            "base_url": self._base_url,
            "request": exchange.digest,
            "content_type": exchange.headers.get("content-type", "application/json"),
        }
        kept.update((name, record[name]) for name in ("reply", "text") if name in record)

        def build(folder: Path) -> None:
            (folder / _FILE).write_text(json.dumps(kept), encoding="utf-8")

        cached_folder(KIND, self._key(exchange.digest, occurrence), build)

    def _key(self, request: str, occurrence: int) -> str:
        parts = [self._base_url, request, self._attempt, occurrence]
        return digest(parts)[:40]


def accepted_requests(details: Mapping[str, Any]) -> list[str]:
    """The digests of the requests whose replies the verifier accepted, as details.json has them:
    ``rubric.judge_record.accepted``, one or a list.
    """
    place: object = details
    for name in ("rubric", "judge_record", "accepted"):
        place = place.get(name) if isinstance(place, Mapping) else None
    found = place if isinstance(place, list) else [place]
    return [text for text in found if isinstance(text, str)]
