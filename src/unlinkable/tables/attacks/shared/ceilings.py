"""Ceilings: how confident an adversary can be at most, given what is promised.

Each promise says what it holds adversaries to (`unlinkable.tables.models.base.Ceilings`). Here it
is asked about what an attack is after.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from unlinkable.tables.attacks.base.attack import Attack
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.grouped.shared.number_ranges import tenth
from unlinkable.tables.groups import Histogram
from unlinkable.tables.models.base import Bound, GroupModel, SensitiveGoal
from unlinkable.tables.taxonomies import Kind

__all__ = ["ceiling"]


def ceiling(attack: Attack, promises: Iterable[GroupModel], target: Target) -> float | None:
    """Say how confident an adversary can be at most; None if nothing is promised about them.

    Parameters
    ----------
    attack
        The adversary, with all that they know.
    promises
        What the release keeps, each promise bound to its columns.
    target
        The release: some promises compare with the whole table.

    Examples
    --------
    >>> import polars as pl
    >>> from unlinkable.tables.attacks.linking.record_linkage import RecordLinkage
    >>> from unlinkable.tables.attacks.grouped.skewness import Skewness
    >>> from unlinkable.tables.models import KAnonymity
    >>> told = Target(pl.DataFrame({"job": ["cook"] * 4}), ("job",), ())
    >>> ceiling(RecordLinkage(), [KAnonymity(4)], told)
    0.25
    >>> ceiling(Skewness(), [KAnonymity(4)], told) is None
    True
    """
    known = [model for promise in promises for model in _with_consequences(promise)]
    models = [model for model in known if _assumes_as_much(model, attack, target)]
    if (bound := _least(attack.record_ceiling(model, target) for model in models)) is not None:
        return bound
    if not hasattr(attack, "sensitive"):
        return None
    found = []
    for column in target.sensitive if attack.sensitive is None else (attack.sensitive,):
        goal = _goal(attack, target, column)
        found.append(_least(attack.value_ceiling(m, goal) for m in models if m.is_about(goal)))
    return None if None in found or not found else max(b for b in found if b is not None)


def _with_consequences(model: GroupModel) -> Iterator[GroupModel]:
    """Give a promise and all that follows from it; parts of promises have no name of their own."""
    seen, waiting = {model}, [model]
    while waiting:
        last = waiting.pop()
        if not type(last).__name__.startswith("_"):
            yield last
        new = [known for known in last.consequences() if known not in seen]
        seen.update(new)
        waiting += new


def _assumes_as_much(model: GroupModel, attack: Attack, target: Target) -> bool:
    """Whether a promise is about adversaries who know all that this one does."""
    known = getattr(attack, "qid", None) or target.quasi
    at_most = getattr(attack, "at_most", None)
    n_known = len(known) if at_most is None else min(at_most, len(known))
    assumed = model.knows(target.quasi)
    is_many = assumed.at_most is None or n_known <= assumed.at_most
    return is_many and set(known) <= set(assumed.columns)


def _goal(attack: Attack, target: Target, column: str) -> SensitiveGoal:
    """Look at a column of a release, and at what the adversary wants of it."""
    groups = target.counted([(column,)]).finest
    counts, hidden = groups.whole[column,], groups.histograms[column,]
    counts = counts[counts > 0]
    span = 10 * tenth(hidden, column) if _is_numeric(hidden) else None
    values, shares = getattr(attack, "values", None), counts / counts.sum()
    return SensitiveGoal(column, values, target.quasi, shares, span, target.promises)


def _is_numeric(hidden: Histogram) -> bool:
    return hidden.taxonomy is not None and hidden.taxonomy.domain.kind is not Kind.CATEGORY


def _least(bounds: Iterable[Bound]) -> float | None:
    """Give the least of several bounds, and never more than 1; None if there is none."""
    return min((min(float(b), 1.0) for b in bounds if b is not None), default=None)
