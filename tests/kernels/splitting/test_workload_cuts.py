"""What cuts leave to be told: bits of classes and gains of numbers, beside the definitions."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests import cases
from tests.tables.groups.plain import histogram_of
from tests.witness.workload import entropy_of_parts, error_of_parts
from unlinkable.kernels.splitting.workload_cuts import cut_bits, cut_gains
from unlinkable.typing import CodeArray, CountArray

SCALE = 2.0**40
LISTED = np.rint(np.arange(8) * np.log2(np.maximum(np.arange(8), 1)) * SCALE)
"""Few enough that larger counts are computed."""


@st.composite
def listed_cuts(
    draw: st.DrawFn, n_rows: int
) -> tuple[CodeArray, CountArray, CountArray, CountArray]:
    """Draw items of some of these rows, and some cuts of each, from the lowest on."""
    rows, starts, item, below = [], [0], [], []
    for i in range(draw(st.integers(1, 3))):
        own = draw(st.permutations(range(n_rows)))[: draw(st.integers(1, n_rows))]
        cuts = sorted(draw(st.sets(st.integers(1, len(own)), max_size=4)))
        rows += own
        starts.append(len(rows))
        item += [i] * len(cuts)
        below += cuts
    return (
        np.array(rows, np.int32),
        np.array(starts, np.int64),
        np.array(item, np.int64),
        np.array(below, np.int64),
    )


def halves_of(
    rows: CodeArray, starts: CountArray, item: CountArray, below: CountArray
) -> list[tuple[list[int], list[int]]]:
    owned = [rows[starts[i] : starts[i + 1]].tolist() for i in item]
    return [(own[:b], own[b:]) for own, b in zip(owned, below.tolist(), strict=True)]


COUNTS = st.lists(st.lists(st.integers(0, 6), min_size=3, max_size=3), min_size=2, max_size=8)


@given(COUNTS, st.data())
def test_bits_are_those_of_the_definition(counts: list[list[int]], data: st.DataObject) -> None:
    listed = data.draw(listed_cuts(len(counts)))
    h = histogram_of(counts)
    left = cut_bits(h.indptr, h.values, h.counts, h.n_values, *listed, LISTED, SCALE) / SCALE
    for cut, bits in zip(halves_of(*listed), left, strict=True):
        classes = [
            [value for i in half for value in range(3) for _ in range(counts[i][value])]
            for half in cut
        ]
        n = sum(map(len, classes))
        expected = n * entropy_of_parts([half for half in classes if half]) if n else 0.0
        assert bits == pytest.approx(expected, abs=1e-9)


@given(COUNTS, st.data())
def test_halves_with_the_same_counts_leave_exactly_the_same_bits(
    counts: list[list[int]], data: st.DataObject
) -> None:
    listed = data.draw(listed_cuts(len(counts)))
    h = histogram_of(counts)
    left = cut_bits(h.indptr, h.values, h.counts, h.n_values, *listed, LISTED, SCALE)
    known: dict[tuple[tuple[int, ...], ...], float] = {}
    for cut, bits in zip(halves_of(*listed), left.tolist(), strict=True):
        both = [tuple(sorted(sum(counts[i][v] for i in half) for v in range(3))) for half in cut]
        assert known.setdefault(tuple(sorted(both)), bits) == bits
        if all(sum(n > 0 for n in half) < 2 for half in both):
            assert bits == 0


def test_every_cut_leaves_the_same_however_many_are_asked_for() -> None:
    rng = np.random.default_rng(3)
    h = histogram_of(rng.integers(0, 3, (40, 5)).tolist())
    rows, starts = rng.permutation(40).astype(np.int32), np.array([0, 40])
    below = np.arange(1, 40)
    item = np.zeros(39, np.int64)
    told = cut_bits(h.indptr, h.values, h.counts, 5, rows, starts, item, below, LISTED, SCALE)
    some = below[20:]
    alone = cut_bits(h.indptr, h.values, h.counts, 5, rows, starts, item[20:], some, LISTED, SCALE)
    assert told[20:].tolist() == alone.tolist()


@given(
    st.lists(st.lists(st.integers(-(2**50), 2**50), max_size=3), min_size=2, max_size=8),
    st.data(),
)
def test_gains_are_those_of_the_definition(numbers: list[list[int]], data: st.DataObject) -> None:
    listed = data.draw(listed_cuts(len(numbers)))
    known, totals = sums_of(numbers)
    gains = cut_gains(known, totals, *listed)
    for cut, gain in zip(halves_of(*listed), gains.tolist(), strict=True):
        halves = [[x for i in half for x in numbers[i]] for half in cut]
        there = [half for half in halves if half]
        before = error_of_parts([[*halves[0], *halves[1]]]) if there else Fraction(0)
        expected = before - error_of_parts(there)
        # What rounding does is a small share of the deviance, not of the gain.
        assert gain == pytest.approx(float(expected), rel=1e-9, abs=1e-9 * float(before))
        if len(set(halves[0] + halves[1])) < 2:
            assert gain == 0


@given(st.lists(st.lists(st.integers(0, 9), max_size=3), min_size=2, max_size=8), st.data())
def test_small_whole_numbers_gain_exactly_the_same_where_the_gain_is_the_same(
    numbers: list[list[int]], data: st.DataObject
) -> None:
    own = np.array(data.draw(st.permutations(range(len(numbers)))), np.int32)
    other = np.array(data.draw(st.permutations(range(len(numbers)))), np.int32)
    n = own.size
    below = np.tile(np.arange(1, n), 2)
    rows, starts = np.concatenate([own, other]), np.array([0, n, 2 * n])
    item = np.repeat([0, 1], n - 1)
    gains = cut_gains(*sums_of(numbers), rows, starts, item, below)
    exact: dict[Fraction, set[float]] = {}
    for cut, gain in zip(halves_of(rows, starts, item, below), gains.tolist(), strict=True):
        halves = [[x for i in half for x in numbers[i]] for half in cut]
        exact.setdefault(error_of_parts([half for half in halves if half]), set()).add(gain)
    assert all(len(found) == 1 for found in exact.values())


def sums_of(numbers: list[list[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return np.array([len(n) for n in numbers]), np.array([sum(n) for n in numbers], np.int64)


def test_the_worked_equations() -> None:
    case = cases.load("book-ch06-derived-eq6.4-6.7-mondrian-metrics")
    given_, expected = case["input"], case["expected"]
    parts = given_["entropy"]["partitions_class_counts"]
    h = histogram_of([[part["Y"], part["N"]] for part in parts])
    rows, starts = np.arange(2, dtype=np.int32), np.array([0, 2])
    item, below = np.array([0]), np.array([1])
    left = cut_bits(h.indptr, h.values, h.counts, 2, rows, starts, item, below, LISTED, SCALE)
    bits = left[0] / SCALE
    n = sum(Counter(parts[0]).values()) + sum(Counter(parts[1]).values())
    assert math.isclose(bits / n, expected["Entropy"], abs_tol=5e-7)

    numbers = given_["error2"]["partitions_values"]
    gain = cut_gains(*sums_of(numbers), rows, starts, item, below)[0]
    assert gain == expected["Error2_unsplit"] - expected["Error2"]
