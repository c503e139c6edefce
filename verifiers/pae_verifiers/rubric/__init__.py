"""Rubrics: what a judge is asked, and how code turns its findings into a metric.

Each kind has a module with ``parse(root: Node) -> Rubric``, named in :data:`load.KINDS`.
"""
