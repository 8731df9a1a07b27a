"""Implication: which of several promises follow from the others anyway.

Seven different diseases in every group are at least seven records in every group: who promises
the one need not promise the other. Every promise names what follows from it (`consequences`) and
recognises weaker ones of its own kind (`covers`); here the steps are put together. A
quasi-identifier that is part of another one with no smaller k is redundant [1]_, and so is every
promise that follows from another: what is left is easier to read, and faster to judge.

References
----------
.. [1] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Observation 7.2.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from unlinkable.tables.models.base.joint import Joint
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.shared.xy_model import XYModel

__all__ = ["Implied", "implied", "reduce_cover"]


@frozen
class Implied:
    """A promise that follows from others.

    Attributes
    ----------
    model
        The promise.
    by
        Those that it follows from, taken together.
    """

    model: GroupModel
    by: tuple[GroupModel, ...]

    def __str__(self) -> str:
        return f"{self.model} follows from {' and '.join(map(str, self.by))}"


def implied(models: Iterable[GroupModel], owner: str | None = None) -> tuple[Implied, ...]:
    """Find the promises that may be omitted, and what each of them follows from.

    Leaving out all that are found leaves the whole as strong as it was: of promises that follow
    from each other the first one stays. It is not claimed that all are found.

    Parameters
    ----------
    models
        The promises, bound to their table.
    owner
        The column that tells which records belong to the same person, if the table has one. Then
        several records may be one person, and a promise that counts people does not follow from
        one that counts records or values.

    Examples
    --------
    >>> from unlinkable.tables.models import DistinctLDiversity, KAnonymity
    >>> asked = [KAnonymity(5), DistinctLDiversity(7, sensitive="disease")]
    >>> print(*implied(asked))
    k-anonymity(k=5) follows from distinct-l-diversity(l=7, sensitive="disease")
    >>> implied(asked, owner="patient")
    ()
    """
    left = list(models)
    found = []
    for at in reversed(range(len(left))):
        others = [*left[:at], *left[at + 1 :]]
        if by := _grounds(left[at], others, owner):
            found.append(Implied(left[at], by))
            left = others
    return tuple(reversed(found))


def _grounds(
    model: GroupModel, others: Sequence[GroupModel], owner: str | None
) -> tuple[GroupModel, ...]:
    """Give the promises that one follows from; none if it does not."""
    for other in others:
        if any(known == model or known.covers(model) for known in _closure(other, owner)):
            return (other,)
    # Who knows less than the parts are about sees unions of groups that keep them.
    if not isinstance(model, Joint) or not (model.local or model.merging is not Merging.UNSAFE):
        return ()
    by: dict[GroupModel, None] = {}
    for part in model.parts.values():
        grounds = _grounds(part, others, owner)
        if not grounds:
            return ()
        by |= dict.fromkeys(grounds)
    return tuple(by)


def _closure(model: GroupModel, owner: str | None) -> Iterator[GroupModel]:
    """Give a promise and all that follows from it, each once."""
    seen, waiting = {model}, [model]
    while waiting:
        yield (last := waiting.pop(0))
        for known in last.consequences():
            is_people = known.counts_people and owner is not None
            if known not in seen and (not is_people or _counts_people(last, owner)):
                seen.add(known)
                waiting.append(known)


def _counts_people(model: GroupModel, owner: str | None) -> bool:
    return model.counts_people or (isinstance(model, XYModel) and model.y == (owner,))


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
