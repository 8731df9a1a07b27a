"""Random small releases of all shapes, and how the library sees them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl
from hypothesis import strategies as st

from tests.strategies import trees
from tests.tables.groups.plain import taxonomy_of
from tests.witness.models import Row, groups
from tests.witness.tree import Tree
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target
from unlinkable.tables.data.side import Side

__all__ = ["RAW", "SHAPES", "RandomRelease", "frame_of", "knowledge_of", "releases", "target_of"]

RAW, FULL_DOMAIN, CELL, BUCKETS = "raw", "full-domain", "cell", "buckets"
SHAPES = (RAW, FULL_DOMAIN, CELL, BUCKETS)
"""Raw; a level for every column; a level for every cell, so that looks overlap; in buckets."""


@dataclass(frozen=True)
class RandomRelease:
    """People, and what is published of them.

    Attributes
    ----------
    people
        Everybody with a name, his values, and what he has.
    rows
        What is published, a record for each person and in the same order; in buckets the hidden
        values of a bucket stand in any order.
    qid, sensitive
        The columns that may be known, and the one that is hidden.
    trees
        What generalized values stand for.
    bucket
        The column with the bucket of each record, if there are buckets.
    """

    people: list[dict[str, Hashable]]
    rows: list[dict[str, Hashable]]
    qid: tuple[str, ...]
    trees: dict[str, Tree]
    bucket: str | None = None
    sensitive: str = "s"
    shape: str = field(default=RAW)

    @property
    def alike(self) -> tuple[str, ...]:
        """The columns on which those are equal of whom nobody can say who hides what."""
        return self.qid if self.bucket is None else (self.bucket,)

    def hidden(self) -> list[list[Hashable]]:
        """What the groups of people who cannot be told apart hide."""
        return [
            [row[self.sensitive] for row in group]
            for group in groups(self.rows, self.alike).values()
        ]


@st.composite
def releases(
    draw: st.DrawFn,
    *,
    shapes: Sequence[str] = SHAPES,
    min_people: int = 3,
    max_people: int = 8,
    min_qid: int = 1,
    max_qid: int = 3,
    values: Sequence[Hashable] = ("v", "w", "x", "y"),
) -> RandomRelease:
    """Draw people and publish them in one of these shapes."""
    n = draw(st.integers(min_people, max_people))
    shape = draw(st.sampled_from(shapes))
    qid = tuple(f"q{i}" for i in range(draw(st.integers(min_qid, max_qid))))
    # With one leaf or one hidden value there is little to find out, and little to get wrong.
    known = {name: draw(trees(name, 4, 2).filter(lambda t: len(t.leaves) > 1)) for name in qid}
    pool = draw(st.lists(st.sampled_from(values), min_size=2, max_size=4, unique=True))
    people: list[dict[str, Hashable]] = [
        {
            "name": f"p{i}",
            **{name: draw(st.sampled_from(known[name].leaves)) for name in qid},
            "s": draw(st.sampled_from(pool)),
        }
        for i in range(n)
    ]
    rows = [{name: person[name] for name in (*qid, "s")} for person in people]
    if shape in (FULL_DOMAIN, CELL):
        levels = {name: st.integers(0, known[name].height) for name in qid}
        same = {name: draw(levels[name]) for name in qid}
        for row in rows:
            for name in qid:
                level = same[name] if shape == FULL_DOMAIN else draw(levels[name])
                row[name] = known[name].generalize(row[name], level)
    if shape != BUCKETS:
        return RandomRelease(people, rows, qid, known, shape=shape)
    for row in rows:
        row["b"] = draw(st.sampled_from(["b0", "b1", "b2"]))
    for bucket in ("b0", "b1", "b2"):
        group = [row for row in rows if row["b"] == bucket]
        mixed = draw(st.permutations([row["s"] for row in group]))
        for row, value in zip(group, mixed, strict=True):
            row["s"] = value
    return RandomRelease(people, rows, qid, known, bucket="b", shape=shape)


def frame_of(rows: Sequence[Row], columns: Sequence[str] | None = None) -> pl.DataFrame:
    """Put rows into a frame: whole numbers as they are, all else as texts."""
    names = list(rows[0]) if columns is None else list(columns)
    return pl.DataFrame({name: _series([row[name] for row in rows]) for name in names})


def target_of(release: RandomRelease, rows: Sequence[Row] | None = None) -> Target:
    """Give a release, or others of its records, as an attack sees it."""
    return Target(
        frame_of(release.rows if rows is None else rows),
        release.qid,
        (release.sensitive,),
        taxonomies={name: taxonomy_of(tree) for name, tree in release.trees.items()},
        bucket=release.bucket,
    )


def knowledge_of(
    **tables: Sequence[Row] | Mapping[str, Sequence[object]] | pl.DataFrame,
) -> AdversaryKnowledge:
    """Give an adversary these tables."""
    given = {
        name: frame_of(table) if isinstance(table, list) else table
        for name, table in tables.items()
    }
    return AdversaryKnowledge(side=Side.of(given))


def _series(values: Sequence[Hashable]) -> pl.Series:
    if all(isinstance(value, int) for value in values):
        return pl.Series(values)
    return pl.Series([None if v is None else str(v) for v in values], dtype=pl.String)
