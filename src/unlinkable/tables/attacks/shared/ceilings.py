"""Ceilings: how sure an adversary can be at most, given what is promised.

A promise is a bound on what some adversaries can reach. Here it is said which, and how high, in the
unit of each attack: whatever is published under the promise, the attack reaches no more. Where a
promise says nothing about an adversary, there is no ceiling, and for most there are tables with
which he succeeds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from unlinkable.tables.attacks.base.attack import Attack
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.shared.record_ceilings import RECORD_CEILINGS, least
from unlinkable.tables.attacks.shared.value_ceilings import VALUE_CEILINGS, Whole
from unlinkable.tables.models import Template
from unlinkable.tables.models.base import GroupModel

__all__ = ["ceiling"]


def ceiling(attack: Attack, promises: Iterable[GroupModel], target: Target) -> float | None:
    """Say how sure an adversary can be at most; None if nothing is promised about him.

    Parameters
    ----------
    attack
        The adversary, with all that he knows.
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
    models = [model for model in known if _is_about(model, attack, target)]
    if attack.name in VALUE_CEILINGS:
        bound = VALUE_CEILINGS[attack.name]
        asked = getattr(attack, "sensitive", None)
        found = []
        for column in target.sensitive if asked is None else (asked,):
            whole = Whole.of(target, column)
            found.append(least(bound(m, attack, whole) for m in models if _has(m, column)))
        return None if None in found or not found else max(b for b in found if b is not None)
    if attack.name == "record-linkage" and target.bucket is not None:
        # What is known of a bucket does not hide what its records show.
        return None
    if attack.name in RECORD_CEILINGS:
        return least(RECORD_CEILINGS[attack.name](model, attack) for model in models)
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


def _has(model: Any, column: str) -> bool:
    """Whether a promise is about the values of a column."""
    match model.name:
        case "xy-linkability" | "xy-privacy":
            return bool(model.y == (column,))
        case "confidence-bounding":
            return any(Template.read(text).column == column for text in model.templates)
        case "ff-anonymity":
            listed = model.sensitive
            return listed is None or any(text.startswith(f"{column}=") for text in listed)
    return getattr(model, "sensitive", None) in (None, column)


def _is_about(model: GroupModel, attack: Attack, target: Target) -> bool:
    """Whether a promise is about all that the adversary knows, and all values that he is after."""
    values = _guarded(model) if attack.name in VALUE_CEILINGS else None
    wanted = getattr(attack, "values", None)
    if values is not None and (wanted is None or not set(wanted) <= values):
        return False
    qid = getattr(model, "qid", None) or getattr(model, "x", None)
    known = getattr(attack, "qid", None) or target.quasi
    if qid is not None and not set(known) <= set(qid):
        return False
    if model.name == "lkc-privacy":
        at_most = getattr(attack, "at_most", None)
        n_known = len(known) if at_most is None else min(at_most, len(known))
        return n_known <= getattr(model, "l", 0)
    return True


def _guarded(model: Any) -> set[str] | None:
    """Give the values that a promise is about; None if it is about all."""
    if model.name == "ff-anonymity" and model.sensitive is not None:
        return {text.partition("=")[2] for text in model.sensitive}
    values = getattr(model, "values", None)
    return None if values is None else set(values)
