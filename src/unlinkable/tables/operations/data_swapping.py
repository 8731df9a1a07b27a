"""Data swapping: records exchange values, so that nobody knows whose a value is.

All values that were published before are published now, and every count of a swapped column alone,
or together with the columns within which it was swapped, is exact [1]_. What is lost is how it goes
together with all other columns.

References
----------
.. [1] T. Dalenius, S. P. Reiss. "Data-swapping: a technique for disclosure control." Journal of
   Statistical Planning and Inference 6(1), 1982.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
from attrs import field, frozen

from unlinkable.errors import ParameterError
from unlinkable.params import as_columns, exact, is_flag, is_share
from unlinkable.tables.data import Frame, Role, Schema, Table, with_order
from unlinkable.tables.operations.base.operation import Perturbation
from unlinkable.tables.operations.shared.columns import chosen_columns, require_columns
from unlinkable.tables.operations.shared.strata import strata_of
from unlinkable.tables.taxonomies import Kind
from unlinkable.typing import CodeArray, Columns, CountArray

__all__ = ["DataSwapping", "swap_pairs"]

_FINEST = 1_000_000_000
"""Finer shares are rounded down to multiples of 1 / _FINEST, so that products of integers fit."""


@frozen
class DataSwapping(Perturbation):
    """Pairs of records exchange their values on some columns.

    Records are paired at random among those that have the same values on the columns ``within``.
    Every record is in at most one pair, so that every value is swapped at most once. In each group
    an even number of records is swapped, so many that their share is at most ``share``; a record
    without a partner keeps its value.

    Parameters
    ----------
    share
        Which share of the records exchanges values, in (0, 1].
    columns
        Which columns are swapped. If not given, the sensitive ones.
    within
        Columns on which partners agree. The more there are, the more is kept, and the fewer choose
        from: a record that is alone in its group keeps its value.
    separately
        Whether each column is swapped between pairs of its own. Otherwise the values that a record
        gets on the swapped columns come from one other record, and keep going together.

    Guarantees
    ----------
    What stays exact: the counts of the values of the swapped columns together (unless they are
    swapped separately), of the columns ``within``, of both together, and of all columns that are
    not swapped. Nothing is promised of single people: a pair may have the same value, and then
    shows no change.

    Cost
    ----
    O(n log n).

    Raises
    ------
    ParameterError
        If a column is both swapped and to be kept.
    SchemaError
        If there is no such column.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> staff = as_table({"sex": ["f", "f", "m", "m"], "pay": [1, 2, 3, 4]}, quasi="sex",
    ...     sensitive="pay")
    >>> DataSwapping(1, within="sex").apply(staff, np.random.default_rng(0))["pay"].to_list()
    [2, 1, 4, 3]
    """

    name: ClassVar[str] = "data-swapping"
    reference: ClassVar[str] = "Dalenius and Reiss 1982"

    share: Fraction = field(default=Fraction(1), converter=exact, validator=is_share)
    columns: Columns | None = field(default=None, converter=as_columns, kw_only=True)
    within: Columns = field(default=(), converter=as_columns, kw_only=True)
    separately: bool = field(default=False, validator=is_flag, kw_only=True)

    def bind(self, schema: Schema) -> Self:
        require_columns(schema, self.columns, self.name)
        require_columns(schema, self.within or None, f"the groups of {self.name}")
        swapped = schema.sensitive if self.columns is None else self.columns
        if both := [name for name in self.within if name in swapped]:
            raise ParameterError(
                f"column {both[0]!r} is to be swapped, and to be the same for both records of a "
                "pair: leave it out of one of them"
            )
        return self

    def apply(self, table: Table, rng: np.random.Generator) -> Frame:
        self.bind(table.schema)
        columns = chosen_columns(table, self.columns, [Role.SENSITIVE], list(Kind), self.name)
        strata = strata_of(table, self.within)
        frame, order = table.frame, None
        for name in columns:
            if order is None or self.separately:
                order = swap_pairs(strata, self.share, rng)
            frame = with_order(frame, name, order)
        return frame


def swap_pairs(strata: CodeArray, share: Fraction, rng: np.random.Generator) -> CountArray:
    """Pair records of the same stratum at random, and give the partner of each.

    Parameters
    ----------
    strata
        The stratum of each record.
    share
        The share of each stratum that is paired, rounded down to an even number.
    rng
        The source of chance.
    """
    n = strata.size
    mixed = rng.permutation(n)
    order = mixed[np.argsort(strata[mixed], kind="stable")]
    sizes = np.bincount(strata)
    place = np.arange(n) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    if share.denominator > _FINEST:
        share = Fraction(int(share * _FINEST), _FINEST)
    n_swapped = sizes * share.numerator // (2 * share.denominator) * 2
    first = np.flatnonzero((place < n_swapped[strata[order]]) & (place % 2 == 0))
    one, other = order[first], order[first + 1]
    partner = np.arange(n)
    partner[one], partner[other] = other, one
    return partner
