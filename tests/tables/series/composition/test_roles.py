"""Roles: written and read again."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.series.composition.roles import DECOY, Roles


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(-1, 1)), max_size=9))
def test_are_read_as_they_were_written(rows: list[tuple[int, int, int]]) -> None:
    roles = Roles.none().with_more(
        list(range(len(rows))), *(list(column) for column in zip(*rows, strict=True))
    ) if rows else Roles.none()  # fmt: skip
    again = Roles.read(roles.write(["hiv", ""]), ["hiv", ""])
    for name in ("person", "cell", "cohort", "value"):
        assert getattr(again, name).tolist() == getattr(roles, name).tolist()


def test_values_get_the_numbers_that_they_have_now() -> None:
    roles = Roles.none().with_more([3, 4, 5], [0, 0, 1], [0, 1, 0], [0, DECOY, 1])
    again = Roles.read(roles.write(["hiv", "cancer"]), ["cancer"])
    assert again.value.tolist() == [1, DECOY, 0]


def test_finds_the_roles_of_people() -> None:
    roles = Roles.none().with_more([3, 4], [0, 0], [0, 1], [0, DECOY])
    assert roles.of(np.array([4, 9, 3])).tolist() == [1, -1, 0]
    assert Roles.none().of(np.array([4, 9])).tolist() == [-1, -1]
