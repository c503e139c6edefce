"""Agents that a model drives: what they ask and do, and how it is told afterwards."""
