"""Worth: Example 6.4, and the same numbers as the scores of the library give for whole steps."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.tables.groups.plain import histogram_of, rows_of_case
from tests.witness.classes import gain_of_split
from unlinkable.tables.methods.cuts.shared.step_gain import (
    ClassGain,
    EvenSplit,
    LossReduction,
)
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.taxonomies import observe
from unlinkable.tables.taxonomies.builders import Tree
from unlinkable.tables.taxonomies.taxonomy import Attribute

counts = st.lists(
    st.lists(st.integers(0, 4), min_size=3, max_size=3).filter(any), min_size=2, max_size=7
)


def labels(counted: Iterable[Iterable[int]]) -> str:
    """Write the class of every record as a letter."""
    return "".join("xyz"[c] * int(n) for row in counted for c, n in enumerate(row))


def codes(*values: int) -> np.ndarray:
    return np.array(values, np.int32)


def test_example_6_4_cuts_at_37_and_then_at_35_and_44() -> None:
    case = cases.load("book-ch06-ex6.4-optimal-binary-split")
    hours = case["expected"]["distinct_values"]
    by_value = np.zeros((len(hours), 2), np.int64)
    for row in rows_of_case(case["input"]["table"]):
        by_value[hours.index(row["Work_Hrs"])] += [int(str(row["Y"])), int(str(row["N"]))]
    step_gain = ClassGain(histogram_of(by_value.tolist()))
    places = np.arange(1, len(hours), dtype=np.int32)
    for place in places.tolist():
        gain, is_mixed = step_gain.of_parts(codes(0, place, len(hours)))
        assert gain == pytest.approx(case["expected"]["gains"][str(hours[place])], abs=1e-6)
        assert is_mixed
    at, gain, _ = step_gain.of_best_split(0, len(hours), places)
    assert hours[at] == case["expected"]["best_split"]
    assert round(gain, 4) == case["expected"]["printed"]["InfoGain_37"]
    following = case["expected"]["derived_next_level"]
    for lo, hi, label in [(0, at, "[1-37)"), (at, len(hours), "[37-99)")]:
        cut, told, _ = step_gain.of_best_split(lo, hi, np.arange(lo + 1, hi, dtype=np.int32))
        assert hours[cut] == following[label]["best_split"]
        assert told == pytest.approx(following[label]["InfoGain"], abs=1e-6)


@given(counts)
def test_the_best_split_is_the_first_of_the_most_telling(rows: list[list[int]]) -> None:
    step_gain = ClassGain(histogram_of(rows))
    splits = [gain_of_split([labels(rows[:i]), labels(rows[i:])]) for i in range(1, len(rows))]
    gains = np.array(splits)
    at, gain, is_mixed = step_gain.of_best_split(
        0, len(rows), np.arange(1, len(rows), dtype=np.int32)
    )
    assert at == 1 + int(np.argmax(gains >= gains.max() * (1 - 1e-9)))
    assert gain == pytest.approx(gains.max(), abs=1e-12)
    assert is_mixed == (np.count_nonzero(np.sum(rows, axis=0)) > 1)


@given(counts, st.data())
def test_what_disclosures_tell_is_their_information_gain(
    rows: list[list[int]], data: st.DataObject
) -> None:
    hidden = np.array(data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))))
    gains, is_mixed = ClassGain(histogram_of(rows)).of_disclosures(hidden)
    assert not gains[~hidden].any()
    if hidden.any():
        left = np.array(rows)[hidden]
        expected = [
            gain_of_split([labels(left[i : i + 1]), labels(np.delete(left, i, axis=0))])
            for i in range(len(left))
        ]
        assert gains[hidden] == pytest.approx(expected, abs=1e-12)
        assert is_mixed == (np.count_nonzero(left.sum(axis=0)) > 1)


def test_nothing_is_told_of_no_records() -> None:
    step_gain = ClassGain(histogram_of([[0, 0], [0, 0], [1, 0]]))
    assert step_gain.of_parts(codes(0, 1, 2)) == (0.0, False)
    assert step_gain.of_best_split(0, 2, codes(1)) == (1, 0.0, False)
    gains, is_mixed = step_gain.of_disclosures(np.array([True, True, False]))
    assert (gains.tolist(), is_mixed) == ([0, 0, 0], False)


def test_without_a_class_an_interval_is_cut_most_evenly() -> None:
    step_gain = EvenSplit(np.array([5, 1, 1, 1, 2]))
    assert step_gain.of_best_split(0, 5, codes(1, 2, 3, 4))[0] == 1
    assert step_gain.of_best_split(1, 5, codes(2, 3, 4))[0] == 3
    assert EvenSplit(np.array([1, 1, 1])).of_best_split(0, 3, codes(1, 2))[0] == 1
    assert step_gain.of_parts(codes(0, 1, 5)) == (0.0, True)
    assert step_gain.of_disclosures(np.ones(5, bool))[0].tolist() == [0.0] * 5


def test_a_saving_is_what_the_metric_falls_by() -> None:
    tree = Tree({"P": ["a", "b"], "Q": ["c", "d"]}).build(observe("v", [*"abcd"]))
    weights = np.array([1.0, 2.0, 3.0, 4.0])
    step_gain = LossReduction(Attribute("v", tree), ILoss(), weights, 0.1)
    root, half = 3 / 4, 1 / 4  # of three and one more value than the one that is true
    assert step_gain.of_parts(codes(0, 2, 4))[0] == pytest.approx((root - half) * 10 * 0.1)
    at, saved, _ = step_gain.of_best_split(0, 4, codes(1, 2, 3))
    assert at == 2
    assert saved == pytest.approx(0.5)
    uneven = evolve(step_gain, weights=np.array([1.0, 1.0, 1.0, 9.0]))
    at, saved, _ = uneven.of_best_split(0, 4, codes(1, 2, 3))
    assert at == 3
    assert saved == pytest.approx((root * 12 - 2 / 4 * 3) * 0.1)
    assert step_gain.of_disclosures(np.ones(4, bool))[0] == pytest.approx(root * weights * 0.1)
