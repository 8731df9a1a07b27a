"""Record owners: the list of all people whose records a release was made from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

import numpy as np
from attrs import define, evolve

from unlinkable.errors import DataError
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target, Truth
from unlinkable.tables.attacks.shared.victims import name_column
from unlinkable.tables.data import Frame, Role, SideTable, as_kind, keep_rows
from unlinkable.typing import Columns, CountArray

__all__ = ["RecordOwners", "as_it_was", "told_columns"]


@define(eq=False, frozen=True)
class RecordOwners:
    """People with their exact quasi-identifiers, and how they are called.

    Attributes
    ----------
    people
        Everybody, in the order of the list; of the original table if the holder adds people.
    listed
        The list of the adversary.
    rows
        For every person the row of the list, -1 for people that the holder adds.
    identity
        The column of the list with their names, if there is one.
    """

    people: SideTable
    listed: SideTable
    rows: CountArray
    identity: str | None

    @classmethod
    def of(
        cls, target: Target, knowledge: AdversaryKnowledge, external: str, identity: str | None
    ) -> Self:
        """Open the list of an adversary. The holder adds people whose records were left out.

        Raises
        ------
        SchemaError
            If the list lacks a quasi-identifying column, or the one with names.
        DataError
            If it is not a list of everybody.
        """
        listed = knowledge.side.open(external)
        listed.require(*target.quasi)
        people, rows = listed.frame.select(target.quasi), np.arange(len(listed))
        if knowledge.truth is not None and len(listed) != len(knowledge.truth.table):
            people, rows = _with_left_out(people, knowledge.truth)
        name = name_column(listed, identity, target)
        return cls(SideTable(external, people), listed, rows, name)

    def who(self, person: int) -> Mapping[str, str]:
        """Give a person's name, or their quasi-identifiers."""
        row = int(self.rows[person])
        if self.identity is not None and row >= 0:
            return _texts(self.listed, row, (self.identity,))
        return _texts(self.people, person, self.people.columns)


def told_columns(target: Target, knowledge: AdversaryKnowledge) -> Columns:
    """Name the published columns of the original records that are no quasi-identifiers."""
    shown = [n for n in target.frame.columns if n not in target.quasi and n != target.bucket]
    if knowledge.truth is not None:
        schema = knowledge.truth.table.schema
        names = schema.with_role(Role.IDENTIFIER)
        shown = [name for name in shown if name in schema.names and name not in names]
    return tuple(shown)


def as_it_was(target: Target, told: Columns, knowledge: AdversaryKnowledge) -> Target:
    """Take texts of numbers and days for what they are, as far as the holder knows."""
    frame = target.frame
    if knowledge.truth is not None:
        for name in told:
            kind = knowledge.truth.table.numbered(name).observed.domain.kind
            frame = as_kind(frame, name, kind)
    return evolve(target, frame=frame)


def _texts(people: SideTable, row: int, columns: Columns) -> dict[str, str]:
    one = SideTable(people.name, keep_rows(people.frame, np.array([row])))
    return {name: one.texts(name)[0] or "" for name in columns}


def _with_left_out(people: Frame, truth: Truth) -> tuple[Frame, CountArray]:
    """Take everybody in the original table, if the list has all but those left out."""
    original = truth.table.frame.select(people.columns)
    shown = None if truth.rows is None else np.sort(truth.rows)
    if shown is None or not people.equals(keep_rows(original, shown)):
        raise DataError(
            f"the list has {people.height:,} people, and the release was made from "
            f"{original.height:,} records: it must hold everybody, also those left out"
        )
    rows = np.full(original.height, -1)
    rows[shown] = np.arange(shown.size)
    return original, rows
