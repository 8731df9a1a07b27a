"""Parquet and Arrow files, which know the types of their columns.

Columns that are dictionaries in the file stay dictionaries. Plain text columns become
dictionaries where texts come again and again; large Parquet files have them as dictionaries on
disk even then, and with pyarrow installed they are taken over without making the texts first.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import polars as pl
from polars.exceptions import PanicException, PolarsError

from unlinkable.errors import DataError
from unlinkable.extras import load_extra
from unlinkable.tables.data.reading.dictionary import repeating
from unlinkable.typing import Columns

__all__ = ["read_arrow", "read_parquet"]

_SAMPLE = 50_000
_DAMAGED = (PolarsError, PanicException, OSError, ValueError)
"""What polars and pyarrow raise on reading files that are not what they should be."""

_LARGE = 1_000_000
"""Records from which on it pays to load pyarrow."""


def read_parquet(path: Path) -> pl.DataFrame:
    """Read a Parquet file.

    Raises
    ------
    DataError
        If it is none, or damaged.
    """
    try:
        scan = pl.scan_parquet(path, glob=False, hive_partitioning=False)
        keyed = _repeating(scan)
        if keyed and find_spec("pyarrow") is not None:
            n = int(scan.select(pl.len()).collect().item())
            # pyarrow takes a dot in a name for a path into a nested column.
            if n >= _LARGE and not any("." in name for name in keyed):
                return _read_dictionaries(path, scan, keyed)
        return scan.with_columns(pl.col(keyed).cast(pl.Categorical)).collect(engine="streaming")
    except _DAMAGED:
        raise DataError(
            f"{path}: this is no Parquet file, or a damaged one; write it again"
        ) from None


def read_arrow(path: Path) -> pl.DataFrame:
    """Read an Arrow (Feather) file, or an Arrow stream that was saved.

    Raises
    ------
    DataError
        If it is none, or damaged.
    """
    try:
        frame = pl.read_ipc(path)
    except _DAMAGED:
        try:
            frame = pl.read_ipc_stream(path)
        except _DAMAGED:
            raise DataError(
                f"{path}: this is no Arrow file, or a damaged one; write it again (Feather of "
                "version 1 is not read: use version 2)"
            ) from None
    keyed = _repeating(frame.lazy())
    return frame.with_columns(pl.col(keyed).cast(pl.Categorical))


def _repeating(scan: pl.LazyFrame) -> Columns:
    texts = [name for name, dtype in scan.collect_schema().items() if dtype == pl.String]
    return repeating(scan.select(texts).head(_SAMPLE).collect())


def _read_dictionaries(path: Path, scan: pl.LazyFrame, keyed: Columns) -> pl.DataFrame:
    """Read the columns ``keyed`` as the dictionaries that they are on disk."""
    parquet = load_extra("pyarrow.parquet", "arrow", "dictionaries of Parquet files")
    table = parquet.read_table(path, columns=list(keyed), read_dictionary=list(keyed))
    texts = pl.DataFrame(pl.from_arrow(table))
    others = scan.select(pl.exclude(keyed)).collect()
    order = scan.collect_schema().names()
    return pl.DataFrame([(texts if name in keyed else others)[name] for name in order])
