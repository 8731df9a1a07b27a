"""Predictive tagging: what checked nodes imply for those that were not checked.

If a promise holds at a node, it holds at all nodes above; if it does not, it holds at none below.
So every node that is checked tags all that are above or below it [1]_.

Tagging finds the minimal releases: those with no release below. Without suppression the best
release is one of them, because values become no more precise on the way up. With suppression it may
not be: a record that is suppressed at a minimal release may be published above it, and a table with
all records may lose less although its values are coarser.

References
----------
.. [1] K. El Emam et al. "A globally optimal k-anonymity method for the de-identification of health
   data." JAMIA 16(5), 2009.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

import numpy as np

from unlinkable.errors import UnsupportedError
from unlinkable.tables.methods.base.search import Search
from unlinkable.tables.methods.lattice.shared.best_release import Best
from unlinkable.tables.methods.lattice.shared.lattice import Node
from unlinkable.tables.methods.lattice.shared.node_groups import NodeGroups
from unlinkable.tables.methods.lattice.shared.node_judging import Finding
from unlinkable.tables.methods.lattice.shared.survey import Survey

__all__ = ["Tags", "best_minimal"]

_MOST_NODES = 1 << 27
"""One byte for every node is kept of lattices of up to this size."""

_OFTEN = 0.05
"""Seconds between two reports of progress."""

_RELEASE, _NONE = 1, 2
"""What is known of a node; 0 if nothing is."""


class Tags:
    """Which nodes of a lattice are known to be releases, and which are known not to be.

    Only for promises that are kept above every release.
    """

    def __init__(self, survey: Survey, method: Search) -> None:
        """Start without any tags.

        Raises
        ------
        UnsupportedError
            If there are too many nodes to keep a tag of each.
        """
        lattice = survey.lattice
        if lattice.n_nodes > _MOST_NODES:
            raise UnsupportedError(
                f"{method} keeps a tag of every node, and there are {lattice.n_nodes_in_words}: "
                "use the method optimal, which does not, or give columns fewer levels"
            )
        self.survey = survey
        self.n_checked = 0
        self._n_releases = 0
        self._tags = np.zeros([h + 1 for h in survey.lattice.heights], np.int8)
        self._told = monotonic()

    def is_known(self, node: Node) -> bool:
        """Whether it is known if a node is a release."""
        return bool(self._tags[node])

    def is_ruled_out(self, node: Node) -> bool:
        """Whether a node is known not to be a release."""
        return bool(self._tags[node] == _NONE)

    def is_settled(self, low: Node, high: Node) -> bool:
        """Whether all nodes between two are known."""
        box = tuple(slice(a, b + 1) for a, b in zip(low, high, strict=True))
        return bool(self._tags[box].all())

    def is_release(self, node: Node) -> bool:
        """Tell whether a node is a release; check it if that is not known."""
        if not self._tags[node]:
            self.check(node)
        return bool(self._tags[node] == _RELEASE)

    def check(self, node: Node) -> tuple[NodeGroups, Finding]:
        """Judge a node, and tag all nodes above or below it that this decides."""
        groups, finding = self.survey.look(node)
        self.n_checked += 1
        if finding.is_release:
            self._n_releases += 1
            # The tags are an array with one axis per attribute, so all nodes above are one slice.
            self._tags[tuple(slice(level, None) for level in node)] = _RELEASE
        else:
            self._tags[tuple(slice(level + 1) for level in node)] = _NONE
        self._tell()
        return groups, finding

    def minimal(self) -> list[Node]:
        """List the known releases that have none one step below, in lexicographic order."""
        is_minimal = self._tags == _RELEASE
        # The mask is copied: every axis must be compared with all releases, not with those left so
        # far.
        above = is_minimal.copy()
        for axis in range(above.ndim):
            rest, ends = (slice(None),) * axis, (slice(1, None), slice(-1))
            is_minimal[(*rest, ends[0])] &= ~above[(*rest, ends[1])]
        return [tuple(node) for node in np.argwhere(is_minimal).tolist()]

    @property
    def n_implied_above(self) -> int:
        """Number of nodes that are releases because they are above one."""
        return int(np.count_nonzero(self._tags == _RELEASE)) - self._n_releases

    @property
    def n_pruned_below(self) -> int:
        """Number of nodes that are no releases because they are below one that is none."""
        n_failed = self.n_checked - self._n_releases
        return int(np.count_nonzero(self._tags == _NONE)) - n_failed

    def effort(self) -> dict[str, int]:
        """Say what it took to know all nodes."""
        return {
            "nodes": self._tags.size,
            "checked": self.n_checked,
            "implied_above": self.n_implied_above,
            "pruned_below": self.n_pruned_below,
            "groups": self.survey.rollup.n_added,
        }

    def _tell(self) -> None:
        """Report progress, now and then."""
        if monotonic() - self._told > _OFTEN:
            self._told = monotonic()
            share = np.count_nonzero(self._tags) / self._tags.size
            words = f"{self.n_checked:,} of {self._tags.size:,} nodes checked"
            self.survey.task.progress(share, words)


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
