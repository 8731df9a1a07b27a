"""Privacy models, from their definitions: what level a table reaches, and whether it holds.

A missing value is a value like any other: missing values are equal to one another and to
nothing else. A table without records has no groups: it keeps every promise, and has no level.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction

from tests.witness.emd import Distribution, shares

__all__ = [
    "Distance",
    "Row",
    "distinct_l",
    "entropy_l",
    "groups",
    "is_distinct_l_diverse",
    "is_entropy_l_diverse",
    "is_k_anonymous",
    "is_recursive_cl_diverse",
    "is_t_close",
    "k_anonymity",
    "recursive_cl",
    "t_closeness",
]

Row = Mapping[str, Hashable]
Distance = Callable[[Distribution, Distribution], Fraction]


def groups(rows: Iterable[Row], qid: Sequence[str]) -> dict[tuple[Hashable, ...], list[Row]]:
    """Put the records together that show the same values on these columns.

    >>> groups([{"a": 1, "s": "x"}, {"a": 2, "s": "y"}, {"a": 1, "s": "z"}], ["a"])
    {(1,): [{'a': 1, 's': 'x'}, {'a': 1, 's': 'z'}], (2,): [{'a': 2, 's': 'y'}]}
    """
    found: dict[tuple[Hashable, ...], list[Row]] = {}
    for row in rows:
        found.setdefault(tuple(row[column] for column in qid), []).append(row)
    return found


def k_anonymity(rows: Sequence[Row], qid: Sequence[str], owner: str | None = None) -> int | None:
    """Size of the smallest group; with an owner column, the fewest different owners in a group."""
    return min((_n_people(group, owner) for group in groups(rows, qid).values()), default=None)


def is_k_anonymous(
    rows: Sequence[Row], requirement: Iterable[tuple[Sequence[str], int]], owner: str | None = None
) -> bool:
    """Whether each of several quasi-identifiers keeps its own k."""
    return all(
        _n_people(group, owner) >= k
        for qid, k in requirement
        for group in groups(rows, qid).values()
    )


def distinct_l(rows: Sequence[Row], qid: Sequence[str], sensitive: str) -> int | None:
    """Fewest different sensitive values in a group."""
    return min((len(counts) for counts in _histograms(rows, qid, sensitive)), default=None)


def is_distinct_l_diverse(rows: Sequence[Row], qid: Sequence[str], sensitive: str, l: int) -> bool:  # noqa: E741
    """Whether every group has at least l different sensitive values."""
    return all(len(counts) >= l for counts in _histograms(rows, qid, sensitive))


def entropy_l(rows: Sequence[Row], qid: Sequence[str], sensitive: str) -> float | None:
    """exp(entropy) of the least diverse group, in floating point."""
    levels = []
    for counts in _histograms(rows, qid, sensitive):
        p = [n / counts.total() for n in counts.values()]
        levels.append(math.exp(-math.fsum(x * math.log(x) for x in p)))
    return min(levels, default=None)


def is_entropy_l_diverse(
    rows: Sequence[Row],
    qid: Sequence[str],
    sensitive: str,
    l: Fraction | int,  # noqa: E741
) -> bool:
    """Whether the entropy of every group is at least log l, decided in whole numbers.

    With counts c_i that add up to n, exp(n * entropy) = n^n / prod c_i^c_i; so the entropy is
    at least log(a / b) exactly when n^n * b^n >= a^n * prod c_i^c_i.
    """
    a, b = Fraction(l).as_integer_ratio()
    for counts in _histograms(rows, qid, sensitive):
        n = counts.total()
        if n**n * b**n < a**n * math.prod(c**c for c in counts.values()):
            return False
    return True


def recursive_cl(
    counts: Iterable[int],
    c: Fraction | int,
    l: int,  # noqa: E741
    *,
    strict: bool = True,
) -> bool:
    """Whether f(1) < c * (f(l) + ... + f(m)) in one group, its counts in falling order.

    With fewer than l values the sum is empty, and the group fails. ``strict=False`` puts <= for <.

    >>> recursive_cl([4, 2, 2], c=1, l=2), recursive_cl([4, 2, 2], c=1, l=2, strict=False)
    (False, True)
    """
    f = sorted(counts, reverse=True)
    bound = Fraction(c) * sum(f[l - 1 :])
    return f[0] < bound if strict else f[0] <= bound


def is_recursive_cl_diverse(
    rows: Sequence[Row],
    qid: Sequence[str],
    sensitive: str,
    c: Fraction | int,
    l: int,  # noqa: E741
    *,
    strict: bool = True,
) -> bool:
    """Whether every group is recursively (c, l)-diverse."""
    return all(
        recursive_cl(counts.values(), c, l, strict=strict)
        for counts in _histograms(rows, qid, sensitive)
    )


def t_closeness(
    rows: Sequence[Row], qid: Sequence[str], sensitive: str, distance: Distance
) -> Fraction | None:
    """Largest distance between the sensitive values of a group and those of all rows given."""
    whole = shares(row[sensitive] for row in rows)
    return max(
        (
            distance(shares(row[sensitive] for row in group), whole)
            for group in groups(rows, qid).values()
        ),
        default=None,
    )


def is_t_close(
    rows: Sequence[Row],
    qid: Sequence[str],
    sensitive: str,
    distance: Distance,
    t: Fraction,
) -> bool:
    """Whether no group is further than t from all rows given."""
    level = t_closeness(rows, qid, sensitive, distance)
    return level is None or level <= t


def _n_people(group: Sequence[Row], owner: str | None) -> int:
    return len(group) if owner is None else len({row[owner] for row in group})


def _histograms(rows: Sequence[Row], qid: Sequence[str], sensitive: str) -> list[Counter[Hashable]]:
    return [Counter(row[sensitive] for row in group) for group in groups(rows, qid).values()]
