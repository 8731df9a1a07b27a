"""t-closeness: what a group hides looks like what the whole table hides.

Where 1 % of all people have a disease, a group in which half of them have it says a lot about its
members, however diverse it is. t-closeness bounds how far the values of a group may be from those
of everybody [1]_. Which distance that is may be chosen [2]_.

References
----------
.. [1] N. Li, T. Li, S. Venkatasubramanian. "t-closeness: privacy beyond k-anonymity and
   l-diversity." ICDE 2007. Definition 2.
.. [2] C. C. Aggarwal. "Data Mining: The Textbook." 2015. Section 20.3.3.
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
from unlinkable.tables.models.shared.distribution_distance import Reference
from unlinkable.tables.models.shared.exact_roots import root_above
from unlinkable.tables.models.shared.given_distances import GivenDistances
from unlinkable.tables.models.shared.ground_distance import GroundDistance
from unlinkable.tables.models.shared.suppression_bounds import suppressed_to_shares
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["TCloseness"]


@frozen
class TCloseness(ClosenessModel):
    r"""The sensitive values of every group are at most ``t`` away from those of the whole table.

    For every combination :math:`q` that occurs, with :math:`P` the shares of the sensitive values
    in its group and :math:`Q` those in the published table: :math:`D(P, Q) \le t`. By default
    :math:`D` is the earth mover's distance, the least work of turning one into the other. The bound
    is met by equality, and decided exactly.

    Parameters
    ----------
    t
        The largest distance, from 0 to 1; for `KL` and `GIVEN` any number from 0 on.
    sensitive
        The column whose values nobody may find out; each sensitive column if not given.
    distance
        The earth mover's distance, by how far apart two values are: `EQUAL`, `ORDERED` by rank
        among the values that occur in the table (numbers and dates in their own order, categories
        in the order of the leaves of their taxonomy), `HIERARCHICAL` over the taxonomy of the
        column, or `GIVEN` in a side table. Or a distance that knows shares alone: `VARIATIONAL`,
        which is the same as `EQUAL`, `KL` (the sum of p log(p / q), in nats), or `HELLINGER`.
    ground
        For `GIVEN`, the side table: columns ``from``, ``to`` and ``distance``, a row for every pair
        of values that occur, in either order. Distances are taken as they are, not brought to 1;
        where the way over a third value is shorter, that counts. A missing value is an empty text;
        if no row has it, it is as far from every other as the two that are furthest apart. With all
        other distances a missing value is 1 away from every other.

    Guarantees
    ----------
    An adversary who finds a victim's group changes what they believe of the victim's value by at
    most t, taken as work: with the equal ground distance, the chance of no set of values changes by
    more than t; with `KL`, they learn at most t nats on average. It says nothing about who is in
    the group.

    Merging
    -------
    Safe: each of the distances is convex (of Hellinger's, the square), so that of a union is at
    most the weighted mean of those of its parts, and that is at most the largest. It does not
    absorb: in a table of {2, 2}, a group {1, 1} is at distance 0, and with the other record of the
    first value, {2, 1}, it is not. Leaving records out changes the whole table, so the rest is
    judged again.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> ward = as_table({"sex": ["f", "f", "m", "m"], "ill": ["flu", "hiv", "flu", "flu"]},
    ...     quasi="sex", sensitive="ill")
    >>> promise = TCloseness(0.25, sensitive="ill")
    >>> verdict = promise.verdict(count(ward, promise.needs()).finest)
    >>> verdict.holds, verdict.achieved
    (True, {'t': 0.25})
    """

    name: ClassVar[str] = "t-closeness"
    about_values: ClassVar[bool] = True
    reference: ClassVar[str] = "Li, Li and Venkatasubramanian 2007"
    in_words: ClassVar[str] = (
        "The values {of} of people who look alike are distributed nearly as those of all: at most "
        "{t} apart on a scale from 0 to 1."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "It says nothing about who is in a group: promise k-anonymity as well.",
        "A rare value may be several times as frequent in a group as among all.",
        "What is typical of the whole table is public.",
    )

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
        return Merging.SAFE

    def judge(self, groups: Groups) -> BoolArray:
        hidden, others = self.hidden(groups), self._whole(groups)
        return self.prepared_distance(groups).are_within(hidden, groups.sizes, others, self.t)

    def level(self, groups: Groups) -> FloatArray:
        """Measure the distance of each group from the whole table."""
        hidden, others = self.hidden(groups), self._whole(groups)
        return self.prepared_distance(groups).distances(hidden, groups.sizes, others)

    def least_suppressed(self, groups: Groups, limit: int) -> CountArray:
        """Count what a group must lose of the values that it has too much of.

        Where shares of sets of values may not change by more than a bound, this follows from it;
        where the distance between values matters, nothing does.
        """
        bound = self._variational()
        if bound is None:
            return np.zeros(len(groups), np.int64)
        return suppressed_to_shares(
            self.hidden(groups), groups, groups.whole[self.column,], bound, limit
        )

    def witness(self, groups: Groups, at: int) -> str:
        far = float(self.level(groups)[at])
        return (
            f"{far:.4g} away from all records ({self.describe(groups, at)}), and at most "
            f"{float(self.t):g} is allowed"
        )

    def consequences(self) -> tuple[GroupModel, ...]:
        """No two values are further apart than 1, and who is near by shares is near by work."""
        bound = self._variational()
        if bound is None:
            return ()
        nearer = (GroundDistance.EQUAL, GroundDistance.ORDERED, GroundDistance.HIERARCHICAL)
        found = (evolve(self, t=bound, distance=distance) for distance in nearer)
        return tuple(model for model in found if model != self)

    def allowed_gains(self, shares: FloatArray) -> FloatArray | None:
        if self.distance is not GroundDistance.EQUAL:
            return None
        return np.full(shares.size, float(self.t))

    def weaker(self) -> TCloseness | None:
        more = self.t + Fraction(1, 20)
        return evolve(self, t=more) if more < 1 or not self.distance.is_share else None

    def explain_failure(self, groups: Groups) -> str:
        reached = float(np.max(self.level(groups), initial=0.0))
        n = int(groups.whole[self.column,].sum())
        return (
            f"the values of {self.column!r} in {groups.n_records} records are {reached:.4f} away "
            f"from those of the {n} records that they are compared with: leave out fewer records, "
            f"or ask for t of at least {reached:.4f}. All records in one group are at distance 0"
        )

    def _whole(self, groups: Groups) -> Reference:
        return Reference.whole(groups.whole[self.column,], len(groups))

    def _variational(self) -> Fraction | None:
        """By how much the share of a set of values may change at most; None if by any amount.

        For Kullback and Leibler's distance that is the root of t / 2 (Pinsker), for Hellinger's t
        times the root of 2 - t^2.
        """
        match self.distance.plain:
            case GroundDistance.EQUAL:
                return self.t
            case GroundDistance.KL:
                bound = root_above(self.t / 2)
            case GroundDistance.HELLINGER:
                bound = root_above(self.t**2 * (2 - self.t**2))
            case _:
                return None
        return bound if bound < 1 else None
