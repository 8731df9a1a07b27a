r"""Bridges: a version between two others, such that whoever has all three knows no more.

Versions of a value are a chain: the value itself, then one version after the other, each made of
the one before alone. Whoever holds several of them learns from the first in the chain all that he
can learn. A version that is asked for later must stand in its place in that chain, between the next
more trusted version and the next less trusted one, which is out already. It is drawn from what
lies between them, given both ends.

For categories with n values, keeping a value with probability :math:`a` and replacing it by any of
the n otherwise is :math:`K_a(x, y) = a [x = y] + (1 - a) / n`, and :math:`K_a K_b = K_{ab}`.
Between :math:`h` at level :math:`p_h` and :math:`l` at level :math:`p_l`, with
:math:`a = p / p_h` and :math:`b = p_l / p`,

.. math:: P(m \mid h, l) \propto K_a(h, m) K_b(m, l)
    = ab\,[m = h = l] + a \tfrac{1 - b}{n} [m = h] + b \tfrac{1 - a}{n} [m = l]
    + \tfrac{(1 - a)(1 - b)}{n^2}.

For numbers, noise of variance :math:`v` grows along the chain, and what lies between is a Brownian
bridge: normal, with mean :math:`h + (l - h) \frac{v - v_h}{v_l - v_h}` and variance
:math:`\frac{(v - v_h)(v_l - v)}{v_l - v_h}` [1]_.

References
----------
.. [1] Y. Li, M. Chen, Q. Li, W. Zhang. "Enabling multilevel trust in privacy preserving data
   mining." IEEE TKDE 24(9), 2012.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from unlinkable.typing import BoolArray, CodeArray, FloatArray

__all__ = ["between_categories", "between_numbers", "bridge"]

_UNIT = 1 << 53


def bridge(
    retention: Fraction, *, above: Fraction, below: Fraction, is_same: bool, n: int
) -> tuple[Fraction, Fraction]:
    """Give how likely a version is the more trusted one, and the less trusted one; else any value.

    Parameters
    ----------
    retention
        The level p of the version.
    above, below
        Those of the next more trusted version (1 for the value itself), and of the next less
        trusted one (0 if there is none).
    is_same
        Whether these two show the same value.
    n
        How many values there are.

    Examples
    --------
    >>> bridge(Fraction(1, 2), above=Fraction(1), below=Fraction(0), is_same=False, n=4)
    (Fraction(1, 2), Fraction(0, 1))
    """
    a, b = retention / above, (below / retention if retention else Fraction(0))
    both = n * a * b if is_same else Fraction(0)
    total = both + 1 - a * b
    if not total:
        return Fraction(1), Fraction(0)
    return (both + a * (1 - b)) / total, (1 - a) * b / total


def between_categories(
    retention: Fraction, *, above: Fraction, below: Fraction, more: CodeArray, less: CodeArray,
    n: int, rng: np.random.Generator,
) -> CodeArray:  # fmt: skip
    """Draw versions of categories between two others. Probabilities are met to within 2**-53.

    Parameters
    ----------
    retention, above, below, n
        As for `bridge`.
    more, less
        The codes of the more trusted version and of the less trusted one; any if ``below`` is 0.
    rng
        The source of chance.
    """
    drawn = rng.integers(0, _UNIT, more.size)
    anything = rng.integers(0, max(n, 1), more.size)
    is_same: BoolArray = more == less
    version = anything.astype(np.int32)
    for same in (False, True):
        first, second = bridge(retention, above=above, below=below, is_same=same, n=n)
        here = is_same == same
        is_more = here & (drawn < int(first * _UNIT))
        is_less = here & ~is_more & (drawn < int((first + second) * _UNIT))
        version[is_more], version[is_less] = more[is_more], less[is_less]
    return version


def between_numbers(
    variance: float, *, above: float, below: float, more: FloatArray, less: FloatArray,
    rng: np.random.Generator,
) -> FloatArray:  # fmt: skip
    """Draw versions of numbers between two others.

    Parameters
    ----------
    variance
        That of all noise of the version.
    above, below
        Those of the next more trusted version (0 for the number itself), and of the next less
        trusted one (infinite if there is none).
    more, less
        The numbers of these versions; any for ``less`` if ``below`` is infinite.
    rng
        The source of chance.
    """
    noise = rng.standard_normal(more.size)
    if np.isinf(below):
        return np.asarray(more + np.sqrt(variance - above) * noise, np.float64)
    if below == above:
        return more.copy()
    share = (variance - above) / (below - above)
    spread = np.sqrt((below - variance) * share)
    return np.asarray(more + (less - more) * share + spread * noise, np.float64)
