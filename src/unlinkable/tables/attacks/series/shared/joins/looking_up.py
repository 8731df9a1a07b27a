"""Looking up what a join tells, if what is known of a record tells how it matches.

Each group of the join is then a part of each release, all of whose records match: the share of a
value is what it is in the release that tells the value, and no row has to be counted.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unlinkable.kernels.counting import sum_by_label
from unlinkable.tables.attacks.series.shared.joins.told import Question, Told, greatest
from unlinkable.tables.attacks.series.shared.joins.trees import Hidden, Tree
from unlinkable.tables.models import is_within
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["look_up"]


def look_up(trees: Sequence[Tree], which: CodeArray, question: Question) -> Told:
    """Count a join in which x tells how records match.

    Parameters
    ----------
    trees
        The releases.
    which
        The nodes of all releases that match each other, from `match_all`.
    question
        What is asked.
    """
    i, hidden = question.release, question.hidden
    tree = trees[i]
    is_there = np.zeros(len(tree.nodes), bool)
    is_there[which[:, i]] = True
    there = is_there[tree.node]
    kinds, peak, value = _by_part(hidden, question.is_asked, len(tree))
    is_bad = there & (~is_within(peak, question.most, tree.size) | (kinds < question.k))
    order = greatest(peak, tree.size, there)
    rows = np.full((order.size, len(trees)), -1, np.int64)
    rows[:, i] = tree.sample[tree.x[order], 0]
    n_parts = [np.diff(t.starts)[which[:, j]].astype(float) for j, t in enumerate(trees)]
    n_bad = sum_by_label(is_bad.astype(np.int64), tree.node, len(tree.nodes))[which[:, i]]
    others = [n for j, n in enumerate(n_parts) if j != i]
    best = order[:1]
    return Told(
        part=int(peak[best].sum()),
        whole=int(tree.size[best].sum()) or 1,
        kinds=int(kinds[there].min()) if there.any() else 0,
        least=float(np.prod(_least(trees, which), axis=0).min(initial=np.inf)),
        groups=float(np.prod(n_parts, axis=0).sum()),
        sharper=0.0,
        weaker=float(_n_weaker(trees, which, n_parts).sum()),
        bad=float((np.prod(others, axis=0) * n_bad).sum()),
        falls=_fall(trees, which, i, is_bad),
        shares=peak[order],
        wholes=tree.size[order],
        values=value[order],
        rows=rows,
        people=tree.size[order],
    )


def _by_part(
    hidden: Hidden, is_asked: BoolArray, n_parts: int
) -> tuple[CountArray, CountArray, CodeArray]:
    """Count the different values of each part, and find the most frequent one that is asked."""
    starts = hidden.by_part(n_parts)
    amounts = np.where(is_asked[hidden.y], hidden.count, 0)
    peak = np.maximum.reduceat(amounts, starts[:-1]) if n_parts else amounts
    at_peak = np.flatnonzero(amounts == peak[hidden.part])
    value = np.empty(n_parts, np.int32)
    value[hidden.part[at_peak[::-1]]] = hidden.y[at_peak[::-1]]
    return np.diff(starts), peak, value


def _least(trees: Sequence[Tree], which: CodeArray) -> list[FloatArray]:
    """Give for each release the least part of every node that matches others."""
    return [
        np.minimum.reduceat(t.size, t.starts[:-1]).astype(float)[which[:, j]]
        for j, t in enumerate(trees)
    ]


def _n_weaker(trees: Sequence[Tree], which: CodeArray, n_parts: list[FloatArray]) -> FloatArray:
    """Count the groups with more rows than any release has records: two parts of them have several.

    These are all but the groups in which at most one part has more than one record; all, if of one
    release nothing is known.
    """
    everything: FloatArray = np.prod(n_parts, axis=0)
    if any(tree.is_blank and tree.size.sum() > 1 for tree in trees):
        return everything
    small = np.ones(len(which))
    one_large = np.zeros(len(which))
    for j, tree in enumerate(trees):
        singles = (tree.size == 1).astype(np.int64)
        n_single = sum_by_label(singles, tree.node, len(tree.nodes))[which[:, j]].astype(float)
        one_large = one_large * n_single + small * (n_parts[j] - n_single)
        small = small * n_single
    weaker: FloatArray = everything - small - one_large
    return weaker


def _fall(trees: Sequence[Tree], which: CodeArray, i: int, is_bad: BoolArray) -> BoolArray:
    """Tell which parts of the last release are in a group with a bad part of release i."""
    last = trees[-1]
    if i == len(trees) - 1:
        return is_bad
    bad_nodes = np.zeros(len(trees[i].nodes), bool)
    bad_nodes[trees[i].node[is_bad]] = True
    falls = np.zeros(len(last.nodes), bool)
    falls[which[bad_nodes[which[:, i]], -1]] = True
    found: BoolArray = falls[last.node]
    return found
