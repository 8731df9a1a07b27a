"""Reconstruction error: the literature's distributions, KL by definition, releases of all kinds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.tables.metrics.shared.test_reconstruction import bucketized
from unlinkable.errors import ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Partition
from unlinkable.tables.metrics.base import Generalized, Perturbed
from unlinkable.tables.metrics.reconstruction_error import (
    InformationUnit,
    ReconstructionError,
    reconstruction_error,
)
from unlinkable.tables.taxonomies.builders import Intervals


def by_definition(actual: list[int], estimated: list[int], smoothing: float) -> float:
    act, est = ([x + smoothing for x in counts] for counts in (actual, estimated))
    terms = [
        a / sum(act) * math.log((a / sum(act)) / (e / sum(est)))
        for a, e in zip(act, est, strict=True)
        if a
    ]
    return sum(terms)


def test_table_13_4() -> None:
    for item in cases.load("book-ch13-reconstruction-error")["expected"]["per_item"]:
        act, est = ([cell[name] for cell in item["cells"]] for name in ("Act", "Est"))
        bits = reconstruction_error(act, est)
        nats = reconstruction_error(act, est, unit=InformationUnit.NATS)
        assert bits == pytest.approx(item["KL_bits"], abs=1e-5)
        assert nats == pytest.approx(item["KL_nats"], abs=1e-5)


def test_undoing_the_randomization_leaves_no_error() -> None:
    case = cases.load("book-ch03-perturbation-reconstruction")
    p, observed = case["input"]["p"], np.array(list(case["input"]["observed"].values()))
    truth = list(case["expected"]["reconstructed"].values())
    undone = (observed - (1 - p) / observed.size) / p
    assert reconstruction_error(truth, np.abs(undone)) == pytest.approx(0, abs=1e-12)
    expected = sum(t * math.log2(t / o) for t, o in zip(truth, observed, strict=True) if t)
    assert reconstruction_error(truth, observed) == pytest.approx(expected)
    assert expected > 0.1


def test_every_step_of_iterative_reconstruction_comes_closer() -> None:
    expected = cases.load("aggarwal-reconstruction-steps")["expected"]
    steps = expected["density_by_iteration"]
    errors = [reconstruction_error(expected["limit"], step) for step in steps]
    assert errors == pytest.approx([-math.log2(step[1]) for step in steps])
    assert errors == sorted(errors, reverse=True)


COUNTS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=6)


@given(COUNTS, st.sampled_from([0.1, 0.5, 1.0]))
def test_says_what_the_definition_says(pairs: list[tuple[int, int]], smoothing: float) -> None:
    actual, estimated = [a for a, _ in pairs], [b for _, b in pairs]
    expected = by_definition(actual, estimated, smoothing)
    found = reconstruction_error(actual, estimated, unit=InformationUnit.NATS, smoothing=smoothing)
    assert found == pytest.approx(expected, abs=1e-12)
    assert found >= 0
    assert reconstruction_error(actual, actual, smoothing=smoothing) == 0


def test_what_is_not_there_costs_nothing_and_what_nobody_expects_everything() -> None:
    assert reconstruction_error([4, 0], [1, 1]) == 1
    assert reconstruction_error([1, 1], [4, 0]) == math.inf
    assert reconstruction_error([1, 1], [4, 0], smoothing=0.5) < 1


@pytest.mark.parametrize(
    ("actual", "estimated"),
    [([0, 0], [1, 1]), ([1, 1], [0, 0]), ([1, -1], [1, 1]), ([], []), ([1.0], [math.nan])],
    ids=repr,
)
def test_refuses_what_is_no_distribution(actual: list[float], estimated: list[float]) -> None:
    with pytest.raises(ParameterError, match="counts of 0 or more, and not only zeros"):
        reconstruction_error(actual, estimated)


def test_refuses_distributions_over_other_cells() -> None:
    with pytest.raises(ParameterError, match=r"got the shapes \(2,\) and \(3,\)"):
        reconstruction_error([1, 1], [1, 1, 1])


def ward() -> Table:
    columns = {
        "age": [31, 33, 34, 36, 38, 52],
        "sex": list("ffmmfm"),
        "ill": ["flu", "hiv", "flu", "flu", "hiv", "cold"],
        "pay": list("aabbaa"),
    }
    taxonomies = {"age": Intervals(5, 10, 20)}
    return as_table(columns, quasi=["age", "sex"], sensitive=["ill", "pay"], taxonomies=taxonomies)


def at_levels(table: Table, *levels: int) -> Generalized:
    counted = count(table)
    partition = Partition.at_levels(counted.finest, table.attributes, levels)
    return Generalized.of(table, partition, counted.labels)


def test_is_the_mean_over_the_sensitive_columns() -> None:
    release = at_levels(ward(), 1, 1)
    found = ReconstructionError().measure(release)
    assert found.value == (found.details["ill"] + found.details["pay"]) / 2
    assert found.details["ill"] == ReconstructionError(sensitive="ill").measure(release).value
    assert found.details["ill: value with the largest error"] >= found.details["ill"]
    assert found.details["records compared"] == 6
    assert ReconstructionError(unit="nats").measure(release).value == pytest.approx(
        found.value * math.log(2)
    )


def test_raw_releases_have_none_and_coarser_ones_more() -> None:
    table = ward()
    errors = [ReconstructionError().measure(at_levels(table, i, 0)).value for i in range(4)]
    assert errors[0] == 0
    assert errors == sorted(errors)
    assert errors[3] > errors[1] > 0
    raw = bucketized(table, list(range(6)), "ill")
    assert ReconstructionError().measure(raw).value == 0
    assert ReconstructionError().measure(Perturbed(table, table.frame, None)).value == 0


def test_a_table_without_sensitive_columns_is_reconstructed_by_its_cells() -> None:
    table = as_table({"age": [1, 1, 1, 2]}, quasi="age", taxonomies={"age": Intervals(5)})
    found = ReconstructionError().measure(at_levels(table, 1))
    assert found.value == pytest.approx(reconstruction_error([3, 1], [2, 2]))
    assert found.details == {"records compared": 4}


def test_buckets_tell_less_the_larger_they_are() -> None:
    table = ward()
    pairs, all_in_one = (
        bucketized(table, [0, 0, 1, 1, 2, 2], "ill"),
        bucketized(table, [0] * 6, "ill"),
    )
    error = ReconstructionError(columns="sex")
    assert 0 < error.measure(pairs).value < error.measure(all_in_one).value
    whole = ReconstructionError(sensitive="ill").measure(all_in_one)
    assert set(whole.details) == {
        "ill", "ill: value with the largest error", "records compared"
    }  # fmt: skip


def test_merging_buckets_can_lower_it() -> None:
    table = as_table({"sex": list("ffm"), "ill": ["flu", "hiv", "flu"]}, quasi="sex",
                     sensitive="ill")  # fmt: skip
    apart, merged = (ReconstructionError().measure(bucketized(table, b, "ill")).value
                     for b in ([0, 1, 1], [0, 0, 0]))  # fmt: skip
    assert (round(apart, 2), round(merged, 2)) == (0.47, 0.25)


def test_records_that_are_left_out_are_compared_with_nothing() -> None:
    table = ward()
    release = bucketized(table, [0, 1, 2, 3, -1, -1], "ill")
    found = ReconstructionError().measure(release)
    assert (found.value, found.details["records compared"]) == (0, 4)


def test_perturbed_columns_are_compared_one_by_one() -> None:
    table = as_table({"a": [1, 2, 3, 4], "c": list("xxxy")}, quasi=["a", "c"])
    noisy = as_table({"a": [1.0, 1.5, 1.7, 9.0, 9.0, 9.0], "c": list("xxxyyz")}, quasi=["a", "c"])
    found = ReconstructionError(bins=2, smoothing=1).measure(Perturbed(table, noisy.frame, None))
    # Below 2 and from 2 on, and a missing value; x, y, and what is neither.
    assert found.details["a"] == pytest.approx(reconstruction_error([2, 4, 1], [4, 4, 1]))
    assert found.details["c"] == pytest.approx(reconstruction_error([4, 2, 1], [4, 3, 2]))
    assert found.value == pytest.approx((found.details["a"] + found.details["c"]) / 2)
    only = ReconstructionError(bins=2, smoothing=1, columns="c")
    assert only.measure(Perturbed(table, noisy.frame, None)).value == found.details["c"]


def test_noisy_counts_are_counted_and_those_below_0_are_nobody() -> None:
    table = as_table({"c": list("xxxy")}, quasi="c")
    cells = as_table({"c": list("xy")}, quasi="c")
    noisy = Perturbed(table, cells.frame, None, np.array([2.5, -1.0]))
    found = ReconstructionError(smoothing=0.5).measure(noisy).value
    assert found == pytest.approx(reconstruction_error([3.5, 1.5, 0.5], [3, 0.5, 0.5]))


def test_tells_how_far_it_is() -> None:
    told: list[tuple[float, str]] = []
    ReconstructionError().measure(at_levels(ward(), 1, 0), lambda *said: told.append(said))
    assert told == [(0.5, "ill reconstructed"), (1.0, "pay reconstructed")]


def test_refuses_columns_that_are_not_there() -> None:
    table = ward()
    release = at_levels(table, 1, 0)
    with pytest.raises(SchemaError, match=r"no published column 'il' .*did you mean 'ill'"):
        ReconstructionError(sensitive="il").measure(release)
    with pytest.raises(SchemaError, match="no bucketized column 'pay' among 1"):
        ReconstructionError(sensitive="pay").measure(bucketized(table, [0] * 6, "ill"))
    with pytest.raises(SchemaError, match=r"no published column 'ag' .*did you mean 'age'"):
        ReconstructionError(columns=("ag",)).measure(release)
    with pytest.raises(UnsupportedError, match="column 'age' was generalized"):
        ReconstructionError(sensitive="age").measure(release)
    nothing = as_table({"n": ["p", "q"]}, identifiers="n")
    with pytest.raises(UnsupportedError, match="no published column to look at"):
        ReconstructionError().measure(Perturbed(nothing, nothing.frame, None))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"unit": "bytes"}, "no unit 'bytes' among 2"),
        ({"bins": 0}, "bins must be at least 1, got 0"),
        ({"smoothing": -1}, "smoothing must be at least 0, got -1"),
    ],
    ids=["unit", "bins", "smoothing"],
)
def test_refuses_parameters_that_mean_nothing(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        ReconstructionError(**parameters)
