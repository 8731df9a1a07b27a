"""Counterfeited generalization: groups that hide the same values as ever, with made-up records.

References
----------
.. [1] X. Xiao, Y. Tao. "m-invariance: towards privacy preserving re-publication of dynamic
   datasets." SIGMOD 2007.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 10.3.2.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.tables.attacks.series import Sheet
from unlinkable.tables.data import Table, frame_of, free_name
from unlinkable.tables.groups import number_rows
from unlinkable.tables.methods.base import MaskedRecords, RecordMethod, Task
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.publishing.anonymizing import BrokenPromiseError
from unlinkable.tables.series.invariance.balancing import Buckets, balance
from unlinkable.tables.series.invariance.boxes import (
    Box,
    bounds_of,
    extents,
    points_of,
    tell_apart,
    write_boxes,
)
from unlinkable.tables.series.invariance.halving import halve, neighbours
from unlinkable.tables.series.invariance.signatures import Signatures, invariance_of
from unlinkable.tables.series.policy import Policy
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["CounterfeitedGeneralization"]


@frozen
class CounterfeitedGeneralization(RecordMethod):
    """Publish records in groups that keep everybody's signature, with few counterfeits.

    Division, balancing and assignment say which records and counterfeits have which signature
    (`balance`); the partition then halves each of these sets until every group has one record for
    each value (`halve`), and shows the smallest range that covers a group. A counterfeit takes the
    quasi-identifier of somebody near a record of its signature. Groups of different signatures
    that would show the same are told a little less precisely (`tell_apart`); groups of one
    signature may show the same, and are one group then, with every value equally often.

    Publishes
    ---------
    Quasi-identifier, sensitive value, and how many records of the same group are counterfeits: the
    paper's auxiliary table, as a column. It is the same for all records of a group and does not say
    which. No other columns, which counterfeits could not have. The order of records says nothing.

    Parameters
    ----------
    policy
        Who asked for it; this is how it is written.
    m, sensitive
        How many values groups have at least, and of which column.
    known
        What people must be published with.

    Cost
    ----
    O(d n log² n) for n records and d columns.

    Raises
    ------
    InfeasibleError
        If there are fewer than m sensitive values, or so few quasi-identifying ones that signatures
        cannot be told apart.
    BrokenPromiseError
        If what came out is not m-invariant, which would be a defect.
    """

    name: ClassVar[str] = "counterfeited-generalization"
    reference: ClassVar[str] = "Xiao and Tao 2007"
    groups_people: ClassVar[bool] = True
    needs_promise: ClassVar[bool] = False

    policy: Policy
    m: int
    sensitive: str
    known: Signatures = field(eq=False, repr=False)

    def refusal(self, model: GroupModel) -> str | None:
        return (
            "some of the records that it publishes are nobody's, so that they cannot be counted as "
            "people; its own promise is that nobody's value is known with more than 1/m, in all "
            "releases together: promise nothing else"
        )

    def mask(self, table: Table, privacy: object, task: Task) -> MaskedRecords:
        """Make groups, and write what they show.

        The effort counts signatures, groups, counterfeits and rounds of halving.
        """
        attributes = table.attributes
        reach, points = extents(attributes), points_of(table)
        buckets = balance(self.known, self.m, task.rng)
        places = self._places(points, buckets, reach, task.rng)
        group, rounds = halve(places, buckets.bucket, buckets.value, reach)
        box = bounds_of(places, group, attributes)
        signature = np.empty(len(box[0]), np.int64)
        signature[group] = buckets.bucket
        real = buckets.record >= 0
        least = bounds_of(places[real], group[real], attributes)
        box = tell_apart(box, least, signature, attributes, task.rng)
        shown = number_rows(np.concatenate(box, axis=1))[0].astype(np.int64)[group]
        self._check(buckets, shown)
        return self._write(table, buckets, (group, shown, box), rounds)

    def _places(
        self, points: CodeArray, buckets: Buckets, reach: FloatArray, rng: np.random.Generator
    ) -> CodeArray:
        """Give every entry a quasi-identifier: counterfeits that of a neighbour of somebody."""
        real, fake = np.flatnonzero(buckets.record >= 0), np.flatnonzero(buckets.record < 0)
        by_bucket = real[np.argsort(buckets.bucket[real], kind="stable")]
        n_each = np.bincount(buckets.bucket[real], minlength=len(buckets.sets))
        wanted = buckets.bucket[fake]
        drawn = (rng.random(fake.size) * n_each[wanted]).astype(np.int64)
        somebody = by_bucket[(np.cumsum(n_each) - n_each)[wanted] + drawn]
        whose = buckets.record.copy()
        whose[fake] = neighbours(points, reach, buckets.record[somebody], rng)
        return points[whose]

    def _check(self, buckets: Buckets, shown: CountArray) -> None:
        """Hold what is published to the definition of m-invariance, for this release by itself."""
        sheet = Sheet.of(buckets.record, shown, buckets.value, len(self.known.texts))
        owed = np.where(buckets.record >= 0, self.known.owed[buckets.record], -1)
        old = np.flatnonzero(owed >= 0)
        has = np.zeros((sheet.n_groups, sheet.n_values), bool)
        has[shown, buckets.value] = True
        is_kept = (has[shown[old]] == self.known.sets[owed[old]]).all()
        if invariance_of([sheet]) < self.m or not is_kept:
            raise BrokenPromiseError(
                f"{self} proposed a release that is not {self.m}-invariant: nothing was published. "
                "This is a defect of the method; please report it"
            )

    def _write(
        self, table: Table, buckets: Buckets, made: tuple[CountArray, CountArray, Box], rounds: int
    ) -> MaskedRecords:
        group, shown, box = made
        counterfeits = np.bincount(shown[buckets.record < 0], minlength=int(shown.max()) + 1)
        # By what they show and then by value: the order of the source would tell whose they are.
        order = np.lexsort((buckets.value, shown))
        columns: dict[str, object] = {}
        for name, texts in zip(table.schema.quasi, write_boxes(box, table.attributes), strict=True):
            columns[name] = texts[group[order]].tolist()
        values = np.array(self.known.texts, object)
        columns[self.sensitive] = values[buckets.value[order]].tolist()
        name = free_name("counterfeits", table.frame.columns)
        columns[name] = counterfeits[shown[order]]
        n_counterfeits = buckets.n_counterfeits
        return MaskedRecords(
            frame_of(columns),  # type: ignore[arg-type]
            None,
            told={"counterfeits": n_counterfeits},
            effort={
                "signatures": len(buckets.sets),
                "groups": int(counterfeits.size),
                "counterfeits": n_counterfeits,
                "rounds": rounds,
            },
            whose=buckets.record[order],
        )

    def __str__(self) -> str:
        return str(self.policy)
