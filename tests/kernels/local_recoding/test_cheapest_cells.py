"""Cheapest cells: the search against all cells."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.local_recoding.test_lattice_sweep import looks
from tests.kernels.neighbourhood import Neighbourhood, neighbourhoods
from unlinkable.kernels.local_recoding.cheapest_cells import blank_descent, cheapest_cell


@given(neighbourhoods(), st.integers(1, 12), st.floats(0, 12), st.data())
def test_the_cheapest_cell_is_found(
    rows: Neighbourhood, least: int, most: float, data: st.DataObject
) -> None:
    n, d = len(rows.keys), rows.n_columns
    seed = data.draw(st.integers(0, n - 1))
    others = [i for i in range(n) if i == seed or data.draw(st.booleans())]
    stress = [data.draw(st.sampled_from([0.5, 1.0, 1.25])) for _ in range(d)]
    order = data.draw(st.permutations(range(d)))
    costs: dict[tuple[int, ...], float] = {}
    for node in product(range(3), repeat=d):
        alike = [i for i in others if looks(rows, i, node) == looks(rows, seed, node)]
        if sum(rows.sizes[i] for i in alike) >= least:
            costs[tuple(alike)] = min(
                costs.get(tuple(alike), np.inf),
                sum((0.0, 1.0, 3.0)[level] * s for level, s in zip(node, stress, strict=True)),
            )
    descent = blank_descent(n, d)
    n_found, n_looks = cheapest_cell(
        seed, np.array(others, np.int32), np.array(rows.keys, np.int32), np.array(rows.sizes),
        rows.levels, rows.losses, np.array(order), np.array(stress), least, most, descent,
    )  # fmt: skip
    within = {alike: cost for alike, cost in costs.items() if cost < most - 1e-9}
    if not within:
        assert n_found == 0
    else:
        found = tuple(sorted(descent.found[:n_found].tolist()))
        assert within[found] == min(within.values())
        assert n_looks >= len(others)
