"""Text counts: how often each text of a column occurs, without numbering all records."""

from __future__ import annotations

from typing import Self

import numpy as np
import polars as pl
from attrs import define

from unlinkable.errors import DataError
from unlinkable.tables.data.published_file import as_kind
from unlinkable.tables.data.release_columns import Frame, numbers_of
from unlinkable.tables.taxonomies import Domain, Kind
from unlinkable.typing import FloatArray

__all__ = ["TextCounts"]

_VALUE, _COUNT = "value", "count"


@define(eq=False, frozen=True)
class TextCounts:
    """How often each text occurs.

    Attributes
    ----------
    values
        The distinct texts, in a frame of one column, in no order that means anything.
    counts
        How often each occurs.
    missing
        How many records have none.
    """

    values: Frame
    counts: FloatArray
    missing: float

    @classmethod
    def of(cls, frame: Frame, name: str, weights: str | None = None) -> Self:
        """Count the texts of a column; ``weights`` says for how many each row counts.

        A weight below 0, which noise can bring about, counts for nobody.

        Examples
        --------
        >>> told = TextCounts.of(pl.DataFrame({"age": ["30", None, "30"]}), "age")
        >>> told.texts, told.counts.tolist(), told.missing, told.n
        (['30'], [2.0], 1.0, 2)
        """
        column = frame.get_column(name).alias(_VALUE)
        if weights is None:
            counted = column.value_counts(name=_COUNT)
        else:
            weight = frame.get_column(weights).cast(pl.String).cast(pl.Float64, strict=False)
            weight = weight.fill_nan(0).fill_null(0).clip(lower_bound=0).alias(_COUNT)
            counted = pl.DataFrame([column, weight]).group_by(_VALUE).agg(pl.col(_COUNT).sum())
        is_missing = counted.get_column(_VALUE).is_null()
        there = counted.filter(~is_missing)
        counts = there.get_column(_COUNT).cast(pl.Float64).to_numpy()
        missing = float(counted.filter(is_missing).get_column(_COUNT).sum())
        return cls(there.select(pl.col(_VALUE)), counts, missing)

    @property
    def n(self) -> int:
        """Number of distinct values, a missing one among them."""
        return self.values.height + (self.missing > 0)

    @property
    def texts(self) -> list[str]:
        """The distinct texts."""
        return self.values.get_column(_VALUE).cast(pl.String).to_list()

    def numbers(self) -> tuple[Domain, FloatArray] | None:
        """Read the texts as numbers, or as dates in days; None if they are neither.

        The domain spans them, and has no more than its ends.

        Examples
        --------
        >>> found = TextCounts.of(pl.DataFrame({"pay": ["30", "4"]}), "pay").numbers()
        >>> sorted(found[1].tolist()), found[0].values.tolist()
        ([4.0, 30.0], [4, 30])
        >>> TextCounts.of(pl.DataFrame({"pay": ["30", "much"]}), "pay").numbers() is None
        True
        """
        for kind in (Kind.NUMBER, Kind.DATE):
            try:
                typed = as_kind(self.values, _VALUE, kind)
            except DataError:
                continue
            column = typed.get_column(_VALUE)
            is_number = column.dtype.is_numeric() and kind is Kind.NUMBER
            is_date = column.dtype.is_temporal() and kind is Kind.DATE
            if not (is_number or is_date) or column.dtype in (pl.Time, pl.Duration):
                continue
            ends = np.unique(pl.Series([column.min(), column.max()]).to_numpy())
            if is_number and not np.isfinite(ends.astype(float)).all():
                continue
            return Domain(kind, ends), numbers_of(typed, _VALUE)
        return None
