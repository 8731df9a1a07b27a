"""Permutation: the sensitive values of a group of records change hands.

Every value is still there, and in its group; sums and counts over groups are as they were. Whose
value each is, is not told [1]_, [2]_.

References
----------
.. [1] Q. Zhang, N. Koudas, D. Srivastava, T. Yu. "Aggregate query answering on anonymized tables."
   ICDE 2007.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 3.2.
"""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.kernels.buckets import order_by_label
from unlinkable.params import as_columns, is_flag
from unlinkable.tables.data import Frame, Schema, Table, keep_rows, publishable_columns, with_order
from unlinkable.tables.operations.anatomization import (
    bound_to_sensitive,
    checked_parts,
    numbered_by_chance,
)
from unlinkable.tables.operations.base.operation import Operation
from unlinkable.typing import CodeArray, Columns, CountArray

__all__ = ["Permutation"]


@frozen
class Permutation(Operation):
    """The sensitive values of every group are shuffled among its records.

    Parameters
    ----------
    sensitive
        The columns to shuffle; all sensitive ones if not given.
    together
        Whether values of several columns that belong together stay together. If not, each column is
        shuffled by itself.

    Guarantees
    ----------
    Every way to hand the values of a group to its records is as likely as any other, and records
    come in a random order: a table that was sorted by salary would otherwise still be. A single
    record is not true any more; what a group has in all is. Whoever sees the release without the
    groups may take the values for those of the records.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> staff = as_table({"job": ["cook", "cook", "clerk", "clerk"], "pay": [10, 20, 30, 40]},
    ...     quasi="job", sensitive="pay")
    >>> groups = np.array([0, 0, 1, 1], np.int32)
    >>> frame, rows = Permutation().apply(staff, groups, np.random.default_rng(2))
    >>> sorted(frame.rows())
    [('clerk', 30), ('clerk', 40), ('cook', 10), ('cook', 20)]
    """

    name: ClassVar[str] = "permutation"
    reference: ClassVar[str] = "Zhang, Koudas, Srivastava and Yu 2007"
    truthful: ClassVar[bool] = False

    sensitive: Columns | None = field(default=None, converter=as_columns)
    together: bool = field(default=True, validator=is_flag, kw_only=True)

    def bind(self, schema: Schema) -> Self:
        """Take the sensitive columns if none were named.

        Raises
        ------
        SchemaError
            If there is no such column.
        """
        return evolve(self, sensitive=bound_to_sensitive(self, self.sensitive, schema))

    def apply(
        self, table: Table, parts: CodeArray, rng: np.random.Generator
    ) -> tuple[Frame, CountArray]:
        """Shuffle values within parts.

        Parameters
        ----------
        table
            The records.
        parts
            The part of each record; -1 if it is left out.
        rng
            Where the order comes from.

        Returns
        -------
        tuple
            The publishable columns, and which original record each row is.

        Raises
        ------
        SchemaError
            If there is no such column.
        ParameterError
            If there is not a part for every record.
        """
        names = bound_to_sensitive(self, self.sensitive, table.schema)
        checked_parts(table, parts)
        n_parts = int(parts.max(initial=-1)) + 1
        labels = numbered_by_chance(parts, n_parts, rng)
        rows, _ = order_by_label(rng.permutation(len(table)), labels, n_parts)
        published = keep_rows(table.frame.select(publishable_columns(table)), rows)
        grouped = labels[rows]
        order = np.empty(rows.size, np.int64)
        for j, name in enumerate(names):
            if j == 0 or not self.together:
                # Rows are sorted by part already: a second random order of them, sorted again, has
                # the same parts in the same places.
                order, _ = order_by_label(rng.permutation(rows.size), grouped, n_parts)
            published = with_order(published, name, order)
        return published, rows
