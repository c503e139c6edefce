"""Two judges on one document, by a rubric of the kind ``points``: each is reported, and their mean.

Agreement is never worked out on the mean, so each one's own points stay beside it.
"""

from __future__ import annotations

from pae_verifiers.rubric.model import Grade
from pae_verifiers.rubric.points_panel import panel


def together(first: Grade, second: Grade) -> Grade:
    """One grade of both, with ``judges`` and ``mean`` in its details.

    Where one judge gave no score there is none, for its reason: the other's is no mean.
    """
    names = " and ".join(str(grade.details["judge"]) for grade in (first, second))
    head = {"judge": names, "kind": first.details["kind"]}
    for grade in (first, second):
        if grade.score is None:
            judges = [dict(each.details) for each in (first, second)]
            details = {**head, "score": None, "judges": judges}
            return Grade(None, grade.status, grade.reason, details)
    both = panel(first, second)
    return Grade(both.score, details={**head, "score": float(both.score), **both.to_json()})
