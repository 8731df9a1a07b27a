"""The published tables of a bundle, read only if they are as large as the manifest says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from unlinkable.errors import BundleError
from unlinkable.tables.data import COUNT, Frame, Head, read_head, read_published
from unlinkable.tables.publishing.bundles.manifest import Manifest, MaskedManifest
from unlinkable.tables.publishing.bundles.manifest_file import data_files

__all__ = ["read_tables", "table_heads", "wrong_heads", "wrong_records"]

_SLACK = 1 << 16
"""So many bytes more than the listed ones the names of columns may have, to say what they are."""

_FEW = 10
"""So many columns are named."""


def read_tables(public: Path, manifest: Manifest) -> list[Frame]:
    """Read the published records, and what whole buckets of them hide if that is published.

    Raises
    ------
    BundleError
        If columns or numbers of records are not as the manifest says.
    DataError
        If a file is damaged.
    """
    wrong = wrong_heads(table_heads(public, manifest), manifest)
    if not wrong:
        frames = [read_published(file) for file in data_files(public, manifest)]
        wrong = wrong_records([frame.height for frame in frames], manifest)
    if wrong:
        raise BundleError(f"{public}: {wrong[0]}: verify the bundle")
    return frames


def table_heads(public: Path, manifest: Manifest) -> list[Head]:
    """Look at what the published tables say of themselves.

    Raises
    ------
    BundleError, DataError
        If they are not listed, damaged, or far too large.
    """
    names = [COUNT, *(column.name for column in manifest.columns)]
    longest = _SLACK + sum(2 * len(name.encode()) + 3 for name in names)
    return [read_head(file, longest) for file in data_files(public, manifest)]


def wrong_heads(heads: Sequence[Head], manifest: Manifest) -> list[str]:
    """Say how columns and numbers of records differ from what is stated, as far as heads tell."""
    stated, there = [column.name for column in manifest.columns], list(heads[0].columns)
    if len(heads) > 1 and isinstance(manifest, MaskedManifest):
        hidden = heads[1].columns
        if [*hidden[:1], *hidden[-1:]] != [manifest.buckets, COUNT]:
            return [f"the hidden values are not told by {manifest.buckets!r} and {COUNT!r}"]
        there += hidden[1:-1]
    known, found = set(stated), set(there)
    strange = [name for name in there if name not in known]
    absent = [name for name in stated if name not in found]
    problems = [f"there is a column {name!r} that is not listed" for name in strange[:_FEW]]
    problems += [f"the column {name!r} is listed and not there" for name in absent[:_FEW]]
    if (more := len(strange) + len(absent) - len(problems)) > 0:
        problems.append(f"and so with {more} more columns")
    if not problems and stated != there:
        problems.append("the columns are not in the order in which they are listed")
    return problems + wrong_records([head.n_records for head in heads], manifest)


def wrong_records(found: Sequence[int | None], manifest: Manifest) -> list[str]:
    """Say which tables have not as many records as stated; of None nothing is known."""
    listed = [file.rows for file in manifest.files if file.rows is not None]
    problems = []
    if found[0] is not None and {found[0]} != {manifest.records, listed[0]}:
        problems.append(
            f"there are {found[0]} records, and the manifest says {manifest.records}"
            + (f" and {listed[0]}" if listed[0] != manifest.records else "")
        )
    for n, rows in zip(found[1:], listed[1:], strict=True):
        if n is not None and n != rows:
            problems.append(f"there are {n} hidden values, and the manifest says {rows}")
    return problems
