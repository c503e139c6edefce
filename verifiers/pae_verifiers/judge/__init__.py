"""Judges: they find facts about a document; code turns the facts into scores.

A judge answers the rubric's questions that are not left to code. ``rules`` runs the task's own
functions and needs nothing; ``model`` is the model that the environment names. Beside these two
names there are forms of names, which :mod:`pae_verifiers.judge.select` reads.
"""

JUDGES = ("rules", "model")
