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
from attrs import define, evolve

from unlinkable.errors import UnlinkableError
from unlinkable.groups import Groups
from unlinkable.methods.base import Task
from unlinkable.privacy.base import All, GroupModel
from unlinkable.release.release import Release
from unlinkable.table import Attribute, Level, Taxonomy
from unlinkable.typing import CodeArray
from unlinkable.utility.base import CellMetric, Shown

__all__ = ["AttributeCost", "CostlyRecords", "Explanation", "WhatIf", "explain"]

_MOST_COLUMNS = 3
"""How many columns are tried with a finer taxonomy."""

_FEW = 10
"""How many groups of costly records are named."""


@define(frozen=True)
class AttributeCost:
    """What a column lost: ``share`` of its own information, ``part`` of the loss of the release."""

    name: str
    share: float
    part: float
    level: int | None
    height: int


@define(eq=False, frozen=True)
class CostlyRecords:
    """Records that stand in the way: if these few were left out, others could say more.

    ``rows`` are positions in the original table, for the holder's eyes only.
    """

    rows: CodeArray
    reason: str


@define(frozen=True)
class WhatIf:
    """What a change would save: the loss after it, and how much less that is."""

    change: str
    loss: float
    saves: float


@define(eq=False, frozen=True)
class Explanation:
    """Where the loss of a release comes from, and what would reduce it.

    Attributes
    ----------
    metric, loss
        The measure, and what it says of the release.
    attributes
        What each column lost, the costliest first.
    records
        The few records that cost the most.
    what_if
        Changes that were tried, the most helpful first.
    """

    metric: str
    loss: float
    attributes: tuple[AttributeCost, ...]
    records: CostlyRecords
    what_if: tuple[WhatIf, ...]

    def sentences(self) -> Iterator[str]:
        """Say it in words."""
        yield f"The release loses {self.loss:.4g} by {self.metric}."
        for cost in self.attributes[:_MOST_COLUMNS]:
            at = "" if cost.level is None else f" (level {cost.level} of {cost.height})"
            yield (
                f"{cost.name}{at} lost {cost.share:.0%} of its precision, "
                f"which is {cost.part:.0%} of the whole loss."
            )
        if self.records.rows.size:
            yield f"{self.records.rows.size} records stand in the way: {self.records.reason}"
        for change in self.what_if:
            if change.saves > 0:
                yield f"{change.change} would bring the loss to {change.loss:.4g}."
        if not any(change.saves > 0 for change in self.what_if):
            yield "None of the changes that were tried would reduce the loss."

    def to_json(self) -> dict[str, object]:
        """Give the explanation as plain values."""
        return {
            "metric": self.metric,
            "loss": self.loss,
            "attributes": [
                {"name": c.name, "share": c.share, "part": c.part, "level": c.level}
                for c in self.attributes
            ],
            "costly_records": {
                "rows": self.records.rows.tolist(),
                "reason": self.records.reason,
            },
            "what_if": [
                {"change": w.change, "loss": w.loss, "saves": w.saves} for w in self.what_if
            ],
        }

    def __str__(self) -> str:
        return "\n".join(self.sentences())


def explain(release: Release) -> Explanation:
    """Say which columns and records cost the most, and try what would help."""
    loss = release.measure()
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
        records=_costly_records(release),
        what_if=tuple(sorted(outcomes, key=lambda w: -w.saves)),
    )


def _attribute_costs(release: Release) -> tuple[AttributeCost, ...]:
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


def _costly_records(release: Release) -> CostlyRecords:
    """Find the records that fall out first if the costliest column is told more precisely.

    These are the records whose neighbours on the other columns are too few: in the published
    groups that lose most, the finest groups farthest from the others.
    """
    finest, partition = release.counted.finest, release.solution.partition
    cells = np.zeros(partition.n_parts)
    from unlinkable.utility import ILoss

    metric = release.metric if isinstance(release.metric, CellMetric) else ILoss()
    for j, attribute in enumerate(release.task.attributes):
        importance = release.shown.importance[j]
        lo, hi = partition.lo[:, j], partition.hi[:, j]
        cells += importance * metric.cells(attribute.taxonomy, lo, hi)
    kept = partition.labels >= 0
    rarity = _rarity(finest)
    cost = np.where(kept, cells[partition.labels], -1.0) + rarity / (1 + rarity.max())
    worst = np.argsort(-cost, kind="stable")[:_FEW]
    worst = worst[cost[worst] > 0]
    rows = np.flatnonzero(np.isin(release.counted.labels, worst)).astype(np.int32)
    return CostlyRecords(
        rows, "they combine rare values, so that their groups must show little about anybody."
    )


def _rarity(finest: Groups) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Add up over the columns how rare the values of each finest group are."""
    rarity = np.zeros(len(finest))
    for j in range(finest.keys.shape[1]):
        counts = np.bincount(finest.keys[:, j], weights=finest.sizes)
        rarity -= np.log(counts[finest.keys[:, j]] / finest.n_records)
    return rarity


_Trial = tuple[str, tuple[GroupModel, ...], Task]


def _more_suppression(release: Release) -> Iterator[_Trial]:
    more = release.task.suppression + Fraction(1, 100)
    if more < 1:
        share = f"{float(more):.1%}"
        yield (
            f"Leaving out up to {share} of the records instead of "
            f"{float(release.task.suppression):.1%}",
            release.models,
            evolve(release.task, suppression=more),
        )


def _weaker_promises(release: Release) -> Iterator[_Trial]:
    for i, model in enumerate(release.models):
        weaker = model.weaker()
        if weaker is not None:
            models = (*release.models[:i], weaker, *release.models[i + 1 :])
            yield f"Promising {weaker} instead of {model}", models, release.task


def _levels_between(release: Release) -> Iterator[_Trial]:
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


def _loss_of(release: Release, models: tuple[GroupModel, ...], task: Task) -> float | None:
    """Search again, and measure what comes out; None if nothing does."""
    try:
        solution = release.method.search(release.counted.finest, All(models), task)
    except UnlinkableError:
        return None
    return release.metric.measure(Shown.of(solution.partition, task.attributes))
