"""Disagreements that were traced: which engine, which models, which stages, the cause, and who is right.

A row holds for a model where the first stage that differs is one of its stages. Causes have the names of `rigproof diagnose`
where it has one.
"""
from collections import namedtuple

Row = namedtuple("Row", "engine stages models cause title text right")

KNOWN = []
