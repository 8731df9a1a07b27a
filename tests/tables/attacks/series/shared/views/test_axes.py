"""Columns of several views in atoms."""

from __future__ import annotations

from datetime import date

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import ParameterError, SchemaError
from unlinkable.tables.attacks.series.shared.views.axes import (
    UNLIMITED,
    Axis,
    axis_of_rows,
    read_axis,
)
from unlinkable.tables.attacks.series.shared.views.conditions import Condition
from unlinkable.tables.taxonomies import observe
from unlinkable.tables.taxonomies.builders import Tree

JOBS = Tree({"artist": ["dancer", "writer"], "other": ["cook", "clerk"]})


def frame(*values: object) -> pl.DataFrame:
    return pl.DataFrame({"x": list(values)}, strict=False)


def covered(axis: Axis, text: int) -> list[str]:
    atoms = axis.atoms[axis.indptr[text] : axis.indptr[text + 1]]
    return [axis.labels[atom][0] for atom in atoms.tolist()]


def test_generalized_values_cover_the_atoms_below_them() -> None:
    jobs = JOBS.build(observe("x", []))
    axis, (first, then), _ = read_axis(
        "x", [frame("artist", "cook"), frame("dancer")], [jobs, None]
    )
    assert covered(axis, int(first[0])) == ["dancer", "artist"]
    assert covered(axis, int(then[0])) == ["dancer"]
    named = {label: i for i, (label,) in enumerate(axis.labels)}
    assert {*named} == {"dancer", "artist", "cook", "anything else"}
    assert axis.stands_for[named["anything else"]] == 1
    assert axis.is_point[[named["dancer"], named["cook"], named["artist"]]].all()


def test_what_no_view_shows_is_one_atom_unless_something_depends_on_it() -> None:
    jobs = JOBS.build(observe("x", []))
    axis, _, _ = read_axis("x", [frame("dancer")], [jobs])
    assert [label for (label,) in axis.labels] == ["dancer", "anything else"]
    assert axis.stands_for.tolist() == [1, 3]
    assert axis.n_values.tolist() == [1, 3]
    apart, _, _ = read_axis("x", [frame("dancer")], [jobs], apart=True)
    assert [label for (label,) in apart.labels] == ["dancer", "writer", "cook", "clerk"]
    assert apart.is_point.all()


def test_a_generalized_value_is_as_many_as_the_taxonomy_has_below_it() -> None:
    jobs = JOBS.build(observe("x", []))
    axis, _, _ = read_axis("x", [frame("artist")], [jobs])
    assert [label for (label,) in axis.labels] == ["artist", "anything else"]
    assert axis.n_values.tolist() == [2, 2]
    assert axis.stands_for.tolist() == [1, 2]
    apart, _, _ = read_axis("x", [frame("artist")], [jobs], apart=True)
    assert [label for (label,) in apart.labels] == ["dancer", "writer", "cook", "clerk"]


def test_without_a_taxonomy_there_may_be_any_other_value() -> None:
    axis, _, _ = read_axis("x", [frame("dancer", None)], [None])
    told = dict(zip((label for (label,) in axis.labels), axis.stands_for.tolist(), strict=True))
    assert told == {"dancer": 1, "anything else": UNLIMITED, "": 1}


BOUNDS = st.sampled_from(["1", "2", "2.5", "3", "7"])
MARKS = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


@given(
    st.lists(st.sampled_from([0, 1, 2, 3, 5, 7, 9]), min_size=1, max_size=5),
    st.lists(st.tuples(st.sampled_from(sorted(MARKS)), BOUNDS), max_size=3),
    st.booleans(),
)
def test_comparisons_hold_for_numbers_by_definition(
    numbers: list[int], asked: list[tuple[str, str]], as_texts: bool
) -> None:
    told = frame(*map(str, numbers)) if as_texts else frame(*numbers)
    conditions = [Condition("x", mark, bound) for mark, bound in asked]
    is_scale = not as_texts or any(c.is_order for c in conditions)
    axis, (texts,), masks = read_axis("x", [told], [None], conditions)
    for condition, mask in zip(conditions, masks, strict=True):
        if not is_scale and "." in condition.value:
            continue
        for number, text in zip(numbers, texts.tolist(), strict=True):
            atoms = axis.atoms[axis.indptr[text] : axis.indptr[text + 1]]
            expected = MARKS[condition.mark](number, float(condition.value))
            assert mask[atoms].tolist() == [expected]


def test_days_and_intervals_are_compared() -> None:
    days = frame(date(2024, 2, 28), date(2024, 2, 29))
    axis, (texts,), [after] = read_axis("x", [days], [None], [Condition("x", ">", "2024-02-28")])
    assert after[axis.atoms[axis.indptr[texts]]].tolist() == [False, True]
    axis, (texts,), [below] = read_axis("x", [frame("[1-5)")], [None], [Condition("x", "<", "3")])
    atoms = axis.atoms[axis.indptr[texts[0]] : axis.indptr[texts[0] + 1]]
    assert sorted(below[atoms].tolist()) == [False, True]
    assert not axis.is_point[atoms].any()


def test_a_missing_value_compares_with_nothing() -> None:
    asked = [Condition("x", "=", "a"), Condition("x", "!=", "a")]
    axis, (texts,), masks = read_axis("x", [frame("a", None)], [None], asked)
    at = axis.atoms[axis.indptr[texts]]
    assert [mask[at].tolist() for mask in masks] == [[True, False], [False, False]]


def test_columns_of_one_view_are_taken_together() -> None:
    told = pl.DataFrame({"a": [1, 1, 2], "b": ["x", "x", None]})
    axis, numbers = axis_of_rows(told, ("a", "b"))
    assert numbers.tolist() == [0, 0, 1]
    assert axis.labels == (("1", "x"), ("2", ""))


def test_categories_have_no_order() -> None:
    with pytest.raises(ParameterError, match="have no order"):
        read_axis("x", [frame("a")], [JOBS.build(observe("x", []))], [Condition("x", "<", "3")])


def test_labels_mean_the_same_in_all_views() -> None:
    other = Tree({"artist": ["dancer", "cook"], "other": ["writer", "clerk"]})
    meanings = [tree.build(observe("x", [])) for tree in (JOBS, other)]
    with pytest.raises(SchemaError, match="stands for other values"):
        read_axis("x", [frame("artist"), frame("artist")], meanings)
