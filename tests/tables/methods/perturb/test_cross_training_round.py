"""Cross-training: cells of one half by definition, noise of the other as wide as these cells."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.methods.perturb.points_setting import masked_by
from tests.tables.methods.perturb.test_density_perturbation import is_spread_as
from tests.tables.methods.regions.shared.test_subcubes import by_definition
from unlinkable.errors import DataError, UnsupportedError
from unlinkable.tables.data import as_table
from unlinkable.tables.methods.perturb import CrossTrainingRound
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.taxonomies.domain import Kind
from unlinkable.tables.taxonomies.notation import read_bounds

POINTS = st.lists(st.tuples(st.integers(0, 40), st.integers(-20, 5)), min_size=2, max_size=40)


@given(POINTS, st.integers(1, 4), st.integers(0, 5))
def test_half_of_the_records_show_the_cells_of_the_literal_recursion(
    points: list[tuple[int, int]], t: int, seed: int
) -> None:
    x, y = zip(*points, strict=True)
    people = as_table({"x": x, "y": y}, quasi=["x", "y"])
    frame = masked_by(CrossTrainingRound(t), people, seed).frame
    in_b = [half == "cell" for half in frame["half"]]
    assert sum(in_b) == len(points) - len(points) // 2
    ends = [(min(c), max(c)) for c in (x, y)]
    box = tuple(e[0] for e in ends), tuple(e[1] for e in ends)
    literal = by_definition([*points], [*map(int, in_b)], box, 2 * t, [*range(len(points))])
    for i in np.flatnonzero(in_b).tolist():
        for j, name in enumerate("xy"):
            text = frame[name][i]
            low, high = literal[i][0][j], literal[i][1][j]
            is_whole = low <= ends[j][0] and high >= ends[j][1]
            bounds = (None, None) if text == "*" else read_bounds(Kind.NUMBER, text)
            assert (text == "*") == is_whole
            assert bounds == (
                None if low <= ends[j][0] else str(int(np.ceil(low))),
                None if high >= ends[j][1] else str(int(np.ceil(high))),
            )


def test_noise_is_as_wide_as_the_cell_of_the_other_half() -> None:
    rng = np.random.default_rng(2)
    n = 3000
    numbers = np.concatenate([rng.integers(0, 10**6, n), rng.integers(0, 10**9, n)])
    people = as_table({"x": numbers}, quasi="x")
    frame = masked_by(CrossTrainingRound(20), people).frame
    in_b = (frame["half"] == "cell").to_numpy()
    box = (float(numbers.min()),), (float(numbers.max()),)
    points: list[tuple[float, ...]] = [(float(v),) for v in numbers]
    cells = by_definition(points, [*map(int, in_b)], box, 40, [*range(2 * n)])
    sides = np.array([cells[i][1][0] - cells[i][0][0] for i in range(2 * n)])[~in_b]
    noise = np.array([float(text) for text in frame["x"].to_numpy()[~in_b]]) - numbers[~in_b]
    assert sides.max() > 100 * sides.min()
    # 3,000 numbers: a false alarm has a chance below one in a million, 30 % off is 11 errors away.
    assert is_spread_as(noise / sides, 1.0)
    assert not is_spread_as(noise / sides * 1.3, 1.0)
    assert not is_spread_as(noise / sides / 1.3, 1.0)


def test_halves_are_drawn_by_chance() -> None:
    people = as_table({"x": [*range(10)]}, quasi="x")
    halves = np.array(
        [(masked_by(CrossTrainingRound(1), people, s).frame["half"] == "cell") for s in range(400)]
    )
    # Each record is in half B in 200 of 400 runs; 5 standard errors are 50.
    assert (np.abs(halves.sum(axis=0) - 200) < 50).all()


def test_the_column_of_halves_has_a_name_of_its_own_and_others_stay() -> None:
    people = as_table({"x": [1, 2, 3, 4], "half": list("abab")}, quasi="x", sensitive="half")
    one, again = (masked_by(CrossTrainingRound(1), people, 7).frame for _ in range(2))
    assert one.columns == ["x", "half", "half 2"]
    assert one["half"].to_list() == list("abab")
    assert one.equals(again)


def test_effort_on_a_fixed_table() -> None:
    people = as_table({"x": np.random.default_rng(1).normal(size=2000).round(3)}, quasi="x")
    assert masked_by(CrossTrainingRound(10), people).effort == {"rounds": 9, "cells": 71}


def test_promises_and_tables_that_it_cannot_serve_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="cannot keep k-anonymity"):
        masked_by(CrossTrainingRound(), as_table({"x": [1, 2]}, quasi="x"), 1, KAnonymity(2))
    with pytest.raises(DataError, match="needs two halves"):
        masked_by(CrossTrainingRound(), as_table({"x": [1]}, quasi="x"))
    people = as_table({"x": [1, 2], "job": ["a", "b"]}, quasi=["x", "job"])
    with pytest.raises(UnsupportedError, match="'job' holds categories"):
        masked_by(CrossTrainingRound(), people)
    owned = as_table({"x": [1, 2], "id": [1, 1]}, quasi="x", owner="id")
    with pytest.raises(UnsupportedError, match="every record for another person"):
        masked_by(CrossTrainingRound(), owned)
    assert masked_by(CrossTrainingRound(columns="x"), people).frame["job"].to_list() == ["a", "b"]
