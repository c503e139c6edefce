"""Rubrics: what a judge is asked, and how code turns its findings into a metric.

Each kind is one module with ``parse(root: Node) -> Rubric``, named in :data:`load.KINDS`.
"""
