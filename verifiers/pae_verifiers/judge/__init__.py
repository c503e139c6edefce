"""Judges: they find facts about a document; code turns the facts into scores.

A judge answers the rubric's items that are not ``by: code``. Each is one module with a class that
satisfies :class:`protocol.Judge`, named in :data:`JUDGES`.
"""

JUDGES = ("rules",)
