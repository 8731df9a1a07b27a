"""Average risk: an adversary who guesses the owner of a random record is rarely right.

The owner of a record in a group of k people is found with probability 1/k. Bounding the mean over
all records instead of the largest risk allows for a few small groups [1]_.

References
----------
.. [1] K. El Emam. "Guide to the De-Identification of Personal Health Information." CRC Press, 2013.
   Chapter 16 (marketer and average risk).
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.params import exact, is_share
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.shared.gaps import NOTHING_IN_COMMON
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["AverageRisk"]

_CLOSE = 1e-9
"""Floats decide what is further than this from the bound, relative to the number of records."""


@frozen
class AverageRisk(GroupModel):
    r"""The owners of records are found with a mean probability of at most ``risk``.

    With :math:`G` groups of :math:`N` records in all: :math:`G / N \le \mathit{risk}`, because each
    of the :math:`n` records of a group has the risk :math:`1/n`. If the table has an owner column,
    a record of a group of :math:`p` people has the risk :math:`1/p`, and the mean over all records
    is bounded. The bound is met by equality, and decided exactly. All groups share the verdict.

    Parameters
    ----------
    risk
        The largest mean risk: more than 0, up to 1.

    Guarantees
    ----------
    An adversary who looks for the owners of all records, or of one picked at random, knowing who is
    in the table, is right in at most a share ``risk`` of the cases. It says nothing about any
    single person: a few may be unique if others make up for it.

    Merging
    -------
    Safe: a coarser table has fewer groups and the same records. With owners, a union of groups with
    :math:`n_1` and :math:`n_2` records of :math:`p_1` and :math:`p_2` people has at least
    :math:`\max(p_1, p_2)` people, so its records have no more risk together than apart. A group
    says nothing without the others: a group of one record is good beside nine of eleven, and not
    alone. Suppressing records changes the mean, so the rest is judged again; groups of the fewest
    people go first, which suppresses the fewest groups.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"job": ["cook", "cook", "cook", "clerk"]}, quasi="job")
    >>> verdict = AverageRisk(0.5).verdict(count(people).finest)
    >>> verdict.holds, verdict.achieved
    (True, {'risk': 0.5})
    """

    name: ClassVar[str] = "average-risk"
    reference: ClassVar[str] = "El Emam 2013"
    threats: ClassVar[Threat] = Threat.RECORD
    in_words: ClassVar[str] = (
        "On average, the owner of a record is found with a chance of at most {risk:%}."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "It says nothing about any single person: a few may be unique if large groups make up for "
        "it.",
        NOTHING_IN_COMMON,
    )
    parameter: ClassVar[str] = "risk"
    counts_people: ClassVar[bool] = True
    higher_is_safer: ClassVar[bool] = False

    risk: Fraction = field(converter=exact, validator=is_share)

    @property
    def merging(self) -> Merging:
        return Merging.SAFE

    @property
    def collective(self) -> bool:
        return True

    def judge(self, groups: Groups) -> BoolArray:
        return np.full(len(groups), self._holds(groups.sizes, groups.people()))

    def level(self, groups: Groups) -> FloatArray:
        """Give the mean risk of all records, for every group."""
        mean = _mean_risk(groups.sizes, groups.people())
        return np.full(len(groups), mean)

    def good(self, groups: Groups) -> BoolArray:
        """Decide which groups can be published if all others are suppressed."""
        good = np.ones(len(groups), bool)
        good[self._first_to_go(groups)] = False
        return good

    def least_suppressed(self, groups: Groups, limit: int) -> CountArray:
        """Give up all records if more of them must go than may.

        A finer release has no fewer groups for the records that it keeps, and no more people in
        them. So it suppresses more than all groups but the last of those that go first here; which
        ones, it may choose.
        """
        gone = groups.sizes[self._first_to_go(groups)]
        is_hopeless = int(gone[:-1].sum()) >= limit and gone.size > 0
        return groups.sizes if is_hopeless else np.zeros(len(groups), np.int64)

    def witness(self, groups: Groups, at: int) -> str:
        n, mean = int(groups.people()[at]), _mean_risk(groups.sizes, groups.people())
        who = "people" if groups.owner else "records"
        return (
            f"the owner of a record is found with a mean probability of {mean:.4g} in all "
            f"{len(groups)} groups (this one has {n} {who}), and at most {float(self.risk):g} is "
            "allowed"
        )

    def weaker(self) -> AverageRisk | None:
        more = self.risk + Fraction(1, 20)
        return evolve(self, risk=more) if more < 1 else None

    def explain_failure(self, groups: Groups) -> str:
        who = "people" if groups.owner else "records"
        n = int(groups.people().max(initial=0))
        return (
            f"{self} needs at least {math.ceil(1 / self.risk)} {who} in a group on average, and "
            f"all together are {n}: ask for a risk of at least 1/{max(n, 1)}, or gather more data"
        )

    def _first_to_go(self, groups: Groups) -> CountArray:
        """List the fewest groups whose loss lowers the mean risk as far as it must be.

        A record is worth what the bound allows, less its risk. The groups of the fewest people are
        worth the least.
        """
        sizes, people = groups.sizes, groups.people()
        if self._holds(sizes, people):
            return np.zeros(0, np.int64)
        order = np.lexsort((sizes, people))
        worth = sizes * (float(self.risk) - 1 / np.maximum(people, 1))
        left = np.append(np.cumsum(worth[order][::-1])[::-1], 0.0)
        start = int(np.argmax(left >= -_CLOSE * (1 + sizes.sum())))
        while not self._holds(sizes[order[start:]], people[order[start:]]):
            start += 1
        return order[:start]

    def _holds(self, sizes: CountArray, people: CountArray) -> bool:
        """Compare the mean with the bound, in whole numbers where floats are too close to it."""
        n = int(sizes.sum())
        gap = float(self.risk) * n - float(_risks(sizes, people).sum())
        if abs(gap) > _CLOSE * (1 + n):
            return gap > 0
        by_people = np.bincount(people, sizes).astype(np.int64)
        occurring = np.flatnonzero(by_people)
        pairs = zip(by_people[occurring].tolist(), occurring.tolist(), strict=True)
        return sum((Fraction(size, p) for size, p in pairs), Fraction(0)) <= self.risk * n


def _risks(sizes: CountArray, people: CountArray) -> FloatArray:
    """Add up the risks of the records of each group."""
    return sizes / np.maximum(people, 1)


def _mean_risk(sizes: CountArray, people: CountArray) -> float:
    return float(_risks(sizes, people).sum()) / max(int(sizes.sum()), 1)
