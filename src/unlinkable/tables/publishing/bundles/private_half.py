"""The private half of a bundle: where a release came from, and which record is which.

It stays with the holder, in files that nobody else on the machine can read.

====================  ====================================================
``provenance.json``   source and digest, seed, plan, engine, times, versions
``rows.parquet``      record → published row and group, and its owner
``groups.parquet``    size, weight and box of every group of generalized values
``taxonomies.json``   the taxonomy of every quasi-identifier that was generalized, whole, and which
                      of its values recipients may not know
``hidden.parquet``    of every published record what promises refer to and is not published
``side-N.parquet``    the tables that promises refer to: populations, prior beliefs
``report.html``       the release explained to its holder
``before.json``       what that says of the original records
====================  ====================================================
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.containment import find_file, read_file
from unlinkable.errors import BundleError, DataError
from unlinkable.release.bundle import PROVENANCE, read_form, read_json
from unlinkable.tables.data import (
    Column,
    ColumnPlan,
    Frame,
    PublicDomains,
    Role,
    Schema,
    Side,
    Table,
    read_boxes,
    read_head,
    read_rows,
)
from unlinkable.tables.data.reading import ReadOptions, read_frame
from unlinkable.tables.metrics.base import Shown
from unlinkable.tables.publishing.bundles.manifest_sections import PublicFile
from unlinkable.tables.publishing.bundles.provenance import PRIVATE_FORMAT, Provenance
from unlinkable.tables.taxonomies import Attribute, taxonomy_from_json
from unlinkable.tables.taxonomies.builders import ReadyMade
from unlinkable.typing import CodeArray

__all__ = ["GROUPS", "HIDDEN", "LEFT_OUT", "ROWS", "TAXONOMIES", "PrivateHalf", "open_private"]

ROWS, GROUPS, TAXONOMIES = "rows.parquet", "groups.parquet", "taxonomies.json"
HIDDEN = "hidden.parquet"
"""What the files are called."""

LEFT_OUT = "left_out"
"""Where a taxonomy lists the codes of values that recipients may not know."""


@define(eq=False, frozen=True)
class PrivateHalf:
    """The private half of a bundle on disk."""

    folder: Path
    provenance: Provenance

    def shown(self) -> Shown:
        """Give what the release shows of its records, for metrics.

        Raises
        ------
        BundleError
            If a file is missing or damaged.
        """
        importance = self.provenance.importance
        try:
            attributes = tuple(
                Attribute(name, taxonomy_from_json(taxonomy), importance[name])
                for name, taxonomy in self._taxonomies().items()
            )
            lo, hi, sizes, weights = read_boxes(self._read(GROUPS), len(attributes))
        except (DataError, KeyError) as error:
            raise BundleError(f"the private half is damaged: {error}") from None
        suppressed = self.provenance.suppressed_records, self.provenance.suppressed_weight
        return Shown(attributes, lo, hi, sizes, weights, *suppressed)

    def domains(self) -> PublicDomains | None:
        """Give the values that recipients may know.

        None if this half was written by a version that told recipients of all values.

        Raises
        ------
        BundleError
            If a file is missing or damaged.
        """
        shown, told = self.shown(), self._taxonomies()
        left_out = {name: taxonomy.get(LEFT_OUT) for name, taxonomy in told.items()}
        if any(codes is None for codes in left_out.values()):
            return None
        try:
            known = {name: np.array(codes, np.int32) for name, codes in left_out.items()}
            return PublicDomains.without(shown.attributes, known)
        except (ValueError, TypeError, IndexError, OverflowError) as error:
            raise BundleError(f"the private half is damaged: {TAXONOMIES}: {error}") from None

    def public_shown(self) -> Shown:
        """Give what the release shows of its records, as recipients may see it.

        Raises
        ------
        BundleError
            If a file is missing or damaged.
        """
        shown, domains = self.shown(), self.domains()
        return shown if domains is None else shown.over(domains)

    def _taxonomies(self) -> dict[str, dict[str, object]]:
        return cast("dict[str, dict[str, object]]", self._document(TAXONOMIES))

    def rows(self) -> tuple[NDArray[np.int64], CodeArray, Column | None]:
        """Give the published row and the group of every record, -1 if suppressed, and all owners.

        Raises
        ------
        BundleError
            If the file is missing or damaged.
        """
        try:
            return read_rows(self._read(ROWS))
        except DataError as error:
            raise BundleError(f"the private half is damaged: {error}") from None

    @property
    def tells_rows(self) -> bool:
        """Whether it is known which published record is whose."""
        return any(file.name == ROWS for file in self.provenance.files)

    @property
    def tells_groups(self) -> bool:
        """Whether values were generalized: then groups and taxonomies are told."""
        return any(file.name == GROUPS for file in self.provenance.files)

    def hidden(self) -> Frame | None:
        """Give what promises refer to and is not published, for every published record.

        Raises
        ------
        BundleError
            If the file is missing or damaged.
        """
        return self._table(HIDDEN) if self.provenance.hidden else None

    def side(self) -> Side:
        """Give the tables that promises refer to: these, and no others.

        Raises
        ------
        BundleError
            If a file is missing or damaged.
        """
        return Side.closed({name: self._table(file) for name, file in self.provenance.side.items()})

    def crowds(self) -> dict[str, Table]:
        """Give these tables as populations, read with the taxonomies of the release."""
        side, like = self.side(), self.public_shown().attributes
        schema = Schema(ColumnPlan(a.name, Role.QUASI, ReadyMade(a.taxonomy)) for a in like)
        return {
            name: Table(frame.select(schema.quasi), schema)
            for name in self.provenance.side
            if set(schema.quasi) <= set((frame := side.open(name).frame).columns)
        }

    def document(self, name: str) -> dict[str, object] | None:
        """Give what a file of plain values says; None if this half does not list it.

        Raises
        ------
        BundleError
            If the file is missing or damaged.
        """
        if not any(file.name == name for file in self.provenance.files):
            return None
        return self._document(name)

    def _table(self, name: str) -> Frame:
        try:
            return self._read(name)
        except DataError as error:
            raise BundleError(f"the private half is damaged: {error}") from None

    def _read(self, name: str) -> Frame:
        file = self._file(name)
        rows = {listed.name: listed.rows for listed in self.provenance.files}[name]
        if file.suffix != ".parquet" or read_head(file, 0).n_records != rows:
            raise BundleError(f"the private half is damaged: {file} is no table of {rows} records")
        return read_frame(file, options=ReadOptions(may_be_empty=True))

    def _document(self, name: str) -> dict[str, object]:
        file = self._file(name)
        return read_json(read_file(self.folder, name, most=file.stat().st_size), file)

    def _file(self, name: str) -> Path:
        """Find a file, and see that it is as it was written."""
        written = {file.name: file for file in self.provenance.files}.get(name)
        try:
            file = find_file(self.folder, name)
            is_as_written = written is not None and PublicFile.of(file, written.rows) == written
        except BundleError as error:
            raise BundleError(f"the private half is damaged: {error}") from None
        if not is_as_written:
            raise BundleError(f"the private half is damaged: {file} was changed")
        return file


def open_private(folder: Path) -> PrivateHalf:
    """Open the private half of a bundle.

    Raises
    ------
    BundleError
        If it is damaged, or comes from a later version.
    """
    file, content = folder / PROVENANCE, read_file(folder, PROVENANCE)
    document = read_json(content, file)
    number = document.get("format")
    if type(number) is int and number > PRIVATE_FORMAT:
        raise BundleError(
            f"{file} has format {number}, and this version reads formats up to {PRIVATE_FORMAT}: "
            "upgrade unlinkable"
        )
    if number == 1:
        return PrivateHalf(folder, read_form(Provenance, document, file))
    return PrivateHalf(folder, Provenance.read(document, content, file))
