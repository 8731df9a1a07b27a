"""Numbers as people say them."""

from __future__ import annotations

__all__ = ["chance", "listed", "number", "percent"]


def percent(share: float) -> str:
    """Write a share; what is little, or nearly all, is never written as nothing or all.

    Examples
    --------
    >>> percent(0.2), percent(0.12345), percent(0.0001), percent(0.99999), percent(0)
    ('20 %', '12.3 %', 'under 0.1 %', 'over 99.9 %', '0 %')
    """
    if 0 < share < 0.001:
        return "under 0.1 %"
    if 0.999 < share < 1:
        return "over 99.9 %"
    return f"{round(100 * share, 1):g} %"


def chance(share: float) -> str:
    """Write a chance as one in so many, too, if it is.

    Examples
    --------
    >>> chance(0.2), chance(0.3), chance(1)
    ('20 % (1 in 5)', '30 %', '100 %')
    """
    if 0 < share < 1 and abs(1 / share - round(1 / share)) < 1e-9:
        return f"{percent(share)} (1 in {round(1 / share):,})"
    return percent(share)


def number(value: float | None) -> str:
    """Write a number: whole ones whole, others with four digits that matter.

    Examples
    --------
    >>> number(12345), number(12345.6), number(0.123456), number(None)
    ('12,345', '12,346', '0.1235', 'none')
    """
    if value is None:
        return "none"
    is_whole = float(value).is_integer() or 1000 <= abs(value) < 1e15
    return f"{value:,.0f}" if is_whole else f"{value:.4g}"


def listed(names: list[str]) -> str:
    """List names in a sentence.

    Examples
    --------
    >>> listed(["age", "sex", "zip"])
    'age, sex and zip'
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
