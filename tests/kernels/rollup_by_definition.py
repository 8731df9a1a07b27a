"""What the kernels of roll-up must give, in plain Python."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["cheapest_below", "find_keys", "merge_equal", "recode_field", "sum_field"]


def recode_field(keys: Sequence[int], shift: int, mask: int, codes: Sequence[int]) -> list[int]:
    """Take the field out, look it up, and put it back."""
    out = []
    for key in keys:
        code = (key >> shift) & mask
        out.append(key - (code << shift) + (codes[code] << shift))
    return out


def sum_field(
    keys: Sequence[int],
    shift: int,
    mask: int,
    amounts: Sequence[float],
    weights: Sequence[float],
) -> float:
    """Add up one product for every key."""
    pairs = zip(keys, weights, strict=True)
    return sum(amounts[(key >> shift) & mask] * weight for key, weight in pairs)


def merge_equal(
    keys: Sequence[int], sizes: Sequence[int]
) -> tuple[list[int], list[int], list[int]]:
    """Number keys as they appear."""
    sums: dict[int, int] = {}
    for key, size in zip(keys, sizes, strict=True):
        sums[key] = sums.get(key, 0) + size
    distinct = list(sums)
    return [distinct.index(key) for key in keys], distinct, list(sums.values())


def find_keys(distinct: Sequence[int], keys: Sequence[int]) -> list[int]:
    """Look every key up."""
    return [distinct.index(key) if key in distinct else -1 for key in keys]


def cheapest_below(
    levels: Sequence[tuple[int, ...]], costs: Sequence[int], node: tuple[int, ...]
) -> int:
    """Compare all rows, the first of the cheapest ones wins."""
    below = [
        i
        for i, row in enumerate(levels)
        if row != node and all(a <= b for a, b in zip(row, node, strict=True))
    ]
    return min(below, key=lambda i: costs[i], default=-1)
