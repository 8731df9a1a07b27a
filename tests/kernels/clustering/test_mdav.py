"""Groups peeled off a cloud of points, against the published algorithm."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.methods.perturb.mdav_by_definition import mdav
from unlinkable.kernels.clustering.mdav import peel
from unlinkable.kernels.clustering.point_tree import build


@given(
    st.lists(st.tuples(*[st.integers(-3, 3)] * 2), min_size=6, max_size=60),
    st.integers(2, 4),
    st.integers(0, 40),
)
def test_pairs_of_groups_are_those_of_the_definition(
    cloud: list[tuple[int, int]], k: int, until: int
) -> None:
    points = np.array(cloud, float)
    labels, total = np.full(len(cloud), -1, np.int32), points.sum(axis=0)
    tree = build(points, np.arange(len(cloud)))
    n_groups, seen = peel(points, tree, k, until, total, labels, 0)
    left = np.flatnonzero(labels < 0)
    groups = [np.flatnonzero(labels == g).tolist() for g in range(n_groups)]
    assert groups == mdav([tuple(map(float, p)) for p in cloud], k)[:n_groups]
    assert left.size < max(until, 3 * k)
    assert left.size + 2 * k >= max(until, 3 * k) or n_groups == 0
    assert total.tolist() == points[left].sum(axis=0).tolist()
    assert (seen > 0) == (n_groups > 0)
