"""Fit: how often people and their own records agree, found from list and release themselves.

Nobody tells an adversary that. He guesses, weighs all pairs, and counts again (EM) [1]_.

References
----------
.. [1] W. E. Winkler. "Using the EM algorithm for weight computation in the Fellegi-Sunter model of
   record linkage." Section on Survey Research Methods, ASA, 1988.
"""

from __future__ import annotations

import numpy as np
from attrs import define

from unlinkable.kernels.linkage import expect
from unlinkable.tables.attacks.linking.shared.agreeing import AGREE, CLOSE, DIFFER
from unlinkable.tables.attacks.linking.shared.weighed_pairs import Pairs
from unlinkable.typing import FloatArray

__all__ = ["DOUBT", "Fit", "fit"]

_MOST_ROUNDS = 200
_SMALLEST_STEP = 1e-6
"""Weights are found when no chance changes by more."""

DOUBT = 1e-6
"""No chance is taken to be closer to 0 or 1."""

_PRIOR = np.array([0.0, 0.5, 0.5, 2.0])
"""So many own records are taken to have been seen on each level before anything was counted."""

_USUAL = np.array([0.0, 0.05, 0.05, 0.9])
_TRUST = 10
"""What is usual, and how often it is taken to have been seen for every person of the list where
values are generalized: neighbours agree there nearly as often as people with their own records."""


@define(eq=False, frozen=True)
class Fit:
    """What an adversary finds out about how people and their own records agree.

    Attributes
    ----------
    m
        A row per column: the chance that a person and his own record differ, nearly agree and agree
        (levels 1 to 3), given that both tell something.
    present
        The share of people on the list who have a record.
    n_rounds
        How often he counted.
    """

    m: FloatArray
    present: float
    n_rounds: int

    @property
    def log_m(self) -> FloatArray:
        """Logarithms of the chances; nothing told is no evidence."""
        logs: FloatArray = np.log(self.m)
        logs[:, 0] = 0.0
        return logs


def fit(pairs: Pairs, start: Fit | None = None, least: float = _SMALLEST_STEP) -> Fit:
    """Find how people and their own records agree, as what makes all that is seen likeliest.

    Parameters
    ----------
    pairs
        What is seen.
    start
        A guess to begin with.
    least
        No chance changes by more in the last round.
    """
    d, n_records = len(pairs.levels), max(int(pairs.sizes.sum()), 1)
    found = start or Fit(np.tile(np.array([1.0, 0.05, 0.05, 0.9]), (d, 1)), 0.5, 0)
    total = max(float(pairs.people.sum()), 1.0)
    prior = _PRIOR + _TRUST * total * pairs.blurred[:, None] * _USUAL
    for n_rounds in range(1, _MOST_ROUNDS + 1):
        sums, met, _ = expect(
            pairs.indptr, pairs.looks, pairs.levels, pairs.weights, pairs.sizes, pairs.people,
            found.log_m, found.present, n_records,
        )  # fmt: skip
        sums = sums + prior
        levels = sums[:, [DIFFER, CLOSE, AGREE]]
        m = np.column_stack([np.ones(d), levels / levels.sum(axis=1, keepdims=True)])
        most = min(max(pairs.most_present, DOUBT), 1 - DOUBT)
        present = float(np.clip(met / total, DOUBT, most))
        step = max(float(np.abs(m - found.m).max(initial=0)), abs(present - found.present))
        found = Fit(np.maximum(m, DOUBT), present, n_rounds)
        if step < least:
            break
    return found
