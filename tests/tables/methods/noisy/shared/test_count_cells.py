"""Cells are known without looking at the records, or it is said that they are not."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.methods.noisy.setting import JOBS
from unlinkable.errors import DataError, ParameterError, UnsupportedError
from unlinkable.tables.data import as_table
from unlinkable.tables.methods.noisy.shared.count_cells import Cells, cells_of
from unlinkable.tables.taxonomies.builders import Auto, Intervals, TaxonomyBuilder, Tree

NUMBERS = Tree({"low": [1, 2], "high": [7, 9]})


def cells(
    values: Sequence[object], builder: TaxonomyBuilder | None = None, **options: object
) -> Cells:
    taxonomies = {"x": builder} if builder else {}
    table = as_table({"x": list(values)}, quasi="x", taxonomies=taxonomies)
    return cells_of(table, "x", **options)  # type: ignore[arg-type]


def drawn(found: Cells, *, is_whole: bool = True) -> list[object]:
    rng = np.random.default_rng(0)
    return list(found.draw(np.repeat(np.arange(found.n), 50), rng, is_whole=is_whole))


@pytest.mark.parametrize(
    ("builder", "options", "first", "second"),
    [
        (JOBS, {}, ["Dancer"], ["Lawyer", "Engineer"]),
        (JOBS, {"level": 1}, ["Dancer"], ["Lawyer"]),
        (NUMBERS, {}, [1], [9, 2]),
        (NUMBERS, {"level": 1}, [1], [9, 2]),
        (Intervals(5, 10, low=0, high=30), {}, [3], [99, -4, 17]),
        (Intervals(5, 10, low=0, high=30), {"level": 2}, [3], [99, -4, 17]),
        (None, {"bins": [0, 10, 20]}, [3.5], [99, -4]),
        (JOBS, {"may_miss": True}, ["Dancer"], ["Lawyer", None]),
        (None, {"bins": [0, 10], "may_miss": True}, [3], [None, 9]),
    ],
    ids=["tree", "level", "numbers", "nodes", "fine", "coarse", "bins", "missing", "no-number"],
)
def test_cells_do_not_depend_on_the_records(
    builder: TaxonomyBuilder | None,
    options: dict[str, object],
    first: list[object],
    second: list[object],
) -> None:
    one, other = (cells(values, builder, **options) for values in (first, second))
    assert one.texts.tolist() == other.texts.tolist()


def test_intervals_are_cut_at_public_ends() -> None:
    found = cells([3, 17, 99], Intervals(10, start=5, low=0, high=30))
    assert found.texts.tolist() == ["<0", "[0-5)", "[5-15)", "[15-25)", "[25-30)", ">=30"]
    assert found.codes.tolist() == [1, 3, 5]


@given(
    st.lists(st.integers(-20, 20), min_size=1, max_size=30),
    st.sets(st.integers(-15, 15), min_size=1, max_size=5).map(sorted),
)
def test_every_number_is_in_its_bin(values: list[int], edges: list[int]) -> None:
    found = cells(list(values), bins=edges)
    assert found.lower is not None
    assert found.upper is not None
    for value, code in zip(values, found.codes.tolist(), strict=True):
        assert found.lower[code] <= value < found.upper[code]


def test_dates_are_binned_by_days() -> None:
    days = [date(2024, 1, 1), date(2024, 3, 1)]
    found = cells(days, bins=["2024-01-15", "2024-02-01"])
    assert found.texts.tolist() == ["<2024-01-15", "[2024-01-15-2024-02-01)", ">=2024-02-01"]
    assert found.codes.tolist() == [0, 2]


def test_draws_lie_in_their_cells() -> None:
    bins = cells([1], bins=[0, 10, 12.5])
    assert set(drawn(bins)) == {-1.0, *range(14)}
    fractions = np.array(drawn(bins, is_whole=False)).reshape(4, 50)
    assert (fractions[0] < 0).all()
    assert ((fractions[1] >= 0) & (fractions[1] < 10)).all()
    assert len(set(fractions[1])) == 50
    assert ((fractions[2] >= 10) & (fractions[2] < 12.5)).all()
    assert (fractions[3] == 12.5).all()
    assert set(drawn(cells([1], NUMBERS, level=1))) == {1.0, 2.0, 7.0, 9.0}
    assert set(drawn(cells(["Dancer"], JOBS, level=1))) == {"Professional", "Artist"}


def test_a_missing_value_is_drawn_as_one() -> None:
    for builder, options in [(NUMBERS, {}), (None, {"bins": [0]})]:
        found = cells([1, None], builder, may_miss=True, **options)
        missing = found.draw(np.array([found.n - 1]), np.random.default_rng(0), is_whole=True)
        assert np.isnan(missing.tolist()[0])
    found = cells(["Dancer", None], JOBS, may_miss=True)
    assert (found.texts.tolist()[-1], found.codes.tolist()) == (None, [2, 4])


@pytest.mark.parametrize(
    ("values", "builder", "options", "error", "message"),
    [
        ([1, None], None, {"bins": [0]}, DataError, r"name it in missing=\[...\]"),
        ([1, 2], None, {}, UnsupportedError, "which numbers column 'x' may hold is not known"),
        ([1, 2], Auto(), {}, UnsupportedError, "give bins="),
        ([date(2024, 1, 1)], None, {}, UnsupportedError, "which dates"),
        ([1], Intervals(5), {}, UnsupportedError, "the range of 'x' is not known"),
        ([1], Intervals(5, low=0, high=9), {"level": 2}, ParameterError, "no level 2"),
        ([1], Intervals(1, low=0, high=10**6), {}, ParameterError, "more than 100000 intervals"),
        (["Dancer"], JOBS, {"level": 3}, ParameterError, "levels 0 to 2, and no level 3"),
        (["a"], Auto(), {"level": 1}, UnsupportedError, "was made from the records"),
        ([1], None, {"bins": [0], "level": 1}, ParameterError, "bins or a level"),
        (["a"], None, {"bins": [0]}, ParameterError, "holds categories"),
        ([1], None, {"bins": []}, ParameterError, "need at least one number"),
        ([1], None, {"bins": [3, 3]}, ParameterError, "must rise"),
        ([date(2024, 1, 1)], None, {"bins": ["today?"]}, ParameterError, "must be days"),
    ],
)
def test_refuses_cells_that_nobody_can_know(
    values: list[object],
    builder: TaxonomyBuilder | None,
    options: dict[str, object],
    error: type[Exception],
    message: str,
) -> None:
    with pytest.raises(error, match=message):
        cells(values, builder, **options)
