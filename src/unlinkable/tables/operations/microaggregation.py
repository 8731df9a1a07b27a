"""Microaggregation: the records of a group all show the middle of their group.

Which records form a group is for a method to say, `mdav` for one. Every group of at least k records
then looks the same on the columns that were replaced [1]_.

References
----------
.. [1] D. Defays, P. Nanopoulos. "Panels of enterprises and confidentiality: the small aggregates
   method." Symposium on Design and Analysis of Longitudinal Surveys, Statistics Canada, 1993.
.. [2] J. Domingo-Ferrer, V. Torra. "Ordinal, continuous and heterogeneous k-anonymity through
   microaggregation." Data Mining and Knowledge Discovery 11(2), 2005.
"""

from __future__ import annotations

from enum import Enum
from typing import ClassVar, TypeVar

import numpy as np
from attrs import field, frozen

from unlinkable.errors import ParameterError, SchemaError
from unlinkable.kernels.counting import count, sum_floats_by_label, tally
from unlinkable.params import as_columns
from unlinkable.tables.data import Frame, Table, keep_rows, numeric_points, with_numbers, with_order
from unlinkable.tables.operations.base.operation import Operation
from unlinkable.tables.taxonomies import Kind
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = [
    "Microaggregation",
    "Middle",
    "Typical",
    "middle_of_categories",
    "middle_of_numbers",
]


class Middle(Enum):
    """What stands for the numbers or dates of a group."""

    MEAN = "mean"
    """The mean: the sum over the table stays."""
    MEDIAN = "median"
    """The number in the middle, the mean of the two in the middle if there are two."""


class Typical(Enum):
    """What stands for the categories of a group."""

    MODE = "mode"
    """The most frequent category; of several, the first in the order of the taxonomy."""
    MEDIAN = "median"
    """The category in the middle, the first of two, in the order of the taxonomy."""


def middle_of_numbers(value: Middle | str) -> Middle:
    """Read what stands for numbers and dates."""
    return _read(value, "numbers", Middle)


def middle_of_categories(value: Typical | str) -> Typical:
    """Read what stands for categories."""
    return _read(value, "categories", Typical)


_Kind = TypeVar("_Kind", bound=Enum)


def _read(value: _Kind | str, name: str, kind: type[_Kind]) -> _Kind:
    for middle in kind:
        if value in (middle, middle.value):
            return middle
    known = ", ".join(repr(middle.value) for middle in kind)
    raise ParameterError(f"{name} must be one of {known}, got {value!r}")


@frozen
class Microaggregation(Operation):
    """Replace the values of every group by their mean, median or mode.

    Parameters
    ----------
    columns
        Whose values; all quasi-identifying columns if not given.
    numbers
        What stands for numbers and dates: ``mean`` or ``median``. Whole numbers become numbers with
        a fraction where their mean is not whole; the mean of days is rounded to a day.
    categories
        What stands for categories: ``mode``, or ``median`` where their order means something.

    Guarantees
    ----------
    On the columns all records of a group are the same. Means of numbers over the whole table are
    kept by ``mean``, but for the rounding of days; variances shrink. Records are no longer true of
    the people they came from, and other columns are as they were.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"age": [30, 32, 50], "job": ["cook", "cook", "clerk"]},
    ...     quasi=["age", "job"])
    >>> shown = Microaggregation().apply(people, np.array([0, 0, 0], np.int32))
    >>> [round(age, 2) for age in shown["age"]], shown["job"].to_list()
    ([37.33, 37.33, 37.33], ['cook', 'cook', 'cook'])
    """

    name: ClassVar[str] = "microaggregation"
    reference: ClassVar[str] = "Defays and Nanopoulos 1993; Domingo-Ferrer and Torra 2005"
    truthful: ClassVar[bool] = False

    columns: tuple[str, ...] | None = field(default=None, converter=as_columns)
    numbers: Middle = field(default=Middle.MEAN, converter=middle_of_numbers, kw_only=True)
    categories: Typical = field(default=Typical.MODE, converter=middle_of_categories, kw_only=True)

    def apply(self, table: Table, parts: CodeArray) -> Frame:
        """Give the records with the middle of their part, each in its place, with all columns.

        Parameters
        ----------
        table
            The records.
        parts
            The part of each record, from 0 on; those of -1 are left out.

        Raises
        ------
        SchemaError
            If there is no such column, or none to replace.
        DataError
            If numbers are missing.
        """
        columns = table.schema.quasi if self.columns is None else self.columns
        if not columns:
            raise SchemaError("no column is a quasi-identifier: name the columns to replace")
        n_parts, frame = int(parts.max(initial=-1)) + 1, table.frame
        kept = np.flatnonzero(parts >= 0)
        if not kept.size:
            return keep_rows(frame, kept)
        for name in columns:
            if table.schema[name] and table.numbered(name).observed.domain.kind is Kind.CATEGORY:
                frame = with_order(frame, name, self._examples(table, name, parts, n_parts))
            else:
                values = numeric_points(table, [name])[:, 0]
                middle = self._middle(values, parts, n_parts)
                frame = with_numbers(frame, name, np.where(parts >= 0, middle[parts], values))
        return frame if kept.size == len(table) else keep_rows(frame, kept)

    def _middle(self, values: FloatArray, parts: CodeArray, n_parts: int) -> FloatArray:
        """Give the number that stands for every part."""
        sizes = count(parts, n_parts)
        if self.numbers is Middle.MEAN:
            # Around one of them, sums keep their digits; a part of equal numbers keeps its number.
            first = np.zeros(n_parts)
            first[parts[::-1]] = values[::-1]
            off = sum_floats_by_label(values - first[parts], parts, n_parts)
            return first + off / np.maximum(sizes, 1)
        order, start = _sorted_parts(values, parts, sizes)
        in_order = np.append(values[order], 0.0)
        low, high = in_order[start + (sizes - 1) // 2], in_order[start + sizes // 2]
        middle: FloatArray = low + (high - low) / 2
        return middle

    def _examples(self, table: Table, name: str, parts: CodeArray, n_parts: int) -> CountArray:
        """Find for every record one whose category stands for its part."""
        codes = table.codes(name)
        sizes = count(parts, n_parts)
        if self.categories is Typical.MEDIAN:
            order, start = _sorted_parts(codes, parts, sizes)
            rows = np.append(order, 0)[start + (sizes - 1) // 2]
        else:
            n_codes = int(codes.max(initial=-1)) + 1
            indptr, values, counts = tally(parts, codes, n_parts, n_codes)
            part = np.repeat(np.arange(n_parts), np.diff(indptr))
            best = np.lexsort((values, -counts, part))[indptr[:-1]] if values.size else indptr[:-1]
            example = np.zeros(n_codes, np.int64)
            example[codes[::-1]] = np.arange(len(table))[::-1]
            rows = example[np.append(values, 0)[best]]
        chosen: CountArray = np.where(parts >= 0, rows[parts], np.arange(len(table)))
        return chosen


def _sorted_parts(
    values: FloatArray | CodeArray, parts: CodeArray, sizes: CountArray
) -> tuple[CountArray, CountArray]:
    """Sort records by part and value; those of no part come first. Also tell where parts begin."""
    order = np.lexsort((values, parts))
    first = int((parts < 0).sum())
    return order, first + np.cumsum(sizes) - sizes
