"""What was published: every column, what it says about people, and what was done to it."""

from __future__ import annotations

from collections.abc import Mapping

from unlinkable.release.report import listed
from unlinkable.report import Block, Note, Paragraph, Section, Table
from unlinkable.tables.publishing.bundles.manifest_sections import PublishedColumn
from unlinkable.tables.publishing.reported.public_view import PublicView

__all__ = ["columns_part"]

_ROLES: Mapping[str, str] = {
    "identifier": "names a person",
    "quasi-identifier": "may be known to others",
    "sensitive": "sensitive: nobody should learn it of a person",
    "target": "to be predicted from the others",
    "insensitive": "taken for harmless",
    "weight": "how many people a record stands for",
    "bucket": "links the two tables",
    "count": "how many people a row stands for",
    "made": "added by the method",
}


def columns_part(view: PublicView) -> Section:
    """List what is published."""
    rows = [
        (column.name, _ROLES[column.role], _done(view, column), _distinct(view, column.name))
        for column in view.manifest.columns
    ]
    header = ("Column", "What it says of people", "What was done", "Different values")
    blocks: list[Block] = [
        Paragraph(_kind(view)),
        Table("Columns that are published", header, rows, right=[3]),
    ]
    as_it_was = view.with_role("insensitive", "target", "weight") if view.is_coarser else []
    if as_it_was:
        blocks.append(
            Paragraph(
                f"Published as they were: {listed(as_it_was)}. Whoever knows such a value of "
                "somebody can use it to find that person, and no promise counts with that."
            )
        )
        if own := [name for name in as_it_was if _tells_apart(view, name)]:
            blocks.append(
                Note(
                    f"Most records have a value of their own in {listed(own)}: whoever knows it "
                    "of somebody finds that person's record, whatever was promised."
                )
            )
    known = view.with_role("quasi-identifier")
    if untouched := [name for name in known if name in (view.about.unchanged or ())]:
        blocks.append(
            Note(
                f"Not replaced, though others may know it: {listed(untouched)}. Whoever knows such "
                "a value of somebody can look for that person's record by it."
            )
        )
    return Section("What was published", blocks)


def _kind(view: PublicView) -> str:
    masked = view.masked
    if masked is None:
        return (
            "Values that others may know were made coarser until people look alike: every "
            "published value is true, and says less than the original one."
        )
    if view.is_coarser:
        return (
            "Values that others may know were made coarser until people look alike: every "
            "published value is true, and says less than the original one. Those who were in the "
            "release before show what they showed there, and those who came later were put "
            "together by themselves, so that equal people may show different things."
        )
    if masked.buckets is not None:
        return (
            "Records are published as they were in one table, and what is sensitive in another, "
            "for whole buckets of people at once: nobody can tell which value of a bucket is "
            "whose."
        )
    if masked.treatment == "projected":
        return "Rows are published as they were, each different one once; how often is not told."
    if masked.counts is not None:
        return "Not records are published, but how many people have which values."
    return "Values were replaced, or made up: a published record need not be true of anybody."


def _done(view: PublicView, column: PublishedColumn) -> str:
    masked = view.masked
    if column.role == "identifier":
        return "replaced by a pseudonym" if column.treatment == "pseudonym" else "masked in part"
    if column.role in ("bucket", "count", "made"):
        return "added"
    if masked is not None and not view.is_coarser:
        return _masked(view, column.name)
    if column.role == "quasi-identifier" or _is_coarser(view, column):
        node = view.manifest.node
        level = None if node is None else node.get(column.name)
        if level is not None:
            return "as it was" if level == 0 else f"made coarser, all values to level {level}"
        return "made coarser where needed"
    return "as it was"


def _masked(view: PublicView, name: str) -> str:
    masked = view.masked
    assert masked is not None
    if masked.buckets is not None:
        is_hidden = name not in view.bundle.frame.columns
        return "told for whole buckets" if is_hidden else "as it was"
    if masked.treatment == "projected":
        return "as it was"
    if masked.counts is not None:
        return "counted"
    if view.about.unchanged is None:
        return "may have been replaced"
    return "as it was" if name in view.about.unchanged else "replaced in part or in whole"


def _is_coarser(view: PublicView, column: PublishedColumn) -> bool:
    """Whether nodes of a taxonomy are published in place of values that are sensitive."""
    if column.taxonomy is None:
        return False
    nodes = {label for level in column.taxonomy.levels for label in level.labels or ()}
    nodes = (nodes | {column.taxonomy.root}) - {str(value) for value in column.taxonomy.values}
    counts = view.counts(column.name)
    return counts is not None and not nodes.isdisjoint(counts.texts)


def _tells_apart(view: PublicView, name: str) -> bool:
    """Whether more than half of the records have a value that no other has."""
    counts = view.counts(name)
    return counts is not None and 2 * int((counts.counts == 1).sum()) > view.manifest.records


def _distinct(view: PublicView, name: str) -> str:
    counts = view.counts(name)
    return "" if counts is None else f"{counts.n:,}"
