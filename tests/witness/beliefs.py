"""What an adversary believes who weighs what was published with what he thought before.

Fung, Wang, Fu and Yu, "Introduction to Privacy-Preserving Data Publishing", 2010: sections 2.4.3,
2.5.2 and 2.5.3; Du, Teng and Zhu, 2008, for maximum entropy; Li, Li and Zhang, 2009, for kernels;
Rastogi, Suciu and Hong, 2007, for (d, gamma).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction

import numpy as np
from scipy.optimize import linprog, minimize

from tests.witness.models import Row, groups

__all__ = [
    "Fact",
    "alpha_beta_posterior",
    "epanechnikov",
    "is_d_gamma_private",
    "kernel_prior",
    "maximum_entropy",
    "omega_estimate",
]

Key = tuple[Hashable, ...]
Cell = tuple[Key, Key, Hashable]
"""A bucket, a raw quasi-identifier that occurs in it, and a sensitive value that does."""

Fact = tuple[Mapping[str, Hashable], Hashable, float]
"""A condition on raw columns, a value, and the share of it among those who meet the condition."""


def maximum_entropy(
    rows: Sequence[Row],
    bucket: Sequence[str],
    raw: Sequence[str],
    sensitive: str,
    known: Sequence[Fact],
) -> dict[Cell, float] | None:
    """Give P(s | raw quasi-identifier, bucket) for the likeliest table; None if there is none.

    The unknowns are the shares P(raw, s, bucket) of all records; what is published fixes their
    sums over s and over raw values in each bucket, and what is known their sums over buckets.

    >>> rows = [{"b": 1, "sex": "m", "s": "flu"}, {"b": 1, "sex": "f", "s": "cancer"}]
    >>> found = maximum_entropy(rows, ["b"], ["sex"], "s", [({"sex": "m"}, "cancer", 0.0)])
    >>> round(found[(1,), ("f",), "cancer"], 6)
    1.0
    """
    cells, sums, wanted = _equations(rows, bucket, raw, sensitive, known)
    matrix = np.array([[float(i in line) for i in range(len(cells))] for line in sums])
    most = [linprog(-np.eye(len(cells))[i], A_eq=matrix, b_eq=wanted) for i in range(len(cells))]
    if not all(answer.success for answer in most):
        return None
    # A cell that no table fills is left out: at its edge the entropy is too steep to climb.
    open_cells = [i for i, answer in enumerate(most) if -answer.fun > 1e-9]
    x = _most_even(matrix[:, open_cells], np.array(wanted), np.full(len(open_cells), 1 / len(rows)))
    found = dict.fromkeys(cells, 0.0)
    for i, share in zip(open_cells, x, strict=True):
        place, key, _ = cells[i]
        n = sum(_on(row, bucket) == place and _on(row, raw) == key for row in rows)
        found[cells[i]] = float(share) * len(rows) / n
    return found


def omega_estimate(
    group: Sequence[Row], sensitive: str, prior: Callable[[Row, Hashable], Fraction]
) -> list[dict[Hashable, Fraction]]:
    """Give for each record of a group the values it is believed to have.

    Each record of a value is shared out among the members by what was believed of them, and a
    member's shares are then made to add up to 1.

    >>> group = [{"p": 3, "s": "x"}, {"p": 1, "s": "y"}]
    >>> half = lambda row, value: Fraction(row["p"] if value == "x" else 4 - row["p"], 4)
    >>> omega_estimate(group, "s", half)[0]["x"]
    Fraction(3, 4)
    """
    counts = Counter(row[sensitive] for row in group)
    found = []
    for row in group:
        weights = {}
        for value, n in counts.items():
            total = sum((prior(other, value) for other in group), Fraction(0))
            weights[value] = n * prior(row, value) / total if total else Fraction(0)
        whole = sum(weights.values(), Fraction(0))
        found.append({value: weight / whole for value, weight in weights.items()})
    return found


def epanechnikov(distance: Fraction, bandwidth: Fraction) -> Fraction:
    """Weigh a neighbour at this distance: 3 / (4 B) * (1 - (d / B)^2) within B, and nothing beyond.

    >>> epanechnikov(Fraction(1, 2), Fraction(1)), epanechnikov(Fraction(1), Fraction(1))
    (Fraction(9, 16), Fraction(0, 1))
    """
    part = Fraction(distance) / bandwidth
    return Fraction(3, 4) / bandwidth * (1 - part**2) if abs(part) < 1 else Fraction(0)


def kernel_prior(
    rows: Sequence[Row],
    sensitive: str,
    distances: Mapping[str, Callable[[Hashable, Hashable], Fraction]],
    bandwidth: Fraction,
) -> Callable[[Row, Hashable], Fraction]:
    """Believe of somebody what is true of those who are like him, the nearer the more.

    >>> rows = [{"q": 0, "s": "x"}, {"q": 1, "s": "y"}]
    >>> gap = {"q": lambda v, w: Fraction(abs(v - w), 2)}
    >>> kernel_prior(rows, "s", gap, Fraction(1))(rows[0], "x")
    Fraction(4, 7)
    """

    def believe(row: Row, value: Hashable) -> Fraction:
        weights = [
            math.prod(
                (epanechnikov(d(row[c], other[c]), bandwidth) for c, d in distances.items()),
                start=Fraction(1),
            )
            for other in rows
        ]
        having = [w for w, other in zip(weights, rows, strict=True) if other[sensitive] == value]
        return sum(having, Fraction(0)) / sum(weights, Fraction(0))

    return believe


def is_d_gamma_private(
    beliefs: Sequence[tuple[Fraction, Fraction]], d: Fraction, gamma: Fraction
) -> bool:
    """Whether d / gamma <= posterior / prior, and posterior <= gamma, for all priors up to d.

    >>> half = Fraction(1, 2)
    >>> is_d_gamma_private([(Fraction(1, 10), half)], Fraction(1, 5), half)
    True
    >>> is_d_gamma_private([(Fraction(1, 10), Fraction(1, 50))], Fraction(1, 5), half)
    False
    """
    return all(
        posterior <= gamma and d / gamma * prior <= posterior
        for prior, posterior in beliefs
        if prior <= d
    )


def alpha_beta_posterior(
    prior: Fraction, alpha: Fraction, beta: Fraction, *, published: bool
) -> Fraction:
    """Give the belief that a record is in the table, after it was published or not.

    A record of the table is published with probability alpha + beta, any other with beta.

    >>> [alpha_beta_posterior(Fraction(1, 4), Fraction(1, 2), Fraction(1, 4), published=is_out)
    ...  for is_out in (True, False)]
    [Fraction(1, 2), Fraction(1, 10)]
    """
    inside = alpha + beta if published else 1 - alpha - beta
    outside = beta if published else 1 - beta
    return prior * inside / (prior * inside + (1 - prior) * outside)


def _equations(
    rows: Sequence[Row],
    bucket: Sequence[str],
    raw: Sequence[str],
    sensitive: str,
    known: Sequence[Fact],
) -> tuple[list[Cell], list[list[int]], list[float]]:
    """Number the unknown cells, and say which of them add up to what."""
    n, cells = len(rows), []
    for place, group in groups(rows, bucket).items():
        values = dict.fromkeys(row[sensitive] for row in group)
        cells += [(place, key, value) for key in groups(group, raw) for value in values]
    sums, wanted = [], []
    for place, group in groups(rows, bucket).items():
        for key, people in groups(group, raw).items():
            sums.append([i for i, c in enumerate(cells) if c[:2] == (place, key)])
            wanted.append(len(people) / n)
        for value, count in Counter(row[sensitive] for row in group).items():
            sums.append([i for i, c in enumerate(cells) if (c[0], c[2]) == (place, value)])
            wanted.append(count / n)
    for condition, value, share in known:
        meant = {_on(row, raw) for row in rows if condition.items() <= row.items()}
        sums.append([i for i, c in enumerate(cells) if c[1] in meant and c[2] == value])
        wanted.append(share * sum(_on(row, raw) in meant for row in rows) / n)
    return cells, sums, wanted


def _on(row: Row, columns: Sequence[str]) -> Key:
    return tuple(row[column] for column in columns)


def _most_even(matrix: np.ndarray, wanted: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Find the solution of the equations with the largest entropy."""
    chosen: list[int] = []
    for i in range(len(matrix)):
        # The solver cannot bear equations that follow from others.
        if np.linalg.matrix_rank(matrix[[*chosen, i]]) > len(chosen):
            chosen.append(i)
    a, b = matrix[chosen], wanted[chosen]
    answer = minimize(
        lambda x: float(np.sum(x * np.log(np.maximum(x, 1e-300)))),
        start,
        jac=lambda x: np.log(np.maximum(x, 1e-300)) + 1,
        method="SLSQP",
        bounds=[(1e-12, 1.0)] * len(start),
        constraints=[{"type": "eq", "fun": lambda x: a @ x - b, "jac": lambda x: a}],
        options={"maxiter": 1000, "ftol": 1e-14},
    )
    assert np.abs(matrix @ answer.x - wanted).max() < 1e-7, answer.message
    solution: np.ndarray = answer.x
    return solution
