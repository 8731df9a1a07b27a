"""The join of releases, written out: every combination of records, in loops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
import polars as pl
from hypothesis import strategies as st

from tests.tables.groups.plain import taxonomy_of
from tests.witness.tree import Tree
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.series import Edition, Series

__all__ = ["TREES", "Plain", "join", "matches", "releases", "series_of", "told"]

TREES = {
    "a": Tree.nested({"*": {"A": {"a0": {}, "a1": {}}, "B": {"a2": {}, "a3": {}}}}),
    "b": Tree.nested({"*": {"b0": {}, "b1": {}}}),
    "c": Tree.nested({"*": {"c0": {}, "C": {"c1": {}, "c2": {}}}}),
    "d": Tree.nested({"*": {"d0": {}, "d1": {}}}),
    "y": Tree.nested({"*": {"y0": {}, "y1": {}, "y2": {}}}),
    "z": Tree.nested({"*": {"z0": {}, "z1": {}}}),
}
"""All columns that releases may have; y and z are what is to stay hidden."""

Row = Mapping[str, str]


@dataclass(frozen=True)
class Plain:
    """One release: its records, and whose they are."""

    rows: Sequence[Row]
    people: Sequence[int] | None = None


def leaves(column: str, label: str) -> set[object]:
    """List the values under a label."""
    return {leaf for leaf, path in TREES[column].paths.items() if label in path}


def is_under(column: str, label: str, node: str) -> bool:
    """Whether a label is a node or stands under it."""
    return leaves(column, label) <= leaves(column, node)


def matches(rows: Sequence[Row], rules: Sequence[tuple[str, str, str, str]] = ()) -> bool:
    """Whether records, one of each release, may be of the same person."""
    for i, one in enumerate(rows):
        for j, other in enumerate(rows):
            if i == j:
                continue
            for column in one.keys() & other.keys():
                mine, its = one[column], other[column]
                if not (is_under(column, mine, its) or is_under(column, its, mine)):
                    return False
            for a, value, b, opposite in rules:
                if (a in one and is_under(a, one[a], value)) and (
                    b in other and is_under(b, other[b], opposite)
                ):
                    return False
    return True


def join(
    releases: Sequence[Plain], rules: Sequence[tuple[str, str, str, str]] = ()
) -> list[tuple[int, ...]]:
    """List all matches, by the places of the records."""
    places = [range(len(release.rows)) for release in releases]
    return [
        at
        for at in product(*places)
        if matches([r.rows[i] for r, i in zip(releases, at, strict=True)], rules)
    ]


@dataclass(frozen=True)
class Answer:
    """What a join tells of a column."""

    highest: Fraction
    fewest: int
    smallest: int
    sizes: Mapping[tuple[str, ...], int]
    shares: Mapping[tuple[tuple[str, ...], str], Fraction]
    falls: set[int]


def told(
    releases: Sequence[Plain],
    x: Sequence[str],
    y: str,
    limit: Fraction,
    k: int = 1,
    *,
    value: str | None = None,
    rules: Sequence[tuple[str, str, str, str]] = (),
) -> Answer:
    """Group the rows of the join by x, every copy of it, and count y in each group."""
    having = [i for i, release in enumerate(releases) if y in release.rows[0]]
    n_texts = {i: len({row[y] for row in releases[i].rows}) for i in having}
    teller = max(having, key=lambda i: (n_texts[i], i))
    sizes: Counter[tuple[str, ...]] = Counter()
    counts: Counter[tuple[tuple[str, ...], str]] = Counter()
    keys = []
    for at in join(releases, rules):
        rows = [r.rows[i] for r, i in zip(releases, at, strict=True)]
        key = tuple(row[name] for row in rows for name in x if name in row)
        sizes[key] += 1
        counts[key, rows[teller][y]] += 1
        keys.append((at, key))
    shares = {
        (key, v): Fraction(n, sizes[key])
        for (key, v), n in counts.items()
        if value is None or v == value
    }
    kinds = {key: sum(other == key for other, _ in counts) for key in sizes}
    bad = {key for (key, _), share in shares.items() if share > limit}
    if value is None:
        bad |= {key for key, n in kinds.items() if n < k}
    return Answer(
        max(shares.values(), default=Fraction(0)),
        min(kinds.values(), default=0),
        min(sizes.values(), default=0),
        sizes,
        shares,
        {at[-1] for at, key in keys if key in bad},
    )


def series_of(releases: Sequence[Plain], sensitive: Sequence[str] = ("y", "z")) -> Series:
    """Take plain releases for published ones."""
    editions = []
    for i, release in enumerate(releases):
        names = list(release.rows[0])
        frame = pl.DataFrame(
            {n: pl.Series([row[n] for row in release.rows], dtype=pl.String) for n in names}
        )
        target = Target(
            frame,
            tuple(n for n in names if n not in sensitive),
            tuple(n for n in names if n in sensitive),
            {n: taxonomy_of(TREES[n]) for n in names},
        )
        people = None if release.people is None else np.array(release.people, np.int64)
        editions.append(Edition(target, people, f"release {i + 1}"))
    return Series(tuple(editions))


@st.composite
def releases(
    draw: st.DrawFn, *, n: int = 2, max_people: int = 6, hidden: Sequence[str] = ("y",)
) -> list[Plain]:
    """Draw releases of the same people, with different columns and generalized as it comes.

    The last one has the last hidden column, and some have the others; some leave people out.
    """
    n_people = draw(st.integers(2, max_people))
    names = ("a", "b", "c", "d", *hidden)
    people = [
        {name: draw(st.sampled_from(TREES[name].leaves)) for name in names} for _ in range(n_people)
    ]
    found = []
    teller = draw(st.integers(0, n - 1))
    for i in range(n):
        shown = draw(st.sets(st.sampled_from(("a", "b", "c", "d")), min_size=1, max_size=3))
        shown |= {hidden[0]} if i == teller else set()
        shown |= set(draw(st.sets(st.sampled_from(hidden), max_size=1))) if i != teller else set()
        who = draw(
            st.lists(st.integers(0, n_people - 1), min_size=1, max_size=n_people, unique=True)
        )
        rows = []
        for person in who:
            row = {}
            for name in sorted(shown):
                path = TREES[name].paths[people[person][name]]
                top = 0 if name in hidden else draw(st.integers(0, len(path) - 1))
                row[name] = str(path[top])
            rows.append(row)
        found.append(Plain(rows, who))
    return found
