"""What joining releases tells, row by row, and all tables that have some views.

Fung, Wang, Fu and Yu, "Introduction to Privacy-Preserving Data Publishing", 2010: chapters 8 and 9.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product

from tests.witness.matching import Trees, may_be
from tests.witness.models import Row

__all__ = ["Rule", "View", "join", "known_by", "possible_tables", "tables_with_counts"]

Rule = tuple[str, Hashable, str, Hashable]
"""A value of one column and one of another that nobody has at once."""


def _on_one_path(one: Row, other: Row, trees: Trees) -> bool:
    return all(may_be(one, other, [c], trees) for c in one if c in other)


def _is_under(value: Hashable, above: Hashable, column: str, trees: Trees) -> bool:
    """Whether a value is the other, or a specialization of it."""
    if value == above:
        return True
    tree = trees.get(column)
    return tree is not None and any(
        above in path and value in path and path.index(value) < path.index(above)
        for path in tree.paths.values()
    )


def _breaks(one: Row, other: Row, rules: Sequence[Rule], trees: Trees) -> bool:
    """Whether one record shows the first half of a rule and the other one the second half."""
    return any(
        a in left
        and b in right
        and _is_under(left[a], v, a, trees)
        and _is_under(right[b], w, b, trees)
        for left, right in ((one, other), (other, one))
        for a, v, b, w in rules
    )


def join(
    releases: Sequence[Sequence[Row]], trees: Trees, rules: Sequence[Rule] = ()
) -> Iterator[tuple[int, ...]]:
    """Give all matches: the numbers of a record of each release (section 9.1.2.3).

    >>> list(join([[{"job": "cook"}], [{"job": "cook"}, {"job": "clerk"}, {"job": "*"}]], {}))
    [(0, 0), (0, 2)]
    """
    for numbers in product(*(range(len(rows)) for rows in releases)):
        rows = [release[i] for release, i in zip(releases, numbers, strict=True)]
        if all(
            _on_one_path(one, other, trees) and not _breaks(one, other, rules, trees)
            for one, other in combinations(rows, 2)
        ):
            yield numbers


def known_by(rows: Sequence[Row], x: Sequence[str]) -> tuple[Hashable, ...]:
    """Give what a match shows on the known columns: all copies of each."""
    return tuple(row[column] for column in x for row in rows if column in row)


@dataclass(frozen=True)
class View:
    """A projection of a table; its equal rows are as many as records if it is counted."""

    rows: Sequence[Row]
    columns: tuple[str, ...]
    is_counted: bool = False

    def of(self, table: Sequence[Row]) -> bool:
        """Whether a table has the view."""
        mine = Counter(tuple(row[c] for c in self.columns) for row in self.rows)
        told = Counter(tuple(row[c] for c in self.columns) for row in table)
        return mine == told if self.is_counted else mine.keys() == told.keys()


def possible_tables(
    views: Sequence[View],
    dependencies: Sequence[tuple[str, str]] = (),
    identity: str | None = None,
) -> Iterator[list[Row]]:
    """Give all tables that have all views (section 8.2).

    If no view is counted, how often a table has a record makes no difference, and it has each at
    most once. With an ``identity`` everybody has one record.

    >>> jobs = View([{"n": "A", "j": 1}, {"n": "B", "j": 2}], ("n", "j"))
    >>> ills = View([{"j": 1, "s": "x"}, {"j": 2, "s": "y"}], ("j", "s"))
    >>> [[(row["n"], row["s"]) for row in table] for table in possible_tables([jobs, ills])]
    [[('A', 'x'), ('B', 'y')]]
    """
    columns = list(dict.fromkeys(c for view in views for c in view.columns))
    domains = [
        dict.fromkeys(row[c] for view in views if c in view.columns for row in view.rows)
        for c in columns
    ]
    cells: list[Row] = [
        row
        for values in product(*domains)
        for row in [dict(zip(columns, values, strict=True))]
        if all(
            any(all(row[c] == shown[c] for c in view.columns) for shown in view.rows)
            for view in views
        )
    ]
    sizes = {len(view.rows) for view in views if view.is_counted}
    tables: Iterator[tuple[Row, ...]]
    if sizes:
        tables = combinations_with_replacement(cells, sizes.pop()) if len(sizes) == 1 else iter(())
    else:
        tables = (t for n in range(len(cells) + 1) for t in combinations(cells, n))
    for table in tables:
        if not all(view.of(table) for view in views):
            continue
        if any(
            len({row[a] for row in table}) < len({(row[a], row[b]) for row in table})
            for a, b in dependencies
        ):
            continue
        if identity is None or len({row[identity] for row in table}) == len(table):
            yield list(table)


def tables_with_counts(
    views: Sequence[Sequence[tuple[Row, int]]], cells: Sequence[Row], trees: Trees
) -> Iterator[list[Row]]:
    """Give all tables of some kinds of records that have as many of what each view shows.

    No two rows of a view may show the same record.

    >>> cells = [{"q": q, "s": s} for q in "ab" for s in "xy"]
    >>> ages = [({"q": "a"}, 1), ({"q": "b"}, 1)]
    >>> ills = [({"s": "x"}, 2), ({"s": "y"}, 0)]
    >>> [[row["q"] + row["s"] for row in t] for t in tables_with_counts([ages, ills], cells, {})]
    [['ax', 'bx']]
    """
    places = []
    for cell in cells:
        found = [
            [i for i, (shown, _) in enumerate(view) if may_be(cell, shown, [*shown], trees)]
            for view in views
        ]
        assert all(len(rows) <= 1 for rows in found)
        places.append([rows[0] for rows in found] if all(found) else None)

    def filled(at: int, left: Sequence[Sequence[int]]) -> Iterator[list[Row]]:
        if at == len(cells):
            if not any(n for view in left for n in view):
                yield []
            return
        yield from filled(at + 1, left)
        mine = places[at]
        if mine is not None and all(view[i] for view, i in zip(left, mine, strict=True)):
            fewer = [
                [n - (j == i) for j, n in enumerate(view)]
                for view, i in zip(left, mine, strict=True)
            ]
            for table in filled(at, fewer):
                yield [cells[at], *table]

    return filled(0, [[n for _, n in view] for view in views])
