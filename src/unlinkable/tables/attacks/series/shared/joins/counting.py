"""Counting what any join tells, part by part.

Where records of a group match in different ways, the rows of the join that each pair of parts
stands for are added up (`kernels.joined_counts`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unlinkable.kernels.counting import count_joined
from unlinkable.kernels.counting import joined_counts as at
from unlinkable.tables.attacks.series.shared.joins.nodes import match
from unlinkable.tables.attacks.series.shared.joins.told import Question, Told, greatest
from unlinkable.tables.attacks.series.shared.joins.trees import (
    Hidden,
    Tree,
    refuse_too_many,
    starts_of,
)
from unlinkable.tables.groups import number_rows
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["ask_groups", "count_all"]


def count_all(trees: Sequence[Tree], sizes: tuple[int, ...], question: Question) -> Told:
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
    return Told(
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
