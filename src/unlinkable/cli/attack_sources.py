"""What is attacked: bundles, plans and tables of the command line, opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from unlinkable.cli.plan_options import data_part, names, plan_of, taxonomy_parts
from unlinkable.errors import ParameterError

if TYPE_CHECKING:
    from unlinkable.tables.attacks.series import Series
    from unlinkable.tables.data import Table
    from unlinkable.tables.publishing.attacking import Attackable

__all__ = ["open_release", "open_series", "read_known"]


def open_release(
    source: str,
    original: Path | None,
    quasi: list[str] | None,
    sensitive: list[str] | None,
    taxonomy: list[str] | None,
    taxonomies: Path | None,
    reading: Mapping[str, object],
) -> Attackable:
    """Open the one release that is attacked."""
    if Path(source).is_dir():
        if quasi or sensitive or reading["types"]:
            raise ParameterError(f"{source} is a bundle: it says itself what its columns are")
        return _bundle(Path(source), original, taxonomy, taxonomies)
    if original is not None:
        raise ParameterError(f"--original is for bundles, and {source} is none")
    from unlinkable.tables.publishing.attacking import Attackable

    return Attackable.of_table(_table(source, quasi, sensitive, taxonomy, taxonomies, reading))


def open_series(
    sources: Sequence[str],
    person: str | None,
    quasi: list[str] | None,
    sensitive: list[str] | None,
    taxonomy: list[str] | None,
    taxonomies: Path | None,
    reading: Mapping[str, object],
) -> Series:
    """Open the releases that are attacked together."""
    from unlinkable.tables.publishing.attacking import series_of
    from unlinkable.tables.publishing.bundles import open_bundle

    opened = [
        (
            source,
            open_bundle(Path(source))
            if Path(source).is_dir()
            else _table(source, quasi, sensitive, taxonomy, taxonomies, reading, person),
        )
        for source in sources
    ]
    return series_of(opened, person)


def read_known(file: Path, how: Mapping[str, object]) -> object:
    """Read a table of the adversary."""
    from unlinkable.tables.data.reading import ReadOptions, read_frame

    given = {key: value for key, value in how.items() if value is not None}
    return read_frame(file, options=ReadOptions(may_be_one_column=True, **given))  # type: ignore[arg-type]


def _bundle(
    folder: Path, original: Path | None, taxonomy: list[str] | None, taxonomies: Path | None
) -> Attackable:
    from unlinkable.tables.publishing.attacking import Attackable
    from unlinkable.tables.publishing.bundles import open_bundle

    bundle = open_bundle(folder)
    known = [c.name for c in bundle.manifest.columns if c.role == "quasi-identifier"]
    given = taxonomy_parts(taxonomy, taxonomies, known)
    builders = {}
    if given:
        plan = plan_of({"source": "-"}, {"quasi-identifier": known}, given, None)
        columns = plan.schema(known).columns
        builders = {c.name: c.taxonomy for c in columns if c.name in given and c.taxonomy}
    return Attackable.of_bundle(bundle, original, builders)


def _table(
    source: str,
    quasi: list[str] | None,
    sensitive: list[str] | None,
    taxonomy: list[str] | None,
    taxonomies: Path | None,
    reading: Mapping[str, object],
    person: str | None = None,
) -> Table:
    """Take a table as it stands, or the one that a plan names, for what was published."""
    from unlinkable.tables.publishing.anonymizing import read_table
    from unlinkable.tables.publishing.plans import Plan

    if source.lower().endswith(".toml"):
        if quasi or sensitive or taxonomy or taxonomies or reading["types"]:
            raise ParameterError(f"{source} is a plan: it says itself what its columns are")
        return read_table(Plan.load(source))
    known, hidden = names(quasi), names(sensitive)
    if "://" not in source and not Path(source).exists():
        raise ParameterError(f"{source}: there is no such bundle, plan or table")
    if not known:
        raise ParameterError(
            f"say which columns of {source} others may know: --quasi age,zip --sensitive disease"
        )
    data = data_part(source, others="insensitive", **reading)  # type: ignore[arg-type]
    naming = [] if person is None else [person]
    roles = {"quasi-identifier": known, "sensitive": hidden, "identifier": naming}
    parts = taxonomy_parts(taxonomy, taxonomies, [*known, *hidden])
    return read_table(plan_of(data, roles, parts, None))
