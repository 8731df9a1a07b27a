"""One-pass k-means: the worked example, and kernels against plain lists."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.tables.methods.regions.one_pass_by_definition import OnePass
from unlinkable.kernels.local_recoding.one_pass_means import MISSING, Points, Priced, adjust, assign

NOTHING = Priced(np.empty(0, np.int32), np.empty(0), np.empty((0, 3), np.int64))


def line(records: list[int]) -> Points:
    """Rows of one number each."""
    places = (np.array(records, float) - min(records)) / (max(records) - min(records))
    return Points(
        places[:, None],
        np.ones(1),
        np.empty((len(records), 0), np.int32),
        np.ones(len(records), np.int64),
    )


def test_seven_ages_step_by_step() -> None:
    case = cases.load("babu-oka-one-dimension")
    given_, expected = case["input"], case["expected"]
    records, k = given_["records"], given_["k"]
    seeds = np.array([records.index(s) for s in given_["seeds"]])
    order = np.arange(len(records))
    place = np.searchsorted(seeds, order)
    points = line(records)

    def clusters(labels: np.ndarray) -> list[list[int]]:
        return [[r for r, g in zip(records, labels, strict=True) if g == c] for c in range(3)]

    labels, compared = assign(points, NOTHING, seeds, order, place, 10)
    assert clusters(labels) == expected["after_clustering"]
    assert compared == 4 * 3
    labels, taken, compared = adjust(points, NOTHING, labels, 3, place, k, 10)
    assert [records[row] for row in taken] == expected["removed_in_order"]
    assert clusters(labels) == expected["after_adjustment"]
    assert compared == 1 + 3
    sizes = np.bincount(labels)
    assert bool((sizes >= k).all()) == expected["all_sizes_at_least_k"]
    means = [float(np.mean(c)) for c in clusters(labels)]
    assert means == expected["published_value_mean"]


@st.composite
def passes(draw: st.DrawFn) -> tuple[OnePass, Points, Priced]:
    n = draw(st.integers(1, 10))
    n_numbers, n_codes = draw(st.integers(0, 2)), draw(st.integers(0, 2))
    number = st.one_of(st.integers(0, 8).map(lambda x: x / 8), st.none())
    numbers = draw(st.lists(st.tuples(*[number] * n_numbers), min_size=n, max_size=n))
    codes = draw(st.lists(st.tuples(*[st.integers(0, 3)] * n_codes), min_size=n, max_size=n))
    sizes = draw(st.lists(st.integers(1, 4), min_size=n, max_size=n))
    scale = draw(st.lists(st.sampled_from([0.5, 1.0]), min_size=n_numbers, max_size=n_numbers))
    price = draw(st.sampled_from([0.25, 0.5]))
    order = draw(st.permutations(range(n)))
    reach = draw(st.integers(1, 11))
    table = np.array([[price * max(b - a, 0) for b in range(4)] for a in range(4)])
    literal = OnePass(
        numbers,
        codes,
        sizes,
        order,
        scale,
        lambda _, seen: price * (max(seen) - min(seen)),
        reach,
    )
    told = np.array([[MISSING if x is None else x for x in row] for row in numbers], float)
    points = Points(
        told.reshape(n, n_numbers),
        np.array(scale, float),
        np.array(codes, np.int32).reshape(n, n_codes),
        np.array(sizes, np.int64),
    )
    plan = np.array([(4 * j, 16 * j, 4) for j in range(n_codes)], np.int64).reshape(-1, 3)
    bins = np.tile(np.arange(4, dtype=np.int32), n_codes)
    return literal, points, Priced(bins, np.tile(table.ravel(), n_codes), plan)


@given(passes(), st.data(), st.integers(1, 6))
def test_rows_go_where_they_go_by_definition(
    given_: tuple[OnePass, Points, Priced], data: st.DataObject, k: int
) -> None:
    literal, points, priced = given_
    n = len(literal.sizes)
    drawn = data.draw(st.lists(st.integers(0, n - 1), min_size=1, unique=True))
    seeds = sorted(drawn, key=literal.order.index)
    order = np.array(literal.order, np.int64)
    rank = np.argsort(order)
    place = np.searchsorted(rank[seeds], rank)
    labels, _ = assign(points, priced, np.array(seeds), order, place, literal.reach)
    assert labels.tolist() == literal.assign(seeds)
    evened, taken, _ = adjust(points, priced, labels, len(seeds), place, k, literal.reach)
    assert (evened.tolist(), taken.tolist()) == literal.adjust(labels.tolist(), seeds, k)
    assert labels.tolist() == literal.assign(seeds)


@pytest.mark.parametrize("n", [40, 400])
def test_clusters_that_are_full_are_passed_over(n: int) -> None:
    # All rows but the seeds are at 0: they fill one small cluster after the other.
    numbers = np.zeros((n, 1))
    seeds = np.arange(0, n, 4)
    numbers[seeds, 0] = np.linspace(0, 1, seeds.size)
    points = Points(numbers, np.ones(1), np.empty((n, 0), np.int32), np.ones(n, np.int64))
    place = np.searchsorted(seeds, np.arange(n))
    labels, _ = assign(points, NOTHING, seeds, np.arange(n), place, n)
    assert np.bincount(labels)[0] > 3
    evened, _, _ = adjust(points, NOTHING, labels, seeds.size, place, 4, n)
    assert np.bincount(evened).tolist() == [4] * seeds.size
