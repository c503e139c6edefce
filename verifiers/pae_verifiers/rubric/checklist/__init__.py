"""The rubric kind ``checklist``: dimensions of checks and deductions, and their arithmetic in code.

``parse`` reads the YAML into the frozen data of ``model``; ``rubric`` is what the verifier and a
judge see of it. ``sections`` and ``counted`` look at the response, ``reply`` at a judge's answer,
``score`` does the arithmetic, and ``feedback`` writes it down.
"""
