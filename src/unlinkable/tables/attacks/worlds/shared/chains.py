"""Chains: worlds drawn one after the other, and what is believed on the way.

How worlds weigh, and why this draws them as often as they weigh:
`unlinkable.tables.attacks.worlds.shared.learning`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from unlinkable.kernels.worlds import log_gamma, log_weights, swap_values
from unlinkable.tables.attacks.worlds.shared.people import People
from unlinkable.tables.attacks.worlds.shared.swapping import deal
from unlinkable.typing import CountArray, FloatArray

__all__ = ["Chain", "shares_of"]

_PASSES = 3
"""So often everybody meets somebody of his group before anything is learned anew."""

_ALIKE = 4.0 ** np.arange(16)
"""How alike people with different values may be: each is as likely as any other beforehand."""

_TINY = 1e-300
"""Nothing is taken for less likely than this."""


class Chain:
    """One world after the other, and what was believed on the way.

    Attributes
    ----------
    trace
        How much the worlds of the last run weighed, up to what they have in common.
    """

    def __init__(self, people: People, smoothing: float | None, rng: np.random.Generator) -> None:
        self._people, self._rng, self._is_learned = people, rng, smoothing is None
        self._held = deal(people.hidden, people.start, rng)
        self._extra = np.full((people.n_cells, 1), 1.0 if smoothing is None else smoothing)
        self._weights, self._credit = np.empty((2, int(people.base[-1])))
        self._totals = np.bincount(people.values, people.hidden.counts, people.n_values)
        self._group = np.repeat(np.arange(people.hidden.n_groups), np.diff(people.start))
        self.trace: list[float] = []

    def warm_up(self, n_rounds: int) -> Iterator[None]:
        """Start with people of different values as different as can be; then learn how they are.

        Yields after every round.
        """
        for step in range(n_rounds):
            self._step(is_learning=4 * step >= n_rounds)
            yield

    def run(self, n_rounds: int) -> Iterator[None]:
        """Forget what was believed, and go on. Yields after every round."""
        self._credit[:] = 0.0
        self.trace = []
        for _ in range(n_rounds):
            self.trace.append(self._step(is_learning=True))
            yield

    def believed(self) -> FloatArray:
        """Say how likely everybody has each value."""
        return shares_of(self._people, self._credit)

    def _step(self, *, is_learning: bool) -> float:
        people, hidden = self._people, self._people.hidden
        counts = self._exchange(people.counts(self._held))
        if self._is_learned and is_learning:
            self._draw_smoothing(counts)
        logs = np.log(np.maximum(self._rng.standard_gamma(counts + self._extra), _TINY))
        at = people.start, hidden.indptr
        log_weights(*at, people.values, people.cells, logs, people.base, self._weights)
        for _ in range(_PASSES):
            chance = self._rng.random(2 * people.rows.size)
            swap_values(*at, people.base, self._weights, self._held, chance, self._credit)
        return float(log_gamma(counts[counts > 0] + 1.0).sum())

    def _exchange(self, counts: CountArray) -> CountArray:
        """Exchange two values everywhere, if the world that results weighs enough.

        Worlds that explain everything as well with two values exchanged are too far from each other
        for single swaps. Only groups with as many of the one as of the other can take part.
        """
        people, hidden = self._people, self._people.hidden
        if people.n_values < 2:
            return counts
        pair = self._rng.choice(people.n_values, 2, replace=False)
        slots, times = np.full((2, 2, hidden.n_groups), -1)
        for i, value in enumerate(pair):
            entries = np.flatnonzero(people.values == value)
            groups = hidden.row[entries]
            slots[i, groups] = entries - hidden.indptr[groups]
            times[i, groups] = hidden.counts[entries]
        slots[:, times[0] != times[1]] = -1
        one, other = slots[:, self._group]
        held = np.where(self._held == one, other, np.where(self._held == other, one, self._held))
        new = people.counts(held.astype(np.int32))
        gain = log_gamma(new[:, pair] + self._extra) - log_gamma(counts[:, pair] + self._extra)
        if np.log(max(self._rng.random(), _TINY)) >= gain.sum():
            return counts
        self._held = held.astype(np.int32)
        return new

    def _draw_smoothing(self, counts: CountArray) -> None:
        """Draw for each column how alike people with different values are on it."""
        people, n = self._people, self._people.rows.size
        shares = people.shown_by[:, None] / n
        apart = (log_gamma(self._totals[:, None] + _ALIKE) - log_gamma(_ALIKE)).sum(axis=0)
        for first, last in zip(people.columns[:-1], people.columns[1:], strict=True):
            own, share = counts[first:last], shares[first:last]
            # Where nobody with a value shows something, both sides of the fit are the same.
            is_shown = own.nonzero()
            met, usual = own[is_shown], share[is_shown[0], 0]
            # What only one person shows is as likely with every value, but not with every k.
            n_alone = n - people.shown_by[first:last].sum()
            fit = n_alone * np.log(_ALIKE) - apart
            for i, k in enumerate(_ALIKE):
                fit[i] += (log_gamma(met + k * usual) - log_gamma(k * usual)).sum()
            weights = np.exp(fit - fit.max())
            k = self._rng.choice(_ALIKE, p=weights / weights.sum())
            self._extra[first:last] = k * share


def shares_of(people: People, credit: FloatArray) -> FloatArray:
    """Give what everybody was credited with, out of all that he was; 1 if he has no choice."""
    width = np.diff(people.row_start)
    row = np.repeat(np.arange(width.size), width)
    whole = np.bincount(row, credit, width.size)
    return np.where(width[row] > 1, credit / np.maximum(whole, _TINY)[row], 1.0)
