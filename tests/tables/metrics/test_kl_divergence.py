"""KL divergence: the definition for attributes and for records, and of perturbed releases."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from math import log2

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import table_of
from tests.tables.metrics.random_releases import (
    Record,
    attribute,
    random_releases,
    records,
    with_roots,
)
from unlinkable.errors import ParameterError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups, Histogram, Partition
from unlinkable.tables.metrics import KLDivergence
from unlinkable.tables.metrics.base import Bucketized, Generalized, Perturbed, Shown


def divergence(shown: Shown, columns: list[int]) -> float:
    """Spread every record over all that it could be on some columns, and compare."""
    n = [shown.attributes[j].taxonomy.n for j in columns]
    p: dict[tuple[int, ...], float] = defaultdict(float)
    q: dict[tuple[int, ...], float] = defaultdict(float)
    for record in records(shown):
        p[tuple(record.codes[j] for j in columns)] += record.weight
        possible = list(product(*(range(*ends) for ends in _ends(record, columns, n))))
        for values in possible:
            q[values] += record.weight / len(possible)
    total = sum(p.values())
    return sum(w / total * log2(w / q[x]) for x, w in p.items()) if total else 0.0


def _ends(record: Record, columns: list[int], n: list[int]) -> list[tuple[int, int]]:
    if record.ranges is None:
        return [(0, k) for k in n]
    return [record.ranges[j] for j in columns]


@given(random_releases())
def test_attributes_diverge_as_the_definition_says(shown: Shown) -> None:
    expected = [divergence(shown, [j]) for j in range(len(shown.attributes))]
    details = KLDivergence().details(shown)
    assert list(details.values()) == pytest.approx(expected, abs=1e-12)
    mean = sum(w * x for w, x in zip(shown.importance, expected, strict=True))
    assert KLDivergence().value(shown) == pytest.approx(mean, abs=1e-12)


@given(random_releases())
def test_records_diverge_as_the_definition_says(shown: Shown) -> None:
    expected = divergence(shown, list(range(len(shown.attributes))))
    assert KLDivergence(joint=True).value(shown) == pytest.approx(expected, abs=1e-12)
    assert KLDivergence(joint=True).details(shown) == {}


@given(table=tables(max_qid=3), data=st.data())
def test_levels_diverge_as_the_definition_says_and_never_less_when_they_go_up(
    table: RandomTable, data: st.DataObject
) -> None:
    encoded = table_of(table)
    finest, attributes = count(encoded).finest, encoded.attributes
    low = [data.draw(st.integers(0, a.taxonomy.height)) for a in attributes]
    high = [
        data.draw(st.integers(level, a.taxonomy.height))
        for level, a in zip(low, attributes, strict=True)
    ]
    fine, coarse = (
        Shown.of(Partition.at_levels(finest, attributes, levels), attributes)
        for levels in (low, high)
    )
    joint = KLDivergence(joint=True)
    expected = divergence(fine, list(range(len(attributes))))
    assert joint.value(fine) == pytest.approx(expected, abs=1e-12)
    for metric in (KLDivergence(), joint):
        assert metric.value(coarse) >= metric.value(fine) - 1e-12


@given(random_releases())
def test_roots_diverge_by_what_the_entropy_lacks(shown: Shown) -> None:
    if not shown.n_records:
        return
    expected = []
    for found, before in zip(shown.attributes, shown.before, strict=True):
        p = before[before > 0] / before.sum()
        expected.append(log2(found.taxonomy.n) + float(p @ np.log2(p)))
    details = KLDivergence().details(with_roots(shown))
    assert list(details.values()) == pytest.approx(expected, abs=1e-12)


def test_merging_can_lower_it() -> None:
    letters = attribute("a", ["a", "b", "c", "d"])
    keys = np.array([[0], [1]], np.int32)
    finest = Groups(np.array([1, 1]), np.array([1.0, 1.0]), {}, {}, ("a",), keys)
    apart = Partition(
        finest,
        np.array([0, 1], np.int32),
        np.array([[0], [1]], np.int32),
        np.array([[4], [4]], np.int32),
    )
    together = Partition.at_levels(finest, (letters,), [1])
    for metric in (KLDivergence(), KLDivergence(joint=True)):
        assert round(metric.value(Shown.of(apart, (letters,))), 2) == 1.39
        assert metric.value(Shown.of(together, (letters,))) == 1


def test_shares_too_small_for_a_float_do_not_make_it_infinite() -> None:
    columns = tuple(attribute(f"q{j}", [f"v{i}" for i in range(1000)]) for j in range(120))
    keys = np.vstack([np.zeros(120, np.int32), np.ones(120, np.int32)])
    finest = Groups(np.array([1, 1]), np.array([1.0, 1.0]), {}, {}, ("q",) * 120, keys)
    whole = Partition.at_levels(finest, columns, [1] * 120)
    bits = KLDivergence(joint=True).value(Shown.of(whole, columns))
    assert bits == pytest.approx(120 * log2(1000) - 1)
    gone = Shown.of(whole.suppress(np.array([True])), columns)
    assert KLDivergence(joint=True).value(gone) == pytest.approx(bits)


def people(weight: list[float] | None = None) -> Table:
    columns = {"job": ["cook", "cook", "cook", "clerk"], "age": [30, 30, 40, 50]}
    if weight is None:
        return as_table(columns, quasi=["job", "age"], importance={"age": 3.0})
    return as_table({**columns, "w": weight}, quasi=["job", "age"], weight="w")


def perturbed(
    table: Table, weights: list[float] | None = None, **columns: list[object]
) -> Perturbed:
    given = None if weights is None else np.array(weights)
    return Perturbed(table, pl.DataFrame(columns), None, given)


def test_swapped_values_diverge_by_nothing() -> None:
    table = people()
    release = perturbed(table, job=["clerk", "cook", "cook", "cook"], age=[40, 30, 50, 30])
    assert KLDivergence().measure(release).value == 0


def test_values_that_a_perturbed_release_lacks_keep_it_finite() -> None:
    found = KLDivergence().measure(perturbed(people(), job=["cook"] * 4, age=[30, 30, 40, 50]))
    p, q = [3.5 / 5, 1.5 / 5], [4.5 / 5, 0.5 / 5]
    job = sum(a * log2(a / b) for a, b in zip(p, q, strict=True))
    assert found.details == pytest.approx({"job": job, "age": 0})
    assert found.value == pytest.approx(job / 4)


def test_perturbed_records_count_by_their_weights() -> None:
    table = people([1.0, 1.0, 2.0, 4.0])
    noisy = perturbed(table, [4.0, 4.0, -1.0], job=["cook", "clerk", "clerk"], age=[40, 50, 30])
    found = KLDivergence().measure(noisy).details
    p, q = [4.5 / 9, 4.5 / 9], [4.5 / 8, 3.5 / 8]
    assert found["job"] == pytest.approx(sum(a * log2(a / b) for a, b in zip(p, q, strict=True)))
    p, q = [(w + 1 / 3) / 9 for w in (2, 2, 4)], [(w + 1 / 3) / 9 for w in (0, 4, 4)]
    assert found["age"] == pytest.approx(sum(a * log2(a / b) for a, b in zip(p, q, strict=True)))


def test_a_column_that_is_not_published_is_spread_evenly() -> None:
    found = KLDivergence().measure(perturbed(people(), age=[30, 30, 40, 50])).details
    p = [3.5 / 5, 1.5 / 5]
    assert found == pytest.approx({"job": sum(x * log2(2 * x) for x in p), "age": 0})


def test_a_generalized_release_is_measured_as_its_groups_show() -> None:
    table = people()
    counted = count(table)
    partition = Partition.at_levels(counted.finest, table.attributes, [1, 0])
    release = Generalized.of(table, partition, counted.labels)
    assert KLDivergence().measure(release).value == KLDivergence().value(release.shown) > 0


def test_refuses_values_that_the_original_does_not_have() -> None:
    with pytest.raises(UnsupportedError, match="column 'age' shows values that the original"):
        KLDivergence().measure(perturbed(people(), job=["cook"], age=[31]))


def test_refuses_whole_records_of_a_perturbed_release() -> None:
    with pytest.raises(UnsupportedError, match=r"rarely those of the original.*leave out joint"):
        KLDivergence(joint=True).measure(perturbed(people(), job=["cook"], age=[30]))


def test_refuses_a_release_whose_values_are_as_they_were() -> None:
    table = people()
    hidden: dict[str, Histogram] = {}
    release = Bucketized(table, table.frame, None, np.zeros(4, np.int32), hidden)
    with pytest.raises(UnsupportedError, match="cannot measure a bucketized release"):
        KLDivergence().measure(release)


def test_refuses_what_is_neither_true_nor_false() -> None:
    with pytest.raises(ParameterError, match="joint must be true or false, got 'yes'"):
        KLDivergence(joint="yes")  # type: ignore[arg-type]
