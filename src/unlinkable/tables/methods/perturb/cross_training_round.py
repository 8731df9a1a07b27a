"""Cross-training: noise for one half of the people, by the density of the other half.

Noise that is scaled by the distance to a person's neighbours tells something of these neighbours.
If its scale comes from a histogram of other people that is published anyway, there is nothing more
to be learned from it [1]_.

References
----------
.. [1] S. Chawla, C. Dwork, F. McSherry, A. Smith, H. Wee. "Toward privacy in public databases." TCC
   2005. Section 5.2; section 5.1.3.3 and Table 5.4 in the book of Fung, Wang, Fu and Yu (2010).
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.errors import DataError
from unlinkable.params import as_columns, at_least
from unlinkable.tables.data import (
    Table,
    free_name,
    publishable_columns,
    rounded,
    texts_of,
    with_column,
    with_numbers,
)
from unlinkable.tables.methods.base.record_method import MaskedRecords, RecordMethod
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.perturb.shared.coordinates import (
    coordinates_of,
    refuse_owner,
    write_sides,
)
from unlinkable.tables.methods.regions.shared.subcubes import Subcubes
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.typing import Columns

__all__ = ["CrossTrainingRound"]

NOISY, CELL = "noisy", "cell"
"""How the two halves are called."""


@frozen
class CrossTrainingRound(RecordMethod):
    r"""Publish half of the records by their cells, and the others with noise as wide as the cells.

    1. Everybody is put into half A or half B at random, as many in A as in B, or one fewer.
    2. B is published as a recursive histogram: the box of all values is halved on every side, and
       each part again, until no cell holds more than 2t records of B.
    3. A record of A lies in one of these cells, perhaps in one where nobody of B is. To each of its
       numbers normal noise is added whose standard deviation is the side of that cell.

    Numbers with noise are rounded to the step in which the column was written. Cells are written as
    intervals; those that reach the ends of the box are open there, ``<20`` and ``>=80``, so that
    the least and the greatest value of all are not told. The paper's cube becomes a box whose sides
    are the ranges of the columns, which is the same after dividing columns by their ranges.

    Promises
    --------
    None that a verifier could judge: cells of B may hold a single record, and A is hidden by noise.
    The paper shows that (c,t)-isolation is unlikely if the records are drawn from distributions of
    certain kinds (points spread evenly over cubes or spheres, in high dimension), for an adversary
    who knows nothing else. That is a statement about the distribution and not about the table, and
    it is not differential privacy. `RecursiveHistogram` keeps promises about all of its cells.

    The noise of A tells nothing of A's neighbours that B's cells do not: that is what
    cross-training is for. The range of each column decides where cells begin, and comes from all
    records.

    Publishes
    ---------
    All records in their places, with a column that tells which half each is in: ``noisy`` (A) or
    ``cell`` (B). The columns that are points hold texts: numbers for A, intervals for B. Other
    columns are published as they are, sensitive ones among them. Where A's points were and the
    noise stay private. B's records stay true, A's do not.

    Parameters
    ----------
    t
        Half of the most records of B that a cell holds. The more, the larger cells and noise.
    columns
        The columns that are points; all quasi-identifying ones if not given.

    Cost
    ----
    O(r d n) for n records, d columns and r rounds of halving.

    Raises
    ------
    SchemaError
        If there is no column that is a point.
    UnsupportedError
        If one holds categories, or people may have several records.
    DataError
        If values are missing, or there are fewer than two records.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"age": [20, 21, 22, 23, 60, 62, 78, 80]}, quasi="age")
    >>> masked = ul.anonymize(people, privacy=[], method=ul.CrossTrainingRound(t=1), seed=5).masked
    >>> sorted(set(masked.frame.filter(masked.frame["half"] == "cell")["age"]))
    ['<50', '>=50']
    """

    name: ClassVar[str] = "cross-training-round"
    reference: ClassVar[str] = "Chawla et al. 2005"
    needs_promise: ClassVar[bool] = False

    t: int = field(default=10, validator=at_least(1))
    columns: Columns | None = field(default=None, converter=as_columns, kw_only=True)

    def refusal(self, model: GroupModel) -> str | None:
        return (
            "half of the records are hidden by noise and the other half in cells that may hold one "
            "record: use recursive-histogram, whose cells keep promises, or dp-histogram for "
            "promises about noise"
        )

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        """Publish two halves of the records; the effort counts ``rounds`` and ``cells``."""
        self.require(privacy, may_suppress=False)
        refuse_owner(self, table)
        columns = table.schema.quasi if self.columns is None else self.columns
        points = coordinates_of(self, table, columns)
        if len(points) < 2:
            raise DataError(f"{self} needs two halves, and the table has one record")
        in_b = np.ones(len(points), bool)
        in_b[task.rng.permutation(len(points))[: len(points) // 2]] = False
        ends = points.min(axis=0), points.max(axis=0)
        cubes = Subcubes.of(points, in_b.astype(np.int64), *ends, most=2 * self.t)
        sides = (cubes.upper - cubes.lower)[cubes.cells]
        noisy = points + task.rng.standard_normal(points.shape) * sides
        frame = table.frame.select(publishable_columns(table))
        for j, name in enumerate(columns):
            domain = table.numbered(name).observed.domain
            bounds = cubes.lower[:, j], cubes.upper[:, j], (ends[0][j], ends[1][j])
            cells = write_sides(domain, *bounds)[cubes.cells[in_b]]
            moved = with_numbers(frame, name, rounded(noisy[:, j], domain))
            texts = np.array(texts_of(moved, name).to_list(), object)
            texts[in_b] = cells
            frame = with_column(frame, name, texts.tolist())
        half = free_name("half", table.frame.columns)
        frame = with_column(frame, half, np.where(in_b, CELL, NOISY))
        effort = {"rounds": cubes.rounds, "cells": np.unique(cubes.cells[in_b]).size}
        return MaskedRecords(frame, np.arange(len(table)), effort=effort)
