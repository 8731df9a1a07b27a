r"""Learning: which values go with what people show, though the two are never told together.

People with the same value show the other columns by the same, unknown distribution. For each value
and column it has a Dirichlet distribution beforehand. So a world that hands the values of all
groups to their people weighs

.. math:: p(w) \propto \prod_s \prod_j \prod_v \Gamma(n_{s,j,v}(w) + \alpha_{j,v}),

where :math:`n_{s,j,v}` people with the value s show v on column j. What only one person shows
tells nothing, and is left out: it changes no weight.

Few worlds are all gone through. Of many, a sample is drawn by turns: given the counts of a world,
how likely those with a value show what (gamma variates: their sum does not matter, because the
values of a group are there in every world); given that, people of a group swap their values as
often as the worlds weigh, and now and then two values are exchanged everywhere at once. The mean of
what was believed at each swap is what is believed. Several chains start from random worlds, and how
far they are apart says how far off the mean may be [1]_.

How alike people with different values are beforehand, the smoothing, is learned as well if it is
not given: alpha is then k times the share of those who show v, with a k for each column that may be
anything from 1 to a billion. Otherwise the adversary would take the noise in small counts for
something that goes together, and be confident without reason.

References
----------
.. [1] A. Gelman, D. B. Rubin. "Inference from iterative simulation using multiple sequences."
   Statistical Science 7(4), 1992.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from time import monotonic

import numpy as np
from attrs import define
from scipy.special import gammaln

from unlinkable.kernels.linkage import first_peaks
from unlinkable.kernels.worlds import log_weights, swap_values, weigh_worlds
from unlinkable.tables.attacks.shared.rates import student
from unlinkable.tables.attacks.worlds.shared.members import People
from unlinkable.tables.attacks.worlds.shared.posteriors import deal
from unlinkable.tables.groups import Histogram
from unlinkable.typing import CountArray, FloatArray, Progress

__all__ = ["Chain", "LearnedBeliefs", "learn_by_all", "learn_by_chains", "log_worlds", "shares_of"]

_APART = 1.1
"""Chains that are further apart than this (R-hat) go on for as long again, twice at most."""


@define(eq=False, frozen=True)
class LearnedBeliefs:
    """What is believed of everybody.

    Attributes
    ----------
    people
        Of whom.
    chains
        By chain, for all people one after the other how likely each has each value of their group.
    is_exact
        Whether all worlds were gone through; then there is one chain.
    r_hat
        How much the chains differ from each other, out of how much each varies: 1 if they tell the
        same. NaN if all worlds were gone through.
    is_whole
        Whether as many worlds were drawn as were asked for: there may be no time for all.
    """

    people: People
    chains: FloatArray
    is_exact: bool
    r_hat: float
    is_whole: bool = True

    @property
    def chance(self) -> FloatArray:
        """How likely people have values."""
        mean: FloatArray = self.chains.mean(axis=0)
        return mean

    @property
    def error(self) -> FloatArray:
        """How far off that is, 95 times in 100; 0 if all worlds were gone through.

        No estimate is taken to be more precise than estimates are in the mean: a few chains may
        agree by luck.
        """
        if self.is_exact:
            return np.zeros(self.chains.shape[1])
        n = self.chains.shape[0]
        own = self.chains.std(axis=0, ddof=1) / np.sqrt(n)
        is_open = np.diff(self.people.row_start) > 1
        cells = np.repeat(is_open, np.diff(self.people.row_start))
        usual = np.sqrt(np.mean(own[cells] ** 2)) if cells.any() else 0.0
        return student(n - 1) * np.where(cells, np.maximum(own, usual), 0.0)

    def guesses(self, chance: FloatArray) -> CountArray:
        """Find the likeliest value of everybody; among several the first."""
        return first_peaks(self.people.row_start, chance)


def log_worlds(hidden: Histogram) -> float:
    """Give the logarithm of the number of worlds: of ways to hand out the values of all groups.

    Examples
    --------
    >>> two = Histogram(np.array([0, 2]), np.array([0, 1], np.int32), np.array([2, 2]), 2)
    >>> round(float(np.exp(log_worlds(two))), 6)
    6.0
    """
    sizes = hidden.reduce(np.add, hidden.counts)
    return float(gammaln(sizes + 1.0).sum() - gammaln(hidden.counts + 1.0).sum())


def learn_by_all(people: People, smoothing: float) -> LearnedBeliefs:
    """Go through all worlds."""
    hidden = people.hidden
    slot = np.arange(hidden.values.size) - hidden.indptr[:-1][hidden.row]
    held = np.repeat(slot, hidden.counts).astype(np.int32)
    credit = np.empty(int(people.base[-1]))
    weigh_worlds(
        people.start,
        hidden.indptr,
        people.values,
        people.cells,
        held,
        people.counts(held),
        smoothing,
        people.base,
        credit,
    )
    return LearnedBeliefs(people, shares_of(people, credit)[None], True, np.nan)


def learn_by_chains(
    people: People,
    n_chains: int,
    n_rounds: int,
    smoothing: float | None,
    rng: np.random.Generator,
    progress: Progress,
    seconds: float = math.inf,
) -> LearnedBeliefs:
    """Draw worlds, in some chains of as many rounds each; the first half of a chain is left out.

    Chains that do not tell the same go on, and all that came before is left out. There are fewer
    rounds if they would take longer than some seconds, half of which are for the first half.
    """
    chains = [Chain(people, smoothing, child) for child in rng.spawn(n_chains)]
    started, half = monotonic(), max(n_rounds // 2, 2)
    end = started + seconds

    def go_on(walks: list[Iterator[None]], n: int, until: float, done: float) -> bool:
        """Let all chains go on, a round each at a time; tell whether there was time for that."""
        for i, _ in enumerate(zip(*walks, strict=True)):
            progress(done + (i + 1) / n / 4, f"round {i + 1} of {n} in {n_chains} chains")
            if monotonic() >= until:
                return False
        return True

    is_whole = go_on([c.warm_up(half) for c in chains], half, started + seconds / 2, 0.0)
    rest = n_rounds - half
    is_whole &= go_on([c.run(rest) for c in chains], rest, end, 0.25)
    for again in range(2):
        spent, left = monotonic() - started, end - monotonic()
        if not is_whole or spent > left or _r_hat(chains) <= _APART:
            break
        is_whole = go_on([c.run(n_rounds) for c in chains], n_rounds, end, 0.5 + again / 4)
    found = np.array([chain.believed() for chain in chains])
    return LearnedBeliefs(people, found, False, _r_hat(chains), is_whole)


def _r_hat(chains: list[Chain]) -> float:
    """Compare chains with each other, each cut in two: a chain may also differ from itself."""
    traces = np.array([chain.trace for chain in chains])
    half = traces.shape[1] // 2
    if half < 2:
        return float("nan")
    parts = np.concatenate([traces[:, :half], traces[:, half : 2 * half]])
    within, between = parts.var(axis=1, ddof=1).mean(), parts.mean(axis=1).var(ddof=1)
    return float(np.sqrt((half - 1) / half + between / within)) if within > 0 else 1.0


_PASSES = 3
"""So often everybody meets a person of their group before parameters are drawn anew."""

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
        return float(gammaln(counts[counts > 0] + 1.0).sum())

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
        gain = gammaln(new[:, pair] + self._extra) - gammaln(counts[:, pair] + self._extra)
        if np.log(max(self._rng.random(), _TINY)) >= gain.sum():
            return counts
        self._held = held.astype(np.int32)
        return new

    def _draw_smoothing(self, counts: CountArray) -> None:
        """Draw for each column how alike people with different values are on it."""
        people, n = self._people, self._people.rows.size
        shares = people.shown_by[:, None] / n
        apart = (gammaln(self._totals[:, None] + _ALIKE) - gammaln(_ALIKE)).sum(axis=0)
        for first, last in zip(people.columns[:-1], people.columns[1:], strict=True):
            own, share = counts[first:last], shares[first:last]
            # Where nobody with a value shows something, both sides of the fit are the same.
            is_shown = own.nonzero()
            met, usual = own[is_shown], share[is_shown[0], 0]
            # What only one person shows is as likely with every value, but not with every k.
            n_alone = n - people.shown_by[first:last].sum()
            fit = n_alone * np.log(_ALIKE) - apart
            for i, k in enumerate(_ALIKE):
                fit[i] += (gammaln(met + k * usual) - gammaln(k * usual)).sum()
            weights = np.exp(fit - fit.max())
            k = self._rng.choice(_ALIKE, p=weights / weights.sum())
            self._extra[first:last] = k * share


def shares_of(people: People, credit: FloatArray) -> FloatArray:
    """Normalize the credit of every person; 1 if there is only one value."""
    width = np.diff(people.row_start)
    row = np.repeat(np.arange(width.size), width)
    whole = np.bincount(row, credit, width.size)
    return np.where(width[row] > 1, credit / np.maximum(whole, _TINY)[row], 1.0)
