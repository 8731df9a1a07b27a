"""(c,t)-isolation: points on a line, the definition in fractions, published boxes, refusals."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.tables.groups.numeric import NUMBERS, Row, groups_of_numbers, number_rows
from tests.witness import models
from unlinkable import anonymize, check
from unlinkable.errors import DataError, ParameterError, SchemaError
from unlinkable.tables.data import as_table
from unlinkable.tables.data.side import Side
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.models import CTIsolation, KAnonymity
from unlinkable.tables.models.base import BindingContext, Merging
from unlinkable.tables.models.ct_isolation import isolates

Point = tuple[Fraction, ...]


def points_of(
    rows: Sequence[models.Row], columns: Sequence[str], units: Sequence[Fraction]
) -> list[Point]:
    return [
        tuple(Fraction(str(row[c])) / unit for c, unit in zip(columns, units, strict=True))
        for row in rows
    ]


def squared(p: Point, q: Point) -> Fraction:
    return sum(((a - b) ** 2 for a, b in zip(p, q, strict=True)), Fraction(0))


def fewest(rows: list[Row], columns: list[str], c: Fraction, *, scaled: bool = False) -> list[int]:
    """The definition: for every group, the fewest points in the ball of any of its members."""
    ones = [Fraction(1)] * len(columns)
    everybody = points_of(rows, columns, ones)
    if scaled:
        ones = [(max(axis) - min(axis)) or Fraction(1) for axis in zip(*everybody, strict=True)]
        everybody = points_of(rows, columns, ones)
    found = []
    for group in models.groups(rows, ["g"]).values():
        members = points_of(group, columns, ones)
        q = tuple((min(axis) + max(axis)) / 2 for axis in zip(*members, strict=True))
        radii = [c**2 * squared(p, q) for p in members]
        found.append(min(sum(squared(x, q) <= r for x in everybody) for r in radii))
    return found


def counted(rows: list[Row], columns: list[str], promise: CTIsolation) -> Groups:
    table = as_table(
        pl.DataFrame({name: [row[name] for row in rows] for name in ["g", *columns]}),
        quasi=["g", *columns],
    )
    return count(table, promise.needs()).finest.project(("g",))[0]


def test_points_on_a_line() -> None:
    case = cases.load("book-ch02-c-t-isolation")
    points = case["input"]["points"]
    for asked, expected in zip(case["input"]["checks"], case["expected"]["results"], strict=True):
        assert isolates(points, **asked) is expected["isolates"]
        enough = {**asked, "t": expected["points_in_ball"]}
        assert not isolates(points, **enough)
        assert isolates(points, **{**asked, "t": expected["points_in_ball"] + 1})


def test_a_point_on_the_sphere_is_in_the_ball() -> None:
    assert 0.2 - 0.1 > 0.3 - 0.2
    assert not isolates([[0.1], [0.3]], p=[0.3], q=[0.2], c=1, t=2)
    almost = 1 - Fraction(1, 10**20)
    assert isolates([[0.1], [0.3]], p=[0.3], q=[0.2], c=almost, t=1)


@given(
    number_rows(n_quasi=2, missing=False),
    st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(4)]),
    st.sampled_from([["q0"], ["q0", "q1"]]),
    st.booleans(),
)
def test_says_what_the_definition_says(
    rows: list[Row], c: Fraction, columns: list[str], scaled: bool
) -> None:
    promise = CTIsolation(c, 2, columns=columns, scaled=scaled)
    groups = counted(rows, columns, promise)
    expected = fewest(rows, columns, c, scaled=scaled)
    assert promise.level(groups).tolist() == expected
    assert promise.judge(groups).tolist() == [n >= 2 for n in expected]
    assert promise.prepared(groups).level(groups).tolist() == expected


@given(
    st.lists(st.tuples(st.sampled_from("xy"), st.integers(-3, 3), st.integers(-3, 3)), min_size=1),
    st.sampled_from([10**7 + 1, 10**9 + 1, 10**17 + 1]),
    st.sampled_from([Fraction(1), Fraction(2)]),
)
def test_far_points_are_counted_exactly(
    drawn: list[tuple[str, int, int]], times: int, c: Fraction
) -> None:
    rows: list[Row] = [{"g": g, "q0": a * times, "q1": b * times + b} for g, a, b in drawn]
    promise = CTIsolation(c, 2, columns=["q0", "q1"])
    groups = counted(rows, ["q0", "q1"], promise)
    assert promise.level(groups).tolist() == fewest(rows, ["q0", "q1"], c)


@pytest.mark.parametrize("far", [10**6, 10**9, 10**16])
def test_a_point_just_outside_the_sphere_is_outside(far: int) -> None:
    # The middle of the first group is 0, and its nearest member is 1000 away.
    for other, n_inside in [(1000, 2), (1001, 1)]:
        groups = groups_of_numbers([[-far, far, 1000], [-other], [5 * far]])
        assert CTIsolation(1, 2, columns="s").level(groups)[0] == n_inside


def test_the_unit_of_a_column_matters_unless_it_is_scaled() -> None:
    years: list[Row] = [{"g": "x", "q0": a, "q1": b} for a, b in [(20, 1), (30, 5), (60, 9)]] + [
        {"g": "y", "q0": 41, "q1": 90}
    ]
    days: list[Row] = [{**row, "q0": 365 * int(str(row["q0"]))} for row in years]
    columns = ["q0", "q1"]
    plain, scaled = (
        CTIsolation(1, 2, columns=columns),
        CTIsolation(1, 2, columns=columns, scaled=True),
    )
    found = {
        promise: [promise.level(counted(rows, columns, promise)).tolist() for rows in (years, days)]
        for promise in (plain, scaled)
    }
    assert found[scaled][0] == found[scaled][1]
    assert found[plain][0] != found[plain][1]


def test_merging_is_unsafe_and_the_whole_table_matters() -> None:
    promise = CTIsolation(1, 2, columns="s")
    assert promise.merging is Merging.UNSAFE
    assert promise.relative
    groups = groups_of_numbers([[0, 0, 4], [10, 10]])
    assert promise.level(groups).tolist() == [3.0, 2.0]
    alone = groups_of_numbers([[0, 6], [3]]).select(np.array([True, False]))
    assert CTIsolation(1, 3, columns="s").judge(alone).tolist() == [True]
    assert CTIsolation(1, 3, columns="s").judge(alone.alone()).tolist() == [False]


def test_what_was_looked_at_before_is_not_taken_for_another_table() -> None:
    groups = groups_of_numbers([[0, 6], [3]])
    ready = CTIsolation(1, 3, columns="s").prepared(groups)
    assert ready == CTIsolation(1, 3, columns="s")
    rest = groups.select(np.array([True, False])).alone()
    assert ready.level(rest).tolist() == [2.0]
    assert ready.level(groups).tolist() == [3.0, 1.0]


def test_groups_and_tables_without_records_break_nothing() -> None:
    promise = CTIsolation(1, 2, columns="s")
    assert promise.level(groups_of_numbers([[0, 6], []])).tolist() == [2.0, np.inf]
    empty = groups_of_numbers([[0]]).select(np.array([False])).alone()
    assert promise.prepared(empty).level(empty).tolist() == []


AGES = {"age": [30, 34, 50, 20, 70, 71], "sex": ["f", "f", "f", "m", "m", "m"]}
SHOWN = {"age": ["[30-51)"] * 3 + ["[20-72)"] * 3, "sex": AGES["sex"]}


def test_a_published_table_is_judged_with_the_original_records() -> None:
    published = as_table(SHOWN, quasi=["age", "sex"])
    (verdict,) = check(published, CTIsolation(1.5, 2, columns="age"), original=AGES).verdicts
    # The women's middle is 40, and only 34 is within 9 of it; the men's is 45.5.
    assert verdict.good.tolist() == [False, True]
    assert verdict.achieved == {"t": 1}
    assert verdict.why == (
        "1 of all points lie within 1.5 times the distance from the middle of the group to the "
        "nearest victim, and at least 2 must"
    )


def test_a_published_table_is_judged_with_the_points_of_another() -> None:
    published = as_table(SHOWN, quasi=["age", "sex"])
    side = {"people": {"age": [30, 34, 50, 20, 70]}}
    promise = CTIsolation(1.5, 2, points="people", columns="age")
    (verdict,) = check(published, promise, side=side).verdicts
    # 34 and 50 are within 9.75 of 40.5; 50 alone is within 6 of 46.
    assert verdict.good.tolist() == [True, False]
    assert not verdict.model.relative
    wide = CTIsolation(3, 2, points="people", columns="age")
    assert check(published, wide, side=side).verdicts[0].achieved == {"t": 2}


@given(
    st.lists(
        st.sampled_from(["[0-2.5)", "<0.1", ">=2", "*", "0.3", "-4", "[-4-5.25)"]),
        min_size=1,
        max_size=4,
    ),
    st.lists(st.sampled_from(NUMBERS), min_size=1, max_size=6),
    st.sampled_from([1, 10**8, 10**20]),
    st.sampled_from([Fraction(1), Fraction(3, 2)]),
)
def test_published_boxes_say_what_the_definition_says(
    texts: list[str], points: list[float], far: int, c: Fraction
) -> None:
    everybody = [(Fraction(str(x)),) for x in [*points, float(far)]]
    table = as_table({"g": [*map(str, range(len(texts)))], "x": texts}, quasi=["g", "x"])
    side = Side.of({"people": {"x": [*points, float(far)]}})
    (promise,) = CTIsolation(c, 2, points="people", columns="x").bind(
        BindingContext(quasi=("g", "x"), side=side)
    )
    groups = count(table, promise.needs()).finest
    span = min(everybody)[0], max(everybody)[0]
    expected = []
    for text in texts:
        q = (middle(text, span),)
        radius = c**2 * min(squared(p, q) for p in everybody)
        expected.append(sum(squared(x, q) <= radius for x in everybody))
    assert promise.level(groups).tolist() == expected


def middle(text: str, span: tuple[Fraction, Fraction]) -> Fraction:
    ends = {
        "[0-2.5)": (Fraction(0), Fraction(5, 2)),
        "<0.1": (span[0], Fraction(1, 10)),
        ">=2": (Fraction(2), span[1]),
        "*": span,
        "[-4-5.25)": (Fraction(-4), Fraction(21, 4)),
    }
    low, high = ends.get(text) or (Fraction(text), Fraction(text))
    return (low + high) / 2


def test_a_release_that_keeps_it_is_found() -> None:
    ages = [18, 19, 21, 22, 25, 26, 28, 40, 41, 43, 44, 48, 60, 61, 66, 67]
    table = as_table({"age": ages, "zip": [a % 3 for a in ages]}, quasi=["age", "zip"])
    promise = CTIsolation(4, 3)
    release = anonymize(table, privacy=[KAnonymity(2), promise])
    assert release.holds
    (bound,) = promise.bind(BindingContext(quasi=("age", "zip")))
    assert release.verify().verdicts[1].model == bound


def test_published_intervals_are_no_points() -> None:
    published = as_table(SHOWN, quasi=["age", "sex"])
    with pytest.raises(DataError, match=r"column 'age' shows '\[[23]0-.*give the records as they"):
        check(published, CTIsolation(2, 2, columns="age"))


def test_categories_are_no_coordinates() -> None:
    table = as_table(AGES, quasi=["age", "sex"])
    with pytest.raises(DataError, match="column 'sex' holds texts that are neither numbers nor"):
        check(table, CTIsolation(2, 2))
    with pytest.raises(DataError, match="column 'sex' of 'p' must hold a number in every row"):
        check(table, CTIsolation(2, 2, points="p"), side={"p": AGES})


def test_numbers_that_are_written_as_texts_are_numbers() -> None:
    table = as_table({"zip": ["10115", "10117", "10119"]}, quasi="zip")
    assert check(table, CTIsolation(1, 1)).holds


def test_missing_coordinates_are_refused() -> None:
    table = as_table({"age": [30, None, 40]}, quasi="age")
    with pytest.raises(DataError, match="1 records have no value of 'age', and without it they"):
        check(table, CTIsolation(2, 2))
    groups = groups_of_numbers([[1, 2], [None]]).select(np.array([True, False])).alone()
    assert CTIsolation(1, 2, columns="s").level(groups).tolist() == [2.0]


def test_what_is_not_there_is_refused() -> None:
    context = BindingContext(
        quasi=("age",), side=Side.of({"none": {"age": []}, "few": {"zip": [1]}})
    )
    with pytest.raises(SchemaError, match=r"no quasi-identifier 'ago' among 1 .* for ct-isolation"):
        CTIsolation(2, 2, columns="ago").bind(context)
    with pytest.raises(SchemaError, match="no column 'age' among 1"):
        CTIsolation(2, 2, points="few").bind(context)
    with pytest.raises(DataError, match=r"'none' has no records: ct-isolation\(.*has no points"):
        CTIsolation(2, 2, points="none").bind(context)
    with pytest.raises(DataError, match="no side table 'all'"):
        CTIsolation(2, 2, points="all").bind(context)


def test_what_is_not_known_yet_is_asked_for() -> None:
    groups = groups_of_numbers([[1, 2]])
    with pytest.raises(SchemaError, match="does not say which columns are coordinates: bind it"):
        CTIsolation(2, 2).needs()
    with pytest.raises(SchemaError, match="needs the values of 'age' together, which were not"):
        CTIsolation(2, 2, columns="age").judge(groups)
    with pytest.raises(SchemaError, match="has not seen its points yet: bind it to a table"):
        CTIsolation(2, 2, points="people", columns="s").judge(groups)


def test_covers_what_asks_for_no_more() -> None:
    promise = CTIsolation(2, 5, columns="age")
    assert promise.covers(CTIsolation(2, 4, columns="age"))
    assert promise.covers(CTIsolation(3, 5, columns="age"))
    assert not promise.covers(CTIsolation(1, 5, columns="age"))
    assert not promise.covers(CTIsolation(2, 6, columns="age"))
    assert not promise.covers(CTIsolation(2, 5, columns="zip"))
    assert not promise.covers(CTIsolation(2, 5, columns="age", scaled=True))
    assert not promise.covers(KAnonymity(2))


def test_asks_for_less_by_one() -> None:
    assert CTIsolation(2, 3).weaker() == CTIsolation(2, 2)
    assert CTIsolation(2, 2).weaker() is None


def test_explains_that_the_whole_table_is_too_thin() -> None:
    promise = CTIsolation(1, 3, columns="s")
    assert promise.explain_failure(groups_of_numbers([[0, 4], [10, 10]])) == (
        "in all 4 records together, 1 of all points lie within 1 times the distance from the "
        "middle of the group to the nearest victim, and at least 3 must: ask for t of at most 1, "
        "or for a larger c"
    )


def test_is_written_as_it_is_bound() -> None:
    assert str(CTIsolation(2, 5)) == "ct-isolation(c=2, t=5)"
    (bound,) = CTIsolation("1.5", 5, scaled=True).bind(BindingContext(quasi=("age", "zip")))
    assert str(bound) == 'ct-isolation(c=1.5, t=5, columns=["age", "zip"], scaled=true)'
    assert CTIsolation(2, 5, points="p.csv").sources == ("p.csv",)
    assert CTIsolation(2, 5).sources == ()


@pytest.mark.parametrize(
    ("c", "t", "columns", "message"),
    [
        (0, 2, None, "c must be greater than 0, got 0"),
        (2, 0, None, "t must be at least 1, got 0"),
        (2, 2, [], "columns must name at least one column; leave it out to mean all"),
    ],
)
def test_refuses_what_means_nothing(c: float, t: int, columns: list[str], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        CTIsolation(c, t, columns=columns)
