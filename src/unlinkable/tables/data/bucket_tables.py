"""Bucket tables: records in one table, and the hidden values of whole buckets in another."""

from __future__ import annotations

import polars as pl

from unlinkable.errors import DataError
from unlinkable.tables.data.release_columns import Frame
from unlinkable.tables.taxonomies import ANY

__all__ = ["COUNT", "counts_several_times", "paired", "repeated", "same_rows"]

COUNT = "count"
"""The column of the second table with the number of records of a bucket that have its values."""


def repeated(frame: Frame, counts: str) -> Frame:
    """Give every row as often as one of its columns says, without that column.

    Raises
    ------
    DataError
        If that is no whole number, or less than nothing.

    Examples
    --------
    >>> repeated(pl.DataFrame({"ill": ["flu", "hiv"], "n": ["2", "1"]}), "n")["ill"].to_list()
    ['flu', 'flu', 'hiv']
    """
    times = frame.get_column(counts).cast(pl.String).cast(pl.Int64, strict=False)
    if times.null_count() or bool((times < 0).any()):
        raise DataError(f"column {counts!r} must hold whole numbers from 0 on")
    rows = pl.arange(frame.height, eager=True).repeat_by(times).explode().drop_nulls()
    return frame.drop(counts).select(pl.all().gather(rows))


def paired(frame: Frame, hidden: Frame, bucket: str) -> Frame:
    """Give the records of every bucket the hidden values of that bucket, in any order.

    Which value belongs to which record is not known; what is true of a bucket holds for any.

    Parameters
    ----------
    frame
        The records, with the column of their bucket.
    hidden
        That column, hidden columns, and how many records of the bucket have these values.
    bucket
        The name of the column.

    Raises
    ------
    DataError
        If a bucket does not have as many hidden values as records.

    Examples
    --------
    >>> people = pl.DataFrame({"age": [30, 40, 50], "group": [2, 1, 2]})
    >>> ills = pl.DataFrame({"group": [1, 2], "ill": ["hiv", "flu"], "count": [1, 2]})
    >>> paired(people, ills, "group").rows()
    [(40, 1, 'hiv'), (30, 2, 'flu'), (50, 2, 'flu')]
    """
    told = repeated(hidden, COUNT)
    by_bucket = pl.col(bucket).cast(pl.String)
    people, values = frame.sort(by_bucket), told.sort(by_bucket)
    first, second = (f.get_column(bucket).cast(pl.String) for f in (people, values))
    if first.len() != second.len() or bool(first.ne_missing(second).any()):
        raise DataError(
            f"the buckets do not have as many hidden values as records: {first.len()} records, "
            f"{second.len()} values"
        )
    return people.hstack(values.drop(bucket).get_columns())


def same_rows(frame: Frame, counted: Frame) -> bool:
    """Whether records are those that another table counts, in any order.

    Examples
    --------
    >>> ills = pl.DataFrame({"group": [1, 1], "ill": ["flu", "flu"]})
    >>> same_rows(ills, pl.DataFrame({"group": [1], "ill": ["flu"], "count": [2]}))
    True
    """
    names = frame.columns
    if set(names) != set(counted.columns) - {COUNT}:
        return False
    found = frame.group_by(names).agg(pl.len().cast(pl.Int64).alias(COUNT))
    told = counted.group_by(names).agg(pl.col(COUNT).cast(pl.Int64).sum())
    met = told.filter(pl.col(COUNT) > 0).join(
        found, on=[*names, COUNT], how="full", nulls_equal=True
    )
    return met.height == found.height == told.filter(pl.col(COUNT) > 0).height


def counts_several_times(frame: Frame) -> bool:
    """Whether rows of counts are about different columns: the others are suppressed in them.

    Examples
    --------
    >>> counts_several_times(pl.DataFrame({"sex": ["f", "*"], "job": ["*", "cook"]}))
    True
    """
    texts = [c.cast(pl.String).eq_missing(ANY) for c in frame.get_columns()]
    return any(bool(hidden.any()) and not bool(hidden.all()) for hidden in texts)
