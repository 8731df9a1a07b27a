"""Comparing sums of square roots with 0, exactly.

Hellinger's distance is compared with a bound by comparing a sum of square roots of whole numbers
with another such root. Roots of two numbers are multiples of each other if the product of the two
is a square, and otherwise have nothing to do with each other [1]_: whether a sum is zero shows in
the sums of multiples of the same root. If it is not, enough digits show which side it is on.

References
----------
.. [1] A. S. Besicovitch. "On the linear independence of fractional powers of integers." Journal of
   the London Mathematical Society 15, 1940.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Context, Decimal
from fractions import Fraction
from math import isqrt

__all__ = ["is_at_least_zero", "root_above"]

_DIGITS = 40
"""To begin with; doubled until the difference shows."""

_PLACES = 9
"""To so many decimal places are roots rounded up."""

Terms = Sequence[tuple[Fraction, int]]


def is_at_least_zero(terms: Terms) -> bool:
    """Decide whether a sum of multiples of square roots of whole numbers is at least 0.

    Examples
    --------
    >>> is_at_least_zero([(Fraction(1), 8), (Fraction(-2), 2)])
    True
    >>> is_at_least_zero([(Fraction(1), 2), (Fraction(1), 3), (Fraction(-1), 10)])
    False
    """
    digits = _DIGITS
    while True:
        total, error = _sum(terms, digits)
        if total.copy_abs() > error:
            return total > 0
        if digits == _DIGITS and _is_zero(terms):
            return True
        digits *= 2


def root_above(number: Fraction) -> Fraction:
    """Give the square root of a number, rounded up to nine decimal places.

    Examples
    --------
    >>> root_above(Fraction(2)), root_above(Fraction(1, 4))
    (Fraction(1414213563, 1000000000), Fraction(1, 2))
    """
    unit = 10**_PLACES
    p, q = (number * unit * unit).as_integer_ratio()
    least = -(-p // q)
    root = isqrt(least)
    return Fraction(root + (root * root < least), unit)


def _sum(terms: Terms, digits: int) -> tuple[Decimal, Decimal]:
    """Compute the sum, and a bound on the error of that."""
    context = Context(prec=digits)
    total = size = Decimal(0)
    for factor, number in terms:
        over = context.multiply(Decimal(factor.numerator), context.sqrt(Decimal(number)))
        term = context.divide(over, Decimal(factor.denominator))
        total, size = context.add(total, term), context.add(size, context.abs(term))
    # Root, product, quotient and each partial sum are off by less than a unit in the last digit.
    unit = context.scaleb(Decimal(4 * len(terms) + 4), 1 - digits)
    return total, context.multiply(size, unit)


def _is_zero(terms: Terms) -> bool:
    """Add up the multiples of each root, and see whether nothing is left of any."""
    sums: dict[int, Fraction] = {}
    for factor, number in terms:
        for kin in sums:
            root = isqrt(kin * number)
            if root * root == kin * number:
                sums[kin] += factor * Fraction(root, kin)
                break
        else:
            if number:
                sums[number] = factor
    return not any(sums.values())
