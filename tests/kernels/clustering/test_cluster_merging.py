"""Where clusters go that may not stay, against plain lists."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.methods.perturb.mdav_by_definition import gap
from unlinkable.kernels.clustering.cluster_merging import merge_targets


def by_definition(centres: Sequence[tuple[float, ...]], may_stay: list[bool]) -> list[int]:
    target, hosts = list(range(len(centres))), set()
    for c, stays in enumerate(may_stay):
        if stays or c in hosts:
            continue
        others = [o for o in range(len(centres)) if o != c]
        near = min(others, key=lambda o: (gap(centres[o], centres[c]), o))
        target[c] = target[near]
        hosts.add(target[c])
    return target


@given(
    st.lists(
        st.tuples(st.tuples(*[st.integers(-3, 3).map(float)] * 2), st.booleans()),
        min_size=2,
        max_size=40,
    )
)
def test_clusters_go_to_the_nearest_in_their_order(
    drawn: list[tuple[tuple[float, float], bool]],
) -> None:
    centres, may_stay = [c for c, _ in drawn], [s for _, s in drawn]
    target = merge_targets(np.array(centres), np.array(may_stay))
    assert target.tolist() == by_definition(centres, may_stay)
    moved = np.flatnonzero(target != np.arange(len(drawn)))
    # Nobody is sent to one that has gone, and somebody goes if somebody has to.
    assert (target[target[moved]] == target[moved]).all()
    assert bool(moved.size) == (not all(may_stay))
