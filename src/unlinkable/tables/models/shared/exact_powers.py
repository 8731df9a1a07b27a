"""Comparing products of powers of whole numbers with 1, exactly.

Entropy is compared with a bound by comparing n^n q^n with p^n prod c^c, numbers of millions of
digits. They need not be written out. Whether the two are equal shows in their factors; if they are
not, their logarithms differ, and enough digits show which is greater.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Context, Decimal
from fractions import Fraction
from math import gcd

__all__ = ["is_at_least_exp", "is_at_least_one"]

_DIGITS = 40
"""To begin with; doubled until the difference shows."""


def is_at_least_one(powers: Mapping[int, int]) -> bool:
    """Decide whether the product of ``base ** exponent`` is at least 1. Exponents may be negative.

    Examples
    --------
    >>> is_at_least_one({2: 3, 8: -1}), is_at_least_one({3: 10**6, 2: -1584963})
    (True, False)
    """
    digits = _DIGITS
    while True:
        total, error = _log(powers, digits)
        if total.copy_abs() > error:
            return total > 0
        if digits == _DIGITS and _is_one(powers):
            return True
        digits *= 2


def is_at_least_exp(powers: Mapping[int, int], exponent: Fraction) -> bool:
    """Decide whether the product of ``base ** exponent`` is at least e to another exponent.

    The product is a fraction, and no power of e but the zeroth is one: other than with 1, the two
    are never equal, and enough digits show which is greater.

    Examples
    --------
    >>> is_at_least_exp({3: 1}, Fraction(1)), is_at_least_exp({2: 1, 3: 1}, Fraction("1.8"))
    (True, False)
    """
    if not exponent:
        return is_at_least_one(powers)
    digits = _DIGITS
    while True:
        total, error = _log(powers, digits)
        context = Context(prec=digits)
        asked = context.divide(Decimal(exponent.numerator), Decimal(exponent.denominator))
        unit = context.scaleb(context.abs(asked), 2 - digits)
        gap, unsure = context.subtract(total, asked), context.add(error, unit)
        if gap.copy_abs() > context.multiply(unsure, Decimal(2)):
            return gap > 0
        digits *= 2


def _log(powers: Mapping[int, int], digits: int) -> tuple[Decimal, Decimal]:
    """Compute the logarithm of the product, and a bound on the error of that."""
    context = Context(prec=digits)
    total = size = Decimal(0)
    for base, exponent in powers.items():
        term = context.multiply(Decimal(exponent), context.ln(Decimal(base)))
        total, size = context.add(total, term), context.add(size, context.abs(term))
    # Each term and each partial sum is off by less than one unit in its last digit.
    unit = context.scaleb(Decimal(2 * len(powers) + 2), 1 - digits)
    return total, context.multiply(size, unit)


def _is_one(powers: Mapping[int, int]) -> bool:
    for part in _coprime_parts(powers):
        exponent = sum(_multiplicity(part, base) * e for base, e in powers.items())
        if exponent:
            return False
    return True


def _coprime_parts(numbers: Iterable[int]) -> list[int]:
    """Find numbers without common factors of whose powers the given numbers are products."""
    parts: list[int] = []
    todo = list(numbers)
    while todo:
        x = todo.pop()
        for i, part in enumerate(parts):
            if (common := gcd(x, part)) > 1:
                del parts[i]
                todo += [common, part // common, x // common]
                break
        else:
            if x > 1:
                parts.append(x)
    return parts


def _multiplicity(part: int, number: int) -> int:
    times = 0
    while number % part == 0:
        number //= part
        times += 1
    return times
