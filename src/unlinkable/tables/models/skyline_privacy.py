"""Skyline privacy: against an adversary who knows something of the victim and of other people.

Nobody can say what an adversary knows, but how much may be said: how many values they can rule out
for the victim, of how many others they know the value, and how many relatives they know who would
not have a disease that the victim does not have. Amounts of which none is more than another are a
skyline, each with its own bound on how sure anybody may become [1]_, [2]_.

References
----------
.. [1] B.-C. Chen, K. LeFevre, R. Ramakrishnan. "Privacy skyline: privacy with multidimensional
   adversarial knowledge." VLDB 2007.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 2.5.1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import permutations
from typing import ClassVar, TypeAlias

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.errors import ParameterError
from unlinkable.params import exact, positive
from unlinkable.release.attacks import Threat
from unlinkable.spelling import quantity
from unlinkable.tables.groups import Groups, Histogram
from unlinkable.tables.models.base.ceilings import Bound, SensitiveGoal
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel, ValueNormalizer
from unlinkable.tables.models.distinct_l_diversity import DistinctLDiversity
from unlinkable.tables.models.shared.knowledge_amounts import (
    KnowledgeAmounts,
    are_below,
    confidences,
)
from unlinkable.tables.models.shared.listed_values import as_text, mark, unknown_values
from unlinkable.tables.models.shared.sensitive_model import SensitiveModel
from unlinkable.typing import BoolArray, Columns, FloatArray, ValueText

__all__ = ["SkylinePrivacy"]

Point: TypeAlias = tuple[int, int, int, Fraction]


def _as_points(points: Iterable[Sequence[object]]) -> tuple[Point, ...]:
    found = []
    for point in points:
        if isinstance(point, str) or len(amounts := list(point)) != 4:
            raise ParameterError(f"each of the points must be a list [l, k, m, c], got {point!r}")
        *known, c = amounts
        l, k, m = (_amount(x) for x in known)  # noqa: E741
        found.append((l, k, m, exact(c)))  # type: ignore[arg-type]
    return tuple(found)


def _amount(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ParameterError(f"l, k and m must be whole numbers from 0 on, got {value!r}")
    return value


@frozen
class SkylinePrivacy(SensitiveModel):
    r"""Nobody who knows (l, k, m) about the victim and others is as sure of a value as ``c``.

    For every point :math:`(l, k, m, c)`, every victim :math:`t` and every value :math:`s`:
    :math:`\max P(t = s \mid K) < c`, where :math:`K` is anything that says

    - of at most l values other than s that t does not have them,
    - of at most k other people which values they have, and
    - of at most m further people that if one of them has s, so has t: a *same-value family*.

    The people of a group have its values, one each, and all ways to hand them out are equally
    likely; see `unlinkable.tables.models.shared.knowledge_amounts` for what the maximum is, and
    why. The bound must not be reached, and is decided exactly.

    Parameters
    ----------
    points
        Lists [l, k, m, c]: amounts of knowledge, and how sure nobody who knows that much may
        become. No amount may be at least as much as another one in all three.
    sensitive
        The column whose values nobody may find out; each sensitive column if not given.
    value
        The value that nobody may become sure of; any if not given. The empty text is the missing
        value.
    scale
        All bounds are multiplied by this. The scale that a table reaches is the largest ratio of
        how sure one can be to the bound of the point.

    Guarantees
    ----------
    An adversary who knows no more than one of the points is less sure than its bound. It says
    nothing about knowledge in the form of probabilities, about families that share other values
    than the one that is aimed at, or about an adversary who knows a member of the family to have
    the value: they know all.

    Merging
    -------
    Safe. Handing out the values of a union is choosing at random who gets those of the first part,
    and then handing out those of the parts. Whatever is known, the odds in the union are a weighted
    mean of odds in tables with the groups as they were, and none of these is below the least that
    knowledge of that amount allows. Fewer groups allow for less. It does not absorb:
    {1, 1} keeps (0, 0, 0, 0.6), and with two more records of the first value it is {3, 1}, which
    does not. With m > 0 it is not local: the family may be in any group.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> ward = as_table({"sex": ["f", "f", "f", "f"], "ill": ["flu", "flu", "hiv", "cold"]},
    ...     quasi="sex", sensitive="ill")
    >>> promise = SkylinePrivacy([[1, 0, 0, 0.6], [0, 1, 0, 0.7]], sensitive="ill")
    >>> verdict = promise.verdict(count(ward, promise.needs()).finest)
    >>> verdict.holds, round(verdict.level, 4)
    (False, 1.1111)
    """

    name: ClassVar[str] = "skyline-privacy"
    reference: ClassVar[str] = "Chen, LeFevre and Ramakrishnan 2007"
    threats: ClassVar[Threat] = Threat.ATTRIBUTE | Threat.PROBABILISTIC
    in_words: ClassVar[str] = (
        "Nobody with the stated amounts of knowledge about the victim and others is as sure of a "
        "value {of} as the bound that goes with it."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "Knowledge in the form of probabilities is not covered.",
        "An adversary who knows more than any of the stated amounts is not bounded.",
    )
    parameter: ClassVar[str] = "scale"
    higher_is_safer: ClassVar[bool] = False

    points: tuple[tuple[int, int, int, Fraction], ...] = field(converter=_as_points)
    sensitive: str | None = field(default=None, kw_only=True)
    value: ValueText | None = field(default=None, converter=as_text, kw_only=True)
    scale: Fraction = field(default=Fraction(1), converter=exact, validator=positive, kw_only=True)

    @points.validator
    def _are_a_skyline(self, attribute: object, points: tuple[Point, ...]) -> None:
        if not points:
            raise ParameterError("points must list at least one point [l, k, m, c]")
        for *known, c in points:
            if not 0 < c <= 1:
                raise ParameterError(f"c must lie in (0, 1], got {c} at {known}")
        for (*less, _), (*more, _) in permutations(points, 2):
            if all(x <= y for x, y in zip(less, more, strict=True)):
                raise ParameterError(
                    f"points must be incomparable, and who knows {more} knows {less} as well: "
                    "leave one of them out, or promise them as two models"
                )

    @property
    def merging(self) -> Merging:
        return Merging.SAFE

    @property
    def local(self) -> bool:
        return all(m == 0 for _, _, m, _ in self.points)

    def judge(self, groups: Groups) -> BoolArray:
        hidden = self.hidden(groups)
        is_aimed_at = self._aims(groups)
        good = np.ones(len(groups), bool)
        for l, k, m, c in self.points:  # noqa: E741
            known = _within(hidden, groups, l, k, m)
            below = are_below(hidden, groups.sizes, known, c * self.scale)
            good[hidden.row[is_aimed_at & ~below]] = False
        return good

    def level(self, groups: Groups) -> FloatArray:
        """Give the largest ratio of how sure one can be to the bound."""
        level = np.zeros(len(groups))
        for point in self.points:
            np.maximum.at(level, self.hidden(groups).row, self._ratios(groups, point))
        return level

    def reading(self, groups: Groups) -> str:
        if self.local:
            return ""
        return (
            "of the m people with the same value it is known that if one of them has the value, so "
            "has the victim; the victim, the k and the m are different people"
        )

    @property
    def listed(self) -> Columns | None:
        return None if self.value is None else (self.value,)

    def with_normalized_values(self, normalize: ValueNormalizer) -> SkylinePrivacy:
        return (
            self if self.value is None else evolve(self, value=normalize(self.column, self.value))
        )

    def witness(self, groups: Groups, at: int) -> str:
        hidden = self.hidden(groups)
        row = slice(int(hidden.indptr[at]), int(hidden.indptr[at + 1]))
        ratios = [self._ratios(groups, point)[row] for point in self.points]
        p = int(np.argmax([ratio.max() for ratio in ratios]))
        l, k, m, c = self.points[p]  # noqa: E741
        entry = int(np.argmax(ratios[p]))
        value = hidden.text(int(hidden.values[row][entry])) if self.value is None else self.value
        sure = float(ratios[p][entry] * c)
        return (
            f"who can rule out {quantity(l, 'value')} and knows "
            f"{quantity(k, 'other person', 'other people')} and a family of {m} can be "
            f"{sure:.4g} sure of {value or 'missing'} ({self.describe(groups, at)}), and must be "
            f"less than {float(c * self.scale):.4g}"
            + "".join(f"; {text}" for text in unknown_values(hidden, self.listed))
        )

    def consequences(self) -> tuple[GroupModel, ...]:
        """Beside every value and the l most frequent others, more than k records are left.

        And no value has a share of c, so there are more than 1 / c values.
        """
        least = 0
        for l, _, _, c in self.points:  # noqa: E741
            if self.value is None and c * self.scale <= 1:
                least = max(least, l + 2, math.floor(1 / (c * self.scale)) + 1)
        return (DistinctLDiversity(least, sensitive=self.sensitive),) if least else ()

    def covers(self, other: GroupModel) -> bool:
        """Whether who knows as much as a point of the other is bounded here, and as tightly."""
        if not isinstance(other, SkylinePrivacy) or self.sensitive != other.sensitive:
            return False
        return self.value in (None, other.value) and all(
            any(
                c * self.scale <= asked * other.scale
                and all(x >= y for x, y in zip(known, less, strict=True))
                for *known, c in self.points
            )
            for *less, asked in other.points
        )

    def corruption_ceiling(self, goal: SensitiveGoal, n: int) -> Bound:
        return self._bound_of(0, n, 0) if self.value is None else None

    def background_ceiling(
        self, goal: SensitiveGoal, negations: int, others: int, same: int
    ) -> Bound:
        return self._bound_of(negations, others, same) if self.value is None else None

    def _bound_of(self, l: int, k: int, m: int) -> Bound:  # noqa: E741
        """Give the least bound of the points that know at least so much."""
        known = (l, k, m)
        covers = [
            c for *at, c in self.points if all(f <= p for f, p in zip(known, at, strict=True))
        ]
        return min(covers) * self.scale if covers else None

    def weaker(self) -> SkylinePrivacy | None:
        more = self.scale + Fraction(1, 20)
        return evolve(self, scale=more) if any(c * more < 1 for *_, c in self.points) else None

    def _ratios(self, groups: Groups, point: Point) -> FloatArray:
        l, k, m, c = point  # noqa: E741
        hidden = self.hidden(groups)
        sure = confidences(hidden, groups.sizes, _within(hidden, groups, l, k, m))
        ratios: FloatArray = np.where(self._aims(groups), sure, 0.0) / float(c)
        return ratios

    def _aims(self, groups: Groups) -> BoolArray:
        """Find which entries have the value that nobody may become sure of."""
        hidden = self.hidden(groups)
        return mark(hidden, self.listed)[hidden.values]


def _within(hidden: Histogram, groups: Groups, l: int, k: int, m: int) -> KnowledgeAmounts:  # noqa: E741
    """Take what is known of more than there is as what is known of all."""
    n = groups.n_records
    return KnowledgeAmounts(min(l, hidden.n_values), min(k, n), min(m, n))
