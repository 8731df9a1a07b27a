"""Boxes: the lattice searched in parts, each bounded by its upper and its lower node.

At the upper node of a box the fewest records have to be suppressed, at the lower one values lose
the least: together they bound the loss of every node between them.
"""

from __future__ import annotations

import math
from time import monotonic
from typing import NamedTuple

from unlinkable.tables.methods.lattice.shared.best_release import Best
from unlinkable.tables.methods.lattice.shared.lattice import Node
from unlinkable.tables.methods.lattice.shared.loss_bounds import LeastSuppression
from unlinkable.tables.methods.lattice.shared.survey import Survey
from unlinkable.tables.methods.shared.stop_rule import StopRule

__all__ = ["Walk"]

_OFTEN = 0.05
"""Seconds between two reports of progress."""


class _Box(NamedTuple):
    """All nodes between two, of which the upper one may have been checked already.

    Attributes
    ----------
    low, high
        The nodes.
    n_nodes
        How many nodes are between them, both included.
    floor
        The least that any of them can lose.
    suppression, n_lost
        What all of them leave out, and how many records that is at least.
    is_checked, is_bounded
        Whether the upper node was checked, and whether the floor is as high as possible.
    """

    low: Node
    high: Node
    n_nodes: int
    floor: float = -math.inf
    suppression: LeastSuppression | None = None
    n_lost: int = 0
    is_checked: bool = False
    is_bounded: bool = False


class Walk:
    """One search: which boxes are left, and the best release so far."""

    def __init__(self, survey: Survey, stop_rule: StopRule) -> None:
        lattice = survey.lattice
        self.survey = survey
        self.best = Best()
        self.n_nodes = lattice.n_nodes
        self.n_checked = self.n_bounded = self.n_pruned = 0
        self._stop_rule = stop_rule
        self._told = monotonic()
        self._boxes = [_Box(lattice.bottom, lattice.top, lattice.n_nodes)]

    @property
    def effort(self) -> dict[str, int]:
        """What it took."""
        return {
            "nodes": self.n_nodes,
            "checked": self.n_checked,
            "bounded": self.n_bounded,
            "pruned_below": self.n_pruned,
            "groups": self.survey.rollup.n_added,
        }

    def run(self) -> bool:
        """Search all boxes; tell whether the search was completed."""
        while self._boxes:
            if self.n_checked and self._stop_rule.is_over():
                return False
            box = self._shrunk(self._boxes.pop())
            if box is None:
                continue
            if box.is_checked:
                self._split(box)
            elif self._is_over():
                return False
            else:
                self._check(box)
        self.survey.settle(self.best, self._stop_rule.is_over)
        return self.best.is_proven or not self._stop_rule.is_over()

    def _shrunk(self, box: _Box) -> _Box | None:
        """Remove from a box what cannot be better than the best; None if nothing is left."""
        low, high, n_nodes, floor, suppression, n_lost, is_checked, is_bounded = box
        bounds, best = self.survey.bounds, self.best
        if not is_bounded and best.may_be_beaten(floor, n_lost, low):
            floor = max(floor, bounds.floor(low, suppression))
        if not best.may_be_beaten(floor, n_lost, low):
            # If the upper node was checked, it is counted there already.
            self.n_bounded += n_nodes - is_checked
            return None
        # Levels of the upper node with which everything loses too much are cut off.
        lower = bounds.lower(low, high, suppression, best.most)
        if lower != high:
            n_left = math.prod([b - a + 1 for a, b in zip(low, lower, strict=True)])
            self.n_bounded += n_nodes - is_checked - n_left
            # The upper node is a new one now, so it has not been checked.
            n_nodes, is_checked = n_left, False
        return _Box(low, lower, n_nodes, floor, suppression, n_lost, is_checked, True)

    def _check(self, box: _Box) -> None:
        """Judge the upper node of a box, and put back what that does not decide."""
        low, high, n_nodes, floor, _, n_lost, _, _ = box
        self.n_checked += 1
        groups, finding = self.survey.look(high, self.best)
        self.best.doubt(finding.floor, high)
        if finding.is_hopeless:
            self.n_pruned += n_nodes - 1
            return
        loss, suppression = self.survey.bounds.weigh(groups, finding)
        if loss is not None:
            self.best.offer(loss, finding.n_suppressed, high, finding.keep)
        if n_nodes > 1:
            n_lost = max(n_lost, finding.n_lost)
            # What is lost at the upper node is lost in the whole box: finer tables lose no less.
            self._boxes.append(_Box(low, high, n_nodes, floor, suppression, n_lost, True, False))

    def _split(self, box: _Box) -> None:
        """Divide a box at the attribute with the most at stake: at its highest level, or below it.

        The box without that level is searched first: it is where less is lost.
        """
        low, high, n_nodes, floor, suppression, n_lost, _, _ = box
        stake = self.survey.bounds.stake
        most, j = (-math.inf, 0), 0
        for i, (a, b) in enumerate(zip(low, high, strict=True)):
            if a < b and (this := (stake(i, a, b), b - a)) > most:
                most, j = this, i
        n_held = n_nodes // (high[j] - low[j] + 1)
        held = (*low[:j], high[j], *low[j + 1 :])
        below = (*high[:j], high[j] - 1, *high[j + 1 :])
        n_below = n_nodes - n_held
        if n_held > 1:
            # The stack is last in, first out, so the box to be searched first is pushed last.
            self._boxes.append(_Box(held, high, n_held, floor, suppression, n_lost, True, False))
        self._boxes.append(_Box(low, below, n_below, floor, suppression, n_lost, False, True))

    def _is_over(self) -> bool:
        """Whether the limits are reached; also report progress, now and then."""
        if (now := monotonic()) - self._told > _OFTEN:
            self._told = now
            n_settled = self.n_checked + self.n_bounded + self.n_pruned
            words = f"{self.n_checked:,} of {self.survey.lattice.n_nodes_in_words} nodes checked"
            share = max(n_settled / self.n_nodes, self._stop_rule.share_spent)
            self.survey.task.progress(share, words)
        return self.n_checked > 0 and not self._stop_rule.allows_another()
