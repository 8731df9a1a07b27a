"""Merging: newcomers are put into groups of their own, and all others stay as they were."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.tables.attacks.series import Edition
from unlinkable.tables.data import (
    Frame,
    Role,
    Schema,
    Table,
    keep_rows,
    publishable_columns,
    texts_of,
    with_column,
)
from unlinkable.tables.methods.base import MaskedRecords, RecordMethod, Search, Task
from unlinkable.tables.methods.perturb import generalize
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.tables.series.policy import Policy
from unlinkable.tables.taxonomies.builders import ReadyMade
from unlinkable.typing import BoolArray, CountArray

__all__ = ["Merging"]


@frozen
class Merging(RecordMethod):
    r"""Publish the last release again, and newcomers as if they were a table of their own.

    What was published of somebody once is published of him in every later release. This is safe:

    *Difference.* Every group of a release is a group of an earlier one, with or without whole
    groups of later batches. So what is left after taking groups away is a union of groups that were
    each made to keep the promise, and a union keeps it: sizes add up, and the share of a value is a
    mean of its shares.

    *Intersection.* A group only ever grows, so that what its values have in common in two releases
    is all that it had in the first.

    *Record tracing.* The record of a person can be followed to itself, which shows the same, so
    that nothing is learned of the region that he lies in.

    *All worlds.* What newcomers have says nothing of others, nor the other way round: their groups
    are apart, or a common group hides what the old one did, and what newcomers have. So everybody
    is as likely to have a value as before, and a newcomer as its share in his group says.

    *Correspondence* does not fit: equal records do not show the same. But every record of the last
    release stands in this one in the same words, so that no record of it is struck out.

    Newcomers may show the same as a group that is there already, and join it; nothing above
    assumes that they do not. Records that are equal may show different things, depending on when
    they came: this is no generalization of the whole table, but of each batch by itself, and totals
    over batches mix different levels of detail.

    Parameters
    ----------
    policy
        Who asked for it; this is how it is written.
    method
        What puts newcomers into groups.
    last
        The last release.
    is_new
        For each record of the table whether it is a newcomer's.
    """

    name: ClassVar[str] = "incremental"
    reference: ClassVar[str] = "Byun et al. 2009"
    groups_people: ClassVar[bool] = True
    generalizes: ClassVar[bool] = True

    policy: Policy
    method: Search
    last: Edition = field(eq=False, repr=False)
    people: CountArray = field(eq=False, repr=False)
    is_new: BoolArray = field(eq=False, repr=False)

    def bind(self, schema: Schema) -> Self:
        return evolve(self, method=self.method.bind(schema))

    def refusal(self, model: GroupModel) -> str | None:
        return model.unsearchable

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        super().require(privacy, may_suppress=may_suppress)
        self.method.require(privacy, may_suppress=may_suppress)

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        """Put newcomers into groups, and write them beside the last release.

        The effort is that of the method on the newcomers.
        """
        new = np.flatnonzero(self.is_new)
        old = _rows_of(self.last, self.people)
        if not new.size:
            return MaskedRecords(_written(table, old, self.last.target.frame, None), old)
        batch = Table(keep_rows(table.frame, new), _as_given(table))
        found = generalize(self.method, batch, privacy, task)
        rows = np.concatenate([old, new[found.rows]])
        return MaskedRecords(
            _written(table, rows, self.last.target.frame, found.frame),
            rows,
            n_suppressed=new.size - found.rows.size,
            effort=found.solution.effort,
            optimal=found.solution.optimal,
            is_complete=found.solution.is_complete,
        )

    def __str__(self) -> str:
        return str(self.policy)


def _rows_of(edition: Edition, people: CountArray) -> CountArray:
    """Find the records of the people of a release, in the order of the release."""
    row = np.full(int(people.max(initial=-1)) + 1, -1, np.int64)
    row[people] = np.arange(people.size)
    assert edition.people is not None
    found: CountArray = row[edition.people]
    return found


def _as_given(table: Table) -> Schema:
    """Keep the taxonomies of the whole table for a part of it."""
    return Schema(
        evolve(plan, taxonomy=_given(table, plan.name))
        if plan.role in (Role.QUASI, Role.SENSITIVE)
        else plan
        for plan in table.schema.columns
    )


def _given(table: Table, name: str) -> ReadyMade:
    taxonomy = table.taxonomy(name)
    return ReadyMade(taxonomy, table.builder(name).listed(taxonomy))


def _written(table: Table, rows: CountArray, old: Frame, new: Frame | None) -> Frame:
    """Write what records show, and all else that may be published of them."""
    frame = keep_rows(table.frame, rows).select(publishable_columns(table))
    for name in table.schema.quasi:
        texts = texts_of(old, name).to_list()
        if new is not None:
            texts += texts_of(new, name).to_list()
        frame = with_column(frame, name, texts)
    return frame
