"""Tables behind views: programs, when they contradict each other, and when they are given up."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from scipy import optimize

from unlinkable.errors import DataError, SchemaError, UnsupportedError
from unlinkable.tables.attacks.series.shared.views import possible_view_tables
from unlinkable.tables.attacks.series.shared.views.conditions import Dependency, Selection
from unlinkable.tables.attacks.series.shared.views.deduction import deduce
from unlinkable.tables.attacks.series.shared.views.possible_view_tables import Goals, show
from unlinkable.tables.attacks.series.shared.views.view_set import View, ViewSet, read_views
from unlinkable.typing import FloatArray


def two_views(*, counted: bool = True) -> ViewSet:
    first = pl.DataFrame({"job": ["cook", "cook", "clerk"]})
    then = pl.DataFrame({"job": ["cook", "cook", "clerk"], "ill": ["flu", "hiv", "flu"]})
    return read_views([View(f, is_counted=counted) for f in (first, then)], ("job",), ("ill",))


def test_overlapping_rows_are_shared_out_among_the_records() -> None:
    first = pl.DataFrame({"age": ["[1-5)", "[3-8)"]})
    then = pl.DataFrame({"age": ["[3-5)", "[3-5)"]})
    told = read_views([View(f, is_counted=True) for f in (first, then)], ("age",), ())
    cells = np.arange(len(told.grid))
    goals = Goals.sums(cells, cells, cells.size, need=2)
    shown = show(told.grid, told.views, told.limits(1), goals)
    assert shown.reached.tolist() == [True]
    assert shown.is_exact


def test_no_more_programs_than_needed_are_solved() -> None:
    found = deduce(two_views(), "ill", enough=9, k=2, limit=Fraction(1, 2), is_named=False)
    assert (found.programs, found.is_exact) == (5, True)
    sets = deduce(
        two_views(counted=False), "ill", enough=9, k=2, limit=Fraction(1, 2), is_named=False
    )
    assert sets.programs == 0


@pytest.mark.parametrize("status", [1, 3])
def test_nobody_is_missed_if_the_search_is_given_up(
    monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    gives_up = SimpleNamespace(x=None, status=status)
    monkeypatch.setattr(optimize, "milp", lambda *a, **b: gives_up)
    found = deduce(two_views(), "ill", enough=2, k=2, limit=Fraction(1, 2), is_named=False)
    assert not found.is_exact
    assert found.is_possible.all()
    assert (found.alternatives < 2).all()


def test_a_solution_that_is_none_in_whole_numbers_is_not_believed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def wrong(cost: FloatArray, **_: object) -> SimpleNamespace:
        return SimpleNamespace(x=np.ones(cost.size) * 7.0, status=0)

    monkeypatch.setattr(optimize, "milp", wrong)
    found = deduce(two_views(), "ill", enough=2, k=1, limit=Fraction(1), is_named=True)
    assert not found.is_exact
    assert not found.alternatives.any()


@pytest.mark.parametrize(
    ("views", "more"),
    [
        # Nobody of the first view can be the clerk of the second one.
        ([{"job": ["cook"]}, {"job": ["clerk"]}], {}),
        # Two people, or three.
        ([{"job": ["cook"] * 2}, {"job": ["cook"] * 3, "ill": ["flu"] * 3}], {"is_counted": True}),
    ],
    ids=["rows", "numbers"],
)
def test_views_of_no_table_are_refused(
    views: list[dict[str, list[str]]], more: dict[str, bool]
) -> None:
    told = read_views([View(pl.DataFrame(v), **more) for v in views], ("job",), ())  # type: ignore[arg-type]
    with pytest.raises(DataError, match="the views contradict each other"):
        deduce(told, None, enough=1, k=2, limit=Fraction(1), is_named=False)


def test_a_dependency_that_does_not_hold_is_refused() -> None:
    view = View(pl.DataFrame({"name": ["ann", "ann"], "ill": ["flu", "hiv"]}))
    told = read_views([view, view], ("name",), ("ill",), [Dependency.read("name -> ill")])
    with pytest.raises(DataError, match="a dependency"):
        deduce(told, "ill", enough=1, k=1, limit=Fraction(1), is_named=True)


def test_too_many_cells_for_programs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(possible_view_tables, "MOST_SOLVED", 2)
    with pytest.raises(UnsupportedError, match="at most 2 are looked at"):
        deduce(two_views(), "ill", enough=2, k=2, limit=Fraction(1, 2), is_named=False)
    deduce(two_views(counted=False), "ill", enough=2, k=2, limit=Fraction(1, 2), is_named=True)


def test_a_column_that_no_view_speaks_of_is_refused() -> None:
    view = View(pl.DataFrame({"name": ["ann"]}), Selection.read("age > 3"))
    assert read_views([view], ("name",), ("age",)).axis("age") >= 0
    with pytest.raises(SchemaError, match="no column 'ill' among 2"):
        read_views([view], ("name",), ("ill",))


@pytest.mark.parametrize("one_record", [True, False])
def test_what_tells_a_name_has_one_record_if_the_name_has(one_record: bool) -> None:
    views = [View(pl.DataFrame({"job": ["cook", "clerk"]})), View(pl.DataFrame({"ill": ["flu"]}))]
    names = View(pl.DataFrame({"name": []}, {"name": pl.String}), Selection.read("job = smith"))
    told = read_views(
        [*views, names], ("name",), ("ill",), [Dependency.read("ill -> name")],
        one_record=one_record,
    )  # fmt: skip
    if one_record:
        with pytest.raises(DataError, match="contradict each other"):
            deduce(told, "ill", enough=2, k=1, limit=Fraction(1), is_named=True)
    else:
        found = deduce(told, "ill", enough=2, k=1, limit=Fraction(1), is_named=True)
        assert found.alternatives.tolist() == [1]
