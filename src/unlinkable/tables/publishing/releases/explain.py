"""Why a release came out as it did, and what would help.

"Why is everything a star?" has few answers: a column with many rare values, a handful of records
that are like no others, a taxonomy without a level in between, a promise that is a little too
strong. Each of them is tried here: the search is run again with the obstacle out of the way, and
what that would save is said in the unit of the metric.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
from attrs import evolve

from unlinkable.errors import UnlinkableError
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods.base import Task
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.metrics.base import CellMetric, Shown
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.tables.publishing.releases.explanation import (
    AttributeCost,
    CostlyRecords,
    Explanation,
    WhatIf,
)
from unlinkable.tables.publishing.releases.generalized import GeneralizedRelease
from unlinkable.tables.taxonomies import Attribute, Level, Taxonomy
from unlinkable.typing import BoolArray, FloatArray

__all__ = ["explain"]

_MOST_COLUMNS = 3
"""How many columns are tried with a finer taxonomy."""

_FEW = 10
"""How many groups of costly records are named."""


def explain(release: GeneralizedRelease) -> Explanation:
    """Say which columns and records cost the most, and try what would help."""
    loss = release.metric.loss(release.shown)
    tried = [
        *_more_suppression(release),
        *_weaker_promises(release),
        *_levels_between(release),
    ]
    outcomes = []
    for change, privacy, task in tried:
        after = _loss_of(release, privacy, task)
        if after is not None:
            outcomes.append(WhatIf(change, after, loss - after))
    return Explanation(
        metric=str(release.metric),
        loss=loss,
        attributes=_attribute_costs(release),
        records=_costly_records(release, loss),
        what_if=tuple(sorted(outcomes, key=lambda w: -w.saves)),
    )


def _attribute_costs(release: GeneralizedRelease) -> tuple[AttributeCost, ...]:
    shares = release.loss_by_attribute()
    weights = dict(zip(shares, release.shown.importance, strict=True))
    total = sum(shares[name] * weights[name] for name in shares) or 1.0
    node = release.solution.node
    costs = [
        AttributeCost(
            name=a.name,
            share=shares[a.name],
            part=float(shares[a.name] * weights[a.name] / total),
            level=None if node is None else node[a.name],
            height=a.taxonomy.height,
        )
        for a in release.task.attributes
    ]
    return tuple(sorted(costs, key=lambda c: -c.part))


def _costly_records(release: GeneralizedRelease, loss: float) -> CostlyRecords:
    """Find a few records without which the others could say more, and make sure of it.

    Candidates are the rarest records of the groups that lose most, no more than one in a hundred.
    The search is repeated without them; their own loss is counted as that of suppressed records.
    """
    finest, partition = release.counted.finest, release.solution.partition
    cost = _rarity(finest) + 10 * np.where(
        partition.labels >= 0, _loss_of_parts(release)[partition.labels], -np.inf
    )
    order = np.argsort(-cost, kind="stable")
    most = max(finest.n_records // 100, 1)
    within = (np.cumsum(finest.sizes[order]) <= most) & np.isfinite(cost[order])
    chosen = order[within][:_FEW]
    rest = np.ones(len(finest), bool)
    rest[chosen] = False
    nobody = CostlyRecords(np.empty(0, np.int32), 0.0)
    if not chosen.size or not rest.any():
        return nobody
    after = _loss_of(release, release.models, release.task, rest)
    if after is None or after >= loss:
        return nobody
    rows = np.flatnonzero(np.isin(release.counted.labels, chosen)).astype(np.int32)
    return CostlyRecords(rows, loss - after)


def _loss_of_parts(release: GeneralizedRelease) -> FloatArray:
    """Measure what a record of each part loses."""
    shown = release.shown
    metric = release.metric if isinstance(release.metric, CellMetric) else ILoss()
    cells = [
        weight * metric.cells(a.taxonomy, shown.lo[:, j], shown.hi[:, j])
        for j, (a, weight) in enumerate(zip(shown.attributes, shown.importance, strict=True))
    ]
    total: FloatArray = np.sum(cells, axis=0, dtype=float)
    return total


def _rarity(finest: Groups) -> FloatArray:
    """Add up over the columns how rare the values of each finest group are."""
    rarity = np.zeros(len(finest))
    for j in range(finest.keys.shape[1]):
        counts = np.bincount(finest.keys[:, j], weights=finest.sizes)
        shares = counts[finest.keys[:, j]] / finest.n_records
        rarity -= np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    return rarity


_Trial = tuple[str, tuple[GroupModel, ...], Task]


def _more_suppression(release: GeneralizedRelease) -> Iterator[_Trial]:
    more = release.task.suppression + Fraction(1, 100)
    if more < 1:
        share = f"{float(more):.1%}"
        yield (
            f"Leaving out up to {share} of the records instead of "
            f"{float(release.task.suppression):.1%}",
            release.models,
            evolve(release.task, suppression=more),
        )


def _weaker_promises(release: GeneralizedRelease) -> Iterator[_Trial]:
    for i, model in enumerate(release.models):
        weaker = model.weaker()
        if weaker is not None:
            models = (*release.models[:i], weaker, *release.models[i + 1 :])
            yield f"Promising {weaker} instead of {model}", models, release.task


def _levels_between(release: GeneralizedRelease) -> Iterator[_Trial]:
    """Try a level between the published one and the next finer one, where the step is large."""
    node = release.solution.node
    if node is None:
        return
    attributes = release.task.attributes
    for cost in _attribute_costs(release)[:_MOST_COLUMNS]:
        j = [a.name for a in attributes].index(cost.name)
        finer = _with_level_between(attributes[j], node[cost.name])
        if finer is not None:
            changed: Sequence[Attribute] = (*attributes[:j], finer, *attributes[j + 1 :])
            yield (
                f"A level of {cost.name} between levels {node[cost.name] - 1} and "
                f"{node[cost.name]} of its taxonomy",
                release.models,
                evolve(release.task, attributes=tuple(changed)),
            )


def _with_level_between(attribute: Attribute, level: int) -> Attribute | None:
    """Halve every node of a level along the nodes below it."""
    levels = attribute.taxonomy.levels
    if level == 0 or levels[level - 1].n_nodes < 3 * levels[level].n_nodes:
        return None
    below, above = levels[level - 1], levels[level]
    # The position of each finer node among those of its parent decides on which side it falls.
    parent = above.blocks[below.starts[:-1]]
    first = np.searchsorted(parent, np.arange(above.n_nodes))
    children = np.bincount(parent, minlength=above.n_nodes)
    position = np.arange(below.n_nodes) - first[parent]
    half = 2 * parent + (2 * position >= children[parent])
    blocks = np.unique(half, return_inverse=True)[1].astype(np.int32)[below.blocks]
    between = Level(blocks)
    taxonomy = Taxonomy(attribute.taxonomy.domain, (*levels[:level], between, *levels[level:]))
    return evolve(attribute, taxonomy=taxonomy)


def _loss_of(
    release: GeneralizedRelease,
    models: tuple[GroupModel, ...],
    task: Task,
    among: BoolArray | None = None,
) -> float | None:
    """Search again, among some of the finest groups, and measure what comes out; None if nothing.

    The records of the other finest groups count as suppressed.
    """
    finest = release.counted.finest
    kept = finest if among is None else finest.select(among).alone()
    try:
        solution = release.method.search(kept, All(models), task)
    except UnlinkableError:
        return None
    found = solution.partition
    if among is not None:
        labels = np.full(len(finest), -1, np.int32)
        labels[among] = found.labels
        found = Partition(finest, labels, found.lo, found.hi)
    return release.metric.loss(Shown.of(found, task.attributes))
