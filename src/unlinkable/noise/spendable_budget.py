r"""Spendable budget: a budget that can be spent once, and writes down what it was spent on.

Every noise event is paid for here before the noise is drawn; what is not there cannot be spent.
Parts of a budget add up in one of two currencies: pure epsilons, or the :math:`\rho` of
zero-concentrated differential privacy, of which many small parts cost far less together [1]_, but
which needs a :math:`\delta`.

References
----------
.. [1] M. Bun, T. Steinke. "Concentrated differential privacy: simplifications, extensions, and
   lower bounds." TCC 2016. Lemma 1.7, Proposition 1.3.
"""

from __future__ import annotations

import math
from enum import StrEnum
from functools import cache
from typing import Self

from attrs import define, field, frozen

from unlinkable.errors import InfeasibleError
from unlinkable.noise.accountant import Cost, price
from unlinkable.noise.ledger import Event, Ledger, Mechanism
from unlinkable.noise.mechanisms import add_noise, choose
from unlinkable.typing import CountArray, FloatArray

__all__ = ["Budget", "Currency", "SpendableBudget", "concentrated"]

_CLOSE = 1e-9
"""Costs are rounded up when they are added: this much more, relative to the budget, is no more."""


class Currency(StrEnum):
    """What the parts of a budget are counted in."""

    PURE = "pure"
    CONCENTRATED = "concentrated"


