"""Whom a published record may be about, when values are told as sets of values.

Fung, Wang, Fu and Yu, "Introduction to Privacy-Preserving Data Publishing", 2010: section 2.1;
Aggarwal, "Data Mining", 2015: section 20.3.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from itertools import permutations

from tests.witness.models import Row
from tests.witness.tree import Tree

__all__ = ["Trees", "box", "matching", "may_be", "meaning", "ownerships"]

Trees = Mapping[str, Tree]


def meaning(text: Hashable, tree: Tree | None = None) -> frozenset[Hashable] | None:
    """Give the values that a published text may stand for; None if it may be any value at all.

    Without a tree, and for what is not in the tree, a text stands for itself. A set stands for its
    members, and so does a text that lists them.

    >>> job = Tree.nested({"*": {"Artist": {"Dancer": {}, "Writer": {}}, "Cook": {}}})
    >>> sorted(meaning("Artist", job)), sorted(meaning("Pilot", job)), meaning("*", job)
    (['Dancer', 'Writer'], ['Pilot'], None)
    >>> sorted(meaning("{Cook, Dancer}")), sorted(meaning(frozenset({21, 22})))
    (['Cook', 'Dancer'], [21, 22])
    """
    if text == "*":
        return None
    if isinstance(text, frozenset):
        return text
    if isinstance(text, str) and text.startswith("{"):
        return frozenset(text[1:-1].split(", "))
    for level in range(0 if tree is None else tree.height + 1):
        assert tree is not None
        if text in tree.labels(level):
            return frozenset(tree.leaves_under(level, text))
    return frozenset({text})


def may_be(person: Row, record: Row, columns: Sequence[str], trees: Trees) -> bool:
    """Whether a person may be the owner of a record: on every column some value fits both.

    >>> job = Tree.nested({"*": {"Artist": {"Dancer": {}, "Writer": {}}, "Cook": {}}})
    >>> [may_be({"job": "Dancer"}, {"job": shown}, ["job"], {"job": job})
    ...  for shown in ("Dancer", "Artist", "*", "Writer")]
    [True, True, True, False]
    """
    for column in columns:
        one = meaning(person[column], trees.get(column))
        other = meaning(record[column], trees.get(column))
        if one is not None and other is not None and not one & other:
            return False
    return True


def matching(
    people: Sequence[Row], rows: Sequence[Row], columns: Sequence[str], trees: Trees
) -> list[list[int]]:
    """Give for every person the numbers of the records that may be about him.

    >>> matching([{"q": 1}, {"q": 2}], [{"q": 1}, {"q": "*"}, {"q": 1}], ["q"], {})
    [[0, 1, 2], [1]]
    """
    return [
        [i for i, row in enumerate(rows) if may_be(person, row, columns, trees)]
        for person in people
    ]


def ownerships(
    people: Sequence[Row], rows: Sequence[Row], columns: Sequence[str], trees: Trees
) -> list[tuple[int, ...]]:
    """Give all ways in which every record has an owner among the people, and nobody has two.

    Each way is the number of the owner of each record.

    >>> ownerships([{"q": 1}, {"q": 2}], [{"q": "*"}], ["q"], {})
    [(0,), (1,)]
    """
    fits = matching(people, rows, columns, trees)
    return [
        way
        for way in permutations(range(len(people)), len(rows))
        if all(record in fits[owner] for record, owner in enumerate(way))
    ]


def box(text: str, domain: Sequence[Hashable]) -> frozenset[Hashable]:
    """Give the values of a domain that a published range, set or value stands for.

    >>> [sorted(box(text, [30, 31, 45])) for text in ("[30-45)", "45", "<31", ">=31", "*")]
    [[30, 31], [45], [30], [31, 45], [30, 31, 45]]
    >>> sorted(box("{b, c}", "abc"))
    ['b', 'c']
    """
    if text == "*":
        return frozenset(domain)
    if text.startswith("{"):
        members = text[1:-1].split(", ")
        return frozenset(v for v in domain if str(v) in members)
    found = re.fullmatch(r"\[(\d+)-(\d+)\)|<(\d+)|>=(\d+)", text)
    if found is None:
        return frozenset(v for v in domain if str(v) == text)
    first, end, below, least = (None if part is None else int(part) for part in found.groups())
    low = first if first is not None else least
    high = end if end is not None else below
    return frozenset(
        v
        for v in domain
        if (low is None or int(str(v)) >= low) and (high is None or int(str(v)) < high)
    )
