"""Privacy-MaxEnt: whatever else is known, nobody can be too sure of anybody's value.

That men do not get ovarian cancer, or that a third of all pilots smoke, is known besides what is
published. Privacy-MaxEnt takes such knowledge as linear equations, finds the belief that agrees
with them and with the published groups and assumes nothing else, the one of the largest entropy,
and bounds its largest probability [1]_, [2]_.

References
----------
.. [1] W. Du, Z. Teng, Z. Zhu. "Privacy-MaxEnt: integrating background knowledge in privacy
   quantification." SIGMOD 2008.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 2.5.2.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.errors import SchemaError
from unlinkable.params import exact, is_share
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.binding_context import BindingContext
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.base.verdict import Verdict
from unlinkable.tables.models.frequency_l_diversity import FrequencyLDiversity
from unlinkable.tables.models.shared.listed_values import (
    Values,
    as_values,
    mark,
    refuse_invalid_values,
    unknown_values,
)
from unlinkable.tables.models.shared.maxent.cells import Cells
from unlinkable.tables.models.shared.maxent.dual import solve
from unlinkable.tables.models.shared.maxent.posterior import Posterior
from unlinkable.tables.models.shared.maxent.presolve import InconsistentError
from unlinkable.tables.models.shared.maxent.statements import Statement, read_statements
from unlinkable.tables.models.shared.original_values_model import OriginalValuesModel
from unlinkable.typing import BoolArray, Columns, FloatArray

__all__ = ["PrivacyMaxEnt"]


@frozen
class PrivacyMaxEnt(OriginalValuesModel):
    r"""Whoever knows the groups and the ``constraints`` is at most ``p`` sure of anybody's value.

    Unknown is :math:`P(q, s, B)`, how many people with the original values :math:`q` have the
    sensitive value :math:`s` in each group :math:`B`. Known is how often each :math:`q` and each
    :math:`s` occurs in :math:`B`, and :math:`P(s | Q_v)` for conditions :math:`Q_v` on some
    quasi-identifying columns. Of all solutions, the one with the largest entropy :math:`-\sum
    P \log P` is what one should believe. For every :math:`q`, :math:`s` and :math:`B`:
    :math:`P(s | q, B) \le p`.

    Parameters
    ----------
    p
        The largest probability, in (0, 1].
    constraints
        A side table of what is known. Every row says: among all people who meet a condition, a
        share of ``p`` has ``value``. The condition is in columns that are called like
        quasi-identifying ones: a value, or anything that it could be published as (a label of the
        taxonomy, ``[30-40)``, ``{cook, clerk}``), and nothing where any will do. ``value`` may be
        such a label or set as well, and is empty for a missing value. Rows with the same ``id``
        are one equation: each share times its ``weight`` (1 if there is no such column), added up,
        is their common ``p``. A condition that nobody meets says nothing.
    sensitive
        The column whose values nobody may find out; each sensitive column if not given.
    values
        The values that are guarded, by their texts; all if not given.

    Guarantees
    ----------
    An adversary who knows the original quasi-identifying values of everybody, who is in which
    group, what is published and the constraints, and assumes nothing else, is at most p sure. It
    says nothing about what they may know besides; give what can be mined from the table, such as
    its strongest association rules, positive and negative. Constraints are about the published
    records: knowledge that contradicts these is an error, never a verdict.

    Where constraints are about a group, probabilities are found by a solver, and checked: sums to
    1e-8 of themselves, the gap between the entropy and its dual to 1e-8 a person. A probability of
    up to 1e-7 above p meets it there. In all other groups the bound is decided exactly, and so is
    what a share of 0 or 1 settles by itself.

    Merging
    -------
    Unsafe: let it be known that men do not have cancer. Two men, with flu and a cold, and two women
    with cancer and flu are at most 1/2 each; in one group, cancer must be one of the women's, and
    the men have flu with 2/3. Constraints link groups, so groups are judged together, and leaving
    records out changes what is known of the others.

    Cost
    ----
    Each time that groups are judged, a convex program is solved: within every group that
    constraints are about by Newton's method, over all of them by scipy, for as
    many variables as there are constraints. People and values that no constraint tells apart count
    as one; groups that no constraint is about cost nothing. 50 constraints on 10,000 groups take
    some seconds. A search judges many groupings, and solves a program for each.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.models.base import BindingContext
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.data.side import Side
    >>> people = as_table({"town": ["A", "A"], "sex": ["m", "f"], "ill": ["flu", "cancer"]},
    ...     quasi=["town", "sex"], sensitive="ill")
    >>> known = {"sex": ["m"], "value": ["cancer"], "p": [0]}
    >>> context = BindingContext.of(people.schema, Side.of({"known": known}))
    >>> (promise,) = PrivacyMaxEnt(0.5, constraints="known").bind(context)
    >>> groups, _ = count(people, promise.needs()).finest.project(("town",))
    >>> promise.verdict(groups).achieved
    {'p': 1.0}
    """

    name: ClassVar[str] = "privacy-maxent"
    reference: ClassVar[str] = "Du, Teng and Zhu 2008"
    threats: ClassVar[Threat] = Threat.ATTRIBUTE | Threat.PROBABILISTIC
    in_words: ClassVar[str] = (
        "Whoever knows the release and the stated facts is at most {p:%} sure of anybody's value "
        "{of}."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "It says nothing about what an adversary knows besides the stated facts.",
        "An adversary who is wrong in what they assume may guess right.",
    )
    parameter: ClassVar[str] = "p"
    higher_is_safer: ClassVar[bool] = False

    p: Fraction = field(converter=exact, validator=is_share)
    constraints: str = field(kw_only=True)
    sensitive: str | None = field(default=None, kw_only=True)
    values: Values | None = field(default=None, converter=as_values, kw_only=True)
    _quasi: Columns | None = field(default=None, kw_only=True, eq=False, repr=False)
    _statements: tuple[Statement, ...] | None = field(
        default=None, kw_only=True, eq=False, repr=False
    )
    _solved: tuple[Groups, Posterior] | None = field(
        default=None, kw_only=True, eq=False, repr=False
    )

    @values.validator
    def _fit_the_column(self, attribute: object, value: Values | None) -> None:
        refuse_invalid_values(value)

    @property
    def merging(self) -> Merging:
        return Merging.UNSAFE

    @property
    def local(self) -> bool:
        return False

    @property
    def relative(self) -> bool:
        return True

    @property
    def sources(self) -> Columns:
        return (self.constraints,)

    def bind(self, context: BindingContext) -> tuple[Self, ...]:
        bound = super().bind(context)
        statements = read_statements(context.side.open(self.constraints), context.quasi)
        renew: Callable[..., Self] = evolve
        return tuple(renew(model, statements=statements) for model in bound)

    def needs(self) -> frozenset[Columns]:
        return frozenset({self.quasi, (self.column,)})

    def judge(self, groups: Groups) -> BoolArray:
        return self.posterior(groups).is_within(self.p)

    def survives(self, groups: Groups, parts: BoolArray, column: str) -> bool:
        # Constraints are about all groups, also those that were not split.
        return self.holds(groups)

    def level(self, groups: Groups) -> FloatArray:
        """Give the largest probability of a guarded value in each group."""
        return self.posterior(groups).level

    def good(self, groups: Groups) -> BoolArray:
        """Decide which groups can be published; none if what is known contradicts them.

        Leaving records out changes the shares that are known, and fine groups may leave no way to
        have them.
        """
        try:
            return self.judge(groups)
        except InconsistentError:
            return np.zeros(len(groups), bool)

    def verdict(self, groups: Groups) -> Verdict:
        solved = evolve(self, solved=(groups, self.posterior(groups)))
        return super(PrivacyMaxEnt, solved).verdict(groups)

    def witness(self, groups: Groups, at: int) -> str:
        found, hidden = self.posterior(groups), self.hidden(groups)
        if (code := int(found.value[at])) < 0:
            odd = "".join(f"; {text}" for text in unknown_values(hidden, self.values))
            return f"no record has a guarded value in {self.column!r}{odd}"
        return (
            f"somebody has {hidden.text(code) or 'no value'} in {self.column!r} with probability "
            f"{float(found.level[at]):.4g}, given what is known ({self.describe(groups, at)}), "
            f"and at most {float(self.p):g} is allowed"
        )

    def consequences(self) -> tuple[GroupModel, ...]:
        """The share of a value in a group is the mean of its probabilities for all people in it."""
        if self.values is not None:
            return ()
        return (FrequencyLDiversity(1 / self.p, sensitive=self.sensitive),)

    def covers(self, other: GroupModel) -> bool:
        """Whether it guards all values of another one that knows the same, as tightly."""
        if not isinstance(other, PrivacyMaxEnt) or self.p > other.p:
            return False
        guards = self.values is None or (
            other.values is not None and set(other.values) <= set(self.values)
        )
        same = (self.constraints, self.sensitive) == (other.constraints, other.sensitive)
        return guards and same

    def weaker(self) -> PrivacyMaxEnt | None:
        more = self.p + Fraction(1, 20)
        return evolve(self, p=more) if more < 1 else None

    def posterior(self, groups: Groups) -> Posterior:
        """Find what to believe of the people of each group.

        Raises
        ------
        DataError
            If what is known contradicts what is published.
        UnlinkableError
            If the solver does not converge.
        """
        if self._solved is not None and self._solved[0] is groups:
            return self._solved[1]
        if self._statements is None:
            raise SchemaError(f"{self} has not read {self.constraints!r} yet: bind it to a table")
        people, hidden = self.counted(groups, self.quasi), self.hidden(groups)
        cells = Cells.of(self._statements, self.quasi, people, hidden, self.column)
        x = solve(cells, self.constraints)
        return Posterior.of(cells, x, hidden, mark(hidden, self.values))
