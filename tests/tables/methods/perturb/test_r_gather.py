"""r-gather: the worked example, what is published keeps the promise, the refusals."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests import cases
from tests.tables.methods.perturb.masking import bound, published_groups, run
from tests.tables.methods.perturb.mdav_by_definition import gap, groupings
from unlinkable.errors import (
    DataError,
    InfeasibleError,
    ParameterError,
    SchemaError,
    UnsupportedError,
)
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.perturb import r_gather
from unlinkable.tables.methods.perturb.r_gather import (
    Gathered,
    RGather,
    gather,
    gather_most,
    radii_of,
)
from unlinkable.tables.models import DistinctLDiversity, KAnonymity, LKCPrivacy, TCloseness
from unlinkable.tables.models.base import GroupModel


def patients(points: list[list[int]], ill: list[str]) -> Table:
    return as_table({"at": [p[0] for p in points], "ill": ill}, quasi="at", sensitive="ill")


def test_the_worked_example_is_gathered_as_it_says() -> None:
    case = cases.load("book-ch05-r-gather")
    given_, expected = case["input"], case["expected"]
    table = patients(given_["points"], given_["sensitive"])
    masked = run(RGather(scaled=False), table, KAnonymity(given_["r"]))
    shown = [
        {
            "center": [centre],
            "size": size,
            "radius": radius,
            "sensitive_values": Counter(part["ill"].to_list()),
        }
        for (centre, size, radius), part in masked.frame.partition_by(
            "at", "size", "radius", as_dict=True, maintain_order=True
        ).items()
    ]
    assert shown == expected["clusters"]
    assert masked.facts["radius"] == 1


def test_the_outlier_of_the_worked_example_is_left_out() -> None:
    case = cases.load("book-ch05-r-gather")
    given_, expected = case["input"], case["expected"]["with_outlier"]
    more = given_["with_outlier"]
    points = [*given_["points"], more["extra_point"]]
    table = patients(points, [*given_["sensitive"], more["extra_sensitive"]])
    share = Fraction(str(more["epsilon"]))
    for method in (RGather(epsilon=more["epsilon"]), RGather()):
        masked = run(method, table, KAnonymity(given_["r"]), suppression=share)
        assert masked.n_suppressed == expected["max_outliers"]
        assert masked.rows is not None
        gone = set(range(len(points))) - {*masked.rows.tolist()}
        assert [points[i] for i in gone] == expected["removed"]
        assert masked.facts["groups"] == expected["released_clusters"]
    assert run(RGather(epsilon=0), table, KAnonymity(3), suppression=share).n_suppressed == 0


@pytest.mark.parametrize(
    "models",
    [[KAnonymity(3)], [KAnonymity(2), DistinctLDiversity(2)], [TCloseness(0.4)]],
    ids=lambda models: " and ".join(map(str, models)),
)
@given(
    rows=st.lists(
        st.tuples(st.integers(0, 9), st.sampled_from("abc"), st.sampled_from("xyz")),
        min_size=2,
        max_size=40,
    ),
    suppression=st.sampled_from([Fraction(0), Fraction(1, 5)]),
)
def test_the_published_table_keeps_the_promise(
    models: list[GroupModel], rows: list[tuple[int, str, str]], suppression: Fraction
) -> None:
    people = as_table(
        dict(zip(("age", "job", "ill"), map(list, zip(*rows, strict=True)), strict=True)),
        quasi=["age", "job"],
        sensitive="ill",
    )
    try:
        masked = run(RGather(), people, *models, suppression=suppression)
    except InfeasibleError:
        assume(False)
    privacy = bound(people, *models)
    assert privacy.holds(published_groups(people, masked, privacy))
    assert masked.rows is not None
    assert masked.n_suppressed == len(rows) - masked.rows.size <= suppression * len(rows)
    shown = masked.frame
    assert shown["ill"].to_list() == [rows[i][2] for i in masked.rows]
    # Centres are records, and as many records show one as its size says.
    centres = Counter(shown.select("age", "job").rows())
    assert {*centres} <= {row[:2] for row in rows}
    assert [centres[centre] for centre in shown.select("age", "job").rows()] == [*shown["size"]]


def test_merged_clusters_show_the_centre_of_the_one_that_took_them_in() -> None:
    people = as_table(
        {"age": [0, 1, 2, 10, 11, 12], "ill": list("xyzxxx")}, quasi="age", sensitive="ill"
    )
    masked = run(RGather(scaled=False), people, KAnonymity(3), DistinctLDiversity(2))
    assert masked.frame.select("age", "size", "radius").rows() == [(1, 6, 11.0)] * 6
    assert masked.effort["merges"] == 1


def test_columns_of_these_names_are_not_touched_and_units_are_told() -> None:
    people = as_table({"size": [10, 30], "radius": ["a", "b"]}, quasi="size", insensitive="radius")
    masked = run(RGather(), people, KAnonymity(2))
    assert masked.frame.columns == ["size", "radius", "size 2", "radius 2"]
    assert masked.told == {"one unit of radius, on size": pytest.approx(10.0)}
    assert masked.frame["radius 2"].to_list() == [pytest.approx(2.0)] * 2


def test_people_are_counted_where_they_have_several_records() -> None:
    people = as_table({"age": [1, 1, 9, 9], "who": list("aabc")}, quasi="age", owner="who")
    masked = run(RGather(), people, KAnonymity(2))
    assert masked.frame["age"].n_unique() == 1


def test_effort_is_as_it_was() -> None:
    rng = np.random.default_rng(0)
    people = as_table({name: rng.random(500) for name in "ab"}, quasi=list("ab"))
    masked = run(RGather(r=20), people, KAnonymity(2))
    assert dict(masked.effort) == {"tried": 1, "merges": 0, "merge_rounds": 0}
    assert masked.facts["radius"] <= 2 * masked.facts["least_radius"] * (1 + 1e-9)


def test_refuses_what_it_cannot_do() -> None:
    people = patients([[1], [2], [3]], list("xyz"))
    with pytest.raises(ParameterError, match="epsilon leaves out up to 1 of 3 records"):
        run(RGather(epsilon=0.5), people, KAnonymity(2))
    with pytest.raises(UnsupportedError, match="use mondrian or optimal"):
        run(RGather(), people, LKCPrivacy(l=1, k=2, c=1))
    with pytest.raises(UnsupportedError, match="works towards a promise"):
        run(RGather(), people)
    with pytest.raises(InfeasibleError, match="groups need 4"):
        run(RGather(r=4), people, KAnonymity(2))
    with pytest.raises(SchemaError, match="no quasi-identifying column 'ill'"):
        run(RGather(columns="ill"), people, KAnonymity(2))
    with pytest.raises(ParameterError, match="r must be at least 2, got 1"):
        RGather(1)
    with pytest.raises(ParameterError, match="epsilon must be at most 1, got 2"):
        RGather(epsilon=2)
    with pytest.raises(ParameterError, match="scaled must be true or false"):
        RGather(scaled="no")  # type: ignore[arg-type]


def test_numbers_that_are_too_large_are_refused() -> None:
    people = as_table({"a": [1e308, -1e308, 0.1, 1e-300] * 5}, quasi="a")
    with pytest.raises(DataError, match="too large to compare: change the unit"):
        run(RGather(), people, KAnonymity(3))


Point = tuple[float, float]
small = st.lists(st.tuples(*[st.integers(0, 12).map(float)] * 2), min_size=2, max_size=7)


def silent(share: float, words: str) -> None:
    assert 0 <= share <= 1
    assert words


def radius(cloud: list[Point], members: list[int]) -> float:
    """Give the least radius of a cluster around any of the points, its own or not."""
    return float(min(max(gap(cloud[m], centre) for m in members) for centre in cloud) ** 0.5)


def least(cloud: list[Point], rows: list[int], r: int) -> float:
    return min(
        (max(radius(cloud, g) for g in groups) for groups in groupings(rows, r)), default=np.inf
    )


def check(cloud: list[Point], found: Gathered, r: int) -> None:
    """Clusters have r points, centres are among their own, and radii are what they are."""
    for c, centre in enumerate(found.centres):
        members = np.flatnonzero(found.labels == c).tolist()
        assert len(members) >= r
        assert centre in members
        widest = max(gap(cloud[m], cloud[centre]) for m in members) ** 0.5
        assert found.radii[c] == pytest.approx(widest)
    assert found.radius == pytest.approx(found.radii.max())
    assert found.labels.max() == found.centres.size - 1


@given(small, st.integers(2, 3))
def test_no_gathering_has_less_than_half_the_radius(cloud: list[Point], r: int) -> None:
    assume(len(cloud) >= r)
    found = gather(np.array(cloud), r, silent)
    check(cloud, found, r)
    assert (found.labels >= 0).all()
    best = least(cloud, list(range(len(cloud))), r)
    assert found.radius <= 2 * best + 1e-9
    assert found.bound <= best + 1e-9


@given(small, st.integers(2, 3), st.integers(1, 2))
def test_no_gathering_that_leaves_out_as_many_has_less_than_a_quarter(
    cloud: list[Point], r: int, n_out: int
) -> None:
    assume(len(cloud) >= r + n_out)
    found = gather_most(np.array(cloud), r, n_out, silent)
    check(cloud, found, r)
    assert (found.labels < 0).sum() <= n_out
    rows = range(len(cloud))
    best = min(
        least(cloud, [i for i in rows if i not in out], r)
        for size in range(n_out + 1)
        for out in combinations(rows, size)
    )
    assert found.radius <= 4 * best + 1e-9
    assert found.bound <= best + 1e-9


@given(small.filter(lambda cloud: len(cloud) > 3), st.integers(2, 3))
def test_larger_tables_miss_the_bound_by_a_thousandth_at_most(cloud: list[Point], r: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(r_gather, "FEW", 1)
        found = gather(np.array(cloud), r, silent)
    check(cloud, found, r)
    best = least(cloud, list(range(len(cloud))), r)
    assert found.radius <= 2.002 * best + 1e-9
    assert found.bound <= best + 1e-9


def can_share(cloud: list[Point], centres: list[int], limit: float, r: int) -> bool:
    """Tell by augmenting paths whether every centre can have r points within a limit."""
    owner: dict[int, tuple[int, int]] = {}

    def find(seat: tuple[int, int], seen: set[int]) -> bool:
        for row, point in enumerate(cloud):
            if row in seen or gap(point, cloud[centres[seat[0]]]) > limit:
                continue
            seen.add(row)
            if row not in owner or find(owner[row], seen):
                owner[row] = seat
                return True
        return False

    return all(find((c, i), set()) for c in range(len(centres)) for i in range(r))


@given(
    st.lists(st.tuples(*[st.integers(0, 8).map(float)] * 2), min_size=4, max_size=20, unique=True),
    st.integers(2, 3),
    st.sampled_from([1.0, 2.0, 4.0, 9.0, 200.0]),
    st.data(),
)
def test_points_are_shared_out_just_if_they_can_be(
    cloud: list[Point], r: int, limit: float, data: st.DataObject
) -> None:
    centres = data.draw(st.permutations(range(len(cloud))))[: data.draw(st.integers(1, 5))]
    own = r_gather._shared_out(np.array(cloud), np.array(centres), limit, r)
    assert (own is not None) == can_share(cloud, centres, limit, r)
    if own is not None:
        assert np.bincount(own[own >= 0], minlength=len(centres)).tolist() == [r] * len(centres)
        assert all(gap(cloud[i], cloud[centres[c]]) <= limit for i, c in enumerate(own) if c >= 0)


def test_points_that_lie_close_to_a_centre_come_back() -> None:
    cloud = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (1.0, 1.0), (50.0, 0.0)]
    found = gather_most(np.array(cloud), 3, 2, silent)
    assert found.labels.tolist() == [0, 0, 0, 0, -1]


def test_ten_thousand_points_take_few_trials() -> None:
    points = np.random.default_rng(0).random((10_000, 2))
    found = gather(points, 10, silent)
    check([tuple(p) for p in points.tolist()], found, 10)
    assert found.n_tried <= 12
    assert found.radius <= 2.002 * found.bound * (1 + 1e-9)


def test_radii_of_clusters_leave_others_out() -> None:
    points = np.array([[0.0], [3.0], [100.0]])
    assert radii_of(points, np.array([0, 0, -1], np.int32), np.array([0])).tolist() == [3.0]


@pytest.mark.parametrize("n_out", [0, 50])
def test_progress_is_told_at_every_step(n_out: int) -> None:
    points = np.random.default_rng(1).normal(size=(2_000, 2))
    told: list[float] = []

    def progress(share: float, words: str) -> None:
        assert words
        told.append(share)

    found = gather_most(points, 5, n_out, progress) if n_out else gather(points, 5, progress)
    assert len(told) > found.n_tried - (n_out > 0)
    assert told == sorted(told)
    assert told[0] == 0
    assert told[-1] <= 1
