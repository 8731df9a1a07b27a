"""HD-composition: holders and decoys, for values that nobody loses again.

Most of what people hide changes from release to release, and so does what they show. But who has
HIV has it for ever; whoever can be excluded in one release is excluded in all, and those who are
left over are found [1]_, [2]_.

References
----------
.. [1] Y. Bu, A. W.-C. Fu, R. C.-W. Wong, L. Chen, J. Li. "Privacy preserving serial data publishing
   by role composition." VLDB 2008.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 10.4.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.errors import ParameterError, UnsupportedError
from unlinkable.params import as_columns, at_least
from unlinkable.tables.attacks.series import CriticalAbsence, SeriesAttack
from unlinkable.tables.data import Frame, Schema, Table, canonical_values, texts_of
from unlinkable.tables.methods.base import Method
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.publishing.releases import Release
from unlinkable.tables.series.composition.cell_assignment import assign_cells
from unlinkable.tables.series.composition.role_partition import RolePartition
from unlinkable.tables.series.composition.roles import DECOY, Roles
from unlinkable.tables.series.invariance.boxes import extents, points_of
from unlinkable.tables.series.invariance.halving import curve_order
from unlinkable.tables.series.invariance.snapshot_policy import SnapshotPolicy
from unlinkable.tables.series.policy import Past, Request
from unlinkable.typing import BoolArray, CodeArray, Columns

__all__ = ["HDComposition"]

_ROLES = "roles"
"""What the roles are remembered as."""


@frozen
class HDComposition(SnapshotPolicy):
    r"""Hide everybody who has a permanent value among decoys who do all that he does.

    A *holder* of a permanent value and :math:`l - 1` *decoys* make a *cell* of l cohorts. A cell is
    a group of its own in every release that it is in (role-based partition), with one person of
    each cohort (cohort-based partition), and everybody keeps his cohort for ever, also while he is
    away. So for whoever holds all releases any cohort can be the one with the value: the
    probability that a person has a permanent value, over all possible worlds, is 1/l in cells and 0
    elsewhere. What people show, and values that pass, may change.

    The book's rule, that two people of one cohort never share a group, is not enough by itself. If
    cohorts of different cells mix, worlds appear that mix cohorts, and some people are likelier
    than others: with l = 3, groups {h1, a1, b1}, {h2, a2, b2} in one release and {h1, a1, b2},
    {h2, a2, b1} in the next leave five worlds, and h1 has the value in two of them. So cells stay
    together. If one cohort is away, somebody new takes its place and belongs to it from then on, or
    a counterfeit stands there; if more are away, the rest of the cell is left out (see
    `assign_cells`).

    Who gets a permanent value after having been published without it is left out, too: the
    adversary takes a permanent value for one that people have in all of their releases or in none.

    Parameters
    ----------
    l
        How many people must be as likely to have a permanent value.
    permanent
        The values that nobody loses again.
    sensitive
        The column that is protected, and the only one that is published beside the
        quasi-identifier. If not given, the only sensitive one.

    Cost
    ----
    O(d n log² n) for n records and d columns, and that of Mondrian.

    Raises
    ------
    SchemaError
        If it is not clear which column is meant.
    ParameterError
        If no value is permanent.
    UnsupportedError
        If people lost a permanent value, earlier releases were made in another way or with smaller
        cells, or something is promised that it cannot keep.
    InfeasibleError
        If more people would have to be left out than may be.

    Examples
    --------
    >>> from unlinkable.tables.series.next_release import next_release
    >>> from unlinkable.tables.data import as_table
    >>> policy = HDComposition(2, permanent="hiv")
    >>> table = as_table({"age": [31, 32, 51, 53], "ill": ["flu", "hiv", "flu", "cold"]},
    ...     quasi="age", sensitive="ill")
    >>> first = next_release(policy, Request(table, np.arange(4)), Past())
    >>> past = Past((first.edition,), first.memory, 4)
    >>> table = as_table({"age": [31, 52, 53], "ill": ["cold", "flu", "flu"]},
    ...     quasi="age", sensitive="ill")
    >>> then = next_release(policy, Request(table, np.array([0, 2, 3])), past)
    >>> then.release.masked.told["counterfeits"], then.outcomes[0].highest
    (1, 0.5)
    """

    name: ClassVar[str] = "hd-composition"
    reference: ClassVar[str] = "Bu, Fu, Wong, Chen and Li 2008"
    scenario: ClassVar[str] = (
        "people come, go and come back between releases, and what they show and hide may change, "
        "but for values that nobody loses again"
    )
    guards: ClassVar[tuple[str, ...]] = ("critical-absence",)

    l: int = field(validator=at_least(2))  # noqa: E741
    permanent: Columns = field(converter=as_columns, kw_only=True)
    sensitive: str | None = field(default=None, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if not self.permanent:
            raise ParameterError("permanent must name at least one value")

    def method_for(self, request: Request, past: Past) -> Method:
        column = self.column_of(request)
        # One record of a cell may be nobody's, so that it takes one more to hide k people.
        asked = [model.k for model in request.models if isinstance(model, KAnonymity)]
        size = max(self.l, *(k + 1 for k in asked), 2)
        roles = self._roles(past, size)
        table = request.table
        made = assign_cells(
            request.people,
            self._values(table, column),
            curve_order(points_of(table), extents(table.attributes)),
            roles,
            _were_published(request, past),
            size,
        )
        passing = self._passing(request, past, column)
        return RolePartition(self, column, self.permanent, size, made, passing)

    def adversaries(self, request: Request, past: Past) -> tuple[SeriesAttack, ...]:
        column = self.bind(request.table.schema).sensitive
        return (CriticalAbsence(column, permanent=self.permanent, limit=Fraction(1, self.l)),)

    def named_values(self, schema: Schema) -> tuple[tuple[str, str], ...]:
        column = self.bind(schema).sensitive
        return () if column is None else tuple((column, value) for value in self.permanent)

    def remember(self, release: Release, request: Request, past: Past) -> Mapping[str, Frame]:
        method = release.method
        assert isinstance(method, RolePartition)
        return {_ROLES: method.assignment.roles.write(self.permanent)}

    def _roles(self, past: Past, size: int) -> Roles:
        if _ROLES not in past.memory:
            if len(past):
                raise UnsupportedError(
                    f"{self.name} goes on from releases of its own, and those published before "
                    f"were made in another way: start a new series with {self.name}"
                )
            return Roles.none()
        roles = Roles.read(past.memory[_ROLES], self.permanent)
        if (roles.value == len(self.permanent)).any():
            raise UnsupportedError(
                "a value was permanent in earlier releases and is not now: name all that were"
            )
        if roles.sizes.min(initial=size) < size:
            raise UnsupportedError(
                f"people were put together in {int(roles.sizes.min())}s before, and now {size} are "
                "asked for: that cannot be made up for, start a new series"
            )
        return roles

    def _passing(self, request: Request, past: Past, column: str) -> tuple[str | None, ...]:
        """List what people have who have no permanent value: now, or in earlier releases."""
        frames = [request.table.frame, *(edition.target.frame for edition in past.editions)]
        for frame in frames:
            texts = texts_of(canonical_values(frame.select(column), [column]), column)
            is_permanent = texts.is_in([*self.permanent]).fill_null(value=False)
            if found := texts.filter(~is_permanent).to_list():
                return tuple(found)
        return ()

    def _values(self, table: Table, column: str) -> CodeArray:
        """Number the permanent values of records; `DECOY` for other ones."""
        texts = texts_of(canonical_values(table.frame.select(column), [column]), column)
        found = np.full(len(table), DECOY, np.int32)
        for i, value in enumerate(self.permanent):
            found[(texts == value).fill_null(value=False).to_numpy()] = i
        return found


def _were_published(request: Request, past: Past) -> BoolArray:
    known = [edition.people for edition in past.editions if edition.people is not None]
    n = max(int(people.max(initial=-1)) for people in (*known, request.people)) + 1
    found = np.zeros(n, bool)
    for people in known:
        found[people[people >= 0]] = True
    return found
