"""Real work on releases, beside what plain Python finds, on random input.

The twins in ``tests/witness`` were written from the literature by somebody who did not see the
library.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Hashable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.tables.metrics.drawn import CLASS, Drawn, releases
from tests.witness import classes, tasks
from unlinkable.tables.metrics import (
    Denominator,
    InformationUnit,
    QueryError,
    ReconstructionError,
    Stress,
)
from unlinkable.tables.metrics.base import Published
from unlinkable.tables.metrics.cluster_f_measure import f_measure
from unlinkable.tables.metrics.information_gain import information_gains
from unlinkable.tables.metrics.match_point import match_point, rand_index
from unlinkable.tables.metrics.stress import stress
from unlinkable.tables.publishing.comparing.choosing import balance
from unlinkable.tables.publishing.comparing.comparison import dominated

STRUCTURES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("fast", "slow"),
    [
        pytest.param(f_measure, tasks.f_measure, id="f-measure"),
        pytest.param(match_point, tasks.match_point, id="match-point"),
        pytest.param(rand_index, tasks.rand_index, id="rand-index"),
    ],
)
@given(pairs=STRUCTURES)
def test_two_structures_of_clusters_agree_as_much_as_the_matrices_say(
    fast: Callable[[list[int], list[int]], float],
    slow: Callable[[list[int], list[int]], Fraction],
    pairs: list[tuple[int, int]],
) -> None:
    natural, query = ([p[i] for p in pairs] for i in (0, 1))
    assume(len(pairs) > 1 or fast is not rand_index)
    assert fast(natural, query) == pytest.approx(float(slow(natural, query)))


@pytest.mark.parametrize("denominator", Denominator, ids=lambda d: d.value)
@given(data=st.data(), n=st.integers(1, 6))
def test_stress_is_the_change_of_all_distances(
    denominator: Denominator, data: st.DataObject, n: int
) -> None:
    number = st.integers(-20, 20).map(lambda x: x / 4)
    before, after = (
        data.draw(st.lists(st.lists(number, min_size=d, max_size=d), min_size=n, max_size=n))
        for d in (data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3)))
    )
    slow = tasks.stress(before, after, swapped=denominator is Denominator.RELEASED)
    assume(slow < math.inf)
    fast = stress(np.array(before), np.array(after), denominator=denominator)
    assert fast == pytest.approx(slow, abs=1e-12)


@pytest.mark.parametrize("standardize", [False, True], ids=["as-they-are", "standardized"])
@given(drawn=releases(weighted=False))
def test_stress_of_a_release_takes_intervals_by_their_middles(
    standardize: bool, drawn: Drawn
) -> None:
    names = sorted(drawn.numeric)
    unit = {a: _deviation(drawn, a) if standardize else 1.0 for a in names}
    before, after = [], []
    for row, shown in zip(drawn.rows, drawn.release, strict=True):
        if shown is not None and all(row[a] is not None for a in names):
            before.append([_number(row[a]) / unit[a] for a in names])
            after.append([_middle(shown[a]) / unit[a] for a in names])
    assume(names and len(before) > 1)
    slow = tasks.stress(before, after)
    assume(slow < math.inf)
    fast = Stress(standardize=standardize).measure(drawn.generalized()).value
    assert fast == pytest.approx(slow, abs=1e-12)


@pytest.mark.parametrize("unit", InformationUnit, ids=lambda u: u.value)
@given(drawn=releases())
def test_what_is_reconstructed_from_ranges(unit: InformationUnit, drawn: Drawn) -> None:
    assume(any(drawn.boxes))
    base = 2.0 if unit is InformationUnit.BITS else math.e
    pairs = zip(drawn.labels, drawn.boxes, strict=True)
    counts = Counter(label for label, box in pairs if box is not None)
    slow = sum(
        n
        / counts.total()
        * tasks.reconstruction_error_of_ranges(
            drawn.original, drawn.release, drawn.labels, drawn.qid, value, base
        )
        for value, n in counts.items()
    )
    fast = ReconstructionError(unit=unit).measure(drawn.generalized(sensitive=True)).value
    assert fast == pytest.approx(slow, abs=1e-9)


@given(drawn=releases(), data=st.data())
def test_what_is_reconstructed_from_buckets(drawn: Drawn, data: st.DataObject) -> None:
    buckets = data.draw(_buckets(len(drawn.rows)))
    columns = data.draw(st.lists(st.sampled_from(drawn.qid), min_size=1, unique=True))
    counts = Counter(drawn.labels)
    slow = sum(
        n / counts.total() * tasks.reconstruction_error(drawn.rows, buckets, columns, CLASS, value)
        for value, n in counts.items()
    )
    fast = ReconstructionError(columns=columns).measure(drawn.bucketized(buckets)).value
    assert fast == pytest.approx(slow, abs=1e-9)


@given(drawn=releases(), data=st.data())
def test_counts_estimated_from_ranges(drawn: Drawn, data: st.DataObject) -> None:
    metric = data.draw(_workloads(len(drawn.qid)))
    release = drawn.generalized(sensitive=True)

    def estimate(wanted: tasks.Wanted) -> Fraction:
        return tasks.count_from_ranges(drawn.rows, drawn.release, wanted)

    assert metric.measure(release).value == pytest.approx(_error(drawn, metric, release, estimate))


@given(drawn=releases(), data=st.data())
def test_counts_estimated_from_buckets(drawn: Drawn, data: st.DataObject) -> None:
    metric = data.draw(_workloads(len(drawn.qid)))
    buckets = data.draw(_buckets(len(drawn.rows)))
    release = drawn.bucketized(buckets)

    def estimate(wanted: tasks.Wanted) -> Fraction:
        return tasks.count_from_buckets(drawn.rows, buckets, CLASS, wanted)

    assert metric.measure(release).value == pytest.approx(_error(drawn, metric, release, estimate))


@given(steps=st.lists(st.lists(st.text("uvw", max_size=5), min_size=1, max_size=3), max_size=4))
def test_gains_of_single_splits(steps: list[list[str]]) -> None:
    counted = [[[child.count(c) for c in "uvw"] for child in children] for children in steps]
    found = information_gains(
        np.array([np.sum(x, axis=0) for x in counted], int).reshape(-1, 3),
        np.cumsum([0, *map(len, steps)]),
        np.array([row for x in counted for row in x], int).reshape(-1, 3),
    )
    assert found.tolist() == pytest.approx([classes.gain_of_split(x) for x in steps], abs=1e-9)


@given(points=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=12))
def test_settings_that_others_beat(points: list[tuple[int, int]]) -> None:
    risks, losses = (np.array([p[i] for p in points], float) for i in (0, 1))
    assert dominated(risks, losses).tolist() == tasks.dominated(points)


@given(curves=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=6))
def test_curves_are_in_balance_where_they_first_meet_or_come_closest(
    curves: list[tuple[int, int]],
) -> None:
    ks = [2 * i + 2 for i in range(len(curves))]
    privacy, utility = ([float(c[i]) for c in curves] for i in (0, 1))
    found = balance(ks, privacy, utility)
    assert found.between == tasks.balancing_points(ks, privacy, utility)[0]


def _error(
    drawn: Drawn,
    metric: QueryError,
    release: Published,
    estimate: Callable[[tasks.Wanted], Fraction],
) -> float:
    workload = metric.workload(release)
    values: dict[str, list[Hashable]] = dict(drawn.domains)
    values[CLASS] = [*sorted({str(label) for label in drawn.labels})]
    errors = []
    for at, lo, hi in zip(workload.at, workload.lo, workload.hi, strict=True):
        wanted = {
            workload.columns[c]: values[workload.columns[c]][a:b]
            for c, a, b in zip(at, lo, hi, strict=True)
        }
        answer = tasks.count_exact(drawn.rows, wanted)
        least = metric.sanity * len(drawn.rows)
        errors.append(tasks.relative_error(estimate(wanted), answer, least))
    return float(sum(errors) / len(errors))


@st.composite
def _workloads(draw: st.DrawFn, n_columns: int) -> QueryError:
    return QueryError(
        queries=5,
        selectivity=draw(st.sampled_from(["1/10", "1/2"])),
        dimension=draw(st.integers(1, n_columns)),
        sensitive=draw(st.booleans()),
        sanity=draw(st.sampled_from(["1/1000", "1/10"])),
        seed=draw(st.integers(0, 99)),
    )


@st.composite
def _buckets(draw: st.DrawFn, n: int) -> list[int]:
    drawn = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    numbers = {bucket: g for g, bucket in enumerate(sorted(set(drawn)))}
    return [numbers[bucket] for bucket in drawn]


def _middle(shown: frozenset[Hashable]) -> float:
    numbers = [_number(v) for v in shown if v is not None]
    return (min(numbers) + max(numbers)) / 2


def _deviation(drawn: Drawn, a: str) -> float:
    """Give the standard deviation of a column; a column of one number has none to divide by."""
    numbers = [_number(row[a]) for row in drawn.rows if row[a] is not None]
    return (statistics.pstdev(numbers) if numbers else 0.0) or 1.0


def _number(value: Hashable) -> float:
    assert isinstance(value, int)
    return float(value)
