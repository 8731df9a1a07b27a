r"""dp-histogram: how many people there are of each kind, with noise that hides each of them.

Everybody is counted once in each marginal, so a person changes each by one, and noise of that size
over epsilon hides them [1]_. Which kinds are counted must be known beforehand; all are published,
empty ones too. Marginals that were told with noise of their own contradict each other. They can be
made to agree at no cost to privacy, and are nearer to the truth after it [2]_.

References
----------
.. [1] C. Dwork, F. McSherry, K. Nissim, A. Smith. "Calibrating noise to sensitivity in private data
   analysis." TCC 2006. B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to
   Privacy-Preserving Data Publishing." 2010. Section 5.4.1, with the scale put right.
.. [2] B. Barak, K. Chaudhuri, C. Dwork, S. Kale, F. McSherry, K. Talwar. "Privacy, accuracy, and
   consistency too: a holistic solution to contingency table release." PODS 2007.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import prod
from typing import Any, ClassVar, Self

import numpy as np
from attrs import evolve, field, frozen
from attrs.validators import optional

from unlinkable.errors import ParameterError, SchemaError, unknown
from unlinkable.noise import Budget, SpendableBudget, keep_frequent, least_threshold
from unlinkable.params import as_columns, at_least, is_flag
from unlinkable.tables.data import Schema, Table
from unlinkable.tables.methods.base.record_method import MaskedRecords
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.noisy.shared.count_cells import (
    Cells,
    binned_cells,
    listed_cells,
    marginal_rows,
    published,
)
from unlinkable.tables.methods.noisy.shared.marginals import Axes, Workload, count_marginal
from unlinkable.tables.methods.noisy.shared.noisy_marginals import Consistency, add_noise
from unlinkable.tables.methods.noisy.shared.noisy_method import NoisyMethod
from unlinkable.tables.models.base import All
from unlinkable.typing import CodeArray, Columns, CountArray

__all__ = ["DPHistogram", "tell_frequent"]

_MOST_JOINT = 10_000
"""A joint histogram of more cells is not told unless it is asked for."""
_MOST_CELLS = 20_000_000
"""Noisy counts that can be drawn in a few minutes."""


def _as_sets(value: Iterable[Iterable[str]] | None) -> tuple[Columns, ...] | None:
    if value is None:
        return None
    return tuple(as_columns(one) or () for one in value)


@frozen(kw_only=True)
class DPHistogram(NoisyMethod):
    r"""Publish how many people have which values together, with noise that hides each person.

    A *marginal* counts all combinations of the values of some columns, its cells. For every
    marginal and each of its cells :math:`c` the count :math:`x_c` is published as
    :math:`x_c + Z_c`. With :math:`m` marginals and a pure :math:`\epsilon`, :math:`Z` is two-sided
    geometric noise of scale :math:`m / \epsilon`; if a :math:`\delta` is allowed and Gaussian noise
    is the smaller, it is discrete Gaussian noise of variance :math:`m / 2 \rho`, where :math:`\rho`
    is the largest that costs :math:`(\epsilon, \delta)`. Then, without looking at the data again:

    * ``projection``: the marginals without a negative count that agree and are nearest in squares.
      If the attributes have at most 4,096 cells together, they are those of one table, found by
      non-negative least squares. Otherwise they agree wherever they overlap, found by alternating
      projections; that some table has them all is then not certain.
    * ``fourier``: not counts get noise but the coefficients of the table that the marginals depend
      on, and a linear program finds the table without a negative count that is nearest to them (up
      to 1,024 cells together; beyond, the nearest marginals that agree). Better than ``projection``
      only for many marginals of attributes with two values.
    * ``none``: counts as they were drawn. They are unbiased, and may be negative.

    The values of a column of categories must be listed beforehand, by a tree or a hierarchy file:
    a list that is taken from the records tells that somebody has each of them. Where there is none,
    ask for ``threshold``.

    Promises
    --------
    Differential privacy, or distributional privacy. The verdict rests on the ledger, which the
    method publishes: it has an event for each marginal, and nothing else was published. Not on
    chance that can be repeated: OpenDP draws the noise, and takes no seed.

    Publishes
    ---------
    A row for each cell of each marginal: the attributes, ``*`` where one is not of that marginal,
    and ``count``. No record of anybody. The true counts stay private.

    Parameters
    ----------
    columns
        The columns to count by; those that others may know (quasi-identifiers) if not given, or all
        if there are none.
    marginals
        Which columns are counted together: ``[["age", "sex"], ["job"]]`` gives how many people
        there are of every age and sex, and how many have every job.
    ways
        Count by every choice of so many of the columns instead. If neither is given, by all columns
        together if that makes at most 10,000 counts, and otherwise by every two of them.
    consistent
        Noise makes counts contradict each other: people by age and sex no longer add up to people
        by sex. ``projection`` moves all counts as little as possible until they agree, and none is
        below 0; ``fourier`` makes them agree from the start, which is better only for many counts
        of columns with two values; ``none`` leaves them as they are.
    whole
        Whether counts are rounded to whole numbers. If there are very many combinations of values,
        counts may then disagree by what was rounded.
    threshold
        Whether it would tell too much which values occur at all, because nobody knows the list of
        them. Then only combinations are published that many people have; the promise must allow a
        delta greater than 0, and counts are not made to agree.
    bins
        Ranges in which numbers and dates are counted: ``[["age", 20, 40, 60]]``. They are
        published: choose them without looking at the records. What lies outside is counted as below
        and above.
    levels
        How coarsely a column is counted, by the level of its taxonomy: ``[["job", 1]]``, where 0 is
        every value by itself. If neither is given, by the values that the taxonomy lists, or by its
        narrowest ranges.
    missing
        Columns in which values may be missing: people without a value are counted, too.

    Cost
    ----
    O(n m) for n records, and some microseconds for each cell. Agreement takes up to 300 rounds over
    the cells. All 28 pairs of 8 attributes of Adult (10,339 cells) take about half a
    CPU second, and OpenDP one or two to load.

    Raises
    ------
    UnsupportedError
        If a person may have several records (an owner column), the values of a column of categories
        were not listed beforehand, or the range of numbers is not public.
    SchemaError
        If a column is not there, or says who somebody is.
    DataError
        If values are missing in a column that is not named in ``missing``.
    InfeasibleError
        If the budget is 0, or ``threshold`` is asked for without a delta.

    Examples
    --------
    >>> from unlinkable.tables.methods.base.search import Task
    >>> from unlinkable.noise import price
    >>> from unlinkable.tables.models import DifferentialPrivacy
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.taxonomies.builders import Tree
    >>> from unlinkable.tables.metrics import ILoss
    >>> people = as_table({"sex": ["f", "m", "f"], "age": [30, 34, 51]}, quasi=["sex", "age"],
    ...     taxonomies={"sex": Tree({"any": ["f", "m"]})})
    >>> method = DPHistogram(bins=[["age", 20, 40, 60]])
    >>> masked = method.mask(people, All([DifferentialPrivacy(1)]), Task((), ILoss()))
    >>> masked.frame.columns, masked.frame.height
    (['sex', 'age', 'count'], 8)
    >>> price(masked.ledger).at(0)
    1.0
    """

    name: ClassVar[str] = "dp-histogram"
    reference: ClassVar[str] = "Dwork, McSherry, Nissim and Smith 2006; Barak et al. 2007"

    marginals: tuple[Columns, ...] | None = field(default=None, converter=_as_sets)
    ways: int | None = field(default=None, validator=optional(at_least(1)))
    consistent: Consistency = field(default=Consistency.PROJECTION, converter=Consistency)
    whole: bool = field(default=True, validator=is_flag)
    threshold: bool = field(default=False, validator=is_flag)

    def __attrs_post_init__(self) -> None:
        if self.marginals is not None and self.ways is not None:
            raise ParameterError("give marginals or ways, not both")

    def chosen(self, schema: Schema) -> Columns:
        if self.marginals is not None:
            return tuple(dict.fromkeys(name for one in self.marginals for name in one))
        return schema.quasi or super().chosen(schema)

    def bind(self, schema: Schema) -> Self:
        bound = super().bind(schema)
        columns = bound.columns or ()
        for one in bound.marginals or ():
            for name in one:
                if name not in columns:
                    raise SchemaError(f"{unknown('column', name, columns)} that are counted")
            if not one:
                raise SchemaError("a marginal is a set of different columns, at least one")
        if bound.ways is not None and bound.ways > len(columns):
            raise ParameterError(f"there are {len(columns)} columns, and no {bound.ways} of them")
        if bound.marginals is None:
            return bound
        return evolve(bound, marginals=tuple(dict.fromkeys(bound.marginals)))

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        method = self.bind(table.schema)
        method.require_people(table)
        budget = method.allowed(table, privacy)
        if method.threshold:
            return tell_frequent(method, table, budget, method.sets([10**9]))
        cells = method.cells(table)
        method.require_listed(table)
        workload = Workload(tuple(c.n for c in cells), method.sets([c.n for c in cells]))
        if workload.n_cells > _MOST_CELLS:
            raise ParameterError(
                f"the marginals have {workload.n_cells} cells together, and at most {_MOST_CELLS} "
                "are told: count by fewer columns together, or by coarser cells"
            )
        task.progress(0.1, f"counting {len(workload.marginals)} marginals")
        counts = [
            count_marginal([cells[a].codes for a in axes], workload.shape(axes))
            for axes in workload.marginals
        ]
        noisy = add_noise(
            workload,
            counts,
            [_name(cells, axes) for axes in workload.marginals],
            budget,
            how=method.consistent,
            whole=method.whole,
        )
        tables = [t.astype(np.int64) if method.whole else t for t in noisy.tables]
        rows = [marginal_rows(cells, axes) for axes in workload.marginals]
        frame, column = published(cells, rows, [t.ravel() for t in tables])
        return MaskedRecords(
            frame,
            None,
            counts=column,
            ledger=noisy.ledger,
            told={"standard deviation of noise": noisy.deviation},
            effort={"cells": workload.n_cells, "rounds": noisy.rounds},
        )

    def sets(self, sizes: Sequence[int]) -> tuple[Axes, ...]:
        """Give the marginals by the positions of their columns."""
        columns = self.columns or ()
        at = {name: i for i, name in enumerate(columns)}
        if self.marginals is not None:
            return tuple(tuple(sorted(at[name] for name in one)) for one in self.marginals)
        ways = self.ways
        if ways is None:
            ways = len(columns) if prod(sizes) <= _MOST_JOINT else min(2, len(columns))
        return tuple(combinations(range(len(columns)), ways))


def _name(cells: Sequence[Cells], axes: Axes) -> str:
    return f"counts by {', '.join(cells[a].name for a in axes)}"


def tell_frequent(
    method: NoisyMethod, table: Table, budget: Budget, marginals: Sequence[Axes]
) -> MaskedRecords:
    """Tell the combinations of each marginal that have enough people, with noise.

    Every marginal costs the same share of epsilon and delta. Rows are in the order of their texts:
    the order of codes would tell which other values there are.

    Raises
    ------
    InfeasibleError
        If there is no delta.
    """
    epsilon, delta = budget.epsilon / len(marginals), budget.delta / len(marginals)
    threshold = least_threshold(epsilon, delta)
    cells = [_cells(method, table, name) for name in method.columns or ()]
    spendable = SpendableBudget(budget)
    rows: list[list[CodeArray | None]] = []
    counts: list[CountArray] = []
    for axes in marginals:
        codes = np.stack([cells[a].codes for a in axes], axis=1)
        found, numbers = np.unique(codes, axis=0, return_counts=True)
        what = f"frequent counts by {', '.join(cells[a].name for a in axes)}"
        where, noisy, event = keep_frequent(
            numbers.astype(np.int64), epsilon=epsilon, threshold=threshold, what=what
        )
        spendable.spend(event)
        texts = [_texts(cells, axes, combination) for combination in found[where]]
        order = sorted(range(len(where)), key=texts.__getitem__)
        told = found[where[order]]
        of_marginal: list[CodeArray | None] = [None] * len(cells)
        for j, axis in enumerate(axes):
            of_marginal[axis] = told[:, j]
        rows.append(of_marginal)
        counts.append(noisy[order])
    frame, column = published(cells, rows, counts)
    return MaskedRecords(
        frame,
        None,
        counts=column,
        ledger=spendable.ledger,
        told={"threshold": threshold},
        effort={"cells": frame.height, "rounds": 0},
    )


def _cells(method: NoisyMethod, table: Table, name: str) -> Cells:
    bins = next((b[1:] for b in method.bins if b[0] == name), None)
    if bins is not None:
        return binned_cells(table, name, bins, may_miss=True)
    level = dict(method.levels).get(name, 0)
    return listed_cells(table, name, level=level, may_miss=True)


def _texts(cells: Sequence[Cells], axes: Axes, codes: CodeArray) -> list[Any]:
    shown = (cells[a].texts[c] for a, c in zip(axes, codes.tolist(), strict=True))
    return [(text is None, text or "") for text in shown]
