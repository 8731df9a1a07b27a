"""Role partition: cells, and people without a role, as groups that show the same.

References
----------
.. [1] Y. Bu, A. W.-C. Fu, R. C.-W. Wong, L. Chen, J. Li. "Privacy preserving serial data publishing
   by role composition." VLDB 2008.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen
from numpy.typing import NDArray

from unlinkable.errors import InfeasibleError
from unlinkable.tables.data import Table, canonical_values, frame_of, free_name, keep_rows, texts_of
from unlinkable.tables.groups import number_rows
from unlinkable.tables.methods.base import MaskedRecords, RecordMethod, Task
from unlinkable.tables.methods.perturb import generalize
from unlinkable.tables.methods.regions import Mondrian
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.tables.publishing.anonymizing import BrokenPromiseError
from unlinkable.tables.series.composition.cell_assignment import CellAssignment
from unlinkable.tables.series.composition.role_assignment import FREE
from unlinkable.tables.series.composition.roles import DECOY
from unlinkable.tables.series.invariance.boxes import (
    bounds_of,
    extents,
    points_of,
    tell_apart,
    write_boxes,
)
from unlinkable.tables.series.invariance.halving import neighbours
from unlinkable.tables.series.policy import Policy
from unlinkable.typing import Columns, CountArray

__all__ = ["RolePartition"]


@frozen
class RolePartition(RecordMethod):
    """Publish each cell as a group of its own, and people without a role in other groups.

    A group shows the smallest range that covers it. No other group shows the same as a cell
    (`tell_apart`). People without a role are put together by Mondrian, at least as many as a cell
    has cohorts; no permanent value is among theirs.

    Publishes
    ---------
    Quasi-identifier, sensitive value, and how many records of the same group are counterfeits, at
    most one. No other columns, which counterfeits could not have.

    Parameters
    ----------
    policy
        Who asked for it; this is how it is written.
    sensitive, permanent
        The sensitive column, and the values of it that nobody loses again.
    size
        How many people without a role there must be in a group.
    assignment
        Who appears how.
    passing
        Values that counterfeits in the place of decoys are drawn from.

    Raises
    ------
    InfeasibleError
        If more people would have to be left out than may be, or there are so few quasi-identifying
        values that cells cannot be told apart.
    BrokenPromiseError
        If somebody's cell is not what it must be, which would be a defect.
    """

    name: ClassVar[str] = "role-partition"
    reference: ClassVar[str] = "Bu, Fu, Wong, Chen and Li 2008"
    groups_people: ClassVar[bool] = True
    needs_promise: ClassVar[bool] = False

    policy: Policy
    sensitive: str
    permanent: Columns
    size: int
    assignment: CellAssignment = field(eq=False, repr=False)
    passing: tuple[str | None, ...] = field(eq=False, repr=False)

    def refusal(self, model: GroupModel) -> str | None:
        if isinstance(model, KAnonymity) and model.qid is None:
            return None
        return (
            "it bounds how sure anybody can be of permanent values, in all releases together, and "
            "says nothing of others: promise k-anonymity, or nothing else"
        )

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        """Write what cells and other groups show.

        The effort counts cells, groups and counterfeits.
        """
        assignment = self.assignment
        if assignment.n_left_out > task.may_suppress(len(table)):
            why = "; ".join(f"{n:,} {reason}" for reason, n in assignment.left_out.items())
            raise InfeasibleError(
                f"{assignment.n_left_out:,} of {len(table):,} people would have to be left out, "
                f"and {task.may_suppress(len(table)):,} may be: {why}. Allow more suppression, or "
                "add new people"
            )
        attributes, points = table.attributes, points_of(table)
        record, cell, group = self._entries(table, task)
        real = record >= 0
        whose = record.copy()
        near = _somebody_of(cell, record)[assignment.stands_in]
        whose[~real] = neighbours(points, extents(attributes), near, task.rng)
        least = bounds_of(points[record[real]], group[real], attributes)
        kind = np.empty(len(least[0]), np.int64)
        kind[group] = cell
        box = bounds_of(points[whose], group, attributes)
        box = tell_apart(box, least, kind, attributes, task.rng)
        shown = number_rows(np.concatenate(box, axis=1))[0].astype(np.int64)[group]
        return self._write(table, task, (record, group, shown), write_boxes(box, attributes))

    def _entries(self, table: Table, task: Task) -> tuple[CountArray, CountArray, CountArray]:
        """List what is published: which record, in which cell, in which group."""
        assignment = self.assignment
        in_cells, free = (
            np.flatnonzero(assignment.cell >= 0),
            np.flatnonzero(assignment.cell == FREE),
        )
        made_up = np.full(assignment.stands_in.size, -1, np.int64)
        record = np.concatenate([in_cells, made_up, free])
        cell = np.concatenate(
            [assignment.cell[in_cells], assignment.stands_in, np.full(free.size, FREE)]
        )
        group = np.unique(cell[: cell.size - free.size], return_inverse=True)[1].astype(np.int64)
        if free.size:
            part = Table(keep_rows(table.frame, free), table.schema)
            asked = evolve(task, attributes=part.attributes, suppression=Fraction(0))
            promise = All([KAnonymity(self.size)])
            found = generalize(Mondrian(), part, promise, asked)
            parts = np.unique(found.parts, return_inverse=True)[1]
            group = np.concatenate([group, parts + int(group.max(initial=-1)) + 1])
        return record, cell, group

    def _write(
        self,
        table: Table,
        task: Task,
        made: tuple[CountArray, CountArray, CountArray],
        texts: list[NDArray[np.object_]],
    ) -> MaskedRecords:
        record, group, shown = made
        fake = np.flatnonzero(record < 0)
        n_fake = np.bincount(shown[fake], minlength=int(shown.max(initial=-1)) + 1)
        own = canonical_values(table.frame.select(self.sensitive), [self.sensitive])
        values = np.array(texts_of(own, self.sensitive).to_list(), object)[np.maximum(record, 0)]
        values[fake] = self._invented(task.rng)
        self._check(values, shown, n_fake)
        order = np.argsort(shown, kind="stable")
        columns: dict[str, object] = {
            name: column[group[order]].tolist()
            for name, column in zip(table.schema.quasi, texts, strict=True)
        }
        columns[self.sensitive] = values[order].tolist()
        columns[free_name("counterfeits", table.frame.columns)] = n_fake[shown[order]]
        return MaskedRecords(
            frame_of(columns),  # type: ignore[arg-type]
            None,
            told={"counterfeits": int(fake.size)},
            n_suppressed=self.assignment.n_left_out,
            effort={
                "cells": int(np.unique(self.assignment.cell[self.assignment.cell >= 0]).size),
                "groups": int(n_fake.size),
                "counterfeits": int(fake.size),
            },
            whose=record[order],
        )

    def _check(self, values: NDArray[np.object_], shown: CountArray, n_fake: CountArray) -> None:
        """Hold what is published to what cells must be, for this release by itself."""
        sizes = np.bincount(shown, minlength=n_fake.size)
        is_wrong = n_fake > 1
        for value in self.permanent:
            held = np.bincount(shown[values == value], minlength=n_fake.size)
            is_wrong |= (held > 1) | ((held == 1) & (sizes < self.size))
        if is_wrong.any():
            raise BrokenPromiseError(
                f"{self} proposed a release in which holders are not hidden among {self.size}: "
                "nothing was published. This is a defect of the method; please report it"
            )

    def _invented(self, rng: np.random.Generator) -> NDArray[np.object_]:
        """Make up values of counterfeits: the cohort's, or any that passes."""
        lacks = self.assignment.lacks
        values = np.array([*self.permanent, None], object)[lacks]
        decoys = np.flatnonzero(lacks == DECOY)
        passing = np.array([*self.passing, None], object)
        values[decoys] = passing[rng.integers(0, max(len(self.passing), 1), decoys.size)]
        return values

    def __str__(self) -> str:
        return str(self.policy)


def _somebody_of(cell: CountArray, record: CountArray) -> CountArray:
    """Name a record of each cell."""
    found = np.full(int(cell.max(initial=-1)) + 1, -1, np.int64)
    mine = (record >= 0) & (cell >= 0)
    found[cell[mine]] = record[mine]
    return found
