"""Randomization: transition matrices, and what values become that do not stay."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from unlinkable.errors import DataError, ParameterError, unknown
from unlinkable.params import Choice, exact
from unlinkable.tables.data import Side
from unlinkable.tables.operations.shared.strata import Shares, draw_outside, happens
from unlinkable.tables.taxonomies import Domain
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = [
    "Change",
    "Moves",
    "as_moves",
    "by_frequency",
    "draw_changes",
    "draw_moves",
    "epsilon_of_rows",
    "invariant",
    "matrix_of",
    "read_moves",
    "write_matrix",
]

Moves = tuple[tuple[str, str, Fraction], ...]
"""From which value to which other, with which probability."""

_UNIT = 1 << 40
"""Probabilities of a matrix are multiples of 1 / _UNIT."""

_MOST_VALUES = 1 << 12
"""A matrix over more values than this is refused."""

_MOST_WRITTEN = 400
"""A matrix of more probabilities than this is not written out."""


def as_moves(
    value: str | Mapping[str, Mapping[str, Any]] | Iterable[Iterable[Any]] | None,
) -> str | Moves | None:
    """Read moves from a list, or from values to values to probabilities; a text is a file's name.

    Examples
    --------
    >>> as_moves({"cook": {"clerk": 0.25}}) == as_moves([["cook", "clerk", 0.25]])
    True
    """
    if value is None or isinstance(value, str):
        return value
    listed: Iterable[Any] = value
    if isinstance(value, Mapping):
        listed = [(a, b, p) for a, row in value.items() for b, p in row.items()]
    moves = []
    for entry in listed:
        parts = () if isinstance(entry, str) else tuple(entry)
        if len(parts) != 3:
            raise ParameterError(
                "a matrix must list a value, what it becomes and with which probability, like "
                '[["cook", "clerk", 0.1]]'
            )
        moves.append((str(parts[0]), str(parts[1]), exact(parts[2])))
    return tuple(moves)


def read_moves(moves: str | Moves, side: Side | None = None) -> Moves:
    """Give moves, from their file if they have one.

    Raises
    ------
    DataError, SchemaError
        If there is no such file, or it has not the columns ``from``, ``to`` and ``p``.
    """
    if not isinstance(moves, str):
        return moves
    found = (side or Side()).open(moves)
    texts = found.texts("from"), found.texts("to"), found.texts("p")
    try:
        return tuple((a or "", b or "", exact(p or "")) for a, b, p in zip(*texts, strict=True))
    except ParameterError:
        raise DataError(f"column 'p' of {moves!r} must hold a number in every row") from None


def matrix_of(moves: Moves, domain: Domain, column: str) -> CountArray:
    """Write moves as a matrix over the present values of a column, in units of 2**-40.

    What the moves of a value leave over is the probability that it stays. The missing value does
    not take part.

    Raises
    ------
    ParameterError
        If a value is unknown, listed twice, or moves with a probability of more than 1.
    """
    m = domain.n_present
    if m > _MOST_VALUES:
        raise ParameterError(
            f"column {column!r} has {m} values, and a matrix has at most {_MOST_VALUES}"
        )
    matrix = np.zeros((m, m), np.int64)
    listed = set()
    for before, after, p in moves:
        a, b = (domain.code_of(text) for text in (before, after))
        for code, text in ((a, before), (b, after)):
            if code < 0:
                known = [domain.text(c) for c in range(m)]
                raise ParameterError(f"{unknown('value', text, known)} of column {column!r}")
        if not 0 <= p <= 1:
            raise ParameterError(f"a probability must lie in [0, 1], got {p} for {before!r}")
        if (a, b) in listed:
            raise ParameterError(f"the move from {before!r} to {after!r} is listed twice")
        listed.add((a, b))
        if a != b:
            matrix[a, b] = int(p * _UNIT)
        _require_sum(moves, before)
    np.fill_diagonal(matrix, _UNIT - matrix.sum(axis=1))
    return matrix


def _require_sum(moves: Moves, before: str) -> None:
    """Refuse a row that is no distribution: moves of more than 1, or of another sum with a stay."""
    row = {after: p for a, after, p in moves if a == before}
    total = sum(row.values(), Fraction(0))
    if total > 1 or (before in row and total != 1):
        raise ParameterError(
            f"the probabilities of {before!r} add up to {float(total):g}: they must add up to 1, "
            "or to less if it is left open how often the value stays"
        )


def draw_moves(matrix: CountArray, codes: CodeArray, rng: np.random.Generator) -> CodeArray:
    """Draw for each code what it becomes. O(n log m)."""
    m = len(matrix)
    if not m:
        return codes
    ends = np.cumsum(matrix, axis=1) + np.arange(m)[:, None] * _UNIT
    drawn = codes.astype(np.int64) * _UNIT + rng.integers(0, _UNIT, codes.size)
    at = np.searchsorted(ends.ravel(), drawn, side="right")
    return (at - codes.astype(np.int64) * m).astype(np.int32)


def epsilon_of_rows(matrix: CountArray | FloatArray) -> float:
    """Give the largest logarithm of the ratio of two probabilities of the same outcome.

    A missing value is answered by pure chance, and counts as one more row.

    Examples
    --------
    >>> round(epsilon_of_rows(np.array([[3, 1], [1, 3]])), 6), epsilon_of_rows(np.eye(2))
    (1.098612, inf)
    """
    even = np.full((1, len(matrix)), matrix.sum(axis=1)[:1].sum() / max(len(matrix), 1))
    rows = np.concatenate([matrix.astype(float), even])
    if (rows == 0).any():
        return math.inf
    ratio = float((rows.max(axis=0) / rows.min(axis=0)).max(initial=1.0))
    return math.nextafter(math.log(ratio), math.inf) if ratio > 1 else 0.0


def by_frequency(counts: CountArray, retention: float) -> FloatArray:
    """Give the probabilities that values stay, or become others as likely as these are frequent.

    Examples
    --------
    >>> by_frequency(np.array([1, 2, 6]), 0.5).round(3).tolist()
    [[0.5, 0.125, 0.375], [0.071, 0.5, 0.429], [0.167, 0.333, 0.5]]
    """
    if counts.size < 2:
        return np.eye(counts.size)
    matrix: FloatArray = (1 - retention) * counts / (counts.sum() - counts)[:, None]
    np.fill_diagonal(matrix, retention)
    return matrix


def invariant(counts: CountArray, retention: float) -> FloatArray:
    """Give the probabilities of a uniform step, and of one that takes values back from there.

    Examples
    --------
    >>> counts = np.array([1, 2, 6])
    >>> (counts @ invariant(counts, 0.5)).round(9).tolist()
    [1.0, 2.0, 6.0]
    """
    if counts.size < 2:
        return np.eye(counts.size)
    first = np.full((counts.size, counts.size), (1 - retention) / (counts.size - 1))
    np.fill_diagonal(first, retention)
    arrived = counts @ first
    back = (first * counts[:, None]).T / np.where(arrived > 0, arrived, 1.0)[:, None]
    product: FloatArray = first @ back
    return product


def write_matrix(matrix: FloatArray, texts: Sequence[str]) -> str:
    """Write with which probability values become which; no more than 400 of these.

    Examples
    --------
    >>> write_matrix(np.array([[0.75, 0.25], [0.5, 0.5]]), ["cook", "clerk"])
    'cook to cook: 0.75; cook to clerk: 0.25; clerk to cook: 0.5; clerk to clerk: 0.5'
    """
    if matrix.size > _MOST_WRITTEN:
        return f"not told: {len(texts)} values have {matrix.size} probabilities"
    return "; ".join(
        f"{old} to {new}: {matrix[i, j]:.9g}"
        for i, old in enumerate(texts)
        for j, new in enumerate(texts)
    )


class Change(Choice, noun="kind of change"):
    """What a value that does not stay becomes."""

    UNIFORM = "uniform"
    """Any other value, all as likely."""
    FREQUENCY = "frequency"
    """Any other value, as likely as it is frequent."""
    INVARIANT = "invariant"
    """In two steps, so that every value is expected to come out as often as it went in."""


def draw_changes(
    change: Change,
    truth: float,
    codes: CodeArray,
    strata: CodeArray,
    n_values: int | None,
    rng: np.random.Generator,
) -> CodeArray:
    """Draw what each value becomes.

    Parameters
    ----------
    change
        What those become that do not stay.
    truth
        The probability to stay; in the first of two steps if the change is invariant.
    codes, strata
        The values, and the stratum of each: values become others of the same stratum.
    n_values
        Where there is one stratum only, how many values there are: a uniform change goes to any of
        them, whether or not it occurs.
    rng
        The source of chance.

    Examples
    --------
    >>> codes, strata = np.array([0, 0, 1, 1], np.int32), np.zeros(4, np.int32)
    >>> draw_changes(Change.UNIFORM, 0.0, codes, strata, 2, np.random.default_rng(0)).tolist()
    [1, 1, 0, 0]
    """
    stays = happens(truth, codes.size, rng)
    if change is Change.UNIFORM and n_values is not None:
        own = codes.astype(np.int64)
        ends = np.zeros_like(own), np.full_like(own, n_values)
        drawn = draw_outside(*ends, own, own + 1, rng)
        return np.where(stays | (drawn < 0), codes, drawn).astype(np.int32)
    shares = Shares.of(strata, codes)
    if change is Change.FREQUENCY:
        return np.where(stays, codes, shares.other_record(shares.kind, rng)).astype(np.int32)
    drawn = shares.other_kind(shares.kind, rng)
    between = np.where(stays | (drawn < 0), shares.kind, drawn)
    if change is Change.UNIFORM:
        return shares.kinds[between]
    return _back(shares, between, truth, rng)


def _back(shares: Shares, between: CountArray, truth: float, rng: np.random.Generator) -> CodeArray:
    """Take values of the first step back to where they may have come from."""
    own = (shares.end - shares.start)[between]
    n_kinds, n = shares.kinds_hi - shares.kinds_lo, shares.hi - shares.lo
    stayed = np.where(n_kinds > 1, truth * own, own)
    came = (1 - truth) / np.maximum(n_kinds - 1, 1) * (n - own)
    was_there = rng.random(own.size) * (stayed + came) < stayed
    return np.where(was_there, shares.kinds[between], shares.other_record(between, rng))
