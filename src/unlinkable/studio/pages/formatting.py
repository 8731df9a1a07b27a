"""How numbers and lists are written on pages."""

from __future__ import annotations

from unlinkable.studio.contracts import Outcome

__all__ = ["duration", "join_words", "number", "percent", "result_name", "sentence"]


def percent(share: float | None) -> str:
    """Say a share.

    Examples
    --------
    >>> [percent(share) for share in (0, 0.0004, 0.042, 0.5, 0.998, 1, None)]
    ['0 %', 'under 0.1 %', '4.2 %', '50 %', '99.8 %', '100 %', 'not known']
    """
    if share is None:
        return "not known"
    if 0 < share < 0.001:
        return "under 0.1 %"
    if 0.999 < share < 1:
        return "over 99.9 %"
    if 0.995 <= share < 1:
        return f"{int(1000 * share) / 10} %"
    return f"{100 * share:.2g} %" if share < 0.0995 else f"{100 * share:.0f} %"


def number(value: float | None, digits: int = 3) -> str:
    """Say a number, with thousands apart.

    Examples
    --------
    >>> number(30162), number(0.34372), number(18.8), number(None)
    ('30,162', '0.344', '18.8', 'not known')
    """
    if value is None:
        return "not known"
    if float(value).is_integer():
        return f"{int(value):,}"
    return f"{value:,.{digits}f}".rstrip("0").rstrip(".") if abs(value) < 1000 else f"{value:,.0f}"


def duration(seconds: float | None) -> str:
    """Say how long something took.

    Examples
    --------
    >>> duration(0.04), duration(3.21), duration(75), duration(None)
    ('under 0.1 s', '3.2 s', '1 min 15 s', 'not known')
    """
    if seconds is None:
        return "not known"
    if seconds < 0.1:
        return "under 0.1 s"
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds) // 60} min {int(seconds) % 60} s"


def join_words(words: list[str], most: int | None = None) -> str:
    """Join words as people do; beyond the ``most`` that are named, say how many there are.

    Examples
    --------
    >>> join_words(["age", "zip", "sex"])
    'age, zip and sex'
    >>> join_words(["age", "zip", "sex", "job"], most=2)
    'age, zip and 2 more'
    """
    if most is not None and len(words) > most + 1:
        words = [*words[:most], f"{len(words) - most:,} more"]
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def result_name(outcome: Outcome) -> str:
    """Write which result it is."""
    return f"Result {outcome['run']}: {outcome['title']}"


def sentence(text: str) -> str:
    """Make a sentence of words that stand in a document.

    Examples
    --------
    >>> sentence("no column holds numbers")
    'No column holds numbers.'
    """
    whole = text[:1].upper() + text[1:]
    return whole if whole.endswith((".", "!", "?")) else f"{whole}."
