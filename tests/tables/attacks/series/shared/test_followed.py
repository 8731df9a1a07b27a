"""Followed: which records are exposed, and whose they are."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tests.tables.attacks.series.published import series_of_sheets
from unlinkable.tables.attacks.series.series import Sheet
from unlinkable.tables.attacks.series.shared.followed import follow_people, is_exposed


def test_records_without_candidates_expose_nobody() -> None:
    found = is_exposed(np.array([1, 1, 1]), np.array([0, 1, 2]), 2, Fraction(1))
    assert found.tolist() == [False, True, False]


def test_shares_are_compared_exactly() -> None:
    third = Fraction(1, 3)
    assert is_exposed(np.array([1, 2]), np.array([3, 5]), 1, third).tolist() == [False, True]


def test_people_are_told_the_record_that_exposes_them_most() -> None:
    first = Sheet.of([0, 1, 2, 3], [0, 0, 0, 0], [0, 1, 2, 2])
    then = Sheet.of([0, 1, 2, 3, -1], [0, 0, 1, 1, 1], [0, 1, 2, 2, 1])
    found = follow_people(series_of_sheets([first, then]), "s", 3, Fraction(1), feasible=True)
    assert found.fewest == 1  # of the record that was made up
    assert found.sure.tolist() == [0.5, 0.5, 1.0, 1.0]
    assert found.falls.tolist() == [True, True, True, True]
    assert found.fell.tolist() == [True, True, False, False]
    assert found.exposed.tolist() == [4, 5]
    assert found.n_contradicted == 0


def test_nobody_is_known_of_without_people() -> None:
    made_up = Sheet.of([-1, -1], [0, 0], [0, 1])
    found = follow_people(series_of_sheets([made_up, made_up]), "s", 2, Fraction(1), feasible=True)
    assert found.falls.size == 0
    assert found.fewest == 2
