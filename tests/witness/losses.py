"""What a release of any boxes has lost, cell by cell and group by group, from the definitions.

A published record is a mapping from attribute to the set of raw values that it could stand for; a
record that was left out is ``None`` and keeps its place, so that a release has as many entries as
the original table. Records form a group if they show the same sets. A domain is the list of all raw
values of an attribute, in their order.

Fung, Wang, Fu and Yu, "Introduction to Privacy-Preserving Data Publishing", 2010: sections 4.1 and
6.7; Byun, Sohn, Bertino and Li, "Privacy-preserving incremental data dissemination", 2009: section
6.1; Babu, "Utility-based privacy preserving data publishing", 2013: sections 3.3 and 4.3; Xu, Wang,
Pei, Wang, Shi and Fu, "Utility-based anonymization using local recoding", 2006.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from tests.witness.tree import Tree

__all__ = [
    "Domains",
    "Shown",
    "attributes_at_the_top",
    "average_class_size",
    "average_information_loss",
    "babu_iloss",
    "cells_at_the_top",
    "discernibility",
    "discernibility_ratio",
    "distinct_values",
    "groups_of",
    "iloss",
    "minimal_distortion",
    "normalized_certainty_penalty",
    "records_at_the_top",
]

Shown = Mapping[str, frozenset[Hashable]] | None
"""What a record shows, or nothing if it was left out."""

Domains = Mapping[str, Sequence[Hashable]]
Numbers = Sequence[Fraction | int]
Importance = Mapping[str, Fraction | int]
CellLoss = Callable[[str, frozenset[Hashable]], Fraction]


def groups_of(release: Sequence[Shown]) -> list[list[int]]:
    """Put the published records together that show the same, by their places in the table.

    >>> a, b = frozenset({1}), frozenset({1, 2})
    >>> groups_of([{"x": a}, None, {"x": b}, {"x": a}])
    [[0, 3], [2]]
    """
    found: list[tuple[Shown, list[int]]] = []
    for place, record in enumerate(release):
        if record is None:
            continue
        for shown, places in found:
            if shown == record:
                places.append(place)
                break
        else:
            found.append((record, [place]))
    return [places for _, places in found]


def discernibility(release: Sequence[Shown], charge: int | None = None) -> int:
    """|T[qid]| for every published record; for one left out the charge, if not given |T|.

    >>> a = {"x": frozenset({1})}
    >>> discernibility([a, a, None]), discernibility([a, a, None], charge=0)
    (7, 4)
    """
    total = 0
    for record in release:
        if record is None:
            total += len(release) if charge is None else charge
        else:
            total += sum(other == record for other in release)
    return total


def discernibility_ratio(release: Sequence[Shown]) -> Fraction:
    """DM / |T|^2, equation 6.8; of an empty table 0."""
    return Fraction(discernibility(release), len(release) ** 2) if release else Fraction(0)


def average_class_size(release: Sequence[Shown], k: int) -> Fraction:
    """Published records / groups / k. Not defined when nothing is published."""
    groups = groups_of(release)
    return Fraction(sum(map(len, groups)), len(groups) * k)


def distinct_values(release: Sequence[Shown], attributes: Sequence[str]) -> dict[str, int]:
    """Count the different published values of every attribute, section 4.1.4.

    >>> a, b = frozenset({1}), frozenset({1, 2})
    >>> distinct_values([{"x": a, "y": a}, {"x": b, "y": a}, None], ["x", "y"])
    {'x': 2, 'y': 1}
    """
    return {a: len({record[a] for record in release if record is not None}) for a in attributes}


def iloss(
    release: Sequence[Shown],
    domains: Domains,
    importance: Importance | None = None,
    weights: Numbers | None = None,
) -> Fraction:
    """Mean of (|v| - 1) / |D_A| over all cells; a record that was left out loses 1."""

    def loss(a: str, shown: frozenset[Hashable]) -> Fraction:
        return Fraction(len(shown) - 1, len(domains[a]))

    return _mean(release, domains, loss, importance, weights)


def babu_iloss(
    release: Sequence[Shown],
    domains: Domains,
    importance: Importance | None = None,
    weights: Numbers | None = None,
) -> Fraction:
    """Sum over the records of w_i (|v_i| - 1) / |D_i|; a record that was left out loses w_i.

    The thesis does not say what it costs to leave a record out.

    >>> a, b = frozenset({1}), frozenset({1, 2})
    >>> babu_iloss([{"x": a}, {"x": b}, None], {"x": [1, 2, 3, 4]})
    Fraction(5, 4)
    """
    total = Fraction(0)
    for place, record in enumerate(release):
        for a, domain in domains.items():
            loss = Fraction(1) if record is None else Fraction(len(record[a]) - 1, len(domain))
            importance_of_a = 1 if importance is None else importance[a]
            total += loss * importance_of_a * (1 if weights is None else weights[place])
    return total


def normalized_certainty_penalty(
    release: Sequence[Shown],
    domains: Domains,
    importance: Importance | None = None,
    weights: Numbers | None = None,
    *,
    by_length: Collection[str] = (),
) -> Fraction:
    """Mean over all cells of 0 for a single value, else |v| / |D_A|; left out loses 1.

    Of the attributes ``by_length``, numbers, the length of the interval counts.
    """

    def loss(a: str, shown: frozenset[Hashable]) -> Fraction:
        if a in by_length:
            return _share_of_length(shown, domains[a])
        return Fraction(len(shown), len(domains[a])) if len(shown) > 1 else Fraction(0)

    return _mean(release, domains, loss, importance, weights)


def average_information_loss(
    release: Sequence[Shown],
    domains: Domains,
    numeric: Collection[str],
    importance: Importance | None = None,
    weights: Numbers | None = None,
) -> Fraction:
    """AIL = sum over classes of |e| sum_j |G_j| / |D_j|, over |T|.

    The extent of numbers is the length of the interval that holds them, that of categories how many
    values there are. A record that was left out shows all of D_j, also where D_j is a single
    number.

    >>> low, high, all_ = frozenset({10}), frozenset({20, 40}), frozenset({10, 20, 40})
    >>> release = [{"x": low, "y": low}, {"x": high, "y": high}, {"x": all_, "y": all_}]
    >>> domains = {"x": [10, 20, 40], "y": [10, 20, 40]}
    >>> average_information_loss(release, domains, ["x"]) * 3  # 0 + 2/3 + 1, and 1/3 + 2/3 + 1
    Fraction(11, 3)
    """

    def loss(a: str, shown: frozenset[Hashable]) -> Fraction:
        if a in numeric:
            return _share_of_length(shown, domains[a])
        return Fraction(len(shown), len(domains[a]))

    mean = _mean(release, domains, loss, importance, weights)
    return mean * len(domains)


def minimal_distortion(
    release: Sequence[Shown],
    trees: Mapping[str, Tree],
    importance: Importance | None = None,
    weights: Numbers | None = None,
) -> Fraction:
    """One unit for every cell and step until one node covers what is shown.

    A step is a level that brings some of it together. A record that was left out goes up the whole
    height of every tree.

    >>> tree = Tree.nested({"*": {"a": {"b": {}, "c": {}}, "d": {}}})
    >>> shown = [frozenset(x) for x in ("b", "bc", "cd", "bcd")]
    >>> [int(minimal_distortion([{"x": v}], {"x": tree})) for v in shown]
    [0, 1, 1, 2]
    """
    total = Fraction(0)
    for place, record in enumerate(release):
        for a, tree in trees.items():
            steps = tree.height if record is None else _steps(tree, record[a])
            importance_of_a = 1 if importance is None else importance[a]
            total += steps * importance_of_a * (1 if weights is None else weights[place])
    return total


def cells_at_the_top(
    release: Sequence[Shown], domains: Domains, weights: Numbers | None = None
) -> Fraction:
    """Share of all cells that show nothing: equation 4.1 of the thesis, by cells."""
    given = [1] * len(release) if weights is None else weights
    above = below = Fraction(0)
    for record, weight in zip(release, given, strict=True):
        for a in domains:
            above += _is_top(record, a, domains) * weight
            below += weight
    return above / below if below else Fraction(0)


def attributes_at_the_top(release: Sequence[Shown], domains: Domains) -> Fraction:
    """Share of the attributes on which no record shows anything: the sentence before it."""
    hidden = sum(all(_is_top(record, a, domains) for record in release) for a in domains)
    return Fraction(hidden, len(domains)) if release else Fraction(0)


def records_at_the_top(
    release: Sequence[Shown], domains: Domains, weights: Numbers | None = None
) -> Fraction:
    """Share of the records that show nothing on any attribute: experiment 1."""
    given = [1] * len(release) if weights is None else weights
    above = below = Fraction(0)
    for record, weight in zip(release, given, strict=True):
        above += all(_is_top(record, a, domains) for a in domains) * weight
        below += weight
    return above / below if below else Fraction(0)


def _is_top(record: Shown, attribute: str, domains: Domains) -> bool:
    """Whether nothing is shown: all of several values. Of a single value everything is known."""
    domain = domains[attribute]
    return record is None or (len(domain) > 1 and record[attribute] == frozenset(domain))


def _share_of_length(shown: frozenset[Hashable], domain: Sequence[Hashable]) -> Fraction:
    """Give the length of the interval of numbers that is shown, out of that of all numbers.

    A missing value is no number: a cell that shows it for certain has no length, and one that shows
    it beside numbers shows everything.
    """
    if None in shown and len(shown) > 1:
        return Fraction(1)
    whole = _length(domain)
    return _length(shown) / whole if whole else Fraction(0)


def _length(values: Collection[Hashable]) -> Fraction:
    present = [Fraction(str(v)) for v in values if v is not None]
    return max(present) - min(present) if present else Fraction(0)


def _steps(tree: Tree, shown: frozenset[Hashable]) -> int:
    n_nodes = [
        len({tree.generalize(leaf, level) for leaf in shown}) for level in range(tree.height + 1)
    ]
    return sum(after < before for before, after in pairwise(n_nodes))


def _mean(
    release: Sequence[Shown],
    domains: Domains,
    loss: CellLoss,
    importance: Importance | None,
    weights: Numbers | None,
) -> Fraction:
    """Average over records by their weights and over attributes by their importance."""
    above = below = Fraction(0)
    for place, record in enumerate(release):
        for a in domains:
            share = Fraction(1 if weights is None else weights[place])
            share *= 1 if importance is None else importance[a]
            above += share * (Fraction(1) if record is None else loss(a, record[a]))
            below += share
    return above / below if below else Fraction(0)
