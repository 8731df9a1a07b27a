"""Generators: all originals that a series of releases could have come from, by enumeration.

A release is a list of records, a record a pair: what it shows, a set of raw values for each column,
and what it hides. In a generator every record of a release has one of its own in the next, which
hides the same, and some raw values are among those that all records of such a chain show. The first
release of a chain is when its person came.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np
import polars as pl
from hypothesis import strategies as st

from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.series import Edition, Series
from unlinkable.typing import CountArray

__all__ = [
    "Chain",
    "Drawn",
    "Record",
    "covers",
    "generators",
    "growing_series",
    "is_generator",
    "most_alike",
]

Box = tuple[frozenset[str], ...]
Record = tuple[Box, str]
Point = tuple[str, ...]
Cut = list[tuple[int, int]]


@dataclass(frozen=True)
class Chain:
    """The records of one person: the first release, and his record in it and each later one."""

    since: int
    records: tuple[int, ...]
    box: Box


def generators(releases: Sequence[Sequence[Record]]) -> Iterator[list[Chain]]:
    """Yield every way to say which record of a release is which of the next."""
    yield from _grow(releases, 0, [])


def _grow(
    releases: Sequence[Sequence[Record]], number: int, chains: list[Chain]
) -> Iterator[list[Chain]]:
    if number == len(releases):
        yield chains
        return
    records = releases[number]
    for chosen in permutations(range(len(records)), len(chains)):
        grown = [_longer(releases, chain, at) for chain, at in zip(chains, chosen, strict=True)]
        if any(chain is None for chain in grown):
            continue
        new = [Chain(number, (at,), records[at][0]) for at in {*range(len(records))} - {*chosen}]
        yield from _grow(releases, number + 1, [*(c for c in grown if c is not None), *new])


def _longer(releases: Sequence[Sequence[Record]], chain: Chain, at: int) -> Chain | None:
    box, hidden = releases[chain.since + len(chain.records)][at]
    both = tuple(a & b for a, b in zip(chain.box, box, strict=True))
    if hidden != releases[chain.since][chain.records[0]][1] or not all(both):
        return None
    return Chain(chain.since, (*chain.records, at), both)


def is_generator(
    first: Sequence[Record],
    second: Sequence[Record],
    buddies: Iterable[tuple[int, int, Point, str]],
) -> bool:
    """Check a generator of two releases: which records are buddies, and what they come from."""
    told = list(buddies)
    has_each = sorted(a for a, *_ in told) == [*range(len(first))]
    is_injective = len({b for _, b, *_ in told}) == len(told)
    return (
        has_each
        and is_injective
        and all(
            record[1] == hidden and covers(record[0], point)
            for a, b, point, hidden in told
            for record in (first[a], second[b])
        )
    )


def covers(box: Box, point: Point) -> bool:
    """Whether somebody with these raw values could show this."""
    return all(value in part for value, part in zip(point, box, strict=True))


def most_alike(
    releases: Sequence[Sequence[Record]], domains: Sequence[Sequence[str]]
) -> dict[tuple[int, Point], dict[str, int]]:
    """Count by hidden value how many records of people like somebody there can be at most.

    They came when he came, and have his raw values. All other records of his class are cracked. By
    when he came, and his raw values; only for people who can be in all releases from then on.
    """
    people = [
        (since, point)
        for since in range(len(releases))
        for point in product(*domains)
        if all(any(covers(box, point) for box, _ in release) for release in releases[since:])
    ]
    most: dict[tuple[int, Point], dict[str, int]] = {person: {} for person in people}
    for value in sorted({hidden for release in releases for _, hidden in release}):
        # Records that hide different things have nothing to do with each other.
        mine = [[record for record in release if record[1] == value] for release in releases]
        for found in most.values():
            found[value] = 0
        for chains in generators(mine):
            for since, point in people:
                alike = sum(c.since == since and covers(c.box, point) for c in chains)
                most[since, point][value] = max(most[since, point][value], alike)
    return most


@dataclass(frozen=True)
class Drawn:
    """A growing table and its releases.

    Attributes
    ----------
    releases
        The releases as plain records.
    series
        The same, as they are published.
    domain
        The raw values of each column.
    sizes
        How many records came with each release.
    """

    releases: list[list[Record]]
    series: Series
    domain: list[list[str]]
    sizes: list[int]

    def boxes(self, release: int) -> list[Box]:
        """Give what the records of a release show."""
        return [box for box, _ in self.releases[release]]


@st.composite
def growing_series(
    draw: st.DrawFn, n_releases: int, most: Sequence[int], *, has_people: bool = False
) -> Drawn:
    """Draw releases of a growing table, each along one cut of the same tree on every column.

    ``most`` says how many records come at most with each release.
    """
    n_columns = draw(st.integers(1, 2))
    names = tuple(f"q{j}" for j in range(n_columns))
    raw: list[tuple[list[int], str]] = []
    releases: list[list[Record]] = []
    editions: list[Edition] = []
    sizes = []
    for number in range(n_releases):
        sizes.append(draw(st.integers(0 if number else 1, most[number])))
        raw += [
            ([draw(st.integers(0, 3)) for _ in names], draw(st.sampled_from("ab")))
            for _ in range(sizes[-1])
        ]
        cuts = [draw(_cuts(0, 4)) for _ in names]
        shown = [
            [next(c for c in cut if c[0] <= v < c[1]) for cut, v in zip(cuts, q, strict=True)]
            for q, _ in raw
        ]
        releases.append(
            [
                (tuple(frozenset(map(str, range(*part))) for part in box), hidden)
                for box, (_, hidden) in zip(shown, raw, strict=True)
            ]
        )
        frame = pl.DataFrame(
            {name: [_text(box[j]) for box in shown] for j, name in enumerate(names)}
            | {"s": [hidden for _, hidden in raw]},
            schema=dict.fromkeys((*names, "s"), pl.String),
        )
        people = _numbers(len(raw)) if has_people else None
        editions.append(Edition(Target(frame, names, ("s",)), people, f"R{number + 1}"))
    domain = [[*map(str, range(4))] for _ in names]
    return Drawn(releases, Series(tuple(editions)), domain, sizes)


@st.composite
def _cuts(draw: st.DrawFn, lo: int, hi: int) -> Cut:
    """Draw a cut through the tree of halves."""
    if hi - lo == 1 or draw(st.booleans()):
        return [(lo, hi)]
    middle = (lo + hi) // 2
    return [*draw(_cuts(lo, middle)), *draw(_cuts(middle, hi))]


def _text(part: tuple[int, int]) -> str:
    lo, hi = part
    return str(lo) if hi - lo == 1 else f"[{lo}-{hi})"


def _numbers(n: int) -> CountArray:
    return np.arange(n)
