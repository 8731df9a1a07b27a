"""Which records of releases of a growing table can be of the same person: all assignments.

Fung, Wang, Fu and Yu, "Introduction to Privacy-Preserving Data Publishing", 2010: section 10.2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, product
from operator import and_

from tests.witness.matching import Trees, may_be
from tests.witness.models import Row

__all__ = ["Followed", "Shown", "Target", "buddies", "comparable", "follow", "targets"]

Shown = tuple[Hashable, ...]
"""What a class shows."""


@dataclass(frozen=True)
class Target:
    """Somebody whom the adversary looks for.

    Attributes
    ----------
    classes
        The classes that he is in, by release; None in the first if he came later.
    attacked
        The release whose records are struck out.
    left
        How many records of each value are left in his class.
    """

    classes: tuple[Shown | None, Shown]
    attacked: int
    left: Mapping[Hashable, int]

    @property
    def n_left(self) -> int:
        """How many records are left."""
        return sum(self.left.values())


def comparable(one: Row, other: Row, qid: Sequence[str], trees: Trees) -> bool:
    """Whether what two records show can be of the same person."""
    return may_be(one, other, qid, trees)


def buddies(fits: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """Give every record a record of its own out of those that fit it, in all ways.

    >>> list(buddies([[0, 1], [0]]))
    [(1, 0)]
    """
    if not fits:
        yield ()
        return
    for rest in buddies(fits[1:]):
        for chosen in fits[0]:
            if chosen not in rest:
                yield (chosen, *rest)


def targets(
    first: Sequence[Row], then: Sequence[Row], qid: Sequence[str], sensitive: str, trees: Trees
) -> list[Target]:
    """Give everybody who could be in the releases, with the records that are left of him.

    Struck out is what is not his in any generator: in F- and C-attack records that have no record
    of the same person in his other class, in B-attack those that are of somebody in the first.
    """
    shown = [[tuple(row[c] for c in qid) for row in rows] for rows in (first, then)]
    pairs = {
        (shown[0][i], shown[1][j])
        for i, one in enumerate(first)
        for j, other in enumerate(then)
        if comparable(one, other, qid, trees)
    }
    most: dict[tuple[tuple[Shown | None, Shown], int], dict[Hashable, int]] = {}
    for value in dict.fromkeys(row[sensitive] for row in (*first, *then)):
        mine = [i for i, row in enumerate(first) if row[sensitive] == value]
        theirs = [j for j, row in enumerate(then) if row[sensitive] == value]
        fits = [[j for j in theirs if comparable(first[i], then[j], qid, trees)] for i in mine]
        for way in buddies(fits):
            both = list(zip(mine, way, strict=True))
            for pair in pairs:
                kept = sum((shown[0][i], shown[1][j]) == pair for i, j in both)
                for attacked in (0, 1):
                    left = most.setdefault((pair, attacked), {})
                    left[value] = max(left.get(value, 0), kept)
            for late in dict.fromkeys(shown[1]):
                new = sum(shown[1][j] == late and j not in way for j in theirs)
                left = most.setdefault(((None, late), 1), {})
                left[value] = max(left.get(value, 0), new)
    return [Target(classes, attacked, left) for (classes, attacked), left in most.items()]


@dataclass(frozen=True)
class Followed:
    """Somebody whom the adversary looks for in all of several releases.

    Attributes
    ----------
    since
        The release that has him first.
    classes
        The classes that he is in, from that release on.
    left
        How many records of each value are left of him.
    """

    since: int
    classes: tuple[Shown, ...]
    left: Counter[Hashable]


def follow(
    releases: Sequence[Sequence[Row]], qid: Sequence[str], sensitive: str, trees: Trees
) -> list[list[Followed]]:
    """Give everybody who could be in the releases with what is left of him, after each of them.

    No more is left of a value than the best of all attacks on two releases leaves of it, in
    whichever release it leaves least (section 10.2.6). Nobody comes with a release that has no more
    records than the one before.

    >>> first = [{"job": "cook", "s": "x"}, {"job": "cook", "s": "y"}]
    >>> then = [*first, {"job": "cook", "s": "x"}, {"job": "clerk", "s": "z"}]
    >>> [(him.since, him.left.total()) for him in follow([first, then], ["job"], "s", {})[1]]
    [(0, 2), (1, 1), (1, 1)]
    """
    shown = [[tuple(row[c] for c in qid) for row in rows] for rows in releases]
    by_pair = {
        (i, j, target.classes): Counter(target.left)
        for i, j in combinations(range(len(releases)), 2)
        for target in targets(releases[i], releases[j], qid, sensitive, trees)
    }
    found: list[list[Followed]] = []
    for n in range(1, len(releases) + 1):
        found.append([])
        for since in range(n):
            if since and len(releases[since]) == len(releases[since - 1]):
                continue
            for classes in product(*(dict.fromkeys(shown[i]) for i in range(since, n))):
                rows: list[Row] = [dict(zip(qid, known, strict=True)) for known in classes]
                if not all(comparable(a, b, qid, trees) for a, b in combinations(rows, 2)):
                    continue
                his = list(enumerate(classes, since))
                left = [
                    Counter(
                        r[sensitive] for r, s in zip(releases[i], shown[i], strict=True) if s == own
                    )
                    for i, own in his
                ]
                left += [by_pair[h, i, (None, own)] for h in range(since) for i, own in his]
                left += [by_pair[i, j, (a, b)] for (i, a), (j, b) in combinations(his, 2)]
                found[-1].append(Followed(since, classes, reduce(and_, left)))
    return found
