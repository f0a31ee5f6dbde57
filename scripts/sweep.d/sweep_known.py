"""Deviations that no program can mend that reads what Assimp hands over: Assimp has lost what it would need.

A row is (part of the model's path, quantities, row of the facts, the most it may deviate relative to the extent, why).
"""
KNOWN = [
]


def known(result):
    """(row, why) when the deviation is one of the table and no larger than it says, else None."""
    for part, quantities, row, most, why in KNOWN:
        if part in result.model and result.quantity in quantities.split() and result.value <= most:
            return row, why
    return None
