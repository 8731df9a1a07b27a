"""What privacy models claim: how merging treats them, and that judging and measuring agree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import evolve

from unlinkable.checks.contract import require
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods import kept
from unlinkable.tables.models import promised
from unlinkable.tables.models.base import All, GroupModel, Merging
from unlinkable.typing import CodeArray, CountArray

__all__ = [
    "check_about_values",
    "check_does_not_absorb",
    "check_is_not_safe",
    "check_least_suppressed",
    "check_level",
    "check_merging",
    "check_order",
    "check_sizes",
    "check_words",
]

_CLEAR = 1e-6
"""Levels that are further than this from the bound must agree with the verdict."""


def check_merging(model: GroupModel, groups: Groups, which: Sequence[int]) -> None:
    """Check that merging these groups keeps what the model claims that it keeps.

    `SAFE`: if all of them keep the promise, their union does. `ABSORBS`: if one does. `UNSAFE`
    claims nothing.
    """
    good = model.judge(groups)[list(which)]
    claims = {Merging.UNSAFE: False, Merging.SAFE: bool(good.all()), Merging.ABSORBS: good.any()}
    if len(which) and claims[model.merging]:
        kept = bool(model.judge(_merge(groups, which))[0])
        require(kept, f"{model} claims {model.merging.name}, and a union of good groups breaks it")


def check_does_not_absorb(model: GroupModel, groups: Groups) -> None:
    """Check a counterexample: the first group keeps the promise, and all together break it."""
    good = model.judge(groups)
    union = model.judge(_merge(groups, range(len(groups))))
    shown = bool(good[0]) and not bool(union[0])
    require(shown, f"this is no proof that {model} does not absorb")


def check_is_not_safe(model: GroupModel, groups: Groups) -> None:
    """Check a counterexample: every group keeps the promise, and unions of them break it.

    All are put together, or those that look alike once a column is no longer shown.
    """
    columns = groups.columns
    fewer = [tuple(c for c in columns if c != hidden) for hidden in columns if len(columns) > 1]
    together = _merge(groups, range(len(groups)))
    unions = [together, *(groups.project(shown)[0] for shown in fewer)]
    is_broken = any(not model.judge(union).all() for union in unions)
    shown = bool(model.judge(groups).all()) and is_broken
    require(shown, f"this is no proof that {model} is not safe")


def check_order(model: GroupModel, groups: Groups, order: CountArray) -> None:
    """Check that verdicts and levels of groups do not depend on their order."""
    shuffled = _reorder(groups, order)
    for what in (model.judge, model.level):
        same = np.array_equal(what(shuffled), what(groups)[order])
        require(same, f"{what.__name__} of {model} depends on the order of the groups")


def check_level(model: GroupModel, groups: Groups) -> None:
    """Check that a group is good if and only if its level is on the right side of the bound."""
    bound = float(getattr(model, model.parameter))
    level, good = model.level(groups), model.judge(groups)
    require(level.shape == good.shape == (len(groups),), f"{model} judges not every group once")
    margin = level - bound if model.higher_is_safer else bound - level
    clear = ~(np.abs(margin) <= _CLEAR)
    agree = bool(((margin > 0) == good)[clear].all())
    require(agree, f"{model} judges otherwise than its levels say")


def check_least_suppressed(model: GroupModel, finer: Groups, parent: CodeArray, limit: int) -> None:
    """Check that a release of finer groups leaves out no less than coarser ones say.

    What can be published of the finer groups is published. ``parent`` says to which coarser group
    each belongs, ``limit`` how many records may be left out; if more are, nothing is claimed.
    """
    gone = ~kept(finer, All([model]))
    lost = np.bincount(parent[gone], finer.sizes[gone], int(parent.max(initial=-1)) + 1)
    if lost.sum() <= limit:
        keys = np.zeros((lost.size, len(finer.columns)), np.int32)
        coarser = finer.merge(parent, lost.size, finer.columns, keys)
        at_least = model.least_suppressed(coarser, limit)
        holds = bool((at_least <= lost).all())
        require(holds, f"{model} says that more must be left out than has to be")


def check_sizes(model: GroupModel, groups: Groups) -> None:
    """Check that no group that keeps the promise has fewer records than the model says."""
    good = groups.sizes[model.judge(groups)]
    enough = bool((good >= model.least_size).all())
    require(enough, f"{model} is kept by groups of less than {model.least_size} records")


def check_about_values(model: GroupModel, groups: Groups) -> None:
    """Check that a model that is only about hidden values does not look at what records show."""
    unseen = evolve(
        groups, columns=("part",), keys=np.arange(len(groups), dtype=np.int32)[::-1, None]
    )
    same = not model.about_values or np.array_equal(model.judge(unseen), model.judge(groups))
    require(same, f"{model} claims to be about values alone, and looks at what groups show")


def check_words(model: GroupModel) -> None:
    """Check that the class of a model says itself, in sentences, what it promises and what not.

    Examples
    --------
    >>> from unlinkable.tables.models import KAnonymity
    >>> check_words(KAnonymity(3))
    """
    own, gaps = vars(type(model)), type(model).does_not_promise
    for fact in ("name", "reference", "in_words", "does_not_promise"):
        require(fact in own, f"{type(model).__name__} does not declare {fact}")
    require(len(gaps) > 0, f"{model.name} says of nothing that it does not promise it")
    said = promised(model)
    require("None" not in said, f"{model} is put into words for no parameter: {said}")
    for sentence in (said, *gaps):
        is_sentence = sentence[0].isupper() and sentence.endswith(".") and "{" not in sentence
        require(is_sentence, f"{model.name} does not speak in sentences: {sentence}")


def _merge(groups: Groups, which: Sequence[int]) -> Groups:
    """Put some groups together; a group that is named twice counts once."""
    parent = np.full(len(groups), -1, np.int32)
    parent[list(which)] = 0
    keys = np.zeros((1, len(groups.columns)), np.int32)
    return groups.merge(parent, 1, groups.columns, keys)


def _reorder(groups: Groups, order: CountArray) -> Groups:
    place = np.empty(len(groups), np.int32)
    place[order] = np.arange(len(groups))
    return groups.merge(place, len(groups), groups.columns, groups.keys[order])
