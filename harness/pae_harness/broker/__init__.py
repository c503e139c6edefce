"""The broker: what lets a box without a network, and without a key, ask a model.

One thread of this process serves HTTP on a Unix socket per trial, adds the key, keeps to the
trial's models, budget and deadline, and records every exchange. Nothing of it is imported before a
judge that is a model, or a replay, is asked for.
"""
