"""Best: the release that loses the least so far.

Losses that differ by less than one part in 10^12 are taken for equal: so much may come from how
numbers are rounded. Of equal losses, the release that leaves out fewer records is the better one,
then the one at a lower node of the lattice (levels added up), then the first in lexicographic order
of levels.
"""

from __future__ import annotations

from unlinkable.tables.methods.lattice.shared.lattice import Node
from unlinkable.typing import BoolArray

__all__ = ["Best"]

_NOISE = 1e-12
"""What rounding may do to a loss, as a share of it."""


class Best:
    """Keeps the better of what it is offered.

    Examples
    --------
    >>> best = Best()
    >>> best.offer(0.5, 0, (1, 1))
    >>> best.offer(0.5, 0, (0, 2))
    >>> best.offer(0.7, 0, (0, 0))
    >>> best.node, best.loss
    ((0, 2), 0.5)
    """

    def __init__(self) -> None:
        self.node: Node | None = None
        self.keep: BoolArray | None = None
        self.loss = float("inf")
        self._doubts: list[tuple[float, Node]] = []
        self._rank: tuple[int, int, Node] = (0, 0, ())

    @property
    def most(self) -> float:
        """What nothing that is as good loses more than."""
        return self.loss + _noise(self.loss)

    @property
    def is_proven(self) -> bool:
        """Whether no other release may lose less, or exist at all if none was found."""
        return not self.doubts()

    def doubt(self, floor: float, node: Node) -> None:
        """Note that a node may have another release, which loses no less than a floor."""
        if floor < float("inf"):
            self._doubts.append((floor, node))

    def doubts(self) -> list[tuple[float, Node]]:
        """List the nodes that may have a release that loses less, with what that loses at least."""
        return sorted(
            (floor, node)
            for floor, node in self._doubts
            if self.node is None or self.may_lose_less(floor)
        )

    def forget_doubts(self) -> None:
        """Drop all doubts, before those that remain are noted again."""
        self._doubts = []

    def offer(
        self, loss: float, n_suppressed: int, node: Node, keep: BoolArray | None = None
    ) -> None:
        """Take a release if it is better; ``keep`` are the groups of the node that it keeps."""
        if self.node is not None and not self.may_be_beaten(loss, n_suppressed, node):
            return
        # The lower of two nearly equal losses is kept, so that small differences cannot add up.
        self.loss = loss if self.node is None else min(loss, self.loss)
        self.node, self.keep = node, keep
        self._rank = n_suppressed, sum(node), node

    def may_lose_less(self, floor: float) -> bool:
        """Whether a release that loses no less than this may lose less than the best."""
        return floor < self.loss - _noise(self.loss)

    def may_be_beaten(self, floor: float, n_lost: int, low: Node) -> bool:
        """Whether a release might be better that loses no less, and is at or above a node."""
        if self.node is None or self.may_lose_less(floor):
            return True
        return floor <= self.most and (n_lost, sum(low), low) < self._rank


def _noise(loss: float) -> float:
    return _NOISE * abs(loss) if abs(loss) < float("inf") else 0.0
