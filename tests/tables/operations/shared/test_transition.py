"""Transition matrices: reading, drawing, price and refusals."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.operations.chance import fits_counts
from tests.witness.swapping import invariant_matrix
from unlinkable.errors import DataError, ParameterError, SchemaError
from unlinkable.tables.operations.shared.transition import (
    as_moves,
    by_frequency,
    draw_moves,
    epsilon_of_rows,
    invariant,
    matrix_of,
    read_moves,
    write_matrix,
)
from unlinkable.tables.taxonomies import observe

JOBS = observe("job", ["clerk", "cook", "nurse"]).domain
UNIT = 1 << 40


def matrix(*moves: tuple[str, str, float]) -> Any:
    found = as_moves(moves)
    assert found is not None
    return matrix_of(read_moves(found), JOBS, "job")


def test_what_is_left_over_is_the_probability_to_stay() -> None:
    found = matrix(("cook", "clerk", 0.25), ("nurse", "cook", 0.5), ("nurse", "nurse", 0.5))
    assert (found / UNIT).tolist() == [[1, 0, 0], [0.25, 0.75, 0], [0, 0.5, 0.5]]


def test_a_file_says_the_same(tmp_path: Path) -> None:
    file = tmp_path / "moves.csv"
    file.write_text("from,to,p\ncook,clerk,1/4\n")
    assert read_moves(str(file)) == (("cook", "clerk", Fraction(1, 4)),)
    file.write_text("from,to,p\ncook,clerk,often\n")
    with pytest.raises(DataError, match=r"'p' of .* must hold a number"):
        read_moves(str(file))
    file.write_text("from,to\ncook,clerk\n")
    with pytest.raises(SchemaError, match="no column 'p'"):
        read_moves(str(file))


def test_moves_are_drawn_as_the_matrix_says() -> None:
    """A false alarm in one of a million runs; 30 % off is noticed."""
    chances = {"clerk": (0.6, 0.3, 0.1), "cook": (0.0, 1.0, 0.0), "nurse": (0.2, 0.2, 0.6)}
    names = list(chances)
    found = matrix(
        *((a, b, p) for a, row in chances.items() for b, p in zip(names, row, strict=True))
    )
    codes = np.repeat(np.arange(3, dtype=np.int32), 8_000)
    drawn = draw_moves(found, codes, np.random.default_rng(1))
    for code, name in enumerate(names):
        counts = np.bincount(drawn[codes == code], minlength=3).tolist()
        assert fits_counts(counts, chances[name])
    counts = np.bincount(drawn[codes == 0], minlength=3).tolist()
    assert not fits_counts(counts, (0.57, 0.3, 0.13))


@pytest.mark.parametrize(("number", "expected"), [(0, [0, 1, 0]), (UNIT - 1, [2, 1, 2])])
def test_the_first_and_the_last_number_that_may_be_drawn(number: int, expected: list[int]) -> None:
    class Certain(np.random.Generator):
        def integers(self, *_: Any, **__: Any) -> Any:
            return np.full(3, number)

    found = matrix(("clerk", "cook", 0.5), ("clerk", "nurse", 0.25), ("nurse", "clerk", 0.5))
    drawn = draw_moves(found, np.arange(3, dtype=np.int32), Certain(np.random.PCG64(1)))
    assert drawn.tolist() == expected


def test_no_values_are_not_moved() -> None:
    nothing = np.zeros((0, 0), np.int64)
    assert draw_moves(nothing, np.zeros(0, np.int32), np.random.default_rng(1)).size == 0


@given(st.lists(st.lists(st.integers(1, 9), min_size=3, max_size=3), min_size=3, max_size=3))
def test_the_price_is_the_largest_ratio_of_an_outcome(rows: list[list[int]]) -> None:
    shares = np.array([[Fraction(x, sum(row)) for x in row] for row in rows])
    chance = [*shares.tolist(), [Fraction(1, 3)] * 3]
    worst = max(one[j] / other[j] for one in chance for other in chance for j in range(3))
    assert epsilon_of_rows(shares.astype(float)) == pytest.approx(math.log(worst))


def test_the_price_of_even_rows_is_nothing() -> None:
    assert epsilon_of_rows(np.full((4, 4), 0.25)) == 0.0


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ([("cook", "clrek", 0.1)], "no value 'clrek'"),
        ([("cook", "clerk", 1.5)], r"must lie in \[0, 1\]"),
        ([("cook", "clerk", 0.6), ("cook", "nurse", 0.6)], "add up to 1.2"),
        ([("cook", "clerk", 0.6), ("cook", "cook", 0.3)], "add up to 0.9"),
        ([("cook", "clerk", 0.1), ("cook", "clerk", 0.1)], "listed twice"),
    ],
)
def test_refuses_moves_that_fit_no_matrix(moves: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        matrix(*moves)


def test_refuses_what_is_no_list_of_moves() -> None:
    with pytest.raises(ParameterError, match="must list a value"):
        as_moves([("cook", "clerk")])
    with pytest.raises(ParameterError, match="must list a value"):
        as_moves(["abc"])


def test_refuses_matrices_of_too_many_values() -> None:
    many = observe("n", [f"v{i}" for i in range(5_000)]).domain
    with pytest.raises(ParameterError, match="5000 values, and a matrix has at most 4096"):
        matrix_of((), many, "n")


@given(st.lists(st.integers(1, 50), min_size=1, max_size=6), st.floats(0, 0.99))
def test_matrices_of_counts_are_those_of_the_definition(counts: list[int], p: float) -> None:
    n, m = np.array(counts), len(counts)
    steps = np.eye(1) if m == 1 else np.full((m, m), (1 - p) / (m - 1))
    if m > 1:
        np.fill_diagonal(steps, p)
    exact = [[Fraction(x) for x in row] for row in steps.tolist()]
    wanted = np.array([[float(x) for x in row] for row in invariant_matrix(exact, counts)])
    assert np.allclose(invariant(n, p), wanted)
    assert np.allclose(n @ invariant(n, p), n)
    made = by_frequency(n, p)
    assert np.allclose(made.sum(axis=1), 1)
    for a in range(m):
        for b in range(m):
            if a != b:
                assert made[a, b] == pytest.approx((1 - p) * counts[b] / (sum(counts) - counts[a]))


def test_a_matrix_of_400_probabilities_is_written_and_a_larger_one_is_not() -> None:
    assert write_matrix(np.eye(20), [*"abcdefghijklmnopqrst"]).count(";") == 399
    assert write_matrix(np.eye(21), ["x"] * 21) == "not told: 21 values have 441 probabilities"
