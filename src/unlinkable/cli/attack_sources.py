"""What is attacked: bundles, plans and tables of the command line, opened."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from unlinkable.cli.options import Reading, Taxonomies, plan_of
from unlinkable.errors import ParameterError

if TYPE_CHECKING:
    from unlinkable.tables.attacks.series import Series
    from unlinkable.tables.data import Table
    from unlinkable.tables.publishing.attacking import Attackable

__all__ = ["Columns", "open_release", "open_series", "read_known"]


@frozen
class Columns:
    """What the options say of the columns of a table, and how it is read."""

    quasi: Sequence[str]
    sensitive: Sequence[str]
    taxonomies: Taxonomies
    reading: Reading

    @property
    def has_types(self) -> bool:
        """Whether roles or types are given, which bundles and plans state themselves."""
        return bool(self.quasi or self.sensitive or self.reading.types)


def open_release(source: str, original: Path | None, columns: Columns) -> Attackable:
    """Open the one release that is attacked."""
    from unlinkable.tables.publishing.attacking import Attackable

    if Path(source).is_dir():
        if columns.has_types:
            raise ParameterError(f"{source} is a bundle: it says itself what its columns are")
        return _bundle(Path(source), original, columns.taxonomies)
    if original is not None:
        raise ParameterError(f"--original is for bundles, and {source} is none")
    return Attackable.of_table(_table(source, columns))


def open_series(sources: Sequence[str], person: str | None, columns: Columns) -> Series:
    """Open the releases that are attacked together."""
    from unlinkable.tables.publishing.attacking import series_of
    from unlinkable.tables.publishing.bundles import open_bundle

    opened = [
        (
            source,
            open_bundle(Path(source)) if Path(source).is_dir() else _table(source, columns, person),
        )
        for source in sources
    ]
    return series_of(opened, person)


def read_known(file: Path, reading: Reading) -> object:
    """Read a table of the adversary."""
    from unlinkable.tables.data.reading import ReadOptions, read_frame

    how = {
        "separator": reading.separator,
        "encoding": reading.encoding,
        "missing": reading.missing,
    }
    given = {key: value for key, value in how.items() if value is not None}
    return read_frame(file, options=ReadOptions(may_be_one_column=True, **given))  # type: ignore[arg-type]


def _bundle(folder: Path, original: Path | None, taxonomies: Taxonomies) -> Attackable:
    from unlinkable.tables.publishing.attacking import Attackable
    from unlinkable.tables.publishing.bundles import open_bundle

    bundle = open_bundle(folder)
    quasi = [c.name for c in bundle.manifest.columns if c.role == "quasi-identifier"]
    given = taxonomies.of(quasi)
    builders = {}
    if given:
        plan = plan_of({"source": "-"}, {"quasi-identifier": quasi}, given)
        described = plan.schema(quasi).columns
        builders = {c.name: c.taxonomy for c in described if c.name in given and c.taxonomy}
    return Attackable.of_bundle(bundle, original, builders)


def _table(source: str, columns: Columns, person: str | None = None) -> Table:
    """Take a table as it stands, or the one that a plan names, for what was published."""
    from unlinkable.tables.publishing.anonymizing import read_table
    from unlinkable.tables.publishing.plans import Plan

    if source.lower().endswith(".toml"):
        if columns.has_types or columns.taxonomies:
            raise ParameterError(f"{source} is a plan: it says itself what its columns are")
        return read_table(Plan.load(source))
    if "://" not in source and not Path(source).exists():
        raise ParameterError(f"{source}: there is no such bundle, plan or table")
    if not columns.quasi:
        raise ParameterError(
            f"say which columns of {source} others may know: --quasi age,zip --sensitive disease"
        )
    roles = {
        "quasi-identifier": columns.quasi,
        "sensitive": columns.sensitive,
        "identifier": [] if person is None else [person],
    }
    meanings = columns.taxonomies.of([*columns.quasi, *columns.sensitive])
    data = columns.reading.data(source, others="insensitive")
    return read_table(plan_of(data, roles, meanings))
