"""Random queries on the columns of a random table, and their answers in plain Python."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from hypothesis import strategies as st

from tests.strategies import RandomTable
from unlinkable.kernels.counting.tallies import tally
from unlinkable.tables.data import Table
from unlinkable.tables.data.release_columns import keep_rows
from unlinkable.tables.groups import Histogram
from unlinkable.tables.metrics.base import Bucketized
from unlinkable.tables.metrics.shared.workload import Workload

__all__ = ["Query", "bucketized", "matches", "queries_of", "workloads"]

Query = dict[str, range]
"""The codes that are asked for, by column."""


@st.composite
def workloads(draw: st.DrawFn, sizes: dict[str, int]) -> Workload:
    """Draw queries on 1 to 4 of the columns whose numbers of codes are given."""
    names = list(sizes)
    d = draw(st.integers(1, min(4, len(names))))
    at, lo, hi = [], [], []
    for _ in range(draw(st.integers(1, 6))):
        at.append(sorted(draw(st.permutations(range(len(names))))[:d]))
        ends = [sorted(draw(_two(sizes[names[c]]))) for c in at[-1]]
        lo.append([end[0] for end in ends])
        hi.append([end[1] + 1 for end in ends])
    codes = np.array(lo, np.int32), np.array(hi, np.int32)
    return Workload(tuple(names), np.array(list(sizes.values())), np.array(at), *codes)


def _two(size: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, size - 1), min_size=2, max_size=2)


def queries_of(workload: Workload) -> list[Query]:
    """Read the queries as ranges by column."""
    rows = zip(workload.at.tolist(), workload.lo.tolist(), workload.hi.tolist(), strict=True)
    return [
        {workload.columns[c]: range(a, b) for c, a, b in zip(at, lo, hi, strict=True)}
        for at, lo, hi in rows
    ]


def matches(table: RandomTable, row: dict[str, Hashable], query: Query) -> bool:
    """Whether a record has a value in every range."""
    return all(table.trees[a].leaves.index(row[a]) in codes for a, codes in query.items())


def bucketized(table: Table, buckets: Sequence[int], hidden: Sequence[str]) -> Bucketized:
    """Put every record into a bucket, -1 for those left out, and hide some columns in it."""
    rows = np.array([i for i, g in enumerate(buckets) if g >= 0], np.int64)
    kept = np.array([g for g in buckets if g >= 0], np.int32)
    n = max(buckets, default=-1) + 1
    histograms = {}
    for name in hidden:
        taxonomy = table.taxonomy(name)
        counted = tally(kept, table.codes(name)[rows], n, taxonomy.n)
        histograms[name] = Histogram(*counted, taxonomy.n, taxonomy)
    frame = keep_rows(table.frame, rows).drop(hidden)
    return Bucketized(table, frame, rows, kept, histograms)
