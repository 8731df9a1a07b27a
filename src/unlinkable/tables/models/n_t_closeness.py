"""(n,t)-closeness: what a group hides looks like what a large set of records around it hides.

That older people have more cancer is no secret about anybody: it is what a table is published for.
t-closeness forbids it. (n,t)-closeness compares a group with a set around it that is large enough
to be no secret: all people of that age, say [1]_.

References
----------
.. [1] N. Li, T. Li, S. Venkatasubramanian. "Closeness: a new privacy measure for data publishing."
   IEEE TKDE 22(7), 2010. Definition 3.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.params import at_least, exact
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.shared.closeness_model import ClosenessModel
from unlinkable.tables.models.shared.gaps import NO_GROUP_SIZE
from unlinkable.tables.models.shared.given_distances import GivenDistances
from unlinkable.tables.models.shared.ground_distance import GroundDistance
from unlinkable.tables.models.shared.supersets import supersets
from unlinkable.typing import BoolArray, FloatArray

__all__ = ["NTCloseness"]


@frozen
class NTCloseness(ClosenessModel):
    r"""Every group is within ``t`` of a set of at least ``n`` records that naturally contains it.

    For every combination :math:`q` that occurs there is a natural superset :math:`E` of its group
    with :math:`|E| \ge n`, such that :math:`D(P, Q) \le t` for the shares :math:`P` of the
    sensitive values in the group and :math:`Q` in :math:`E`. A *natural superset* is what a coarser
    generalization makes of the group: all records that show the same as the group on some of the
    quasi-identifying columns, whatever they show on the others. On all columns that is the group
    itself, on none the whole table. The bound is met by equality, and decided exactly.

    A published table does not say how its values might have been generalized further, so columns
    are dropped as a whole. With a taxonomy at hand there would be more supersets in between: a
    table that keeps the promise here keeps it with these as well.

    Parameters
    ----------
    n
        The least number of records of the superset. With as many as the table has, this is
        t-closeness; a group of n records or more is its own superset.
    t
        The largest distance, from 0 to 1; for `KL` and `GIVEN` any number from 0 on.
    sensitive
        The column whose values nobody may find out; each sensitive column if not given.
    distance
        The distance, as for t-closeness. Ranks are among the values of the whole table.
    ground
        For `GIVEN`, the side table with the distances, as for t-closeness.

    Guarantees
    ----------
    An adversary who finds a victim's group learns at most t more about the victim than what they
    learn from at least n people around the victim, who is one of them. These may say a lot:
    if all n have the same disease, so may the group. It says nothing about who is in the group.

    Merging
    -------
    Unsafe: groups may have different supersets, and their union neither of these. Let n be 3 and t
    be 0, one group a record of the first value in a superset of {9, 0}, and another one of the
    second value in a superset of {0, 3}. Their union {1, 1} is too small to be its own superset,
    and the whole table {9, 3} is at distance 1/4. (A union of groups with the same superset keeps
    the promise, because distances are convex.)

    Raises
    ------
    SchemaError
        When groups with more than 16 quasi-identifying columns are judged: every set of columns is
        examined that leaves n records together.

    Examples
    --------
    In the second town everybody has the flu, men and women alike. The table as a whole is no
    measure for them, and the town is.

    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> ward = as_table({"town": ["a", "a", "a", "a", "b", "b"], "sex": ["f", "f", "m", "m", "f",
    ...     "m"], "ill": ["flu", "hiv", "flu", "hiv", "flu", "flu"]}, quasi=["town", "sex"],
    ...     sensitive="ill")
    >>> promise = NTCloseness(2, 0, sensitive="ill")
    >>> groups = count(ward, promise.needs()).finest
    >>> promise.verdict(groups).achieved, promise.holds(groups)
    ({'t': 0.0}, True)
    >>> NTCloseness(6, 0, sensitive="ill").verdict(groups).achieved["t"]
    0.3333333333333333
    """

    name: ClassVar[str] = "n-t-closeness"
    reference: ClassVar[str] = "Li, Li and Venkatasubramanian 2010"
    in_words: ClassVar[str] = (
        "The values {of} of people who look alike are distributed nearly as those of at least {n} "
        "people around them: at most {t} apart."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "The people around may say a lot: if all of them have the same value, so may the group.",
        NO_GROUP_SIZE,
    )

    n: int = field(validator=at_least(1))
    t: Fraction = field(converter=exact, validator=at_least(0))
    sensitive: str | None = field(default=None, kw_only=True)
    distance: GroundDistance = field(
        default=GroundDistance.EQUAL, converter=GroundDistance, kw_only=True
    )
    ground: str | None = field(default=None, kw_only=True)
    _given: GivenDistances | None = field(default=None, eq=False, repr=False, kw_only=True)

    def __attrs_post_init__(self) -> None:
        self.refuse_invalid_values()

    @property
    def merging(self) -> Merging:
        return Merging.UNSAFE

    @property
    def local(self) -> bool:
        return False

    def judge(self, groups: Groups) -> BoolArray:
        hidden, distance = self.hidden(groups), self.prepared_distance(groups)
        is_open = groups.sizes < self.n
        for mask, others in supersets(groups, self.column, self.n, is_open):
            rows, sizes = hidden.select(mask), groups.sizes[mask]
            is_open[mask] = ~distance.are_within(rows, sizes, others, self.t)
        return ~is_open

    def level(self, groups: Groups) -> FloatArray:
        """Measure the distance of each group from the nearest of its supersets.

        It is infinite if the table has fewer than n records.
        """
        hidden, distance = self.hidden(groups), self.prepared_distance(groups)
        is_open = groups.sizes < self.n
        level = np.where(is_open, np.inf, 0.0)
        for mask, others in supersets(groups, self.column, self.n, is_open):
            far = distance.distances(hidden.select(mask), groups.sizes[mask], others)
            level[mask] = np.minimum(level[mask], far)
            is_open[mask] = level[mask] > 0
        return level

    def survives(self, groups: Groups, parts: BoolArray, column: str) -> bool:
        # The supersets of groups that were not split are smaller now.
        return self.holds(groups)

    def reading(self, groups: Groups) -> str:
        return (
            "a natural superset of a group is all records that show the same on some of the "
            "quasi-identifying columns: on none of them, the whole table"
        )

    def witness(self, groups: Groups, at: int) -> str:
        far = float(self.level(groups)[at])
        if np.isinf(far):
            n = int(groups.whole[self.column,].sum())
            return f"the table has {n} records, and a superset of at least {self.n} must be there"
        return (
            f"{far:.4g} away from the nearest set of at least {self.n} records around it "
            f"({self.describe(groups, at)}), and at most {float(self.t):g} is allowed"
        )

    def covers(self, other: GroupModel) -> bool:
        """Whether it asks for as large a superset, and as short a distance."""
        if not isinstance(other, NTCloseness) or self.n < other.n:
            return False
        return super(NTCloseness, evolve(self, n=other.n)).covers(other)

    def weaker(self) -> NTCloseness | None:
        more = self.t + Fraction(1, 20)
        return evolve(self, t=more) if more < 1 or not self.distance.is_share else None

    def explain_failure(self, groups: Groups) -> str:
        n = int(groups.whole[self.column,].sum())
        if n < self.n:
            return f"{self} needs a table of {self.n} records, and this one has {n}: ask for less"
        return super().explain_failure(groups)
