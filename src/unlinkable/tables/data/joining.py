"""Joining relations: what is known of a person, spread over several tables, in one."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from unlinkable.errors import DataError, SchemaError, unknown

__all__ = ["join"]


def join(frame: pl.DataFrame, relations: Mapping[str, pl.DataFrame], key: str) -> pl.DataFrame:
    """Put the rows of relations beside the person that they belong to.

    A person with several rows in a relation, or in several, has every combination of them; one
    without a row in a relation has missing values there, and stays.

    Parameters
    ----------
    frame
        The first table.
    relations
        Further ones, by name.
    key
        The column that tells whose row it is, in all of them.

    Raises
    ------
    SchemaError
        If a table lacks the key, or two of them have a column of the same name.
    DataError
        If a relation has rows of nobody in the first table.

    Examples
    --------
    >>> people = pl.DataFrame({"pid": [1, 2], "job": ["cook", "clerk"]})
    >>> visits = pl.DataFrame({"pid": [1, 1], "day": ["Mon", "Tue"]})
    >>> join(people, {"visits": visits}, "pid").rows()
    [(1, 'cook', 'Mon'), (1, 'cook', 'Tue'), (2, 'clerk', None)]
    """
    if key not in frame.columns:
        raise SchemaError(f"{unknown('column', key, frame.columns)} to join by")
    for name, relation in relations.items():
        if key not in relation.columns:
            raise SchemaError(f"{unknown('column', key, relation.columns)} in {name!r} to join by")
        if double := sorted(set(relation.columns) & set(frame.columns) - {key}):
            raise SchemaError(
                f"column {double[0]!r} is in {name!r} and in a table before it: rename it in one"
            )
        relation = _like(relation, frame, key, name)
        if n := relation.join(frame, on=key, how="anti").height:
            raise DataError(
                f"{n} rows of {name!r} belong to nobody in the first table: add these people, or "
                "leave the rows out"
            )
        frame = frame.join(relation, on=key, how="left", maintain_order="left_right")
    return frame


def _like(relation: pl.DataFrame, frame: pl.DataFrame, key: str, name: str) -> pl.DataFrame:
    """Bring the key into the form that it has in the first table."""
    theirs, ours = relation.get_column(key), frame.schema[key]
    if theirs.dtype == ours and not isinstance(ours, pl.Categorical):
        return relation
    cast = theirs.cast(pl.String).cast(ours, strict=False)
    if cast.null_count() > theirs.null_count():
        raise DataError(
            f"column {key!r} of {name!r} is not of the kind that the first table has "
            f"({theirs.dtype}, and {ours} there): write it in the same way"
        )
    return relation.with_columns(cast)
