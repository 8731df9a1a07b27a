"""Stored frames: what the private half of a bundle keeps of a release, and how it is read again.

A taxonomy becomes a frame with a row for every code, and for every level between the values and the
root the node of the code, what the node is called, and where it begins and ends. Nothing is lost.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unlinkable.errors import DataError
from unlinkable.table.domain import Domain, Kind
from unlinkable.table.recoded import Column, Frame
from unlinkable.table.taxonomy import ANY, Edges, Level, Taxonomy
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = [
    "boxes_frame",
    "read_boxes",
    "read_rows",
    "read_taxonomy",
    "rows_frame",
    "taxonomy_frame",
]

_OWNER = "owner"


def taxonomy_frame(taxonomy: Taxonomy) -> Frame:
    """Write a taxonomy as a frame; a missing value is the last row.

    Examples
    --------
    >>> from unlinkable.table import Tree, observe
    >>> jobs = Tree({"Artist": ["Dancer"], "Office": ["Clerk"]})
    >>> taxonomy_frame(jobs.build(observe("job", ["Dancer", None]))).rows()
    [('Dancer', 0, 'Artist', '*'), ('Clerk', 1, 'Office', '*'), (None, 2, '', '*')]
    """
    domain = taxonomy.domain
    is_text = domain.kind is Kind.CATEGORY
    values = pl.Series("value", domain.values, dtype=pl.String if is_text else None)
    columns = [_with_missing(values, domain)]
    for i, level in enumerate(taxonomy.levels[1:-1], start=1):
        columns.append(pl.Series(f"node {i}", level.blocks))
        if level.labels is not None:
            labels = pl.Series(f"label {i}", list(level.labels), dtype=pl.String)
            columns.append(labels.gather(level.blocks))
        if level.edges is not None:
            columns += _edges_columns(i, level, domain)
    root = pl.Series("root", [taxonomy.root], dtype=pl.String)
    return pl.DataFrame([*columns, root.new_from_index(0, domain.n)])


def read_taxonomy(frame: Frame, kind: Kind) -> Taxonomy:
    """Read a taxonomy from a frame.

    Raises
    ------
    DataError
        If the frame holds something else.

    Examples
    --------
    >>> from unlinkable.table import Intervals, observe
    >>> ages = Intervals(5, 10).build(observe("age", [31, 33, 47]))
    >>> again = read_taxonomy(taxonomy_frame(ages), Kind.NUMBER)
    >>> again.height, again.levels[1].edges.lower.tolist()
    (3, [30, 45])
    """
    try:
        values = frame.get_column("value")
        has_missing = bool(values.null_count())
        present = values.head(frame.height - has_missing)
        if kind is Kind.CATEGORY:
            domain = Domain(kind, present.cast(pl.String).to_numpy().astype(object), has_missing)
        else:
            domain = Domain(kind, present.to_numpy(), has_missing)
        n_levels = sum(name.startswith("node ") for name in frame.columns)
        levels = [Level(np.arange(domain.n, dtype=np.int32))]
        levels += [_read_level(frame, i, domain) for i in range(1, n_levels + 1)]
        root = frame.get_column("root").cast(pl.String).head(1).to_list() or [ANY]
    except (pl.exceptions.PolarsError, ValueError, IndexError) as error:
        raise DataError(f"this is no taxonomy ({type(error).__name__})") from None
    return Taxonomy(domain, (*levels, Level(np.zeros(domain.n, np.int32), tuple(root))))


def rows_frame(labels: CodeArray, owners: Column | None) -> Frame:
    """Say for every record which published row it is, and in which group; nothing if suppressed.

    Examples
    --------
    >>> rows_frame(np.array([1, -1, 0], np.int32), None).rows()
    [(0, 0, 1), (1, None, None), (2, 1, 0)]
    """
    is_there = labels >= 0
    frame = pl.DataFrame(
        {
            "record": np.arange(labels.size),
            "row": np.cumsum(is_there) - 1,
            "group": labels.astype(np.int32),
        }
    )
    is_shown = pl.lit(pl.Series(is_there))
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
    """Say for every group how many records it has, and which ranges of codes it shows."""
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


def _with_missing(column: Column, domain: Domain) -> Column:
    return column.extend_constant(None, 1) if domain.has_missing else column


def _edges_columns(i: int, level: Level, domain: Domain) -> list[Column]:
    edges = level.edges
    assert edges is not None
    nodes = level.blocks[: domain.n_present]
    ends = [
        _with_missing(pl.Series(f"{side} {i}", values[nodes]), domain)
        for side, values in (("lower", edges.lower), ("upper", edges.upper))
    ]
    is_open = [("open below", edges.open_below), ("open above", edges.open_above)]
    flags = [pl.Series(f"{side} {i}", [flag]).new_from_index(0, domain.n) for side, flag in is_open]
    return [*ends, *flags]


def _read_level(frame: Frame, i: int, domain: Domain) -> Level:
    blocks = frame.get_column(f"node {i}").cast(pl.Int32).to_numpy()
    first = np.flatnonzero(np.diff(blocks, prepend=-1))
    labels = None
    if f"label {i}" in frame.columns:
        labels = tuple(frame.get_column(f"label {i}").cast(pl.String).gather(first).to_list())
    if f"lower {i}" not in frame.columns:
        return Level(blocks, labels)
    present = first[first < domain.n_present]
    lower, upper = (
        frame.get_column(f"{side} {i}").gather(present).to_numpy() for side in ("lower", "upper")
    )
    below, above = (bool(frame.get_column(f"open {side} {i}").any()) for side in ("below", "above"))
    return Level(blocks, labels, Edges(lower, upper, below, above))
