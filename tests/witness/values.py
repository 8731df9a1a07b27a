"""What an adversary who knows some values, of some columns or of any, is left with.

Fung, Wang, Fu and Yu, "Introduction to Privacy-Preserving Data Publishing", 2010: definition 2.4,
sections 2.2.9 and 2.2.10.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations
from typing import TypeVar

from tests.witness.confidence import highest_share
from tests.witness.models import Row, groups
from tests.witness.tree import Tree

__all__ = [
    "breach",
    "ff_confidence",
    "is_ff_anonymous",
    "is_lkc_private",
    "is_personalized",
    "leaves_of",
    "lkc_confidence",
    "lkc_size",
    "personalized_breach",
]

Cell = tuple[str, Hashable]
T = TypeVar("T")


def lkc_size(rows: Sequence[Row], qid: Sequence[str], at_most: int) -> int | None:
    """Give the fewest records that agree on at most so many columns.

    >>> table = [{"a": 1, "b": 1}, {"a": 1, "b": 2}, {"a": 2, "b": 1}, {"a": 2, "b": 2}]
    >>> lkc_size(table, ["a", "b"], 1), lkc_size(table, ["a", "b"], 2)
    (2, 1)
    """
    found = chain.from_iterable(groups(rows, x).values() for x in _subsets(qid, at_most))
    return min(map(len, found), default=None)


def lkc_confidence(
    rows: Sequence[Row],
    qid: Sequence[str],
    at_most: int,
    sensitive: str,
    values: Collection[Hashable] | None = None,
) -> Fraction | None:
    """Give the largest share of a value among records that agree on at most so many columns."""
    found = [highest_share(rows, x, sensitive, values) for x in _subsets(qid, at_most)]
    return max((share for share in found if share is not None), default=None)


def is_lkc_private(
    rows: Sequence[Row],
    qid: Sequence[str],
    sensitive: str,
    *,
    L: int,
    K: int,
    C: Fraction | int,
    values: Collection[Hashable] | None = None,
) -> bool:
    """Whether every combination of at most L values leaves K records, and no value more than C.

    >>> table = [{"a": a, "b": b, "s": a} for a in "xy" for b in "xy"]
    >>> [is_lkc_private(table, ["b"], "s", L=1, K=2, C=Fraction(1, c)) for c in (2, 3)]
    [True, False]
    """
    return all(
        len(group) >= K and (highest_share(group, [], sensitive, values) or 0) <= C
        for x in _subsets(qid, L)
        for group in groups(rows, x).values()
    )


def ff_confidence(
    rows: Sequence[Row], columns: Sequence[str], sensitive: Collection[Cell]
) -> Fraction | None:
    """Give the largest share of a sensitive value among records with the same observable values.

    Observable is every value that is not sensitive, of any column; whoever knows none of a
    person's values still knows the whole table.

    >>> table = [{"sex": "f", "ill": "hiv"}, {"sex": "f", "ill": "flu"}, {"sex": "m", "ill": "flu"}]
    >>> ff_confidence(table, ["sex", "ill"], [("ill", "hiv")])
    Fraction(1, 2)
    """
    attacks = {
        known
        for row in rows
        for known in _subsets([c for c in _cells(row, columns) if c not in sensitive], len(columns))
    } | ({()} if rows else set())
    levels = []
    for known in attacks:
        matching = [row for row in rows if {*known} <= {*_cells(row, columns)}]
        for column, value in sensitive:
            hit = sum(row[column] == value for row in matching)
            levels.append(Fraction(hit, len(matching)))
    return max(levels, default=None)


def is_ff_anonymous(
    rows: Sequence[Row], columns: Sequence[str], sensitive: Collection[Cell], h: Fraction
) -> bool:
    """Whether no freeform attack reaches a sensitive value with more than h."""
    return (ff_confidence(rows, columns, sensitive) or 0) <= h


def leaves_of(tree: Tree, label: Hashable) -> list[Hashable]:
    """Give the leaves below the node of this label, whatever its level.

    >>> leaves_of(Tree.nested({"*": {"virus": {"hiv": {}, "flu": {}}, "none": {}}}), "virus")
    ['hiv', 'flu']
    """
    return [leaf for leaf, path in tree.paths.items() if label in path]


def breach(
    group: Sequence[Row], sensitive: str, guard: Hashable, tree: Tree, *, subtree: bool = False
) -> Fraction:
    """Give the probability that a member of a group has a value below a guarding node.

    A published value stands for each of its leaves alike. Any one leaf below the node must not be
    found out; if ``subtree``, nor that it is one of them.

    >>> tree = Tree.nested({"*": {"virus": {"hiv": {}, "flu": {}}, "none": {}}})
    >>> group = [{"s": "hiv"}, {"s": "flu"}, {"s": "virus"}, {"s": "none"}]
    >>> [breach(group, "s", "virus", tree, subtree=subtree) for subtree in (False, True)]
    [Fraction(3, 8), Fraction(3, 4)]
    """
    by_leaf = []
    for leaf in leaves_of(tree, guard):
        total = Fraction(0)
        for row in group:
            meant = leaves_of(tree, row[sensitive])
            total += Fraction(leaf in meant, len(meant))
        by_leaf.append(total / len(group))
    return sum(by_leaf, Fraction(0)) if subtree else max(by_leaf)


def personalized_breach(
    rows: Sequence[Row],
    qid: Sequence[str],
    sensitive: str,
    guard: str,
    tree: Tree,
    *,
    subtree: bool = False,
) -> Fraction | None:
    """Give the largest breach of what a record's owner wants guarded; nobody guards: 0."""
    if not rows:
        return None
    return max(
        (
            breach(group, sensitive, row[guard], tree, subtree=subtree)
            for group in groups(rows, qid).values()
            for row in group
            if row[guard] is not None
        ),
        default=Fraction(0),
    )


def is_personalized(
    rows: Sequence[Row],
    qid: Sequence[str],
    sensitive: str,
    guard: str,
    tree: Tree,
    p: Fraction,
    *,
    subtree: bool = False,
) -> bool:
    """Whether nobody's guarding node is breached with more than p."""
    level = personalized_breach(rows, qid, sensitive, guard, tree, subtree=subtree)
    return level is None or level <= p


def _subsets(items: Sequence[T], at_most: int) -> Iterator[tuple[T, ...]]:
    for length in range(1, min(at_most, len(items)) + 1):
        yield from combinations(items, length)


def _cells(row: Row, columns: Sequence[str]) -> list[Cell]:
    return [(column, row[column]) for column in columns]
