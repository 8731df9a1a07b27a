"""Discernibility score: which step of a search changes the discernibility of a table most.

For releases whose use nobody knows. The literature defines the score on the groups before a step
and computes its example on those after it [1]_; what brings the discernibility of the table down
fastest is the difference of the two.

References
----------
.. [1] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Equation 4.4, Section 6.2.2 and Example 6.6.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import field, frozen

from unlinkable.params import Choice
from unlinkable.tables.metrics.shared.search_steps import Steps
from unlinkable.typing import FloatArray

__all__ = ["DiscernibilityScore", "Squares"]


class Squares(Choice):
    """Which groups of a specialization are squared and added up."""

    BEFORE = "before"
    """Those that contain v, as the score is defined."""
    AFTER = "after"
    """Those that contain a child of v, as the example of the literature has it. The greatest score
    belongs to the step that brings discernibility down least."""
    REDUCTION = "reduction"
    """The first less the second: by how much discernibility falls."""


@frozen
class DiscernibilityScore:
    r"""The squared sizes of the groups that a step concerns, added up.

    :math:`\sum |T[q]|^2` over the groups q that contain v, those that contain a child of v, or the
    difference, by which `discernibility` falls as v is specialized, and rises as its children are
    generalized to v.

    Parameters
    ----------
    squares
        Which groups count: those ``before`` the specialization, those ``after`` it, or the
        ``reduction`` from the first to the second.

    Range
    -----
    From 0 to the squared number of records. The specialization with the greatest score is the best;
    read upwards, the generalization with the least.

    Examples
    --------
    >>> jobs = Steps(above=[[11]], starts=[0, 2], below=[[6], [5]],
    ...     squares_above=[121], squares_below=[61])
    >>> [DiscernibilityScore(squares).score(jobs).tolist() for squares in Squares]
    [[121.0], [61.0], [60.0]]
    """

    higher_is_better: ClassVar[bool] = True

    squares: Squares = field(default=Squares.REDUCTION, converter=Squares)

    def score(self, steps: Steps) -> FloatArray:
        """Give the score of each step.

        Raises
        ------
        UnsupportedError
            If the groups of the steps are not known.
        """
        above, below = steps.squares
        match self.squares:
            case Squares.BEFORE:
                return above.astype(float)
            case Squares.AFTER:
                return below.astype(float)
            case Squares.REDUCTION:
                return (above - below).astype(float)
