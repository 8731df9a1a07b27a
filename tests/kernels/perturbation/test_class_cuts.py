"""Class cuts: the best cut, against the definition."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.witness.medians import best_cut
from unlinkable.kernels.perturbation.class_cuts import best_class_cut

PAIRS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 2)), min_size=1, max_size=25)


@given(PAIRS, st.integers(0, 3))
def test_the_cut_is_the_one_of_the_largest_gain(pairs: list[tuple[int, int]], more: int) -> None:
    ordered = sorted(pairs)
    around = [(-1, 0)] * more
    numbers = np.array([x for x, _ in (*around, *ordered, (99, 1))], float)
    classes = np.array([c for _, c in (*around, *ordered, (99, 1))], np.int32)
    room = np.zeros((2, 3), np.int64)
    at = best_class_cut(numbers, classes, more, more + len(pairs), *room)
    assert not room.any()
    expected = best_cut(ordered)
    if expected is None:
        assert at == -1
    else:
        assert (numbers[at - 1] + numbers[at]) / 2 == expected
