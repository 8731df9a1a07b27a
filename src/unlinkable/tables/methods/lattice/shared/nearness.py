"""Nearness: how close the table at a node is to keeping a promise.

The thesis of Babu [1]_ asks for the anonymity of a node: the size of its smallest group, after as
many of the smallest ones were left out as may be. What the size of a group is for k-anonymity, its
level is for other promises, measured in the unit of their parameter.

References
----------
.. [1] K. S. Babu. "Utility-based privacy preserving data publishing." PhD thesis, NIT Rourkela,
   2013. Section 3.3.
"""

from __future__ import annotations

import numpy as np
from attrs import define

from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.lattice.shared.memory import NodeGroups
from unlinkable.tables.methods.lattice.shared.survey import Survey
from unlinkable.tables.models.base import GroupModel
from unlinkable.typing import FloatArray

__all__ = ["Nearness", "reached"]


@define(eq=False, frozen=True)
class Nearness:
    """Measures how close nodes are to a promise; more is closer.

    For one promise, that is the level that it reaches (its negative, if lower is safer). Levels of
    several promises have different units: each is divided by what was asked for, and the promise
    that is farthest from being kept counts.

    Attributes
    ----------
    survey
        What is searched.
    """

    survey: Survey

    def __call__(self, node: NodeGroups) -> float:
        """Measure a node."""
        privacy, limit = self.survey.judge.privacy, self.survey.judge.limit
        groups = self.survey.rollup.groups(node, keyed=not privacy.local, counted=True)
        models = privacy.models
        if len(models) == 1:
            return reached(models[0], groups, limit)
        return min((_share(m, reached(m, groups, limit)) for m in models), default=np.inf)


def reached(model: GroupModel, groups: Groups, limit: int) -> float:
    """Return the level of the worst group after suppressing the worst ones as far as allowed.

    Whole groups are suppressed, from the worst one up, as long as that is at most ``limit``
    records. Groups without records cannot be suppressed. Levels where lower is safer are negated:
    more is better.
    """
    if not model.judges_absence and not groups.sizes.all():
        groups = groups.select(groups.sizes > 0)
    levels = _levels(model, groups)
    order = np.argsort(levels, kind="stable")
    sizes = groups.sizes[order]
    # An empty group counts as more than the limit, so the scan cannot go past it.
    gone = np.cumsum(np.where(sizes > 0, sizes, limit + 1))
    return float(levels[order[int(np.searchsorted(gone, limit, side="right"))]])


def _levels(model: GroupModel, groups: Groups) -> FloatArray:
    """Measure the worst that an adversary may see of each group; more is better."""
    sign = 1.0 if model.higher_is_safer else -1.0
    levels = np.full(len(groups), np.inf)
    for seen, parent in model.seen(groups):
        levels = np.minimum(levels, (sign * model.level(seen))[parent])
    return levels


def _share(model: GroupModel, level: float) -> float:
    """Divide what is reached by what is asked for, or the other way round if lower is safer."""
    asked = float(getattr(model, model.parameter))
    part, whole = (level, asked) if model.higher_is_safer else (asked, -level)
    return part / whole if whole > 0 else np.inf
