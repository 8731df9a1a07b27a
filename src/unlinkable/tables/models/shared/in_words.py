"""Numbers of things in words."""

from __future__ import annotations

__all__ = ["number_of"]


def number_of(n: int, one: str, many: str | None = None) -> str:
    """Put a number of things into words.

    Examples
    --------
    >>> number_of(1, "record"), number_of(3, "record"), number_of(2, "person", "people")
    ('1 record', '3 records', '2 people')
    """
    return f"{n:,} {one if n == 1 else many or one + 's'}"
