"""Cover: of several promises, the few that say it all.

A quasi-identifier that is part of another one with no smaller k is redundant [1]_, and so is every
promise that follows from another. What is left is easier to read, and faster to judge.

References
----------
.. [1] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Observation 7.2.1.
"""

from __future__ import annotations

from collections.abc import Iterable

from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.shared.implication import Implied, implied

__all__ = ["reduce_cover"]


def reduce_cover(
    models: Iterable[GroupModel], owner: str | None = None
) -> tuple[tuple[GroupModel, ...], tuple[Implied, ...]]:
    """Split promises into those that must be kept and those that then follow, with the reasons.

    Of promises that say the same the first one stays.

    Parameters
    ----------
    models
        The promises, bound to their table.
    owner
        The column that tells which records belong to the same person, if the table has one.

    Examples
    --------
    >>> from unlinkable.tables.models import KAnonymity
    >>> kept, redundant = reduce_cover(
    ...     [KAnonymity(4, qid=["education", "sex"]), KAnonymity(4, qid=["sex"])])
    >>> print(*kept)
    k-anonymity(k=4, qid=["education", "sex"])
    >>> print(*redundant)
    k-anonymity(k=4, qid=["sex"]) follows from k-anonymity(k=4, qid=["education", "sex"])
    """
    left = list(models)
    redundant = implied(left, owner)
    dropped = [item.model for item in reversed(redundant)]
    for at in reversed(range(len(left))):
        if left[at] in dropped:
            dropped.remove(left[at])
            del left[at]
    return tuple(left), redundant
