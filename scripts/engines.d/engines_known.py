"""Disagreements that were traced: which engine, which models, which stages, the cause, and who is right."""

KNOWN = []
