"""(c,t)-isolation: a guess that is close to one person is as close to many.

Who guesses where a victim lies among points, and comes closer to the victim than to others, has
singled the victim out, even if no value was ever published. A release is safe if guesses that are
made from it isolate nobody [1]_.

References
----------
.. [1] S. Chawla, C. Dwork, F. McSherry, A. Smith, H. Wee. "Toward privacy in public databases." TCC
   2005. Definition 1; section 2.4.1 in the book of Fung, Wang, Fu and Yu (2010).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.errors import DataError, SchemaError
from unlinkable.params import as_columns, at_least, exact, positive
from unlinkable.tables.groups import Groups, Histogram, Partition
from unlinkable.tables.models.base.binding_context import BindingContext
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.shared.known_columns import knowing, refuse_none
from unlinkable.tables.models.shared.original_values_model import columns_of
from unlinkable.tables.models.shared.point_cloud import Coordinates, PointCloud
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray, FloatArray

__all__ = ["CTIsolation", "isolates"]


@frozen
class CTIsolation(GroupModel):
    r"""A guess at the middle of a group has at least ``t`` people about as near as any member.

    Records are points, their quasi-identifying numbers the coordinates. The guess :math:`q` at the
    members of a group is the centre of the smallest box that holds them. It (c,t)-isolates a member
    :math:`p` if fewer than ``t`` points of the table lie in the closed ball around :math:`q` of
    radius :math:`c\,|p - q|`; no member of any group may be isolated. If any member is, the nearest
    one is. Distances are Euclidean, numbers the decimals that were written, dates days; whether a
    point lies in a ball is decided exactly. Columns of categories and missing values are refused.

    Parameters
    ----------
    c
        How many times as far as the victim the ball reaches, greater than 0.
    t
        The least number of points in the ball.
    points
        A table with the original records, if the data are published and show intervals: it has the
        same columns, with numbers in them. A group then lies in the box that it shows, open ends
        and ``*`` reaching as far as the points do, and a guess may isolate none of the points,
        because whose they are is not told. Without it, the records of the data are the points: in
        ``check``, give the original records as such if the data show intervals.
    columns
        The columns that are coordinates; all quasi-identifying ones if not given. Groups are formed
        by all of them in either case.
    scaled
        Whether each column is divided by its range, so that it does not matter in which unit it
        is written. As long as there is one column, it makes no difference.

    Guarantees
    ----------
    Whoever takes the middle of a group for the victim's values has at least t people within c times
    the distance of their guess from the victim: they cannot tell whom they have found. It says
    nothing about other guesses, about an adversary who knows more than what the groups show, and
    about what the people in a group have in common. A release may show wider boxes than the
    smallest ones; their middle is another guess, and is examined with ``points``.

    Merging
    -------
    Unsafe: with c = 1 and t = 2, the groups {0, 0, 4} and {10, 10} are good. Together their middle
    is 5, and there is one point within 1 of it: 4 is isolated. The points around are those of the
    whole table, so leaving records out matters.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"sex": ["f", "f", "f", "m", "m"], "age": [30, 34, 50, 20, 70]},
    ...     quasi=["sex", "age"])
    >>> promise = CTIsolation(1.5, 2, columns="age")
    >>> by_sex, _ = count(people, promise.needs()).finest.project(("sex",))
    >>> promise.level(by_sex).tolist()
    [1.0, 5.0]

    The middle of the women's ages is 40, and nobody but the one who is 34 is within 9 years of it.
    """

    name: ClassVar[str] = "ct-isolation"
    reference: ClassVar[str] = "Chawla et al. 2005"
    threats: ClassVar[Threat] = Threat.RECORD | Threat.PROBABILISTIC
    in_words: ClassVar[str] = (
        "Whoever guesses the middle of a group has at least {t} people about as near to the guess "
        "as the nearest one of them."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "It is about one guess for each group, its middle: an adversary who guesses otherwise may "
        "isolate people all the same.",
        "It says nothing about what the people around the guess have in common.",
    )
    parameter: ClassVar[str] = "t"
    about_originals: ClassVar[bool] = True

    c: Fraction = field(converter=exact, validator=positive)
    t: int = field(validator=at_least(1))
    points: str | None = field(default=None, kw_only=True)
    columns: Columns | None = field(default=None, converter=as_columns, kw_only=True)
    scaled: bool = field(default=False, kw_only=True)
    _given: tuple[Coordinates, ...] | None = field(default=None, kw_only=True, eq=False, repr=False)
    _seen: tuple[Histogram, CountArray, PointCloud] | None = field(
        default=None, kw_only=True, eq=False, repr=False
    )

    @columns.validator
    def _names_a_column(self, attribute: object, value: Columns | None) -> None:
        refuse_none("columns", value)

    @property
    def merging(self) -> Merging:
        return Merging.UNSAFE

    @property
    def relative(self) -> bool:
        return self.points is None

    @property
    def sources(self) -> Columns:
        return () if self.points is None else (self.points,)

    def bind(self, context: BindingContext) -> tuple[CTIsolation]:
        columns = knowing(self, self.columns, context.quasi).columns
        given = None
        if self.points is not None:
            table = context.side.open(self.points)
            given = tuple(
                Coordinates.at(exact(float(x)) for x in table.numbers(name)) for name in columns
            )
            if not len(table):
                raise DataError(f"{self.points!r} has no records: {self} has no points")
        return (evolve(self, columns=columns, given=given),)

    def needs(self) -> frozenset[Columns]:
        return frozenset({self._axes})

    def prepared(self, finest: Groups) -> CTIsolation:
        """Find out where all points are before groups of them are judged again and again."""
        hidden, whole = self._counted(finest)
        if not whole.any():
            return self
        return evolve(self, seen=(hidden, whole, self._look(hidden, whole)))

    def judge(self, groups: Groups) -> BoolArray:
        return self.level(groups) >= self.t

    def level(self, groups: Groups) -> FloatArray:
        """Count the points in the ball that reaches to the nearest member of each group."""
        hidden, whole = self._counted(groups)
        if not groups.sizes.any():
            return np.full(len(groups), np.inf)
        return self._cloud(hidden, whole).points_in_balls(hidden, self.c)

    def witness(self, groups: Groups, at: int) -> str:
        found, c = int(self.level(groups)[at]), float(self.c)
        return (
            f"{found} of all points lie within {c:g} times the distance from the middle of the "
            f"group to the nearest victim, and at least {self.t} must"
        )

    def covers(self, other: GroupModel) -> bool:
        """Whether it asks for as many of the same points in balls that are no larger."""
        if not isinstance(other, CTIsolation) or self.t < other.t or self.c > other.c:
            return False
        return evolve(self, c=other.c, t=other.t) == other

    def weaker(self) -> CTIsolation | None:
        return evolve(self, t=self.t - 1) if self.t > 2 else None

    def explain_failure(self, groups: Groups) -> str:
        together = Partition.whole(groups).groups()
        found = int(self.level(together)[0])
        return (
            f"in all {groups.n_records} records together, {self.witness(together, 0)}: ask for t "
            f"of at most {found}, or for a larger c"
        )

    @property
    def _axes(self) -> Columns:
        if self.columns is None:
            raise SchemaError(
                f"{self} does not say which columns are coordinates: bind it to a table, or name "
                "the columns"
            )
        return self.columns

    def _counted(self, groups: Groups) -> tuple[Histogram, CountArray]:
        try:
            return groups.histograms[self._axes], groups.whole[self._axes]
        except KeyError:
            raise SchemaError(
                f"{self} needs the values of {', '.join(map(repr, self._axes))} together, which "
                "were not counted: count the table with what the promise needs"
            ) from None

    def _cloud(self, hidden: Histogram, whole: CountArray) -> PointCloud:
        if self._seen is not None:
            before, all_of_it, cloud = self._seen
            is_same = before.parts is hidden.parts and before.taxonomy is hidden.taxonomy
            if is_same and (self.points is not None or np.array_equal(all_of_it, whole)):
                return cloud
        return self._look(hidden, whole)

    def _look(self, hidden: Histogram, whole: CountArray) -> PointCloud:
        if self.points is not None and self._given is None:
            raise SchemaError(f"{self} has not seen its points yet: bind it to a table")
        axes: list[tuple[Coordinates, CodeArray]] = []
        for i, (taxonomy, codes) in enumerate(columns_of(hidden)):
            name, span = self._axes[i], self._given[i].span if self._given else None
            is_missing = codes == taxonomy.domain.missing
            if n := int(whole[is_missing].sum()):
                raise DataError(
                    f"{n} records have no value of {name!r}, and without it they are no points: "
                    f"leave these records out, or name other columns for {self}"
                )
            axes.append(
                (Coordinates.of(name, taxonomy.domain, span), np.where(is_missing, 0, codes))
            )
        if self._given is None:
            return PointCloud.of(axes, whole, scaled=self.scaled)
        return PointCloud.beside(axes, self._given, scaled=self.scaled)


def isolates(
    points: Iterable[Sequence[float]],
    p: Sequence[float],
    q: Sequence[float],
    c: float | Fraction,
    t: int,
) -> bool:
    """Decide whether a guess ``q`` isolates the point ``p``: fewer than ``t`` are about as near.

    The points in the closed ball around q of radius c |p - q| are counted, exactly.

    Examples
    --------
    >>> line = [[0.0], [1.0], [2.0], [10.0]]
    >>> isolates(line, p=[10.0], q=[9.0], c=2, t=2), isolates(line, p=[1.0], q=[1.5], c=4, t=2)
    (True, False)
    """
    radius = exact(c) ** 2 * _squared(p, q)
    return sum(_squared(point, q) <= radius for point in points) < t


def _squared(x: Sequence[float], y: Sequence[float]) -> Fraction:
    return sum(((exact(a) - exact(b)) ** 2 for a, b in zip(x, y, strict=True)), Fraction(0))
