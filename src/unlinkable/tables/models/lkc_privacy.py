"""LKC-privacy: against an adversary who knows at most L values of a victim.

k-anonymity over many columns destroys most of a table, because it protects against an adversary who
knows all of them. Against an adversary who can learn only L values, far less generalization is
enough [1]_, [2]_.

References
----------
.. [1] N. Mohammed, B. C. M. Fung, P. C. K. Hung, C. Lee. "Anonymizing healthcare data: a case
   study on the blood transfusion service." KDD 2009.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Definition 2.4; section 6.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.errors import SchemaError, unknown
from unlinkable.params import at_least, exact, is_share
from unlinkable.tables.groups import Groups, Histogram, Knowledge
from unlinkable.tables.models.base.binding_context import BindingContext
from unlinkable.tables.models.base.ceilings import SensitiveGoal
from unlinkable.tables.models.base.joint import Joint
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel, ValueNormalizer
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.base.verdict import Verdict
from unlinkable.tables.models.k_anonymity import KAnonymity
from unlinkable.tables.models.shared.combinations import examine, stays_within
from unlinkable.tables.models.shared.gaps import UNLISTED_VALUES
from unlinkable.tables.models.shared.listed_values import as_texts, mark, normalize_values
from unlinkable.tables.models.shared.share_bound import ShareBound
from unlinkable.typing import BoolArray, Columns, CountArray, ValueText

__all__ = ["LKCPrivacy"]


@frozen
class LKCPrivacy(Joint):
    r"""Whoever knows at most ``l`` values of a victim is left with ``k`` people, none too telling.

    For every combination :math:`q` of at most ``l`` quasi-identifying values that occurs in the
    table: :math:`|T[q]| \ge k`, and :math:`|T[q, s]| \le c\,|T[q]|` for every sensitive value
    :math:`s`, or every one that is listed. Both bounds are met by equality, and decided exactly.
    People are counted for ``k`` if the table has an owner column, and records for ``c``.

    Combinations of exactly ``l`` columns tell. The records that agree on fewer columns are a union
    of sets that agree on more: it has at least as many people as each of them, and the share of a
    value in it is a weighted mean of its shares in them, which is at most the largest.

    Parameters
    ----------
    l
        How many values of a victim may be known.
    k
        The least number of people who look alike then.
    c
        The largest share of a sensitive value among them.
    sensitive
        The column whose values nobody may find out; each sensitive column if not given. In a table
        that has none, ``c`` says nothing.
    values
        The values of that column that are sensitive; all if not given. The empty text is the
        missing value.

    Guarantees
    ----------
    Who knows at most l values of a victim links it to a record with probability at most 1/k, and
    to a sensitive value with confidence at most c. Who knows one more may know all.

    Merging
    -------
    Safe: sizes add up, and the share of a value in a union is a weighted mean of its shares in the
    parts. It does not absorb: {1, 1} keeps c = 1/2, and with two more records of the first value it
    is {3, 1}, which does not. It is not local: a group that is small by itself may be large enough
    together with others that agree on l columns.

    Examples
    --------
    Knowing all three columns singles everybody out; knowing any one of them does not.

    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> ward = as_table({"a": [*"0011"], "b": [*"0101"], "c": [*"0110"], "ill": [*"wxyz"]},
    ...     quasi=["a", "b", "c"], sensitive="ill")
    >>> promise = LKCPrivacy(l=1, k=2, c=0.5, sensitive="ill")
    >>> verdict = promise.verdict(count(ward, promise.needs()).finest)
    >>> verdict.holds, verdict.achieved
    (True, {'k': 2, 'c': 0.5})
    """

    name: ClassVar[str] = "lkc-privacy"
    reference: ClassVar[str] = "Mohammed et al. 2009"
    threats: ClassVar[Threat] = Threat.RECORD | Threat.ATTRIBUTE
    in_words: ClassVar[str] = (
        "Whoever knows up to {l} values of somebody finds at least {k} records that could be "
        "theirs, and is at most {c:%} sure of a value {of}."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "An adversary who knows one value more than was assumed is not stopped at all.",
        "It does not hide that somebody is in the data.",
        UNLISTED_VALUES,
    )
    parameter: ClassVar[str] = "k"
    counts_people: ClassVar[bool] = True

    l: int = field(validator=at_least(1))  # noqa: E741
    k: int = field(validator=at_least(1))
    c: Fraction = field(converter=exact, validator=is_share)
    sensitive: str | None = field(default=None, kw_only=True)
    values: tuple[ValueText, ...] | None = field(default=None, converter=as_texts, kw_only=True)

    @property
    def parts(self) -> Mapping[str, GroupModel]:
        people = KAnonymity(self.k)
        if self.sensitive is None:
            return {"k": people}
        return {"k": people, "c": ShareBound(self.c, (self.sensitive,), self.values)}

    @property
    def merging(self) -> Merging:
        return Merging.SAFE

    @property
    def local(self) -> bool:
        return False

    def bind(self, context: BindingContext) -> tuple[LKCPrivacy, ...]:
        columns = context.sensitive
        if self.sensitive is not None:
            if self.sensitive not in columns:
                raise SchemaError(
                    f"{unknown('sensitive column', self.sensitive, columns)} for {self}"
                )
            return (self,)
        if self.values is not None and not columns:
            raise SchemaError(
                f"{self} lists sensitive values, and the table has no sensitive column: say which "
                "column nobody may find out, or leave out the values"
            )
        return tuple(evolve(self, sensitive=name) for name in columns) or (self,)

    def with_normalized_values(self, normalize: ValueNormalizer) -> LKCPrivacy:
        if self.sensitive is None:
            return self
        return evolve(self, values=normalize_values(self.values, (self.sensitive,), normalize))

    def knows(self, columns: Columns) -> Knowledge:
        return Knowledge(columns, at_most=self.l)

    def good(self, groups: Groups) -> BoolArray:
        if not len(groups):
            return np.ones(0, bool)
        return examine(groups, self.l, self.k, self.c, *self._bounded(groups)).good

    def least_suppressed(self, groups: Groups, limit: int) -> CountArray:
        """Count the groups that look like too few people on some columns.

        Whatever a finer release keeps of such a group looks like no more people there, as long as
        who looks alike on a column there looks alike on it here.
        """
        if not len(groups):
            return np.zeros(0, np.int64)
        return np.where(examine(groups, self.l, self.k).good, 0, groups.sizes)

    def holds(self, groups: Groups) -> bool:
        if not len(groups):
            return True
        seen = examine(groups, self.l, self.k, self.c, *self._bounded(groups), stops=True)
        return seen.is_kept

    def survives(self, groups: Groups, parts: BoolArray, column: str) -> bool:
        hidden, is_bounded = self._bounded(groups)
        name = None if hidden is None else (self.sensitive or "",)
        return stays_within(groups, parts, column, self.l, (self.k, self.c), name, is_bounded)

    def verdict(self, groups: Groups) -> Verdict:
        if not len(groups):
            return Verdict(self, True, {"k": None}, np.ones(0, bool), -1)
        seen = examine(groups, self.l, self.k, self.c, *self._bounded(groups), for_worst=True)
        reached: dict[str, float | None] = {"k": float(seen.fewest)}
        alike, parent = groups.project(seen.few_on)
        worst, place = seen.few_at, seen.few_on
        if self.sensitive is not None:
            reached["c"] = float(seen.share)
            if seen.share > self.c and self.parts["c"].judge(alike)[parent[worst]]:
                worst, place = seen.share_at, seen.share_on
                alike, parent = groups.project(place)
        return Verdict(
            self,
            seen.is_kept,
            reached,
            seen.good,
            worst,
            seen_on=place,
            why=self.witness(alike, int(parent[worst])),
            basis=self.basis(groups),
        )

    def consequences(self) -> tuple[GroupModel, ...]:
        """Who knows all columns may know everything: nothing follows for whole groups."""
        return ()

    def covers(self, other: GroupModel) -> bool:
        """Whether it holds off an adversary who knows as much, with as many people and no less."""
        if not isinstance(other, LKCPrivacy) or self.l < other.l or self.k < other.k:
            return False
        mine = ShareBound(self.c, (self.sensitive or "",), self.values)
        asked = ShareBound(other.c, (other.sensitive or "",), other.values)
        return other.c == 1 or mine.covers(asked)

    def owner_ceiling(self) -> Fraction:
        return Fraction(1, self.k)

    def share_ceiling(self, goal: SensitiveGoal) -> Fraction:
        return self.c

    def weaker(self) -> LKCPrivacy | None:
        return evolve(self, k=self.k - 1) if self.k > 2 else None

    def explain_failure(self, groups: Groups) -> str:
        people = int(groups.people().max(initial=0))
        if people < self.k:
            who = "people" if groups.owner else "records"
            return (
                f"{self} needs at least {self.k} {who}, and the table has {people}: ask for k of "
                f"at most {people}, or gather more data"
            )
        share = float(self.parts["c"].level(groups).max())
        return (
            f"one value of {self.sensitive!r} has {share:.4g} of all {groups.n_records} records, "
            "and some combination is never less telling than all together: ask for c of at least "
            f"{share:.4g}, or list the values that are sensitive"
        )

    def _bounded(self, groups: Groups) -> tuple[Histogram | None, BoolArray | None]:
        if self.sensitive is None:
            return None, None
        if (hidden := groups.histograms.get((self.sensitive,))) is None:
            raise SchemaError(
                f"{self} needs the values of {self.sensitive!r}, which were not counted: count the "
                "table with what the promise needs"
            )
        return hidden, mark(hidden, self.values)
