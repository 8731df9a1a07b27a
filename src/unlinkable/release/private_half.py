"""The private half of a bundle: where a release came from, and which record is which.

It stays with the holder, in files that nobody else on the machine can read. A digest of the source
would let somebody who knows all records but one test guesses; a seed would take the chance away.

====================  ====================================================
``provenance.json``   source and digest, seed, plan, engine, times, versions
``rows.parquet``      record → published row and group, and its owner
``groups.parquet``    size, weight and box of every group of generalized values
``taxonomies.json``   the taxonomy of every quasi-identifier that was generalized, whole
``hidden.parquet``    of every published record what promises refer to and is not published
``side-N.parquet``    the tables that promises refer to: populations, prior beliefs
====================  ====================================================
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import numpy as np
from attrs import define
from numpy.typing import NDArray
from pydantic import Field, ValidationError

from unlinkable.errors import BundleError, DataError
from unlinkable.release.form import Form, Many, complaints
from unlinkable.release.manifest_json import read_json, written_json
from unlinkable.release.manifest_sections import Hex, PublicFile
from unlinkable.table import Attribute, ColumnPlan, Role, Schema, Table, Taxonomy
from unlinkable.table.builders.given import Given
from unlinkable.table.portable import taxonomy_from_json, taxonomy_to_json
from unlinkable.table.reading import ReadOptions, read_frame
from unlinkable.table.recoded import Column, Frame
from unlinkable.table.side import Side
from unlinkable.table.stored import (
    boxes_frame,
    read_boxes,
    read_rows,
)
from unlinkable.table.writing import write_frame
from unlinkable.typing import CodeArray
from unlinkable.utility.base import Shown

__all__ = [
    "PRIVATE_FORMAT",
    "PROVENANCE",
    "Beside",
    "PrivateHalf",
    "Provenance",
    "Records",
    "open_private",
    "require_unchanged",
    "write_private",
]

PRIVATE_FORMAT = 1
"""The newest format of the private half, and the one that is written."""

PROVENANCE = "provenance.json"
"""What the file is called."""

_ROWS, _GROUPS, _TAXONOMIES = "rows.parquet", "groups.parquet", "taxonomies.json"
_HIDDEN = "hidden.parquet"


class Provenance(Form):
    """Where a release came from.

    Attributes
    ----------
    created
        When it was written.
    source, digest
        The file or address of the records, and the SHA-256 of the file when the release was
        written; None for records that came from no file.
    plan, folder
        The plan, as nested tables, and the folder that its paths start from.
    seed, engine, seconds, effort, versions
        How the search went, and on what.
    complete, facts, trace
        Whether the search came to its own end, what else it found, and what it did step by step.
    owner
        The column that tells which records belong to the same person.
    hidden
        The taxonomies of the hidden columns that promises refer to.
    taxonomies
        Those of published columns that are as they were, where one was given.
    side
        By name, the files of the tables that promises refer to.
    importance, suppressed_records, suppressed_weight
        What metrics need to know besides groups.
    manifest
        The SHA-256 of the public half's manifest: the two halves belong together.
    files
        Digests of all other files of the private half.
    """

    format: int = Field(default=PRIVATE_FORMAT, ge=1, le=PRIVATE_FORMAT)
    created: str = Field(description="say when it was written")
    source: str | None = None
    digest: Hex | None = None
    plan: dict[str, object] | None = None
    folder: str | None = None
    seed: int = Field(description="give the seed")
    engine: str = Field(description="say where it was counted")
    seconds: dict[str, float] = Field(default_factory=dict)
    effort: dict[str, int] = Field(default_factory=dict)
    complete: bool = True
    facts: dict[str, float] = Field(default_factory=dict)
    trace: list[dict[str, object]] = Field(default_factory=list)
    versions: dict[str, str] = Field(default_factory=dict)
    owner: str | None = None
    hidden: dict[str, dict[str, object]] = Field(default_factory=dict)
    taxonomies: dict[str, dict[str, object]] = Field(default_factory=dict)
    side: dict[str, str] = Field(default_factory=dict)
    importance: dict[str, float] = Field(description="say how much every column weighs")
    suppressed_records: int = Field(ge=0, description="say how many records were left out")
    suppressed_weight: float = Field(ge=0, description="say how much they weigh")
    manifest: Hex = Field(description="give the digest of the manifest")
    files: Many[PublicFile] = Field(description="list the files")


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
            file = self._file(_TAXONOMIES)
            told = cast("dict[str, dict[str, object]]", read_json(file.read_bytes(), file))
            attributes = tuple(
                Attribute(name, taxonomy_from_json(taxonomy), importance[name])
                for name, taxonomy in told.items()
            )
            lo, hi, sizes, weights = read_boxes(self._read(_GROUPS), len(attributes))
        except (DataError, OSError, KeyError) as error:
            raise BundleError(f"the private half is damaged: {error}") from None
        suppressed = self.provenance.suppressed_records, self.provenance.suppressed_weight
        return Shown(attributes, lo, hi, sizes, weights, *suppressed)

    def rows(self) -> tuple[NDArray[np.int64], CodeArray, Column | None]:
        """Give the published row and the group of every record, -1 if suppressed, and all owners.

        Raises
        ------
        BundleError
            If the file is missing or damaged.
        """
        try:
            return read_rows(self._read(_ROWS))
        except DataError as error:
            raise BundleError(f"the private half is damaged: {error}") from None

    @property
    def tells_rows(self) -> bool:
        """Whether it is known which published record is whose."""
        return any(file.name == _ROWS for file in self.provenance.files)

    @property
    def tells_groups(self) -> bool:
        """Whether values were generalized: then groups and taxonomies are told."""
        return any(file.name == _GROUPS for file in self.provenance.files)

    def hidden(self) -> Frame | None:
        """Give what promises refer to and is not published, for every published record.

        Raises
        ------
        BundleError
            If the file is missing or damaged.
        """
        return self._table(_HIDDEN) if self.provenance.hidden else None

    def side(self) -> Side:
        """Give the tables that promises refer to.

        Raises
        ------
        BundleError
            If a file is missing or damaged.
        """
        return Side.of({name: self._table(file) for name, file in self.provenance.side.items()})

    def crowds(self) -> dict[str, Table]:
        """Give these tables as populations, read with the taxonomies of the release."""
        side, like = self.side(), self.shown().attributes
        schema = Schema(ColumnPlan(a.name, Role.QUASI, Given(a.taxonomy)) for a in like)
        return {
            name: Table(frame.select(schema.quasi), schema)
            for name in self.provenance.side
            if set(schema.quasi) <= set((frame := side.open(name).frame).columns)
        }

    def _table(self, name: str) -> Frame:
        try:
            return self._read(name)
        except DataError as error:
            raise BundleError(f"the private half is damaged: {error}") from None

    def _read(self, name: str) -> Frame:
        return read_frame(self._file(name), options=ReadOptions(may_be_empty=True))

    def _file(self, name: str) -> Path:
        """Find a file, and see that it is as it was written."""
        file = self.folder / name
        written = {file.name: file for file in self.provenance.files}.get(name)
        if file.is_file() and (
            written is None or PublicFile.of(file, written.rows).sha256 != written.sha256
        ):
            raise BundleError(f"the private half is damaged: {file} was changed")
        return file


@define(eq=False, frozen=True)
class Beside:
    """What promises refer to besides the published records.

    Attributes
    ----------
    hidden, taxonomies
        Columns that are not published, a row for every published record, and their taxonomies;
        None if there are none.
    side
        Tables of their own, by name.
    """

    hidden: Frame | None
    taxonomies: Mapping[str, Taxonomy]
    side: Mapping[str, Frame]


def open_private(folder: Path) -> PrivateHalf:
    """Open the private half of a bundle.

    Raises
    ------
    BundleError
        If it is damaged, or comes from a later version.
    """
    file = folder / PROVENANCE
    try:
        document = read_json(file.read_bytes(), file)
    except OSError as error:
        raise BundleError(f"cannot read {file}: {error.strerror}") from None
    number = document.get("format")
    if type(number) is int and number > PRIVATE_FORMAT:
        raise BundleError(
            f"{file} has format {number}, and this version reads formats up to {PRIVATE_FORMAT}: "
            "upgrade unlinkable"
        )
    try:
        return PrivateHalf(folder, Provenance.model_validate(document))
    except ValidationError as error:
        place, said = complaints(error)[0]
        where = f"{'.'.join(map(str, place))}: " if place else ""
        raise BundleError(f"{file} is damaged: {where}{said}") from None


@define(eq=False, frozen=True)
class Records:
    """Which record is which, and what groups show if there are groups.

    Attributes
    ----------
    rows
        For every original record its published row and group; None if nobody can say.
    shown
        What the release shows of its records; None if values were not generalized.
    n_suppressed
        Number of records that were left out.
    """

    rows: Frame | None
    shown: Shown | None
    n_suppressed: int

    def frames(self) -> dict[str, Frame]:
        """Give the tables that tell it, by file."""
        frames = {} if self.rows is None else {_ROWS: self.rows}
        if (shown := self.shown) is not None:
            frames[_GROUPS] = boxes_frame(shown.lo, shown.hi, shown.sizes, shown.weights)
        return frames

    def told(self) -> dict[str, object]:
        """Give what the provenance says of it."""
        attributes = () if self.shown is None else self.shown.attributes
        weight = float(self.n_suppressed) if self.shown is None else self.shown.suppressed_weight
        return {
            "importance": {a.name: float(a.importance) for a in attributes},
            "suppressed_records": self.n_suppressed,
            "suppressed_weight": weight,
        }


def write_private(
    folder: Path, records: Records, beside: Beside, told: Mapping[str, object]
) -> None:
    """Write the private half, for its owner's eyes only.

    Parameters
    ----------
    folder
        Where; it is made.
    records
        Which record is which, and what groups show.
    beside
        What promises refer to besides the published records.
    told
        What is known of where the release came from: the other fields of `Provenance`.
    """
    folder.mkdir(mode=0o700)
    frames = records.frames()
    if beside.hidden is not None:
        frames[_HIDDEN] = beside.hidden
    side = {name: f"side-{i}.parquet" for i, name in enumerate(beside.side)}
    frames |= {file: beside.side[name] for name, file in side.items()}
    for name, frame in frames.items():
        write_frame(frame, folder / name)
    if (shown := records.shown) is not None:
        taxonomies = {a.name: taxonomy_to_json(a.taxonomy) for a in shown.attributes}
        (folder / _TAXONOMIES).write_bytes(written_json(taxonomies))
    rows = {name: frame.height for name, frame in frames.items()}
    provenance = Provenance.model_validate(
        {
            **told,
            "hidden": {name: taxonomy_to_json(t) for name, t in beside.taxonomies.items()},
            "side": side,
            **records.told(),
            "files": [PublicFile.of(file, rows.get(file.name)) for file in folder.iterdir()],
        }
    )
    (folder / PROVENANCE).write_bytes(written_json(provenance.model_dump(mode="json")))
    for file in folder.iterdir():
        file.chmod(0o600)


def require_unchanged(source: Path | str, provenance: Provenance) -> None:
    """Refuse to explain or measure a release by other records than it was made from.

    A file of another kind cannot have the same digest, and is not compared.

    Raises
    ------
    BundleError
        If a file was changed, or is another one.
    """
    file = Path(source)
    if "://" in str(source) or provenance.digest is None or not file.is_file():
        return
    if provenance.source is not None and file.suffix != Path(provenance.source).suffix:
        return
    with file.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    if digest != provenance.digest:
        raise BundleError(
            f"{source} is not what the bundle was made from: it was changed, or is another file; "
            "anonymize it anew, or name the original table"
        )
