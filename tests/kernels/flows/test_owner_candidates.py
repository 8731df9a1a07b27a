"""Whether people of a list can be who a record is followed to: by definition."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.flows.owner_candidates import (
    FittingGroups,
    PossibleCells,
    count_candidates,
    keep_traceable,
)

N_A, N_B, N_VALUES = 3, 3, 2
SETS = st.sets(st.integers(0, 2))


def fits_of(groups: list[set[int]]) -> FittingGroups:
    starts = np.append(0, np.cumsum([len(g) for g in groups]))
    flat = [g for one in groups for g in sorted(one)]
    return FittingGroups(np.arange(len(groups), dtype=np.int32), starts, np.array(flat, np.int32))


def steps_of(open_: set[tuple[int, int, int]], may_leave: bool) -> PossibleCells:
    """All groups overlap; a record may be in a cell if it is listed."""
    cells = [(a, b) for a in range(N_A) for b in range(N_B + may_leave)]
    return PossibleCells(
        np.searchsorted([a for a, _ in cells], np.arange(N_A + 1)),
        np.array([b for _, b in cells], np.int32),
        np.arange(len(cells) + 1) * N_VALUES,
        np.tile(np.arange(N_VALUES, dtype=np.int32), len(cells)),
        np.array([(a, b, v) in open_ for a, b in cells for v in range(N_VALUES)]),
        N_B,
    )


OPEN = st.sets(st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 1)))


@given(st.lists(st.tuples(SETS, SETS), max_size=4), OPEN, st.booleans())
def test_keeps_who_fits_where_the_record_can_be(
    people: list[tuple[set[int], set[int]]], open_: set[tuple[int, int, int]], may_leave: bool
) -> None:
    fits, later = (fits_of([p[side] for p in people]) for side in (0, 1))
    indptr = np.arange(N_A + 1) * N_VALUES
    values = np.tile(np.arange(N_VALUES, dtype=np.int32), N_A)
    kept = np.ones(fits.groups.size * N_VALUES, bool)
    keep_traceable(fits, indptr, values, later, steps_of(open_, may_leave), kept)
    found = count_candidates(fits, indptr, kept, N_A * N_VALUES)
    expected = [
        sum(
            a in here
            and (any((a, b, v) in open_ for b in there) or (may_leave and (a, N_B, v) in open_))
            for here, there in people
        )
        for a in range(N_A)
        for v in range(N_VALUES)
    ]
    assert found.tolist() == expected