@define(eq=False)
class SpendableBudget:
    """A budget, and all that was spent of it.

    Attributes
    ----------
    budget
        What everything may cost together.
    currency
        What parts of it are counted in.
    ledger
        What was spent.

    Examples
    --------
    >>> import numpy as np
    >>> spendable = SpendableBudget(Budget(1.0))
    >>> noisy = spendable.count(np.array([12, 7]), l1=1, l2=1, share=0.5, what="patients by sex")
    >>> spendable.ledger.events[0].parameters
    {'sensitivity': 1, 'scale': 2.0}
    >>> spendable.count(np.array([12, 7]), l1=1, l2=1, share=0.75, what="the same again")
    Traceback (most recent call last):
    ...
    unlinkable.errors.InfeasibleError: the same again would bring the noise to epsilon = 1.25, and 1
    may be spent
    """

    budget: Budget
    currency: Currency = field(default=Currency.PURE, converter=Currency)
    ledger: Ledger = field(factory=Ledger)

    def __attrs_post_init__(self) -> None:
        if not self.budget.epsilon > 0:
            raise InfeasibleError("epsilon = 0 allows nothing to be told: ask for more")
        if self.currency is Currency.CONCENTRATED and not self.budget.delta > 0:
            raise InfeasibleError("concentrated parts of a budget need a delta greater than 0")

    @classmethod
    def cheapest(cls, budget: Budget, *, l1: float, l2: float) -> Self:
        r"""Open a budget in the currency that adds less noise to numbers of these sensitivities.

        The variance is :math:`2 \Delta_1^2 / \epsilon^2` for Laplace noise and
        :math:`\Delta_2^2 / 2 \rho` for Gaussian noise. Neither depends on the data.

        Examples
        --------
        >>> budget = Budget(1.0, 1e-6)
        >>> SpendableBudget.cheapest(budget, l1=1, l2=1).currency.value
        'pure'
        >>> SpendableBudget.cheapest(budget, l1=28, l2=28**0.5).currency.value
        'concentrated'
        """
        if not (budget.epsilon > 0 and budget.delta > 0):
            return cls(budget)
        by_laplace = 2 * l1**2 / budget.epsilon**2
        by_gaussian = l2**2 / (2 * concentrated(budget))
        return cls(budget, Currency.PURE if by_laplace <= by_gaussian else Currency.CONCENTRATED)

    @property
    def whole(self) -> float:
        """The whole budget in the currency."""
        is_pure = self.currency is Currency.PURE
        return self.budget.epsilon if is_pure else concentrated(self.budget)

    def scale(self, *, l1: float, l2: float, share: float) -> float:
        """State how much noise a share of the budget buys: the scale, or standard deviation."""
        if self.currency is Currency.PURE:
            return l1 / (share * self.whole)
        return l2 / math.sqrt(2 * share * self.whole)

    def count(
        self, counts: CountArray, *, l1: float, l2: float, share: float, what: str
    ) -> CountArray:
        """Tell whole numbers with geometric or, concentrated, discrete Gaussian noise.

        Parameters
        ----------
        counts
            Numbers of people.
        l1, l2
            By how much one person changes all of them together.
        share
            Which part of the budget it may cost.
        what
            What is told, in words.

        Raises
        ------
        InfeasibleError
            If the budget does not suffice.
        """
        event = self._event(Mechanism.GEOMETRIC, l1, l2, share, what)
        self.spend(event)
        return add_noise(event, counts)

    def measure(
        self, numbers: FloatArray, *, l1: float, l2: float, share: float, what: str
    ) -> FloatArray:
        """Tell numbers with Laplace or, concentrated, Gaussian noise; as `count` does."""
        event = self._event(Mechanism.LAPLACE, l1, l2, share, what)
        self.spend(event)
        return add_noise(event, numbers)

    def choose(
        self, scores: CountArray | FloatArray, *, sensitivity: float, share: float, what: str
    ) -> int:
        """Choose by the exponential mechanism at a share of the budget.

        Raises
        ------
        InfeasibleError
            If the budget does not suffice.
        """
        is_pure = self.currency is Currency.PURE
        mechanism = Mechanism.PURE if is_pure else Mechanism.CONCENTRATED
        cost = {"epsilon" if is_pure else "rho": share * self.whole}
        event = Event(mechanism, cost, what=what)
        self.spend(event)
        return choose(event, scores, sensitivity=sensitivity)

    def spend(self, event: Event) -> None:
        """Record a noise event before the noise is drawn, if the budget suffices for it.

        Raises
        ------
        InfeasibleError
            If it does not; then nothing is written down.
        """
        after = self.ledger.spend(event)
        allowed, delta = self.budget.epsilon, self.budget.delta
        if (cost := price(after).at(delta)) > allowed * (1 + _CLOSE):
            beside = f" at delta = {delta:g}" if delta else ""
            raise InfeasibleError(
                f"{event.what or event.mechanism} would bring the noise to epsilon = {cost:.6g}"
                f"{beside}, and {allowed:g} may be spent"
            )
        self.ledger = after

    def _event(self, pure: Mechanism, l1: float, l2: float, share: float, what: str) -> Event:
        is_pure = self.currency is Currency.PURE
        noise = {
            "sensitivity": l1 if is_pure else l2,
            "scale": self.scale(l1=l1, l2=l2, share=share),
        }
        return Event(pure if is_pure else Mechanism.GAUSSIAN, noise, what=what)


@cache
def concentrated(budget: Budget) -> float:
    r"""Give the largest :math:`\rho` that costs no more than a budget, by OpenDP's conversion.

    Examples
    --------
    >>> rho = concentrated(Budget(1.0, 1e-6))
    >>> round(rho, 4), Cost(math.inf, rho).at(1e-6) <= 1.0
    (0.0244, True)
    """
    low, high = 0.0, budget.epsilon
    while Cost(math.inf, high).at(budget.delta) <= budget.epsilon:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        if Cost(math.inf, middle).at(budget.delta) <= budget.epsilon:
            low = middle
        else:
            high = middle
    if not low:
        raise InfeasibleError(
            f"epsilon = {budget.epsilon:g} with delta = {budget.delta:g} is too little to be split"
        )
    return low


@frozen
class Budget:
    """The epsilon and delta that all noise events together may cost.

    Attributes
    ----------
    epsilon, delta
        The bounds of differential privacy.
    """

    epsilon: float
    delta: float = 0.0
