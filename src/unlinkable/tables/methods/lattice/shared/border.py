"""Border: the best of the minimal releases, and whether no other one loses less.

A release is minimal if there is none below it. Without suppression nothing is gained on the way up,
because values become no more precise, so the best release is a minimal one. With suppression it may
not be: a record that is suppressed at a minimal release may be published above it, and a table with
all records may lose less although its values are coarser.
"""

from __future__ import annotations

from collections.abc import Sequence

from unlinkable.tables.methods.lattice.shared.best import Best
from unlinkable.tables.methods.lattice.shared.lattice import Node
from unlinkable.tables.methods.lattice.shared.survey import Survey

__all__ = ["best_minimal"]


def best_minimal(
    survey: Survey, minimal: Sequence[Node], order: Sequence[int] | None = None
) -> tuple[Node, bool]:
    """Find the minimal release that loses the least, and tell whether it is proven to be optimal.

    Parameters
    ----------
    survey
        What is searched. All releases are above minimal ones.
    minimal
        All minimal releases: at least one.
    order
        In which order the levels of attributes are compared where all else is equal; as they are
        given if not told.
    """
    places = order or range(len(survey.lattice.heights))
    best, chosen = Best(), minimal[0]
    for node in minimal:
        groups, finding = survey.look(node)
        ranked = tuple(node[j] for j in places)
        best.doubt(finding.floor, ranked)
        best.offer(survey.bounds.measure(groups, finding.keep), finding.n_suppressed, ranked)
        if best.node == ranked:
            chosen = node
    return chosen, _is_proven(survey, minimal, best)


def _is_proven(survey: Survey, minimal: Sequence[Node], best: Best) -> bool:
    """Whether no release above the minimal ones can lose less than the best."""
    if not best.is_proven:
        return False
    # Without suppression a monotone metric only grows on the way up from a minimal release.
    if survey.judge.limit == 0 and survey.task.metric.monotone:
        return True
    floor = survey.bounds.floor
    # Every other release lies above some minimal one. If the bound at the minimal release, or at
    # all nodes one step above it, is no less than the best, nothing further up can be better.
    return all(
        not best.may_lose_less(floor(node, None))
        or not any(
            best.may_lose_less(floor(up, None)) for up in survey.lattice.generalizations(node)
        )
        for node in minimal
    )
