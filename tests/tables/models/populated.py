"""Groups of records, and of people who look like them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import evolve
from hypothesis import strategies as st

from tests.tables.groups.plain import groups_of, histogram_of
from unlinkable.tables.groups import Groups
from unlinkable.tables.groups.histogram import head_count, population_column
from unlinkable.typing import CodeArray

__all__ = ["Counts", "coarser", "group_counts", "owned", "parents", "populated", "sized"]

POPULATION = "people"
Counts = list[tuple[int, int]]
"""For every group the number of records, and of people who look like them."""

group_counts = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 6)), min_size=1, max_size=6)


def sized(sizes: Sequence[int]) -> Groups:
    """Make groups of these sizes."""
    return groups_of([[n] for n in sizes])


def populated(counts: Sequence[tuple[int, int]], population: str = POPULATION) -> Groups:
    """Make groups of so many records that so many people look like."""
    groups = sized([records for records, _ in counts])
    heads = head_count(np.array([people for _, people in counts], np.int64))
    names = (population_column(population),)
    return evolve(
        groups,
        histograms={**groups.histograms, names: heads},
        whole={**groups.whole, names: heads.total},
    )


def owned(rows: Sequence[Sequence[int]], groups: Groups | None = None) -> Groups:
    """Make groups whose records belong to people: ``rows[g][i]`` records to the i-th one."""
    hidden = histogram_of(rows)
    groups = groups or groups_of([[sum(row)] for row in rows])
    return evolve(
        groups,
        histograms={**groups.histograms, ("who",): hidden},
        whole={**groups.whole, ("who",): hidden.total},
        owner="who",
    )


def coarser(groups: Groups, parent: CodeArray) -> Groups:
    """Merge groups; parents are numbered without gaps."""
    n = int(parent.max()) + 1
    return groups.merge(parent, n, groups.columns, np.arange(n, dtype=np.int32).reshape(-1, 1))


@st.composite
def parents(draw: st.DrawFn, n: int) -> CodeArray:
    """Draw to which of up to three coarser groups each group belongs."""
    drawn = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    return np.unique(np.array(drawn), return_inverse=True)[1].astype(np.int32)
