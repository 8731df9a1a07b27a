"""Effects: what a join does, beside what each release tells by itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import define

from unlinkable.kernels.counting import sum_by_label
from unlinkable.release.attacks import Victim
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.series.series import Series
from unlinkable.tables.attacks.series.shared.joins.columns import Releases
from unlinkable.tables.attacks.series.shared.joins.join_counts import JoinCounts, Question
from unlinkable.tables.attacks.series.shared.joins.join_targets import JoinTarget
from unlinkable.tables.attacks.series.shared.joins.trees import Hidden, Tree, count_dangling
from unlinkable.tables.attacks.shared.victims import TopVictims
from unlinkable.typing import CodeArray, CountArray

__all__ = ["JoinEffects", "Peak", "alone", "effects", "found_by_joining", "offer_victims"]


@define(frozen=True)
class Peak:
    """The greatest share that a value has of a group: so many records of so many."""

    part: int
    whole: int


@define(eq=False, frozen=True)
class JoinEffects:
    """A join, counted.

    Attributes
    ----------
    releases, trees
        What was joined.
    which
        The nodes of all releases that match each other.
    targets, counts, before
        The sensitive columns; what the join tells of them, and what the release that tells them
        does by itself.
    """

    releases: Releases
    trees: tuple[Tree, ...]
    which: CodeArray
    targets: tuple[JoinTarget, ...]
    counts: tuple[JoinCounts, ...]
    before: tuple[Peak, ...]

    @property
    def dangling(self) -> list[int]:
        """For each release the number of records that match nothing."""
        return count_dangling(self.trees, self.which)

    @property
    def rows(self) -> int:
        """How many rows the join has."""
        product = [
            sum_by_label(t.size, t.node, len(t.nodes))[self.which[:, i]]
            for i, t in enumerate(self.trees)
        ]
        if float(np.prod([p.astype(float) for p in product], axis=0).sum()) < 1 << 62:
            return int(np.prod(product, axis=0).sum())
        return int(np.prod([p.astype(object) for p in product], axis=0).sum())


def alone(tree: Tree, question: Question) -> Peak:
    """Compute the confidence by the release with the column alone, given what it shows of x."""
    hidden = question.hidden
    by_x = Hidden.of(tree.x[hidden.part], hidden.y, hidden.count)
    counts = np.where(question.is_asked[by_x.y], by_x.count, 0)
    wholes = tree.groups[by_x.part]
    if not counts.size:
        return Peak(0, 1)
    best = int(np.argmax(counts / wholes))
    return Peak(int(counts[best]), int(wholes[best]))


def effects(found: JoinEffects, series: Series) -> dict[str, int | float | str | None]:
    """Write down what a join does."""
    counts, n = found.counts, len(found.trees)
    details: dict[str, int | float | str | None] = {
        "rows": found.rows,
        "groups": int(counts[0].groups),
        "matched_on": ", ".join(found.releases.matched) or None,
        "smallest_group": int(counts[0].least) if np.isfinite(counts[0].least) else None,
        "sharper": int(counts[0].sharper),
        "weaker": int(counts[0].weaker),
        "too_telling": int(max(t.bad for t in counts)),
        "fewest_values": min(t.kinds for t in counts),
    }
    for i, tree in enumerate(found.trees):
        details[f"smallest_group_{i + 1}"] = int(tree.groups.min()) if tree.n_x else None
    for target, before, after in zip(found.targets, found.before, counts, strict=True):
        called = target.column if target.value is None else f"{target.column}={target.value}"
        details[f"sure_of_{called}_alone"] = before.part / before.whole
        details[f"sure_of_{called}_joined"] = after.part / after.whole
    for i, n_dangling in enumerate(found.dangling):
        details[f"dangling_{i + 1}"] = n_dangling
    if series.knows_people and series.repeated is None and n:
        details["true_matches"] = _n_true(found, series)
    return details


def _n_true(found: JoinEffects, series: Series) -> int:
    """Count the people who are in all releases and whose records match."""
    rows: list[CountArray] = []
    everywhere = np.ones(series.n_people, bool)
    for edition in series.editions:
        row = np.full(series.n_people, -1, np.int64)
        people = edition.people
        assert people is not None
        row[people[people >= 0]] = np.flatnonzero(people >= 0)
        everywhere &= row >= 0
        rows.append(row)
    shown = [found.releases.nodes(i).take(row[everywhere]) for i, row in enumerate(rows)]
    matches = np.ones(int(everywhere.sum()), bool)
    together = shown[0]
    for node in shown[1:]:
        clash = (together.first & node.second) | (together.second & node.first)
        together = together.meet(node)
        matches &= (clash == 0) & (together.lo < together.hi).all(axis=1)
    return int(matches.sum())


def found_by_joining(found: JoinEffects, n_fallen: int, n_attacked: int, highest: float) -> str:
    """Say who is exposed by the join, and how much more it tells than a release by itself."""
    who = quantity(n_attacked, "person", "people")
    by_itself = max((b.part / b.whole for b in found.before), default=0.0)
    beside = f"a release by itself makes at most {by_itself:.3g} sure"
    if n_fallen:
        text = (
            f"{n_fallen:,} of {who} are in groups of the join that tell too much: the join "
            f"makes up to {highest:.3g} sure, and {beside}."
        )
    else:
        text = f"Nobody of {who} falls: the join makes at most {highest:.3g} sure; {beside}."
    n_dangling = sum(found.dangling)
    if n_dangling:
        text += (
            f" {quantity(n_dangling, 'record')} match nothing: the releases are not of the "
            "same people, or values are written in different ways."
        )
    return text


def offer_victims(
    surest: TopVictims,
    found: JoinEffects,
    target: JoinTarget,
    counts: JoinCounts,
    names: Sequence[str],
) -> None:
    """Offer the groups of the join with the highest confidence as victims."""
    texts = found.releases.coded(target.column)[1]

    def tell(at: int) -> Victim:
        return Victim(
            found.releases.look(counts.rows[at], names),
            float(counts.shares[at] / counts.wholes[at]),
            {target.column: texts[int(counts.values[at])] or ""},
            records=int(counts.wholes[at]),
            people=int(counts.people[at]),
        )

    surest.offer(counts.shares / counts.wholes, tell)
