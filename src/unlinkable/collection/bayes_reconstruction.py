r"""Reconstruction: the distribution of values that were collected with noise added to them.

Everybody adds noise to a value and hands in the sum. The noise is known, but for what was drawn: it
says little of one value, and all that is needed of all values together [1]_, [2]_, [3]_.

References
----------
.. [1] R. Agrawal, R. Srikant. "Privacy-preserving data mining." SIGMOD 2000. Section 3.
.. [2] D. Agrawal, C. C. Aggarwal. "On the design and quantification of privacy preserving data
   mining algorithms." PODS 2001.
.. [3] C. C. Aggarwal. "Data Mining: The Textbook." 2015. Section 20.2, Equations 20.1 to 20.5.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen
from attrs.converters import optional
from attrs.validators import optional as if_given

from unlinkable.collection.base import Collection
from unlinkable.collection.deconvolution import smoothed_at, smoothest
from unlinkable.collection.density import Density
from unlinkable.collection.mixtures import Mixture, Stop, mix
from unlinkable.collection.noise_law import NoiseLaw
from unlinkable.collection.observations import Observations
from unlinkable.errors import DataError, ParameterError
from unlinkable.params import Choice, at_least, at_most, positive
from unlinkable.tables.operations import Distribution
from unlinkable.typing import FloatArray

__all__ = ["Algorithm", "BayesReconstruction"]


_MOST_BINS = 5_000
"""More intervals than noise could tell apart, and each round takes the square of their number."""

_MOST_RESAMPLED = 500
"""Rounds for each sample that intervals are made from: later ones hardly move them."""


class Algorithm(Choice):
    """How noise is taken away."""

    BAYES = "bayes"
    """Iterative Bayes, from the middle of each interval, until a chi-square test sees no more
    change. It stops early, while shapes are smooth: the choice where little is known."""
    EM = "em"
    """Expectation maximization with the exact likelihood of each interval, to the very maximum,
    which is proved to be reached. Follows sharp edges; with intervals much narrower than the noise
    it follows chance as well."""
    DECONVOLUTION = "deconvolution"
    """The smoothest shares that still explain what was observed."""


@frozen
class BayesReconstruction(Collection):
    r"""The distribution of X, from values of Z = X + Y that people handed in.

    The range of X is cut into k intervals :math:`I_1 .. I_k` of the same width with shares
    :math:`\theta_i`, even ones at first. In every round each :math:`z_j` is given to the intervals
    in proportion to how well they explain it,
    :math:`\theta_i' = \frac{1}{n} \sum_j \theta_i A_{ji} / \sum_l \theta_l A_{jl}`, where
    :math:`A_{ji} = f_Y(z_j - m_i)` at the middle :math:`m_i` of an interval for ``bayes``, and the
    mean of :math:`f_Y(z_j - x)` over it for ``em``.

    Values are first counted in cells of a quarter of an interval (of a whole one for
    ``deconvolution``), so that a round costs no more for a million people than for a thousand.
    ``em`` and ``deconvolution`` know the exact chance of a cell; ``bayes`` takes its middle, and up
    to 1,000 different values as they are.

    A value that noise carries from no middle, but from elsewhere in an interval, would have a
    denominator of 0 for ``bayes``: it gets the mean over the interval there, too. If noise carries
    it from nowhere in the range, the range is widened by whole intervals until there is no such
    value, and the result says by how many.

    Parameters
    ----------
    scale
        How wide the noise is that was added, in the unit of the values.
    distribution
        What it was: ``gaussian`` with the standard deviation scale, ``uniform`` from -scale to
        scale, or ``laplace`` with the mean distance scale.
    algorithm
        ``bayes``, ``em`` or ``deconvolution``.
    bins
        Number of intervals, at most 5,000. For ``em``, intervals should not be much narrower than
        the noise.
    low, high
        The range of X, if it is known: it should be, as part of the question. If not given, the
        range of the values that were handed in.
    stop
        When rounds end: at ``chi-square``, when the statistic between two rounds is less than a
        share of what is significant at 5 %; at ``change``, when shares change so little on average;
        at ``gap``, when the logarithm of the likelihood is proved to be so close to its maximum. If
        not given, ``chi-square`` for ``bayes`` and ``gap`` for ``em``; ``deconvolution`` has no
        rounds.
    tolerance
        How small that must be: 0.01 (a share), 1e-6 (a mean change), 0.1 (a gap) if not given.
    rounds
        When to give up: the result then says that it did not converge. Samples for intervals get
        500 at most.
    resamples
        How often to draw the values anew from those that there are, for intervals (bootstrap); 0
        for none.
    level
        How sure the intervals are.

    Guarantees
    ----------
    An adversary who knows nothing else finds a value in no narrower an interval than the noise says
    (`NoiseLaw.width`). This is no differential privacy: a value at the end of the range that
    uniform noise moved further out is known exactly, and a table with many noisy columns of one
    person can be filtered. Values that were handed in are not truthful.

    Cost
    ----
    O(n) once, then O(k^2) for every round, and ``resamples`` times as much for intervals. Twenty
    intervals of a million values take less than a second.

    Raises
    ------
    ParameterError
        If a parameter means nothing.
    DataError
        If values are missing, or lie far outside of ``low`` and ``high``.

    Examples
    --------
    >>> rng = np.random.default_rng(7)
    >>> ages = np.concatenate([rng.uniform(20, 30, 5000), rng.uniform(60, 70, 5000)])
    >>> how = BayesReconstruction(25, "uniform", low=0, high=100, bins=10, algorithm="em")
    >>> noisy = how.randomize(ages, rng)
    >>> np.histogram(noisy, np.arange(0, 101, 10))[0].tolist()  # the two peaks are hidden
    [848, 978, 986, 1142, 1821, 1112, 961, 997, 916, 112]
    >>> (100 * how.reconstruct(noisy).probabilities).round().tolist()
    [0.0, 0.0, 49.0, 1.0, 0.0, 0.0, 50.0, 0.0, 0.0, 0.0]
    """

    name: ClassVar[str] = "bayes-reconstruction"
    reference: ClassVar[str] = "Agrawal and Srikant 2000"

    scale: float = field(converter=float, validator=positive)
    distribution: Distribution = field(default=Distribution.GAUSSIAN, converter=Distribution)
    algorithm: Algorithm = field(default=Algorithm.BAYES, converter=Algorithm, kw_only=True)
    bins: int = field(default=20, validator=[at_least(2), at_most(_MOST_BINS)], kw_only=True)
    low: float | None = field(default=None, converter=optional(float), kw_only=True)
    high: float | None = field(default=None, converter=optional(float), kw_only=True)
    stop: Stop | None = field(default=None, converter=optional(Stop), kw_only=True)
    tolerance: float | None = field(
        default=None, converter=optional(float), validator=if_given(positive), kw_only=True
    )
    rounds: int = field(default=10_000, validator=at_least(1), kw_only=True)
    resamples: int = field(default=100, validator=at_least(0), kw_only=True)
    level: float = field(default=0.95, converter=float, kw_only=True)

    @level.validator
    def _is_a_level(self, attribute: object, value: float) -> None:
        if not 0 < value < 1:
            raise ParameterError(f"level must lie in (0, 1), got {value}")

    def __attrs_post_init__(self) -> None:
        NoiseLaw(self.scale, self.distribution)  # It refuses what is no noise.
        for end in (self.low, self.high):
            if end is not None and not math.isfinite(end):
                raise ParameterError(f"low and high must be finite numbers, got {end}")
        if self.low is not None and self.high is not None and self.low >= self.high:
            raise ParameterError(f"low must be less than high, got {self.low} and {self.high}")
        is_smoothed = self.algorithm is Algorithm.DECONVOLUTION
        if is_smoothed and (self.stop is not None or self.tolerance is not None):
            raise ParameterError("a deconvolution has no rounds: leave stop and tolerance out")

    @property
    def law(self) -> NoiseLaw:
        """The distribution of the noise."""
        return NoiseLaw(self.scale, self.distribution)

    def randomize(
        self, values: Sequence[float] | FloatArray, rng: np.random.Generator
    ) -> FloatArray:
        """Give the value that each person hands in, in place of the true one.

        Raises
        ------
        DataError
            If values are missing, or outside of ``low`` and ``high``: they would give people away.
        """
        true = _numbers(values)
        low = -math.inf if self.low is None else self.low
        high = math.inf if self.high is None else self.high
        if n := int(((true < low) | (true > high)).sum()):
            raise DataError(
                f"{n} of {true.size} values lie outside of {low:g} to {high:g}: widen the range, "
                "or move them to its ends"
            )
        return self.law.add(true, rng)

    def reconstruct(
        self, values: Sequence[float] | FloatArray, rng: np.random.Generator | None = None
    ) -> Density:
        """Reconstruct the distribution of the true values from those that were handed in.

        The generator is for the intervals alone; without one, the same values always give the same
        intervals.
        """
        seen = self.observe(values)
        if self.algorithm is Algorithm.DECONVOLUTION:
            return self._smoothed(seen, rng or np.random.default_rng(0))
        return self._mixed(seen, rng or np.random.default_rng(0))

    def observe(self, values: Sequence[float] | FloatArray) -> Observations:
        """Cut the range into intervals that can explain all these values."""
        return Observations.of(_numbers(values), self.law, self.bins, (self.low, self.high))

    def _mixed(self, seen: Observations, rng: np.random.Generator) -> Density:
        is_exact = self.algorithm is Algorithm.EM
        likelihood, counts = seen.in_cells() if is_exact else seen.at_midpoints()
        stop = self.stop or (Stop.GAP if is_exact else Stop.CHI_SQUARE)
        tolerance = stop.usual if self.tolerance is None else self.tolerance

        def mixed(samples: FloatArray, most_rounds: int) -> Mixture:
            return mix(
                likelihood,
                samples,
                stop=stop,
                tolerance=tolerance,
                most_rounds=most_rounds,
                accelerate=is_exact,
            )

        found = mixed(counts[:, None], self.rounds)
        again = mixed(self._resampled(counts, rng), min(self.rounds, _MOST_RESAMPLED))
        density = Density(
            seen.edges,
            found.shares[:, 0],
            n=seen.n,
            rounds=int(found.rounds[0]),
            converged=bool(found.converged[0]),
            gap=float(found.gap[0]),
            widened=seen.widened,
            level=self.level,
        )
        return self._with_intervals(density, again.shares)

    def _smoothed(self, seen: Observations, rng: np.random.Generator) -> Density:
        likelihood, counts = seen.in_all_cells()
        found = smoothest(likelihood, counts)
        again = self._resampled(counts, rng)
        # The weight of smoothness stays: to find it anew would cost forty times as much.
        shares = [smoothed_at(likelihood, sample, found.weight) for sample in again.T]
        density = Density(
            seen.edges,
            found.shares,
            n=seen.n,
            rounds=found.steps,
            converged=found.fits,
            widened=seen.widened,
            level=self.level,
        )
        return self._with_intervals(density, np.array(shares).T)

    def _resampled(self, counts: FloatArray, rng: np.random.Generator) -> FloatArray:
        n = int(counts.sum())
        return rng.multinomial(n, counts / n, self.resamples).T.astype(float)

    def _with_intervals(self, density: Density, shares: FloatArray) -> Density:
        if not self.resamples:
            return density
        ends = (1 - self.level) / 2, (1 + self.level) / 2
        low, high = np.quantile(shares, ends, axis=1)
        return evolve(density, low=low, high=high)


def _numbers(values: Sequence[float] | FloatArray) -> FloatArray:
    numbers = np.asarray(values, float)
    if not numbers.size:
        raise DataError("there are no values: at least one is needed")
    if n := int((~np.isfinite(numbers)).sum()):
        raise DataError(
            f"{n} of {numbers.size} values are missing or infinite: leave these records out"
        )
    return numbers
