"""Csv: a taxonomy from a hierarchy file, a row per value."""

from __future__ import annotations

import codecs
import csv
import io
from collections import Counter
from pathlib import Path

from attrs import field, frozen

from unlinkable.errors import ParameterError, TaxonomyError
from unlinkable.tables.taxonomies.builders import paths
from unlinkable.tables.taxonomies.builders.base import Observed, TaxonomyBuilder
from unlinkable.tables.taxonomies.taxonomy import ANY, Taxonomy
from unlinkable.typing import BoolArray

__all__ = ["Csv"]

Row = tuple[int, list[str]]
"""A line number, and the cells from the value to the top."""


@frozen
class Csv(TaxonomyBuilder):
    r"""Read a taxonomy from a file with a row per value, and its labels from left to right.

    ::

        Bachelors;Undergraduate;Higher education;*
        Masters;Graduate;Higher education;*
        9th;High School;Secondary education;*

    The file has no header. All listed values belong to the taxonomy, whether they occur or not;
    the same row may be listed twice. Empty cells at the end of a row are as if not there. If the
    last column has one label, that is the root; otherwise ``*`` is put on top. Missing values
    need no row: they are a node of their own under the root.

    Parameters
    ----------
    path
        The file, in UTF-8 or with a byte order mark. Cells may be quoted.
    separator
        What stands between cells: ``;``, ``,`` or a tab, found out if not given.
    pad
        Whether an empty cell takes the label to its left. Otherwise rows of different length
        are refused.

    Raises
    ------
    TaxonomyError
        If the file cannot be read, has rows of different length or gaps, is no tree, or lacks a
        value of the column.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from unlinkable.tables.taxonomies import observe
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "job.csv"
    ...     _ = file.write_text("Dancer;Artist\nLawyer;Professional\nWriter;Artist\n")
    ...     taxonomy = Csv(file).build(observe("job", ["Writer", "Lawyer"]))
    >>> taxonomy.domain.values.tolist(), taxonomy.levels[1].labels, taxonomy.root
    (['Dancer', 'Writer', 'Lawyer'], ('Artist', 'Professional'), '*')
    """

    path: Path = field(converter=Path)
    separator: str | None = None
    pad: bool = False

    def __attrs_post_init__(self) -> None:
        if self.separator is not None and len(self.separator) != 1:
            raise ParameterError(f"separator must be a single character, got {self.separator!r}")

    def listed(self, taxonomy: Taxonomy) -> BoolArray:
        return paths.listed_values(taxonomy)

    def build(self, observed: Observed) -> Taxonomy:
        name = observed.name
        rows = _rows(name, self.path, self.separator)
        rows = [(line, _without_tail(cells)) for line, cells in rows]
        self._refuse_gaps(name, rows)
        root, rows = _split_root(rows)
        depth = max(len(cells) for _, cells in rows)
        if not self.pad:
            self._refuse_uneven(name, rows, depth)
        filled = [(line, _padded(cells, depth)) for line, cells in rows]
        found = [paths.Path(cells[0], tuple(cells[1:]), line) for line, cells in filled]
        return paths.grow(observed, paths.Paths(found, root, str(self.path)))

    def _refuse_gaps(self, name: str, rows: list[Row]) -> None:
        widest = max(len(cells) for _, cells in rows)
        for level in range(1, widest):
            if not any(cells[level] for _, cells in rows if level < len(cells)):
                raise TaxonomyError(
                    f"level {level} of {name!r} is empty in {self.path}: remove the column"
                )
        for line, cells in rows:
            if not cells[0]:
                raise TaxonomyError(
                    f"line {line} of {self.path} has no value for {name!r}: remove it; missing "
                    "values have a place under the root without being listed"
                )
            if not self.pad and "" in cells:
                raise TaxonomyError(
                    f"{cells[0]!r} of {name!r} has an empty level {cells.index('')} in "
                    f"{self.path}, line {line}: fill it in, or ask for padding (pad = true in a "
                    "plan, pad=True in Python)"
                )

    def _refuse_uneven(self, name: str, rows: list[Row], depth: int) -> None:
        usual = Counter(len(cells) for _, cells in rows).most_common(1)[0][0]
        odd = [(line, cells) for line, cells in rows if len(cells) != usual]
        if odd:
            line, cells = odd[0]
            raise TaxonomyError(
                f"{cells[0]!r} of {name!r} has {len(cells) - 1} labels in {self.path}, line "
                f"{line}, and most values have {usual - 1} ({len(odd)} rows differ): make the "
                "depth even, or ask for padding (pad = true in a plan, pad=True in Python)"
            )


def _rows(name: str, path: Path, separator: str | None) -> list[Row]:
    text = _text(name, path)
    rows: list[Row] = []
    try:
        reader = csv.reader(
            io.StringIO(text, newline=""), delimiter=separator or _separator(text), strict=True
        )
        rows.extend((reader.line_num, cells) for cells in reader if any(cells))
    except csv.Error as error:
        line = rows[-1][0] + 1 if rows else 1
        raise TaxonomyError(
            f"cannot read the taxonomy of {name!r} in {path} from line {line} on: {error}"
        ) from None
    if not rows:
        raise TaxonomyError(
            f"the taxonomy of {name!r} in {path} is empty: write a row for each value, with its "
            "labels from left to right"
        )
    return rows


def _text(name: str, path: Path) -> str:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise TaxonomyError(
            f"cannot open the taxonomy of {name!r}, {path}: {error.strerror or error}"
        ) from None
    is_wide = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return raw.decode("utf-16" if is_wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise TaxonomyError(
            f"the taxonomy of {name!r} in {path} is not written in UTF-8 (line {line}): save it as "
            "UTF-8"
        ) from None


def _separator(text: str) -> str:
    """Find the mark that cuts all rows alike; failing that, the one that cuts most."""
    best, reach = ";", 0
    for mark in (";", ",", "\t"):
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=mark)
        widths = Counter(len(cells) for cells in rows if any(cells))
        if len(widths) == 1 and 1 not in widths:
            return mark
        n_cut = sum(n for width, n in widths.items() if width > 1)
        if n_cut > reach:
            best, reach = mark, n_cut
    return best


def _without_tail(cells: list[str]) -> list[str]:
    """Drop empty cells at the end, which only say that the row is shorter than others."""
    n = len(cells)
    while n > 1 and not cells[n - 1]:
        n -= 1
    return cells[:n]


def _split_root(rows: list[Row]) -> tuple[str, list[Row]]:
    """Take the root off the rows: the label that all end with, or ``*``."""
    tops = {cells[-1] if len(cells) > 1 else None for _, cells in rows}
    (root,) = tops if len(tops) == 1 else (ANY,)
    root = root or ANY
    return root, [
        (line, cells[:-1] if len(cells) > 1 and cells[-1] == root else cells)
        for line, cells in rows
    ]


def _padded(cells: list[str], depth: int) -> list[str]:
    """Fill every gap with the label to its left."""
    filled = cells + [""] * (depth - len(cells))
    for i in range(1, depth):
        filled[i] = filled[i] or filled[i - 1]
    return filled
