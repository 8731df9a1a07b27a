"""Trees that sort records into leaves, in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

__all__ = ["leaves"]


def leaves(
    bins: Sequence[Sequence[int]],
    values: Sequence[int],
    least: int,
    *,
    are_classes: bool,
    rows: Sequence[int] | None = None,
) -> list[list[int]]:
    """Split records at the best place, and each part again, as long as that makes them more even.

    ``bins[p][i]`` is the bin of record i on predictor p.
    """
    rows = range(len(values)) if rows is None else rows
    best, parts = evenness(rows, values, are_classes=are_classes), None
    for predictor in bins:
        for cut in sorted({predictor[i] for i in rows}):
            low = [i for i in rows if predictor[i] <= cut]
            high = [i for i in rows if predictor[i] > cut]
            if min(len(low), len(high)) < least:
                continue
            found = evenness(low, values, are_classes=are_classes)
            found += evenness(high, values, are_classes=are_classes)
            if found > best:
                best, parts = found, (low, high)
    if parts is None:
        return [sorted(rows)]
    return [
        leaf
        for part in parts
        for leaf in leaves(bins, values, least, are_classes=are_classes, rows=part)
    ]


def evenness(rows: Sequence[int], values: Sequence[int], *, are_classes: bool) -> Fraction:
    """Add up squared class counts, or square the sum of numbers; over the number of records."""
    if are_classes:
        counts = Counter(values[i] for i in rows).values()
        return Fraction(sum(n * n for n in counts), len(rows))
    return Fraction(sum(values[i] for i in rows) ** 2, len(rows))
