"""Cuts through taxonomies, and the best of them by exhaustion.

A node of a tree is the set of the leaves under it: a node and its only child are the same set, and
are published alike. A cut has exactly one node on every way from a leaf to the root, so it puts
every leaf into one set.

Fung, Wang, Fu and Yu, "Introduction to Privacy-Preserving Data Publishing", 2010: sections 3.1 and
6.2.2.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product

from tests.witness.losses import Shown
from tests.witness.models import Row
from tests.witness.promises import Promise, good_records
from tests.witness.tree import Tree

__all__ = [
    "Block",
    "Cut",
    "all_cuts",
    "all_releases",
    "best_releases",
    "blocks_shown",
    "children",
    "intervals",
    "is_cut",
    "nodes",
    "publish",
    "show",
    "values_or_nothing",
]

Block = frozenset[Hashable]
Cut = frozenset[Block]
Loss = Callable[[Sequence[Shown]], Fraction | int | float]


def nodes(tree: Tree) -> list[Block]:
    """List the different nodes of a tree, the root first.

    >>> tree = Tree.nested({"*": {"a": {"b": {}, "c": {}}, "d": {}}})
    >>> ["".join(sorted(node)) for node in nodes(tree)]
    ['bcd', 'bc', 'd', 'b', 'c']
    """
    found: list[Block] = []
    for level in range(tree.height, -1, -1):
        found += [frozenset(tree.leaves_under(level, label)) for label in tree.labels(level)]
    return list(dict.fromkeys(found))


def children(tree: Tree, node: Block) -> list[Block]:
    """List the largest nodes below a node.

    >>> tree = Tree.nested({"*": {"a": {"b": {}, "c": {}}, "d": {}}})
    >>> ["".join(sorted(node)) for node in children(tree, frozenset("bcd"))]
    ['bc', 'd']
    """
    below = [other for other in nodes(tree) if other < node]
    return [one for one in below if not any(one < other for other in below)]


def all_cuts(tree: Tree) -> list[Cut]:
    """List all cuts: the root alone, or a cut through the tree of every child.

    >>> len(all_cuts(Tree.nested({"*": {"a": {"b": {}, "c": {}}, "d": {"e": {}, "f": {}}}})))
    5
    """

    def through(node: Block) -> list[Cut]:
        found = [frozenset([node])]
        below = children(tree, node)
        if below:
            ways = product(*(through(child) for child in below))
            found += [frozenset().union(*way) for way in ways]
        return found

    return through(frozenset(tree.leaves))


def is_cut(tree: Tree, chosen: Collection[Block]) -> bool:
    """Whether these are nodes, and every leaf is under exactly one of them.

    >>> tree = Tree.nested({"*": {"a": {"b": {}, "c": {}}, "d": {}}})
    >>> [is_cut(tree, [frozenset(node) for node in way.split()]) for way in ("bc d", "bc", "b cd")]
    [True, False, False]
    """
    return set(chosen) <= set(nodes(tree)) and all(
        sum(leaf in node for node in chosen) == 1 for leaf in tree.leaves
    )


def intervals(values: Sequence[Hashable]) -> list[Cut]:
    """List all ways to put neighbouring values together.

    >>> sorted("|".join(sorted("".join(sorted(b)) for b in way)) for way in intervals("abc"))
    ['abc', 'ab|c', 'a|bc', 'a|b|c']
    """
    found = []
    for ends in product([False, True], repeat=max(len(values) - 1, 0)):
        stops = [0, *(i + 1 for i, is_end in enumerate(ends) if is_end), len(values)]
        found.append(frozenset(frozenset(values[a:b]) for a, b in pairwise(stops)))
    return found


def values_or_nothing(values: Sequence[Hashable]) -> list[Cut]:
    """List all ways to tell some values and put all others together: value suppression.

    >>> len(values_or_nothing("abc"))  # all, or none, or one; two told tell the third as well
    5
    """
    found = []
    for told in product([False, True], repeat=len(values)):
        hidden = frozenset(v for v, is_told in zip(values, told, strict=True) if not is_told)
        alone = {frozenset([v]) for v, is_told in zip(values, told, strict=True) if is_told}
        found.append(frozenset(alone | ({hidden} if hidden else set())))
    return list(dict.fromkeys(found))


def show(rows: Sequence[Row], chosen: Mapping[str, Collection[Block]]) -> list[Row]:
    """Replace every value by the block that holds it.

    >>> show([{"x": 1, "s": 5}], {"x": [frozenset([1, 2])]})
    [{'x': frozenset({1, 2}), 's': 5}]
    """
    shown: list[Row] = []
    for row in rows:
        recoded = dict(row)
        for a, blocks in chosen.items():
            (recoded[a],) = [block for block in blocks if row[a] in block]
        shown.append(recoded)
    return shown


def publish(
    rows: Sequence[Row], chosen: Mapping[str, Collection[Block]], promises: Sequence[Promise]
) -> list[Shown]:
    """Write the release of a choice of blocks, with None for the records that have to be left out.

    What breaks a promise is left out, and the rest judged again until nothing breaks.
    """
    shown, qid = show(rows, chosen), list(chosen)
    kept = list(range(len(rows)))
    while True:
        good = good_records(promises, [shown[i] for i in kept], qid)
        if all(good):
            break
        kept = [i for i, is_good in zip(kept, good, strict=True) if is_good]
    stays = set(kept)
    return [
        {a: shown[i][a] for a in qid} if i in stays else None  # type: ignore[misc]
        for i in range(len(rows))
    ]


def all_releases(
    rows: Sequence[Row],
    ways: Mapping[str, Sequence[Cut]],
    promises: Sequence[Promise],
    limit: int = 0,
) -> list[tuple[dict[str, Cut], list[Shown]]]:
    """List every choice of one way per attribute that leaves out few enough, with its release."""
    found = []
    for choice in product(*ways.values()):
        chosen = dict(zip(ways, choice, strict=True))
        release = publish(rows, chosen, promises)
        if sum(record is None for record in release) <= min(limit, len(rows) - 1):
            found.append((chosen, release))
    return found


def best_releases(
    rows: Sequence[Row],
    ways: Mapping[str, Sequence[Cut]],
    promises: Sequence[Promise],
    loss: Loss,
    limit: int = 0,
) -> tuple[list[dict[str, Cut]], Fraction | int | float | None]:
    """Give all choices that lose least, and what they lose; nothing and None if there is none."""
    measured = [
        (loss(release), chosen) for chosen, release in all_releases(rows, ways, promises, limit)
    ]
    least = min((lost for lost, _ in measured), default=None)
    return [chosen for lost, chosen in measured if lost == least], least


def blocks_shown(release: Sequence[Shown], attribute: str) -> set[Block]:
    """Give the different sets that a release shows on an attribute."""
    return {record[attribute] for record in release if record is not None}
