"""Writing the private half of a bundle: which record is which, for its holder alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from attrs import define, field

from unlinkable.release.bundle import written_json
from unlinkable.tables.data import Frame, PublicDomains, boxes_frame, write_frame
from unlinkable.tables.metrics.base import Shown
from unlinkable.tables.publishing.bundles.private_half import (
    GROUPS,
    HIDDEN,
    LEFT_OUT,
    ROWS,
    TAXONOMIES,
)
from unlinkable.tables.taxonomies import Attribute, Taxonomy, taxonomy_to_json

__all__ = ["Beside", "Records", "write_records"]


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
    domains
        The values that recipients may know.
    """

    rows: Frame | None
    shown: Shown | None
    n_suppressed: int
    domains: PublicDomains = field(factory=lambda: PublicDomains({}))

    @property
    def public(self) -> Shown | None:
        """What the release shows of its records, as recipients may see it."""
        return None if self.shown is None else self.shown.over(self.domains)

    def frames(self) -> dict[str, Frame]:
        """Give the tables that tell it, by file."""
        frames = {} if self.rows is None else {ROWS: self.rows}
        if (shown := self.shown) is not None:
            frames[GROUPS] = boxes_frame(shown.lo, shown.hi, shown.sizes, shown.weights)
        return frames

    def fields(self) -> dict[str, object]:
        """Give what the provenance says of it."""
        attributes = () if self.shown is None else self.shown.attributes
        weight = float(self.n_suppressed) if self.shown is None else self.shown.suppressed_weight
        return {
            "importance": {a.name: float(a.importance) for a in attributes},
            "suppressed_records": self.n_suppressed,
            "suppressed_weight": weight,
        }


def write_records(
    folder: Path, records: Records, beside: Beside
) -> tuple[dict[str, object], dict[str, int]]:
    """Write what the holder keeps of a table, beside the provenance.

    Parameters
    ----------
    folder
        The private half.
    records
        Which record is which, and what groups show.
    beside
        What promises refer to besides the published records.

    Returns
    -------
    tuple
        What the provenance says of it, and the number of rows of every table.
    """
    frames = records.frames()
    if beside.hidden is not None:
        frames[HIDDEN] = beside.hidden
    side = {name: f"side-{i}.parquet" for i, name in enumerate(beside.side)}
    frames |= {file: beside.side[name] for name, file in side.items()}
    for name, frame in frames.items():
        write_frame(frame, folder / name)
    if (shown := records.shown) is not None:
        taxonomies = {a.name: _whole(a, records.domains) for a in shown.attributes}
        (folder / TAXONOMIES).write_bytes(written_json(taxonomies))
    hidden = {name: taxonomy_to_json(t) for name, t in beside.taxonomies.items()}
    fields = {"hidden": hidden, "side": side, **records.fields()}
    return fields, {name: frame.height for name, frame in frames.items()}


def _whole(attribute: Attribute, domains: PublicDomains) -> dict[str, object]:
    """Write a whole taxonomy, and the codes of the values that recipients may not know."""
    left_out = domains.left_out.get(attribute.name)
    codes = [] if left_out is None else left_out.tolist()
    return {**taxonomy_to_json(attribute.taxonomy), LEFT_OUT: codes}
