"""Join counts: what a join tells of a column, counted part by part.

Where records of a group match in different ways, the rows of the join that each pair of parts
stands for are added up (`kernels.joined_counts`).

If what is known of a record tells how it matches, nothing has to be counted. Each group of the join
is then a part of each release, all of whose records match: the share of a value is what it is in
the release that tells the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from attrs import define

from unlinkable.kernels.counting import count_joined, sum_by_label
from unlinkable.kernels.counting import joined_counts as at
from unlinkable.tables.attacks.base.attack import MOST_SHOWN
from unlinkable.tables.attacks.series.shared.joins.nodes import match
from unlinkable.tables.attacks.series.shared.joins.trees import (
    Hidden,
    Tree,
    refuse_too_many,
    starts_of,
)
from unlinkable.tables.groups import number_rows
from unlinkable.tables.models import is_within
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["JoinCounts", "Question", "ask_groups", "count_all", "greatest", "look_up"]


@define(eq=False, frozen=True)
class Question:
    """What is asked of one column.

    Attributes
    ----------
    release
        Which release tells it, by its place.
    hidden
        How many records of each part of that release have each value.
    is_asked
        Which values count.
    most
        How large a share of a group may be.
    k
        How many different values a group must have.
    """

    release: int
    hidden: Hidden
    is_asked: BoolArray
    most: Fraction
    k: int


@define(eq=False, frozen=True)
class JoinCounts:
    """What a join tells of one column.

    Attributes
    ----------
    part, whole
        The greatest share that a value has of a group: so many rows of so many.
    kinds
        The fewest different values of a group.
    least
        The fewest rows of a group.
    groups, sharper, weaker, bad
        How many groups there are; how many have fewer rows than any release by itself has records
        that show the same, and how many have more; how many tell too much.
    falls
        Which parts of the last release are in a group that tells too much.
    shares, wholes, values, rows, people
        The groups that tell most: the share and its whole, the value, a record of each release (-1
        where it does not matter), and the records of the release that are in it.
    """

    part: int
    whole: int
    kinds: int
    least: float
    groups: float
    sharper: float
    weaker: float
    bad: float
    falls: BoolArray
    shares: CountArray
    wholes: CountArray
    values: CodeArray
    rows: CountArray
    people: CountArray


def greatest(parts: CountArray, wholes: CountArray, there: BoolArray) -> CountArray:
    """Give the places of the greatest shares, the greatest first."""
    shares = np.where(there, parts / np.maximum(wholes, 1), 0.0)
    order = np.argsort(-shares, kind="stable")[:MOST_SHOWN]
    best: CountArray = order[shares[order] > 0]
    return best


def count_all(trees: Sequence[Tree], sizes: tuple[int, ...], question: Question) -> JoinCounts:
    """Count any join: that of all earlier releases, part by part, and then with the last one.

    Raises
    ------
    UnsupportedError
        If it has too many groups, or more rows than can be counted.
    """
    *earlier, last = trees
    hides = [
        question.hidden if j == question.release else tree.everything()
        for j, tree in enumerate(trees)
    ]
    first, hidden = earlier[0], hides[0]
    for tree, its in zip(earlier[1:], hides[1:-1], strict=True):
        first, hidden = first.join(tree, hidden, its, sizes)
    indptr, found = match(last.nodes, first.nodes, sizes)
    is_last = question.release == len(trees) - 1
    levels, falls = ask_groups(
        (first, hidden), (last, hides[-1]), (indptr, found), question, is_last=is_last
    )
    is_there = levels[:, at.GROUPS] > 0
    levels, xs = levels[is_there], np.flatnonzero(is_there)
    order = greatest(levels[:, at.PART], levels[:, at.WHOLE], levels[:, at.X] >= 0)
    best, worst = order[:1], levels[order]
    y = worst[:, at.Y2 if is_last else at.Y1]
    return JoinCounts(
        part=int(levels[best, at.PART].sum()),
        whole=int(levels[best, at.WHOLE].sum()) or 1,
        kinds=int(levels[:, at.LEAST_KINDS].min()) if len(levels) else 0,
        least=float(levels[:, at.LEAST_ROWS].min()) if len(levels) else np.inf,
        groups=float(levels[:, at.GROUPS].sum()),
        sharper=float(levels[:, at.SHARPER].sum()),
        weaker=float(levels[:, at.WEAKER].sum()),
        bad=float(levels[:, at.BAD].sum()),
        falls=falls,
        shares=worst[:, at.PART],
        wholes=worst[:, at.WHOLE],
        values=y.astype(np.int32),
        rows=np.column_stack([first.sample[worst[:, at.X]], last.sample[xs[order]]]),
        people=last.groups[xs[order]],
    )


def ask_groups(
    first: tuple[Tree, Hidden],
    second: tuple[Tree, Hidden],
    matches: tuple[CountArray, CodeArray],
    question: Question,
    *,
    is_last: bool,
) -> tuple[CountArray, BoolArray]:
    """Count the groups of the join of two trees; see `kernels.joined_counts.count_joined`.

    Parameters
    ----------
    first, second
        The trees, and what their parts hide; at most one of them hides anything.
    matches
        For each node of the second the nodes of the first that match.
    question
        What is asked.
    is_last
        Whether the second tree tells it.

    Raises
    ------
    UnsupportedError
        If the join has more rows than can be counted.
    """
    (tree, hidden), (last, its) = first, second
    refuse_too_many(tree, last)
    order = np.argsort(last.x, kind="stable")
    place = np.empty(order.size, np.int64)
    place[order] = np.arange(order.size)
    by_y = np.lexsort((its.y, last.x[its.part]))
    part = its.part[by_y]
    pair, of = number_rows(np.column_stack([tree.x[hidden.part], hidden.y]))
    nothing = np.ones(1, bool)
    asked = (nothing, question.is_asked) if is_last else (question.is_asked, nothing)
    levels, falls = count_joined(
        starts_of(last.x, last.n_x),
        last.node[order],
        last.size[order],
        starts_of(last.x[its.part], last.n_x),
        np.column_stack([its.y[by_y], last.node[part], its.count[by_y]]).astype(np.int64),
        matches[0],
        matches[1],
        tree.starts,
        np.column_stack([tree.x, tree.size]).astype(np.int64),
        starts_of(tree.node[hidden.part], len(tree.nodes)),
        np.column_stack([pair, hidden.count]).astype(np.int64),
        np.column_stack([tree.x[hidden.part][of], hidden.y[of]]).astype(np.int32),
        tree.alone,
        last.alone,
        asked[0],
        asked[1],
        (question.most.numerator, question.most.denominator),
        question.k,
    )
    return levels, falls[place]


def look_up(trees: Sequence[Tree], which: CodeArray, question: Question) -> JoinCounts:
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
    return JoinCounts(
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
