"""Sweeping: every record goes to the cheapest cell of the lattice that it can share with enough.

Nodes of the lattice are visited by what they cost. At each, the records that look alike and keep
the promise are put together, and the others wait for the next.
"""

from __future__ import annotations

import numpy as np

from unlinkable.kernels.counting import sum_by_label
from unlinkable.kernels.local_recoding import group_at, sweep
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.regions.shared.group_judging import Judge
from unlinkable.tables.methods.regions.shared.range_prices import Landscape
from unlinkable.tables.methods.shared.stop_rule import StopRule
from unlinkable.typing import CodeArray, Progress

__all__ = ["swept"]

_BUDGET = 1 << 29
"""Looks at a record that are spent; if they do not suffice for every node, some are skipped."""

_AT_ONCE = 256
"""Nodes that are visited between two progress reports."""

_UNBROKEN = 1 << 24
"""Looks at a record between two looks at the clock, or those of one node."""


def swept(
    finest: Groups, judge: Judge, landscape: Landscape, stop_rule: StopRule, progress: Progress
) -> tuple[CodeArray, int, int]:
    """Sweep over the lattice; give the part of every distinct record, -1 if it found no company.

    Also gives the number of parts, and of nodes looked at.
    """
    nodes = landscape.nodes()
    parts, n_parts, n_looked = np.full(len(finest), -1, np.int32), 0, 0
    budget = _BUDGET
    start = 0
    while start < len(nodes):
        n_waiting = int((parts < 0).sum())
        if not n_waiting or stop_rule.is_over():
            break
        progress(start / len(nodes), f"{n_waiting} distinct records wait")
        some = nodes[start : start + min(_AT_ONCE, max(_UNBROKEN // n_waiting, 1))]
        share = max(budget * len(some) // (len(nodes) - start), 1)
        if judge.sizes_suffice:
            n_parts, n = sweep(
                some, landscape.keys, finest.sizes, landscape.levels, judge.least, parts, n_parts,
                share,
            )  # fmt: skip
        else:
            n_parts, n = _judged(some, finest, judge, landscape, parts, n_parts, stop_rule)
        start += len(some)
        n_looked += n
        budget -= n * n_waiting
    return parts, n_parts, n_looked


def _judged(
    nodes: CodeArray,
    finest: Groups,
    judge: Judge,
    landscape: Landscape,
    parts: CodeArray,
    n_parts: int,
    stop_rule: StopRule,
) -> tuple[int, int]:
    """Sweep over some nodes, and ask the promise about every set that is large enough."""
    n = 1 << int(2 * len(finest)).bit_length()
    slots, firsts = np.full(n, -1, np.int64), np.empty(len(finest), np.int32)
    labels = np.empty(len(finest), np.int32)
    for n_looked, node in enumerate(nodes):
        if stop_rule.is_over():
            return n_parts, n_looked
        rows = np.flatnonzero(parts < 0).astype(np.int32)
        n_sets = group_at(node, rows, landscape.keys, landscape.levels, slots, firsts, labels)
        of_row = labels[: rows.size]
        is_large = sum_by_label(finest.sizes[rows], of_row, n_sets) >= judge.least
        if not is_large.any():
            continue
        number = np.where(is_large, np.cumsum(is_large) - 1, -1).astype(np.int32)
        parent = np.full(len(finest), -1, np.int32)
        parent[rows] = number[of_row]
        n_large = int(is_large.sum())
        empty = np.empty((n_large, 0), np.int32)
        good = judge.keeps(finest.merge(parent, n_large, (), empty))
        name = np.where(good, n_parts + np.cumsum(good) - 1, -1).astype(np.int32)
        parts[rows] = np.append(name, np.int32(-1))[parent[rows]]
        n_parts += int(good.sum())
    return n_parts, len(nodes)
