"""Second-order swapping: every record as likely as the algorithm says, and pairs that are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

import numpy as np

from tests.tables.operations.chance import fits_counts
from tests.witness.swapping import second_order_rows
from unlinkable.tables.methods.perturb.shared.second_order import draw_second_order

ROWS = [(0, 0, 1), (0, 0, 0), (0, 1, 2), (1, 1, 2), (1, 1, 1), (1, 0, 1), (1, 1, 1)]
TIMES = 4_000


def test_records_are_made_with_the_probabilities_of_the_algorithm() -> None:
    """False alarm: one in a million; counts of the original itself do not fit."""
    data = np.array(ROWS * TIMES, np.int32).T
    kept, *columns = (np.ascontiguousarray(column) for column in data)
    made = draw_second_order(kept, columns, np.random.default_rng(1))
    seen: Counter[tuple[Hashable, ...]] = Counter(
        zip(kept.tolist(), *(column.tolist() for column in made), strict=True)
    )
    plain = [dict(zip("cab", row, strict=True)) for row in ROWS]
    chances = second_order_rows(plain, "cab")
    assert {*seen} <= {row for row, p in chances.items() if p}
    # The kept column is not drawn, so that each of its values is a test of its own.
    for value, n in Counter(kept.tolist()).items():
        rows = [row for row in chances if row[0] == value]
        share = n / kept.size
        assert fits_counts(
            [seen[row] for row in rows], [float(chances[row]) / share for row in rows]
        )
        before: Counter[tuple[Hashable, ...]] = Counter(ROWS)
        assert not fits_counts([seen[row] for row in rows], [before[row] for row in rows])


def test_counts_of_pairs_with_the_first_two_columns_are_kept_nearly() -> None:
    """Five standard deviations of a count of 28,000 records."""
    data = np.array(ROWS * TIMES, np.int32).T
    kept, *columns = (np.ascontiguousarray(column) for column in data)
    first, _ = draw_second_order(kept, columns, np.random.default_rng(2))
    before, after = (np.bincount(2 * kept + column, minlength=4) for column in (columns[0], first))
    assert np.abs(before - after).max() < 5 * np.sqrt(len(ROWS) * TIMES) / 2


def test_nothing_is_made_of_nothing() -> None:
    nothing = np.zeros(0, np.int32)
    assert draw_second_order(nothing, [nothing], np.random.default_rng(1))[0].size == 0
    assert draw_second_order(np.zeros(3, np.int32), [], np.random.default_rng(1)) == []
