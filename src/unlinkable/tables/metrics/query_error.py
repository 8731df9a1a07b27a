"""Query error: how far off the answers are that a release gives to random queries.

References
----------
.. [1] X. Xiao, Y. Tao. "Anatomy: simple and effective privacy preservation." VLDB 2006. Section 6.
.. [2] X. Xiao, G. Wang, J. Gehrke. "Differential privacy via wavelet transforms." IEEE TKDE 23(8),
   2011. The least answer that an error is compared with.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.errors import DataError, SchemaError, unknown
from unlinkable.params import as_columns, at_least, exact, is_share
from unlinkable.release import Measurement
from unlinkable.tables.metrics.base.metric import Metric, Purpose
from unlinkable.tables.metrics.base.published import Bucketized, Generalized, Perturbed, Published
from unlinkable.tables.metrics.shared.query_answers import (
    amounts_of,
    answers_estimated,
    true_answers,
)
from unlinkable.tables.metrics.shared.workload import Tick, Workload
from unlinkable.tables.taxonomies import Kind
from unlinkable.typing import Columns, Progress

__all__ = ["QueryError"]


@frozen(kw_only=True)
class QueryError(Metric):
    r"""The mean relative error of the answers that a release gives to random COUNT or SUM queries.

    A query counts the records whose values lie in ranges of codes, on ``dimension`` columns drawn
    at random and on one sensitive column: with :math:`m` columns in all, each range has
    :math:`\lceil |D_A| s^{1/m} \rceil` of the column's :math:`|D_A|` values, wherever it begins, so
    that it selects a share :math:`s` of evenly spread records [1]_. Values are those of the
    column's taxonomy, in its order; a missing value is one of its own, the last. The error of an
    estimate is

    .. math:: |est - act| / \max(|act|, \sigma n)

    where the bound :math:`\sigma n` keeps queries that select next to nothing from ruling the
    mean [2]_. For SUM, n is the sum of the column's absolute values.

    A recipient is taken to estimate like this. Generalized: each value is spread evenly over the
    values that it covers, and a range of numbers to add up counts as its middle. Bucketized: the
    records of a bucket that match, times the share of its sensitive values that do; to add up a
    hidden column, its mean in the bucket. Perturbed: published records are counted as they are, by
    their weights if they have any; a number between two values of the original goes with the lower
    one, numbers beyond the ends go with the ends, and values that the original does not have match
    nothing. Records that were suppressed are not counted, nor made up for. Where the original has a
    weight column, records are counted all the same.

    Parameters
    ----------
    queries
        How many queries are drawn.
    selectivity
        The share of evenly spread records that a query selects.
    dimension
        The number of columns that a query asks for, the sensitive one not counted.
    columns
        The columns to draw from: the quasi-identifying and sensitive ones if not given.
    sensitive
        Whether every query asks for one sensitive column too, where there is one. If not, sensitive
        columns are drawn like others where they are named in ``columns``, else not at all.
    sum
        The numeric column to add up; records are counted if not given. No query asks for it.
    sanity
        The least answer that an error is compared with, as a share of all records.
    seed
        Where the random numbers begin: the same seed draws the same queries.

    Range
    -----
    From 0, all answers are right. A release that shows nothing, and lets everything be estimated as
    0, has an error of at most 1; what is above 1 is worse than no release at all.

    Examples
    --------
    Two groups of ages that tell nothing within them, and queries for a fifth of all ages:

    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.groups import Partition
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.taxonomies.builders import Intervals
    >>> table = as_table({"age": [30, 31, 31, 33, 34, 36, 36, 36, 38, 39]}, quasi="age",
    ...     taxonomies={"age": Intervals(5)})
    >>> counted = count(table)
    >>> partition = Partition.at_levels(counted.finest, table.attributes, [1])
    >>> release = Generalized.of(table, partition, counted.labels)
    >>> metric = QueryError(dimension=1, selectivity=0.2)
    >>> round(metric.measure(release).value, 3)
    0.289
    """

    name: ClassVar[str] = "query-error"
    reference: ClassVar[str] = "Xiao and Tao 2006"
    purpose: ClassVar[Purpose] = Purpose.TASK
    bounds: ClassVar[tuple[float, float | None]] = (0.0, None)
    reads: ClassVar[tuple[type[Published], ...]] = (Generalized, Bucketized, Perturbed)
    makes_no_sense: ClassVar[str] = "it needs records to count"

    queries: int = field(default=1000, validator=at_least(1))
    selectivity: Fraction = field(default=Fraction(1, 10), converter=exact, validator=is_share)
    dimension: int = field(default=2, validator=at_least(1))
    columns: Columns | None = field(default=None, converter=as_columns)
    sensitive: bool = True
    sum: str | None = None
    sanity: Fraction = field(default=Fraction(1, 1000), converter=exact, validator=is_share)
    seed: int = field(default=0, validator=at_least(0))

    def _measure(self, published: Published, progress: Progress | None = None) -> Measurement:
        """Answer the same queries from the release and from the original.

        Raises
        ------
        SchemaError
            If there are too few columns to ask for, or a column was not published or cannot be
            added up.
        DataError
            If there are no records, or nothing to add up.
        """
        workload = self.workload(published)
        amounts = amounts_of(published.original, self.sum)
        total = float(np.abs(amounts).sum())
        if not total:
            raise DataError(f"column {self.sum!r} holds only zeros: there is nothing to add up")
        tick = _ticking(progress, 2 * self.queries)
        true = true_answers(published.original, workload, amounts, tick)
        estimated = answers_estimated(published, workload, self.sum, tick)
        errors = np.abs(estimated - true) / np.maximum(np.abs(true), float(self.sanity) * total)
        details = {
            "median": float(np.median(errors)),
            "90 % below": float(np.quantile(errors, 0.9)),
            "mean true answer": float(true.mean()),
            "queries": float(self.queries),
        }
        return Measurement(float(errors.mean()), details)

    def workload(self, published: Published) -> Workload:
        """Draw the queries for a release; raises as `evaluate` does.

        They depend on the columns that it tells of and on the taxonomies of the original, and not
        on what was done to the values: releases of the same columns answer the same queries.
        """
        if not len(published.original):
            raise DataError("the original has no records: there is nothing to count")
        self._check_sum(published)
        names = self._columns_of(published)
        special = published.original.schema.sensitive if self.sensitive else ()
        sizes = {name: published.original.taxonomy(name).n for name in names}
        free = {name: n for name, n in sizes.items() if name not in special}
        if len(free) < self.dimension:
            there = f"there are {len(free)} ({', '.join(free)})" if free else "there are none"
            raise SchemaError(
                f"queries of dimension {self.dimension} need as many columns that are not "
                f"sensitive, and {there}: take a lower dimension"
            )
        return Workload.draw(
            self.queries,
            free,
            {name: n for name, n in sizes.items() if name in special},
            dimension=self.dimension,
            selectivity=self.selectivity,
            rng=np.random.default_rng(self.seed),
        )

    def _columns_of(self, published: Published) -> Columns:
        told, schema = _told(published), published.original.schema
        if self.columns is None:
            meant = (*schema.quasi, *(schema.sensitive if self.sensitive else ()))
            return tuple(name for name in meant if name in told and name != self.sum)
        for name in self.columns:
            if name not in told:
                raise SchemaError(unknown("published column", name, told))
            if name == self.sum:
                raise SchemaError(f"column {name!r} is added up: queries cannot ask for it as well")
        return tuple(dict.fromkeys(self.columns))

    def _check_sum(self, published: Published) -> None:
        if self.sum is None:
            return
        if self.sum not in _told(published):
            raise SchemaError(unknown("published column", self.sum, _told(published)))
        if published.original.taxonomy(self.sum).domain.kind is not Kind.NUMBER:
            raise SchemaError(f"column {self.sum!r} does not hold numbers: it cannot be added up")


def _told(published: Published) -> Columns:
    """Name the columns whose values are published, if only for whole buckets."""
    hidden = tuple(published.hidden) if isinstance(published, Bucketized) else ()
    return (*published.columns, *hidden)


def _ticking(progress: Progress | None, n: int) -> Tick | None:
    if progress is None:
        return None
    n_done = 0.0

    def tick(n_more: float) -> None:
        nonlocal n_done
        n_done += n_more
        progress(min(n_done / n, 1.0), "answering queries")

    return tick
