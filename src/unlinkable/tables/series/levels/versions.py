"""Versions: what was published before of everybody, and the next version beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from attrs import define, field, frozen

from unlinkable.errors import DataError
from unlinkable.tables.data import Table, numbers_of, publishable_columns, with_codes, with_numbers
from unlinkable.tables.methods.base import MaskedRecords, RecordMethod, Task
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.tables.operations import kind_of
from unlinkable.tables.series.levels.bridges import between_categories, between_numbers
from unlinkable.tables.taxonomies import Kind
from unlinkable.typing import CodeArray, CountArray, FloatArray

if TYPE_CHECKING:
    from unlinkable.tables.series.levels.multi_level_perturbation import MultiLevelPerturbation

__all__ = ["NextVersion", "Version"]


@define(eq=False, frozen=True)
class Version:
    """What one earlier release shows of the records that are published now.

    Attributes
    ----------
    retention, variance
        How trusted its recipient is: the level of its categories, and the variance of the noise of
        its numbers; None if it has none.
    rows
        Where the record of each person of the table stands in it; -1 if it is not there.
    codes, numbers
        What the release shows of each of its records, by column.
    """

    retention: Fraction | None
    variance: float | None
    rows: CountArray
    codes: Mapping[str, CodeArray]
    numbers: Mapping[str, FloatArray]


@frozen(eq=False)
class NextVersion(RecordMethod):
    """Draw a version of some columns that stands in its place among all earlier ones.

    Attributes
    ----------
    policy
        What asked for it, with the columns and levels.
    versions
        What was published before.
    """

    name: ClassVar[str] = "version"
    reference: ClassVar[str] = "Xiao, Tao and Chen 2009"
    needs_promise: ClassVar[bool] = False

    policy: MultiLevelPerturbation
    versions: tuple[Version, ...] = field(default=(), repr=False)

    def refusal(self, model: GroupModel) -> str | None:
        return (
            "values are replaced by chance, and no records are put together: promise nothing; the "
            "retention says how sure anybody can be of a value"
        )

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        self.require(privacy, may_suppress=task.suppression > 0)
        frame, told = table.frame, dict[str, float | str]()
        n_kept = 0
        for name in self.policy.chosen(table):
            if kind_of(table, name) is Kind.CATEGORY:
                codes, same = self._categories(table, name, task.rng)
                frame = with_codes(frame, table, name, codes)
                n = table.taxonomy(name).domain.n
                p = self.policy.retention or Fraction(0)
                # The convention of post-randomization: how likely a value shows itself.
                told[f"retention of {name}"] = float(p + (1 - p) / n)
                told[f"values of {name}"] = float(n)
            else:
                numbers, same = self._numbers(table, name, task.rng)
                frame = with_numbers(frame, name, numbers)
                told[f"scale of {name}"] = float(self.policy.deviation or 0)
            n_kept += same
        return MaskedRecords(
            frame.select(publishable_columns(table)),
            np.arange(len(table)),
            told={"change": "uniform", **told},
            effort={"versions": len(self.versions), "values shown before": n_kept},
        )

    def _categories(
        self, table: Table, name: str, rng: np.random.Generator
    ) -> tuple[CodeArray, int]:
        """Draw a version of a column of categories; also count the values that were shown."""
        p, n = self.policy.retention, table.taxonomy(name).domain.n
        assert p is not None
        own = table.codes(name)
        known = [v for v in self.versions if v.retention is not None and name in v.codes]
        levels = [v.retention or Fraction(0) for v in known]
        above, below = _neighbours(levels, p, [v.rows for v in known], len(table))
        made = own.copy()
        for i, j in _pairs(above, below):
            here = (above == i) & (below == j)
            more = own[here] if i < 0 else known[i].codes[name][known[i].rows[here]]
            less = more if j < 0 else known[j].codes[name][known[j].rows[here]]
            made[here] = between_categories(
                p,
                above=Fraction(1) if i < 0 else levels[i],
                below=Fraction(0) if j < 0 else levels[j],
                more=more, less=less, n=n, rng=rng,
            )  # fmt: skip
        same = [i for i, level in enumerate(levels) if level == p]
        return made, int(np.isin(above, same).sum())

    def _numbers(self, table: Table, name: str, rng: np.random.Generator) -> tuple[FloatArray, int]:
        """Draw a version of a column of numbers; also count those that stay as they were."""
        variance = float(self.policy.deviation or 0) ** 2
        own = numbers_of(table.frame, name)
        if np.isinf(own).any():
            raise DataError(f"column {name!r} has infinite values: leave these records out")
        known = [v for v in self.versions if v.variance is not None and name in v.numbers]
        levels = [v.variance or 0.0 for v in known]
        where = [v.rows for v in known]
        above, below = _neighbours([-level for level in levels], -variance, where, len(table))
        made = own.copy()
        for i, j in _pairs(above, below):
            here = (above == i) & (below == j)
            more = own[here] if i < 0 else known[i].numbers[name][known[i].rows[here]]
            less = more if j < 0 else known[j].numbers[name][known[j].rows[here]]
            made[here] = between_numbers(
                variance,
                above=0.0 if i < 0 else levels[i],
                below=np.inf if j < 0 else levels[j],
                more=more, less=less, rng=rng,
            )  # fmt: skip
        same = [i for i, level in enumerate(levels) if level == variance]
        return made, int(np.isin(above, same).sum())

    def __str__(self) -> str:
        return str(self.policy)


def _neighbours(
    levels: Sequence[Fraction] | Sequence[float], level: Fraction | float,
    rows: Sequence[CountArray], n: int,
) -> tuple[CodeArray, CodeArray]:  # fmt: skip
    """Find for each record the next version above and below a level that it is in; -1 if none.

    A version of the same level is both: what it shows is shown again.
    """
    above, below = np.full((2, n), -1, np.int32)
    order = sorted(range(len(levels)), key=lambda i: levels[i])
    for i in order:
        if levels[i] <= level:
            below[rows[i] >= 0] = i
    for i in reversed(order):
        if levels[i] >= level:
            above[rows[i] >= 0] = i
    return above, below


def _pairs(above: CodeArray, below: CodeArray) -> list[tuple[int, int]]:
    both = np.unique(np.column_stack([above, below]), axis=0)
    return [(int(i), int(j)) for i, j in both]
