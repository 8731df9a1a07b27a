"""Whether an adversary has what an attack asks for."""

from __future__ import annotations

from unlinkable.tables.attacks.base.target import Arms

__all__ = ["is_given"]


def is_given(arms: Arms, name: str) -> bool:
    """Tell whether a side table was given under this name, or is a file that is there.

    Examples
    --------
    >>> from unlinkable.tables.data.side import Side
    >>> arms = Arms(Side.of({"voters": {"name": ["Ann"], "age": [30]}}))
    >>> is_given(arms, "voters"), is_given(arms, "external")
    (True, False)
    """
    return name in arms.side.given or arms.side.path(name).is_file()
