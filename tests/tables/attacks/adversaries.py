"""Adversaries as promises define them, for what no attack measures: by plain counting.

Each looks at what was published, and at what the worst adversary may know of people besides, and
gives the worst that he reaches, or None where there is nobody to be attacked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import Any

from tests.witness.beliefs import maximum_entropy
from tests.witness.closeness import natural_supersets
from tests.witness.models import Row, groups
from tests.witness.numbers import middle
from tests.witness.numbers import variance as least_variance
from tests.witness.worlds import confidentiality_m
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.publishing.attacking.attackable import Attackable
from unlinkable.tables.taxonomies.domain import Kind
from unlinkable.tables.taxonomies.published_values import read_range
from unlinkable.tables.taxonomies.taxonomy import Taxonomy

__all__ = [
    "breach",
    "change_of_belief",
    "error_of_the_mean",
    "fewest_owners",
    "gain_over_a_crowd",
    "isolation",
    "largest_entropy",
    "needed_worlds",
    "one_of_a_crowd",
    "ruled_out",
]

LOOK = " look"
"""A column with all that a record shows, or with its bucket."""

Belief = dict[Hashable, float]


def people(attacked: Attackable) -> list[dict[str, Hashable]]:
    """Give everybody who is published: as he was before, and in which group he is now.

    The worst adversary knows who is in which group.
    """
    target, truth = attacked.target, attacked.truth
    assert truth is not None
    assert truth.rows is not None
    looks, raw = target.frame.select(target.alike).rows(), truth.table.frame.rows(named=True)
    return [{**raw[i], LOOK: look} for i, look in zip(truth.rows.tolist(), looks, strict=True)]


def published(target: Target) -> list[dict[str, Hashable]]:
    """Give the records as they are published, with all that each shows or its bucket."""
    looks = target.frame.select(target.alike).rows()
    rows = target.frame.rows(named=True)
    return [{**row, LOOK: look} for row, look in zip(rows, looks, strict=True)]


def one_of_a_crowd(
    attacked: Attackable, qid: Sequence[str] | None, at_most: int | None
) -> float | None:
    """Find the victim among records that show what his does, on the columns that are known."""
    known = [*(qid or attacked.target.quasi)]
    length = len(known) if at_most is None else min(at_most, len(known))
    rows = attacked.target.frame.rows(named=True)
    crowds = [
        len(crowd) for some in combinations(known, length) for crowd in groups(rows, some).values()
    ]
    return 1 / min(crowds) if crowds else None


def fewest_owners(attacked: Attackable, owner: str, qid: Sequence[str] | None) -> float | None:
    """Find the owner of a record among those whose records show the same."""
    shown = [*(qid or attacked.target.quasi)]
    rows: list[Row] = [
        {**raw, **told}
        for raw, told in zip(
            people(attacked), attacked.target.frame.select(shown).rows(named=True), strict=True
        )
    ]
    crowds = [len({row[owner] for row in crowd}) for crowd in groups(rows, shown).values()]
    return 1 / min(crowds) if crowds else None


def gain_over_a_crowd(attacked: Attackable, sensitive: str, n: int) -> float | None:
    """Learn how much likelier a value is in a group than in the nearest crowd of n around it."""
    target = attacked.target
    rows, gains = published(target), []
    for group in groups(rows, [LOOK]).values():
        here = _shares(group, sensitive)
        crowds = [
            _shares(crowd, sensitive)
            for crowd in natural_supersets(group, rows, target.alike)
            if len(crowd) >= n
        ]
        gained = [max(p - crowd[value] for value, p in here.items()) for crowd in crowds]
        gains.append(min(gained, default=float("inf")))
    return max(gains, default=None)


def ruled_out(
    attacked: Attackable, sensitive: str, d: Fraction, before: Belief | None
) -> float | None:
    """Learn how much less likely a value is that was unlikely: the largest quotient."""
    rows = published(attacked.target)
    before = _shares(rows, sensitive) if before is None else before
    found = [
        p / here[value] if value in here else float("inf")
        for group in groups(rows, [LOOK]).values()
        for here in [_shares(group, sensitive)]
        for value, p in before.items()
        if 0 < p <= d
    ]
    return max(found, default=None)


def breach(attacked: Attackable, sensitive: str, guard: str, *, subtree: bool) -> float | None:
    """Guess a value that somebody wants guarded: one under his node, or any of them."""
    taxonomy, found = attacked.target.taxonomies[sensitive], []
    told = published(attacked.target)
    for row, person in zip(told, people(attacked), strict=True):
        if not person[guard]:
            continue
        group = [other for other in told if other[LOOK] == row[LOOK]]
        meant = [_leaves(taxonomy, str(other[sensitive])) for other in group]
        chances = [
            sum((leaf in leaves) / len(leaves) for leaves in meant) / len(group)
            for leaf in _leaves(taxonomy, str(person[guard]))
        ]
        found.append(sum(chances) if subtree else max(chances))
    return max(found, default=None)


def error_of_the_mean(attacked: Attackable, sensitive: str) -> float | None:
    """Guess the mean of a group: the least mean squared error."""
    found = least_variance(published(attacked.target), [LOOK], sensitive)
    return None if found is None else float(found)


def isolation(attacked: Attackable, columns: Sequence[str], c: Fraction) -> float | None:
    """Guess the middle of a group, and find somebody with few others about as near."""
    everybody: list[Row] = [*people(attacked)]
    points = [_point(row, columns) for row in everybody]
    fewest = []
    for group in groups(everybody, [LOOK]).values():
        members = [_point(row, columns) for row in group]
        guess = middle(members)
        reach = c**2 * min(_squared(p, guess) for p in members)
        fewest.append(sum(_squared(p, guess) <= reach for p in points))
    return 1 / min(fewest) if fewest else None


def needed_worlds(
    attacked: Attackable, sensitive: str, h: Fraction, values: Sequence[str] | None
) -> float | None:
    """Take groups to be merged because of a value, and weigh the worlds in which that is so."""
    quasi = attacked.target.quasi
    m = confidentiality_m(people(attacked), [LOOK], quasi, sensitive, h, values)
    return None if m is None else 1 / float(m)


def largest_entropy(
    attacked: Attackable, sensitive: str, constraints: Mapping[str, Sequence[Any]]
) -> float | None:
    """Believe what agrees with groups and constraints, and assumes nothing else."""
    conditions = [name for name in constraints if name not in ("value", "p")]
    known = [
        ({c: constraints[c][i] for c in conditions}, value, float(constraints["p"][i]))
        for i, value in enumerate(constraints["value"])
    ]
    quasi = attacked.target.quasi
    found = maximum_entropy(people(attacked), [LOOK], quasi, sensitive, known)
    assert found is not None, "what is known is true"
    return max(found.values(), default=None)


def change_of_belief(attacked: Attackable, sensitive: str, b: Fraction) -> float | None:
    """Believe of somebody what is true of people near him; see the group, and believe otherwise.

    Gives how much likelier any set of values becomes for anybody.
    """
    everybody, target, truth = people(attacked), attacked.target, attacked.truth
    assert truth is not None
    near = [_gap(truth.table.taxonomy(c), c, everybody) for c in target.quasi]
    before = [_voted(person, everybody, sensitive, near, float(b)) for person in everybody]
    moved = []
    for look in {person[LOOK] for person in everybody}:
        members = [i for i, person in enumerate(everybody) if person[LOOK] == look]
        counts = Counter(everybody[i][sensitive] for i in members)
        totals = {v: sum(before[i].get(v, 0.0) for i in members) for v in counts}
        for i in members:
            weights = {v: n * before[i].get(v, 0.0) / totals[v] for v, n in counts.items()}
            whole = sum(weights.values())
            after = {v: weight / whole for v, weight in weights.items()}
            moved.append(sum(max(p - before[i].get(v, 0.0), 0.0) for v, p in after.items()))
    return max(moved, default=None)


def _voted(
    person: Row,
    everybody: Sequence[Row],
    sensitive: str,
    near: Sequence[Callable[[Row, Row], float]],
    b: float,
) -> Belief:
    votes: Belief = {}
    for other in everybody:
        weight = prod(max(0.0, 1 - (gap(person, other) / b) ** 2) for gap in near)
        votes[other[sensitive]] = votes.get(other[sensitive], 0.0) + weight
    whole = sum(votes.values())
    return {value: weight / whole for value, weight in votes.items()}


def _gap(taxonomy: Taxonomy, column: str, everybody: Sequence[Row]) -> Callable[[Row, Row], float]:
    """Say how far apart two people are: out of the range, or of the height of the taxonomy."""
    if taxonomy.domain.kind is Kind.CATEGORY:

        def climbed(one: Row, other: Row) -> float:
            i, j = (taxonomy.domain.code_of(str(row[column])) for row in (one, other))
            levels = range(taxonomy.height + 1)
            blocks = [taxonomy.levels[n].blocks for n in levels]
            return next(n for n in levels if blocks[n][i] == blocks[n][j]) / taxonomy.height

        return climbed
    numbers = [float(str(row[column])) for row in everybody]
    span = (max(numbers) - min(numbers)) or 1.0
    return lambda one, other: abs(float(str(one[column])) - float(str(other[column]))) / span


def _shares(rows: Sequence[Row], column: str) -> Belief:
    counts = Counter(row[column] for row in rows)
    return {value: n / len(rows) for value, n in counts.items()}


def _leaves(taxonomy: Taxonomy, label: str) -> set[str]:
    low, high = read_range(taxonomy, label)
    return {taxonomy.domain.text(code) for code in range(low, high)}


def _point(row: Row, columns: Sequence[str]) -> list[Fraction]:
    return [Fraction(str(row[c])) for c in columns]


def _squared(p: Sequence[Fraction], q: Sequence[Fraction]) -> Fraction:
    return sum(((x - y) ** 2 for x, y in zip(p, q, strict=True)), Fraction(0))
