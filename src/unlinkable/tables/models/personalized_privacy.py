"""Personalized privacy: everybody says what must not be found out, and only that is guarded.

Some mind that others learn of their disease, some mind only about some diseases, and some do not
mind. Each names a *guarding node* in the taxonomy of diseases, and the table is generalized no more
than that takes [1]_, [2]_.

References
----------
.. [1] X. Xiao, Y. Tao. "Personalized privacy preservation." SIGMOD 2006.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 2.2.9.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.errors import SchemaError
from unlinkable.params import exact, is_share
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.binding_context import BindingContext
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.shared.exact_ratios import is_within
from unlinkable.tables.models.shared.guarding import Breaches, GuardReading, breaches
from unlinkable.tables.models.shared.sensitive_model import SensitiveModel
from unlinkable.typing import BoolArray, Columns, FloatArray

__all__ = ["PersonalizedPrivacy"]


@frozen
class PersonalizedPrivacy(SensitiveModel):
    r"""Nobody is more than ``p`` sure of what a person of the group wants guarded.

    Let :math:`g_t` be the guarding node of person :math:`t`, and :math:`P_q(v)` the share of the
    value :math:`v` in the group of :math:`t`. For everybody who guards a node:
    :math:`\max_{v \in g_t} P_q(v) \le p`, or, if the reading is ``subtree``, :math:`\sum_{v \in
    g_t} P_q(v) \le p`. A published value that is itself a node of the taxonomy counts for all
    values under it alike; the root is also over a missing value, if there are any. The bound is met
    by equality, and decided exactly.

    Parameters
    ----------
    p
        The largest probability.
    sensitive
        The column whose values are guarded; the sensitive column if there is one.
    guard
        The column with what each person wants guarded: a value of the sensitive column, or a label
        of its taxonomy; nothing for somebody who guards nothing. The column with the role of
        a guard if not given.
    reading
        What must not be inferred of somebody who guards a node: any single value under it
        (``leaf``: that it is one of them may be known), or that it is one of them (``subtree``).

    Guarantees
    ----------
    Who finds the group of a person does not find out with a probability above p what that person
    guards. It says nothing about people who guard nothing, or about what is not under the node; and
    whoever learns what somebody guards learns that there may be something to hide: the column is
    never published.

    Merging
    -------
    Unsafe. Three people with HIV who guard nothing are a good group, and so are, for p = 0.4, one
    with HIV who guards it and two with the flu; together, four of six have HIV.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.taxonomies.builders import Tree
    >>> ward = as_table({"sex": ["f", "f", "m", "m"], "ill": ["hiv", "sars", "hiv", "hiv"],
    ...     "mind": ["infection", None, None, None]}, quasi="sex", sensitive="ill", guard="mind",
    ...     taxonomies={"ill": Tree({"infection": ["hiv", "sars"], "injury": ["burn", "cut"]})})
    >>> promise = PersonalizedPrivacy(0.5, sensitive="ill", guard="mind")
    >>> verdict = promise.verdict(count(ward, promise.needs()).finest)
    >>> verdict.holds, verdict.achieved
    (True, {'p': 0.5})
    """

    name: ClassVar[str] = "personalized-privacy"
    reference: ClassVar[str] = "Xiao and Tao 2006"
    threats: ClassVar[Threat] = Threat.ATTRIBUTE
    in_words: ClassVar[str] = (
        "Nobody can be more than {p:%} sure of what a person asked to have guarded."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "It says nothing about people who asked for nothing, and nothing about values that nobody "
        "guards.",
    )
    parameter: ClassVar[str] = "p"
    higher_is_safer: ClassVar[bool] = False

    p: Fraction = field(converter=exact, validator=is_share)
    sensitive: str | None = field(default=None, kw_only=True)
    guard: str | None = field(default=None, kw_only=True)
    guards_against: GuardReading = field(
        default=GuardReading.LEAF, converter=GuardReading, alias="reading", kw_only=True
    )

    @property
    def merging(self) -> Merging:
        return Merging.UNSAFE

    def bind(self, context: BindingContext) -> tuple[PersonalizedPrivacy, ...]:
        guard = context.guard if self.guard is None else self.guard
        if guard is None:
            raise SchemaError(
                f"{self} needs a column that tells what each person wants guarded, and the table "
                "has none: give a column the role guard, or name it"
            )
        if guard in (*context.quasi, *context.sensitive):
            raise SchemaError(
                f"{self} takes {guard!r} for what people want guarded, and it is published: give "
                "it the role guard"
            )
        if self.sensitive is None and len(context.sensitive) > 1:
            raise SchemaError(
                f"{self} does not say which of {len(context.sensitive)} sensitive columns is "
                "guarded: name it"
            )
        return tuple(evolve(bound, guard=guard) for bound in super().bind(context))

    def needs(self) -> frozenset[Columns]:
        return frozenset({self._columns, (self.column,)})

    def judge(self, groups: Groups) -> BoolArray:
        found = self._breaches(groups)
        good = np.ones(len(groups), bool)
        good[found.group[~is_within(found.amounts, self.p, found.wholes)]] = False
        return good

    def level(self, groups: Groups) -> FloatArray:
        """Give the largest probability of what somebody guards in each group."""
        found = self._breaches(groups)
        level = np.zeros(len(groups))
        np.maximum.at(level, found.group, (found.amounts / found.wholes).astype(float))
        return level

    @property
    def guarded(self) -> Columns:
        """The sensitive column, and the column with what people want guarded."""
        return self._columns

    def excess(self, groups: Groups) -> FloatArray:
        """Add up for each group how far all that is guarded lies above the bound.

        A search that generalizes sensitive values sees by it whether a step helps, even if the
        group is still bad after it.
        """
        found = self._breaches(groups)
        over = (found.amounts / found.wholes).astype(float) - float(self.p)
        excess = np.zeros(len(groups))
        np.add.at(excess, found.group, np.maximum(over, 0.0))
        return excess

    def reading(self, groups: Groups) -> str:
        if self.guards_against is GuardReading.LEAF:
            return (
                "no single value under a guarding node may be inferred; that it is one of them may"
            )
        return "that a value lies under a guarding node may not be inferred"

    def witness(self, groups: Groups, at: int) -> str:
        reached = float(self.level(groups)[at])
        return (
            f"what somebody guards has a probability of {reached:.4g} "
            f"({self.describe(groups, at)}), and at most {float(self.p):.4g} is allowed"
        )

    def covers(self, other: GroupModel) -> bool:
        """Whether it guards the same as tightly: a subtree is guarded better than its leaves."""
        if not isinstance(other, PersonalizedPrivacy) or self.p > other.p:
            return False
        strongest = GuardReading.SUBTREE
        return (self.sensitive, self.guard) == (other.sensitive, other.guard) and (
            self.guards_against in (strongest, other.guards_against)
        )

    def weaker(self) -> PersonalizedPrivacy | None:
        more = self.p + Fraction(1, 20)
        return evolve(self, p=more) if more < 1 else None

    @property
    def _columns(self) -> tuple[str, str]:
        if self.guard is None:
            raise SchemaError(
                f"{self} does not say which column tells what people want guarded: bind it to a "
                "table, or name the column"
            )
        return self.column, self.guard

    def _breaches(self, groups: Groups) -> Breaches:
        try:
            guarded = groups.histograms[self._columns]
        except KeyError:
            names = " and ".join(map(repr, self._columns))
            raise SchemaError(
                f"{self} needs the values of {names} together, which were not counted: count the "
                "table with what the promise needs"
            ) from None
        return breaches(self.hidden(groups), guarded, self.guards_against, self._columns)
