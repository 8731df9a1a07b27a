r"""What an adversary can learn who has corrupted any number of other people.

One record of a group of k people is published, with a sensitive value that was kept with
probability p and else drawn evenly from a domain of m values; let :math:`u = (1-p)/m`. If somebody
believes beforehand with :math:`w` that the victim has the published value, then the record is the
victim's with probability at most :math:`h = (pw+u)/(pw+ku)`: each of the k - 1 others, even if his
true value is known, shows it with probability at least u. Only in that case is anything learnt, so
that the belief in any property Q that the value has rises from P(Q) by at most
:math:`h\,pw(1-P(Q))/(pw+u) = pw(1-P(Q))/(pw+ku)` [1]_. The paper bounds h by its value at the
largest w; here both factors are taken at the same w, which is tighter.

References
----------
.. [1] Y. Tao, X. Xiao, J. Li, D. Zhang. "On anti-corruption privacy preserving publication." ICDE
   2008. Theorems 2 and 3.
"""

from __future__ import annotations

import math

__all__ = ["largest_belief", "largest_growth"]


def largest_growth(p: float, n_values: int, k: int, skew: float = 1.0) -> float:
    r"""Give by how much the belief in any property of a victim can grow: the delta of delta-growth.

    The largest :math:`pw(1-w)/(pw+ku)` over all w up to ``skew``; the top is where
    :math:`w = \sqrt{c^2+c}-c` with :math:`c = ku/p`.

    Parameters
    ----------
    p
        The probability that a value is kept.
    n_values
        The number of values in the domain.
    k
        The least number of people in a group.
    skew
        The most that anybody believes in any value of the victim beforehand.

    Examples
    --------
    >>> round(largest_growth(0.3, 50, 6, 0.1), 4)
    0.2368
    """
    if not p:
        return 0.0
    c = k * (1 - p) / n_values / p
    w = min(skew, math.sqrt(c * c + c) - c)
    return w * (1 - w) / (w + c) if w > 0 else 1.0


def largest_belief(before: float, p: float, n_values: int, k: int, skew: float = 1.0) -> float:
    r"""Give how sure one can become who was at most so sure: the upper rho of rho1-to-rho2.

    Examples
    --------
    >>> round(largest_belief(0.2, 0.3, 50, 6, 0.1), 4)
    0.4105
    """
    if not p:
        return before
    w, u = min(skew, before), (1 - p) / n_values
    return before + p * w * (1 - before) / (p * w + k * u) if w else before
