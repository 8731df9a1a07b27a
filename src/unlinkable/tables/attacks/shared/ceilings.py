"""Ceilings: how confident an adversary can be at most, given what is promised.

Each promise says what it holds adversaries to (`unlinkable.tables.models.base.Ceilings`). Here it
is asked about what an attack is after.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from unlinkable.tables.attacks.base.attack import Attack
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.grouped.shared.number_ranges import tenth
from unlinkable.tables.attacks.minimal.shared.algorithm_replay import Assumption
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
    if attack.name in _VALUES:
        bound = _VALUES[attack.name]
        asked = getattr(attack, "sensitive", None)
        found = []
        for column in target.sensitive if asked is None else (asked,):
            goal = _goal(attack, target, column)
            found.append(_least(bound(m, attack, goal) for m in models if m.is_about(goal)))
        return None if None in found or not found else max(b for b in found if b is not None)
    if attack.name == "record-linkage" and target.bucket is not None:
        # What is known of a bucket does not hide what its records show.
        return None
    if attack.name in _RECORDS:
        return _least(_RECORDS[attack.name](model) for model in models)
    return None


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


def _attribute(model: GroupModel, attack: Any, goal: SensitiveGoal) -> Bound:
    """Bound the share of a sensitive value among those who look like the victim.

    An adversary who is content with a node of the taxonomy, or knows other sensitive values, is not
    bounded.
    """
    is_more = getattr(attack, "similar", False) or getattr(attack, "knows_sensitive", 0)
    return None if is_more else model.share_ceiling(goal)


def _gain(model: GroupModel, attack: Any, goal: SensitiveGoal) -> Bound:
    """Bound how much likelier a value becomes."""
    gained, share = model.gains(goal.shares), _attribute(model, attack, goal)
    bounds = [] if gained is None else [float(gained.max())]
    return _least([*bounds, None if share is None else float(share) - float(goal.shares.min())])


def _corruption(model: GroupModel, attack: Any, goal: SensitiveGoal) -> Bound:
    return model.corruption_ceiling(goal, attack.n)


def _background(model: GroupModel, attack: Any, goal: SensitiveGoal) -> Bound:
    """Bound the chance of a value for an adversary who can rule out values, or who has a prior."""
    facts = attack.negations, attack.others, attack.same
    if attack.prior is not None:
        return None if any(facts) else model.prior_ceiling(attack.prior, joint=attack.joint)
    return model.background_ceiling(goal, *facts)


def _proximity(model: GroupModel, attack: Any, goal: SensitiveGoal) -> Bound:
    """Bound the share of values in a range; one that the adversary chose is not bounded."""
    if attack.low is not None or attack.high is not None:
        return None
    if attack.epsilon is not None:
        epsilon: Fraction = attack.epsilon
        return model.relative_range_ceiling(epsilon)
    return model.range_ceiling(attack.width, goal.span)


def _minimality(model: GroupModel, attack: Any, goal: SensitiveGoal) -> Bound:
    """Bound the chance of a value; an adversary who knows more of the method is not bounded."""
    is_minimal = attack.assumes is Assumption.MINIMAL
    return model.minimality_ceiling(goal) if is_minimal else None


_VALUES: Mapping[str, Callable[[GroupModel, Any, SensitiveGoal], Bound]] = {
    "attribute-linkage": _attribute,
    "background-knowledge": _background,
    "corruption": _corruption,
    "minimality": _minimality,
    "proximity": _proximity,
    "skewness": _gain,
}
"""By the name of an attack on a sensitive value, what a promise lets it reach."""

_RECORDS: Mapping[str, Callable[[GroupModel], Bound]] = {
    "membership": lambda model: model.membership_ceiling(),
    "record-linkage": lambda model: model.owner_ceiling(),
    "table-linkage": lambda model: model.presence_ceiling(),
}
"""By the name of an attack on a record, what a promise lets it reach."""
