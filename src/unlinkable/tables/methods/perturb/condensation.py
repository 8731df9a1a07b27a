"""Condensation: records that nobody has, made from the statistics of groups of people.

Near records form groups of at least k. Of each group only counts, sums and sums of products are
kept, and as many points are made from these as the group had records [1]_, [2]_. What recipients
compute from means and correlations stays what it was, overall and within each neighbourhood.

References
----------
.. [1] C. C. Aggarwal, P. S. Yu. "A condensation approach to privacy preserving data mining." EDBT
   2004.
.. [2] C. C. Aggarwal. "Data Mining: The Textbook." Springer 2015. Section 20.3.1.4.
"""

from __future__ import annotations

from enum import Enum
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.errors import (
    InfeasibleError,
    ParameterError,
    SchemaError,
    UnsupportedError,
    unknown,
)
from unlinkable.params import as_columns, at_least
from unlinkable.tables.data import (
    Table,
    keep_rows,
    numeric_points,
    publishable_columns,
    with_numbers,
    with_order,
)
from unlinkable.tables.methods.base.record_method import MaskedRecords, RecordMethod
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.perturb.shared.group_statistics import GroupStatistics
from unlinkable.tables.methods.perturb.shared.microaggregation import (
    Clusters,
    information_loss,
    mdav_clusters,
)
from unlinkable.tables.methods.perturb.shared.record_points import RecordPoints
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.tables.taxonomies import Kind
from unlinkable.typing import Columns, CountArray

__all__ = ["Categories", "Condensation"]


class Categories(Enum):
    """What becomes of columns that are not condensed."""

    DEAL = "deal"
    """Each group keeps how many of its records have each value; these are dealt out to its points
    at random, column by column."""
    DROP = "drop"
    """They are not published."""


def as_categories(value: Categories | str) -> Categories:
    """Read what becomes of columns that are not condensed."""
    try:
        return Categories(value)
    except ValueError:
        raise ParameterError(f"categories must be 'deal' or 'drop', got {value!r}") from None


@frozen
class Condensation(RecordMethod):
    r"""Publish made-up records that have the means and covariances of groups of at least k people.

    1. Records are grouped by `mdav` over the condensed columns, each scaled to the same variance:
       groups of k, and one of up to 2k - 1.
    2. Of each group its count, mean and covariance are kept.
    3. As many points are drawn: uniformly over a range of :math:`\sqrt{12 \lambda_j}` along each
       eigenvector of the covariance, independently. They are then moved a little so that mean and
       covariance of the points are exactly those of the group.
    4. All points are published in random order.

    Hence mean and covariance of the whole table are kept as well, exactly but for the rounding of
    numbers (and of dates to days, where days are condensed). The literature keeps the covariance in
    expectation only.

    Promises
    --------
    None of the models that are counted: no published record belongs to anybody, so there are no
    groups of people in the release to count. What holds by construction: all that is published of a
    group is drawn from statistics of at least k records. That is no bound on what these statistics
    give away: a group of k equal records is published as it is. Refuses every promise.

    Publishes
    ---------
    The condensed columns, and other columns dealt out within groups, or not at all. Groups and
    their statistics stay with the holder. Records are not truthful.

    Parameters
    ----------
    k
        How many records a group has at least, no less than 3: two records that have the mean and
        the covariance of two others are those others.
    columns
        The columns to condense, of numbers or dates; all of them if not given, whatever their role.
    categories
        What becomes of the other columns: ``deal`` their values out within each group, each column
        by itself, or ``drop`` them.

    Cost
    ----
    That of `mdav`, and O(n d^2 + (n/k) d^3) for n records of d columns.

    Raises
    ------
    UnsupportedError
        If anything is promised, or if the table has owners or weights.
    SchemaError
        If no column holds numbers.
    InfeasibleError
        If there are fewer than k records.
    DataError
        If numbers are missing.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"age": [20, 22, 27, 60, 61, 65], "bmi": [21, 23, 22, 30, 31, 35]},
    ...     quasi=["age", "bmi"])
    >>> masked = ul.anonymize(people, privacy=[], method=ul.Condensation(k=3)).masked
    >>> shown = masked.frame
    >>> round(shown["age"].mean(), 9), round(shown["age"].std() / people.frame["age"].std(), 9)
    (42.5, 1.0)
    """

    name: ClassVar[str] = "condensation"
    reference: ClassVar[str] = "Aggarwal and Yu 2004"
    needs_promise: ClassVar[bool] = False

    k: int = field(default=10, validator=at_least(3))
    columns: tuple[str, ...] | None = field(default=None, converter=as_columns, kw_only=True)
    categories: Categories = field(default=Categories.DEAL, converter=as_categories, kw_only=True)

    def refusal(self, model: GroupModel) -> str | None:
        return (
            "it publishes records that nobody has, among which there are no groups of people to "
            "count: use mdav, which keeps the means of groups"
        )

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        """Condense groups, and make points from them.

        The effort counts ``rounds`` in which two groups were formed, and distances ``compared``.
        The facts tell the number of ``groups``, and how much of the sum of squares lies within
        them: only that much was drawn anew.
        """
        self.require(privacy, may_suppress=task.suppression > 0)
        columns = self._condensed(table)
        if len(table) < self.k:
            raise InfeasibleError(
                f"the table has {len(table)} records, and a group has at least {self.k}: ask for "
                "smaller groups"
            )
        near = RecordPoints.of(table, columns, scaled=True).points
        clusters = mdav_clusters(near, self.k, task.progress)
        statistics = GroupStatistics.of(numeric_points(table, columns), clusters.labels, clusters.n)
        points, labels = statistics.generate(task.rng)
        frame = table.frame.select(self._published(table, columns))
        for i, name in enumerate(columns):
            frame = with_numbers(frame, name, points[:, i])
        for name in frame.columns:
            if name not in columns:
                frame = with_order(frame, name, _dealt(clusters, task.rng))
        facts = {
            "groups": float(clusters.n),
            "share_within_groups": information_loss(near, clusters),
        }
        return MaskedRecords(
            keep_rows(frame, task.rng.permutation(len(labels))),
            None,
            told={"records behind every point": float(self.k)},
            effort=clusters.effort,
            facts=facts,
        )

    def _condensed(self, table: Table) -> Columns:
        """Name the columns to condense, if the table is one of records that can be."""
        for what, name in (("owners", table.schema.owner), ("weights", table.schema.weight)):
            if name is not None:
                raise UnsupportedError(
                    f"{self} makes records that nobody has, and {name!r} holds {what} of records: "
                    "use mdav, or leave the column out"
                )
        known = publishable_columns(table)
        for name in self.columns or ():
            if name not in known:
                raise SchemaError(unknown("column to publish", name, known))
        if self.columns is not None:
            return self.columns
        kinds = {name: table.numbered(name).observed.domain.kind for name in known}
        found = tuple(name for name, kind in kinds.items() if kind is not Kind.CATEGORY)
        if not found:
            raise SchemaError(f"{self} condenses numbers, and no column holds any: use mdav")
        return found

    def _published(self, table: Table, columns: Columns) -> list[str]:
        if self.categories is Categories.DROP:
            return list(columns)
        return list(publishable_columns(table))


def _dealt(clusters: Clusters, rng: np.random.Generator) -> CountArray:
    """Give the points of each group, in the order of the groups, its records at random."""
    order: CountArray = np.lexsort((rng.random(clusters.labels.size), clusters.labels))
    return order
