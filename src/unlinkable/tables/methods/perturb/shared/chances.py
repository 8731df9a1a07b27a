r"""Chances: what follows from the two probabilities of the alpha-beta algorithm.

References
----------
.. [1] V. Rastogi, D. Suciu, S. Hong. "The boundary between privacy and utility in data publishing."
   VLDB 2007.
"""

from __future__ import annotations

import math

from attrs import frozen

from unlinkable.noise import Event, Ledger, Mechanism

__all__ = ["Chances", "epsilon_of_chances", "estimated_count", "least_gamma"]


@frozen
class Chances:
    """The probabilities with which records are published.

    Attributes
    ----------
    alpha, beta
        A true record is published with alpha + beta, any other one with beta.
    """

    alpha: float
    beta: float

    @property
    def epsilon(self) -> float:
        """What they cost."""
        return epsilon_of_chances(self.alpha, self.beta)

    def ledger(self) -> Ledger:
        """Write down what they cost: one person more changes one record at most."""
        what = "whether each possible record is published"
        return Ledger([Event(Mechanism.PURE, {"epsilon": self.epsilon}, what=what)])


def epsilon_of_chances(alpha: float, beta: float) -> float:
    """Give what the algorithm costs; infinite if a published or missing record is a proof.

    Examples
    --------
    >>> round(epsilon_of_chances(0.25, 0.25), 6), epsilon_of_chances(0.5, 0.5)
    (0.693147, inf)
    """
    kept = alpha + beta
    if not alpha:
        return 0.0
    if not beta or kept >= 1:
        return math.inf
    return math.nextafter(max(math.log(kept / beta), math.log((1 - beta) / (1 - kept))), math.inf)


def estimated_count(n_published: int, n_possible: int, alpha: float, beta: float) -> float:
    """Estimate how many true records there are among those that answer a question.

    Parameters
    ----------
    n_published
        How many published records answer it.
    n_possible
        How many records of the domain would.
    alpha, beta
        The probabilities that were published.

    Examples
    --------
    >>> estimated_count(80, 100, 0.5, 0.25)
    110.0
    """
    return (n_published - beta * n_possible) / alpha


def least_gamma(alpha: float, beta: float, d: float) -> float:
    """Give the least gamma for which the algorithm is (d,gamma)-private; it may be more than 1.

    Examples
    --------
    >>> round(least_gamma(0.25, 0.25, 0.1), 4)
    0.1818
    """
    kept = alpha + beta
    if kept >= 1:
        return math.inf
    surer = d * kept / (d * kept + (1 - d) * beta)
    return max(surer, d * (1 - beta) / (1 - kept))
