"""Stored frames: what bundles and histories keep of records and groups."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unlinkable.errors import DataError
from unlinkable.tables.data.release_columns import Column, Frame
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = [
    "boxes_frame",
    "frame_from_bytes",
    "frame_to_bytes",
    "read_boxes",
    "read_rows",
    "rows_frame",
]

_OWNER = "owner"


def rows_frame(row: CountArray, groups: CodeArray | None, owners: Column | None) -> Frame:
    """Give for every record which published row it is, and in which group; nothing if suppressed.

    Parameters
    ----------
    row
        The published row of every record, -1 if it has none.
    groups
        The group of every record; None where records form no groups.
    owners
        Whose each record is.

    Examples
    --------
    >>> rows_frame(np.array([1, -1, 0]), np.array([1, -1, 0], np.int32), None).rows()
    [(0, 1, 1), (1, None, None), (2, 0, 0)]
    """
    group = pl.lit(None, pl.Int32) if groups is None else pl.lit(pl.Series(groups, dtype=pl.Int32))
    frame = pl.DataFrame({"record": np.arange(row.size), "row": row}).with_columns(group=group)
    is_shown = pl.lit(pl.Series(row >= 0))
    frame = frame.with_columns(pl.when(is_shown).then(pl.col("row", "group")))
    return frame if owners is None else frame.with_columns(owners.alias(_OWNER))


def read_rows(frame: Frame) -> tuple[NDArray[np.int64], CodeArray, Column | None]:
    """Give the published row and the group of every record, -1 if suppressed, and all owners.

    Raises
    ------
    DataError
        If the frame holds something else, or the records are not in their order.
    """
    try:
        record = frame.get_column("record")
        row = frame.get_column("row").cast(pl.Int64).fill_null(-1)
        group = frame.get_column("group").cast(pl.Int32).fill_null(-1)
        in_order = (record == pl.arange(frame.height, eager=True)).all()
    except pl.exceptions.PolarsError as error:
        raise DataError(f"this is no list of records ({type(error).__name__})") from None
    if not in_order:
        raise DataError("the records are not in their order")
    owners = frame.get_column(_OWNER) if _OWNER in frame.columns else None
    return row.to_numpy(), group.to_numpy(), owners


def boxes_frame(lo: CodeArray, hi: CodeArray, sizes: CountArray, weights: FloatArray) -> Frame:
    """Give for every group how many records it has, and which ranges of codes it shows."""
    columns: dict[str, NDArray[Any]] = {"size": sizes, "weight": weights}
    for j in range(lo.shape[1]):
        columns |= {f"lo {j}": lo[:, j], f"hi {j}": hi[:, j]}
    return pl.DataFrame(columns)


def read_boxes(
    frame: Frame, n_attributes: int
) -> tuple[CodeArray, CodeArray, CountArray, FloatArray]:
    """Read what `boxes_frame` has written.

    Raises
    ------
    DataError
        If the frame holds something else.
    """
    try:
        lo, hi = (
            frame.select(pl.col(names).cast(pl.Int32)).to_numpy()
            for names in ([f"{side} {j}" for j in range(n_attributes)] for side in ("lo", "hi"))
        )
        sizes = frame.get_column("size").cast(pl.Int64).to_numpy()
        weights = frame.get_column("weight").cast(pl.Float64).to_numpy()
    except pl.exceptions.PolarsError as error:
        raise DataError(f"this is no list of groups ({type(error).__name__})") from None
    return lo, hi, sizes, weights


def frame_to_bytes(frame: Frame) -> bytes:
    """Write a frame as Parquet, for a database.

    Examples
    --------
    >>> frame_from_bytes(frame_to_bytes(pl.DataFrame({"age": ["[30-35)", None]}))).rows()
    [('[30-35)',), (None,)]
    """
    stream = BytesIO()
    frame.write_parquet(stream, compression="zstd")
    return stream.getvalue()


def frame_from_bytes(written: bytes) -> Frame:
    """Read what `frame_to_bytes` has written.

    Raises
    ------
    DataError
        If it is something else.
    """
    try:
        return pl.read_parquet(BytesIO(written))
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DataError(f"this is no stored table ({type(error).__name__})") from None
