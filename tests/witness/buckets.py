"""Buckets: records as they are, and hidden values told for whole groups of them.

Xiao and Tao, "Anatomy: simple and effective privacy preservation", VLDB 2006: figure 3, properties
1 to 3, theorem 1. Zhang, Koudas, Srivastava and Yu, "Aggregate query answering on anonymized
tables", ICDE 2007: (k,e)-anonymity by permutation. Wong, Fu, Wang, Xu, Pei and Yu, "Probabilistic
inference protection on anonymized data", 2010: section IV.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction

from tests.witness.models import Row
from tests.witness.worlds import Prior, is_delta_bounded, value_posterior

__all__ = [
    "anatomize",
    "anatomy_faults",
    "anatomy_tables",
    "estimated_count",
    "estimated_from_sets",
    "is_eligible",
    "is_robust_bucket",
    "ke_cost",
    "ke_least_cost",
    "ke_least_cost_of_any",
    "robust_posteriors",
    "set_partitions",
]

Part = list[int]


def is_eligible(values: Sequence[Hashable], l: int) -> bool:  # noqa: E741
    """Whether no value is in more than n/l records.

    >>> is_eligible(["a", "a", "b"], 2), is_eligible(["a", "a", "b", "c"], 2)
    (False, True)
    """
    return all(count * l <= len(values) for count in Counter(values).values())


def anatomize(
    values: Sequence[Hashable],
    l: int,  # noqa: E741
    choose: Callable[[Sequence[int]], int] = lambda records: records[0],
) -> tuple[list[Part], int]:
    """Do the steps of Anatomize, and count the residue records.

    1. A bucket for every value. 2. While l buckets hold a record: a new group of one record of each
    of the l largest. 3. Every record that is left goes to a group without its value.

    >>> anatomize(["a", "a", "b", "b", "c"], 2)
    ([[0, 2, 4], [1, 3]], 1)
    >>> anatomize(["a", "a", "b"], 2)
    Traceback (most recent call last):
    ValueError: a value is in more than 1/2 of the records
    """
    if not is_eligible(values, l):
        raise ValueError(f"a value is in more than 1/{l} of the records")
    buckets: dict[Hashable, list[int]] = {}
    for i, value in enumerate(values):
        buckets.setdefault(value, []).append(i)
    found: list[Part] = []
    while sum(bool(bucket) for bucket in buckets.values()) >= l:
        largest = sorted(buckets.values(), key=len, reverse=True)[:l]
        group = []
        for bucket in largest:
            taken = choose(bucket)
            bucket.remove(taken)
            group.append(taken)
        found.append(group)
    residue = [i for bucket in buckets.values() for i in bucket]
    for i in residue:
        open_to = [group for group in found if values[i] not in {values[j] for j in group}]
        open_to[choose(range(len(open_to)))].append(i)
    return found, len(residue)


def anatomy_faults(values: Sequence[Hashable], parts: Sequence[Part], l: int) -> list[str]:  # noqa: E741
    """Say what is not as it is after every run of Anatomize, whatever it chose.

    All groups have l records or more and no value twice: the first l records have different ones,
    and a residue record only joins where its own is not. At most l - 1 records are residue, so
    there are as many groups as l goes into n.

    >>> anatomy_faults(["a", "b", "a", "b"], [[0, 1], [2, 3]], 2)
    []
    >>> anatomy_faults(["a", "b", "a", "b"], [[0, 1, 2, 3]], 2)
    ['a value is twice in a group', '1 groups, not 2']
    """
    faults = []
    if sorted(i for part in parts for i in part) != list(range(len(values))):
        faults.append("the groups are no partition of the records")
    if any(len(part) < l for part in parts):
        faults.append("a group is too small")
    if any(len({values[i] for i in part}) < len(part) for part in parts):
        faults.append("a value is twice in a group")
    if len(parts) != len(values) // l:
        faults.append(f"{len(parts)} groups, not {len(values) // l}")
    return faults


def anatomy_tables(
    rows: Sequence[Row], parts: Sequence[Part], sensitive: str, group: str = "group"
) -> tuple[list[Row], list[Row]]:
    """Give the two published tables: records with their group, and counts of values by group.

    >>> qit, st = anatomy_tables([{"q": 1, "s": "x"}, {"q": 2, "s": "x"}], [[0, 1]], "s")
    >>> qit, st
    ([{'q': 1, 'group': 1}, {'q': 2, 'group': 1}], [{'group': 1, 's': 'x', 'count': 2}])
    """
    at = {i: g for g, part in enumerate(parts, start=1) for i in part}
    qit: list[Row] = [
        {**{c: v for c, v in row.items() if c != sensitive}, group: at[i]}
        for i, row in enumerate(rows)
    ]
    st: list[Row] = []
    for g, part in enumerate(parts, start=1):
        counts = Counter(rows[i][sensitive] for i in part)
        st.extend({group: g, sensitive: value, "count": n} for value, n in counts.items())
    return qit, st


def estimated_count(
    qit: Sequence[Row],
    st: Sequence[Mapping[str, Hashable]],
    asks_quasi: Callable[[Row], bool],
    asks_hidden: Callable[[Row], bool],
    group: str = "group",
    count: str = "count",
) -> Fraction:
    """Estimate how many records meet both conditions.

    The sum over the groups of the records that meet the visible one, times the share of the group's
    values that meet the hidden one.

    >>> qit = [{"age": 36, "group": 2}] + 3 * [{"age": 38, "group": 2}]
    >>> st = [{"group": 2, "s": s, "count": 2} for s in ("flu", "heart")]
    >>> estimated_count(qit, st, lambda row: row["age"] == 38, lambda row: row["s"] == "heart")
    Fraction(3, 2)
    """
    total = Fraction(0)
    for g in {row[group] for row in qit}:
        seen = sum(asks_quasi(row) for row in qit if row[group] == g)
        hidden = [row for row in st if row[group] == g]
        wanted = sum(int(str(row[count])) for row in hidden if asks_hidden(row))
        total += Fraction(seen * wanted, sum(int(str(row[count])) for row in hidden))
    return total


def estimated_from_sets(
    shown: Sequence[Mapping[str, Sequence[Hashable]]], wanted: Mapping[str, Sequence[Hashable]]
) -> Fraction:
    """Estimate a count from generalized records: every value that a cell may be is as likely.

    >>> records = [{"age": range(35, 40), "s": [s]} for s in ("flu", "heart", "heart")]
    >>> estimated_from_sets(records, {"age": [38], "s": ["heart"]})
    Fraction(2, 5)
    """
    return sum(
        (
            math.prod(
                (
                    Fraction(sum(value in values for value in row[column]), len(row[column]))
                    for column, values in wanted.items()
                ),
                start=Fraction(1),
            )
            for row in shown
        ),
        start=Fraction(0),
    )


def set_partitions(n: int) -> Iterator[list[Part]]:
    """Yield all ways to put the numbers below n into parts.

    >>> [sum(1 for _ in set_partitions(n)) for n in range(6)]
    [1, 1, 2, 5, 15, 52]
    """
    if n == 0:
        yield []
        return
    for smaller in set_partitions(n - 1):
        for i in range(len(smaller)):
            yield [*smaller[:i], [*smaller[i], n - 1], *smaller[i + 1 :]]
        yield [*smaller, [n - 1]]


def ke_cost(
    values: Sequence[Fraction | int], parts: Sequence[Part], k: int, e: Fraction | int
) -> Fraction | None:
    """Add up the ranges of the groups; None if one has fewer than k numbers, or a range below e.

    >>> ke_cost([1, 2, 5, 9], [[0, 1], [2, 3]], 2, 1), ke_cost([1, 1, 5, 9], [[0, 1], [2, 3]], 2, 0)
    (Fraction(5, 1), None)
    """
    total = Fraction(0)
    for part in parts:
        numbers = [Fraction(values[i]) for i in part]
        if len({*numbers}) < k or max(numbers) - min(numbers) < e:
            return None
        total += max(numbers) - min(numbers)
    return total


def ke_least_cost_of_any(
    values: Sequence[Fraction | int], k: int, e: Fraction | int
) -> Fraction | None:
    """Try every partition of the records; None if not even all together are a group."""
    costs = (ke_cost(values, parts, k, e) for parts in set_partitions(len(values)))
    return min((cost for cost in costs if cost is not None), default=None)


def ke_least_cost(values: Sequence[Fraction | int], k: int, e: Fraction | int) -> Fraction | None:
    """Give the least sum of ranges, by the quadratic program over runs of the sorted numbers.

    best(j) is the least over i of best(i) plus the range of the numbers from i to j.

    >>> ke_least_cost([1, 2, 5, 9], 2, 1), ke_least_cost([1, 1, 5, 9], 2, 5)
    (Fraction(5, 1), Fraction(8, 1))
    """
    ordered = sorted(Fraction(value) for value in values)
    best: list[Fraction | None] = [Fraction(0)]
    for j in range(1, len(ordered) + 1):
        costs = []
        for i in range(j):
            before, run = best[i], ordered[i:j]
            if before is not None and len({*run}) >= k and run[-1] - run[0] >= e:
                costs.append(before + run[-1] - run[0])
        best.append(min(costs, default=None))
    return best[-1]


def is_robust_bucket(
    group: Sequence[Row], sensitive: str, priors: Sequence[Prior], r: Fraction | int
) -> bool:
    """Whether a bucket meets the bounding condition for what is known by every attribute set."""
    return all(is_delta_bounded(group, sensitive, prior, r) for prior in priors)


def robust_posteriors(
    group: Sequence[Row], sensitive: str, priors: Sequence[Prior]
) -> dict[Hashable, Fraction]:
    """Give the highest probability with which a record has each value, by thinking of all worlds.

    A world is who has the value, against everybody else: knowledge of one value at a time.

    >>> group = [{"f": 10, "s": "x"}, {"f": 8, "s": "y"}, {"f": 9, "s": "z"}]
    >>> found = robust_posteriors(group, "s", [lambda row, value: Fraction(row["f"], 100)])
    >>> round(float(found["x"]), 6)
    0.374151
    """
    return {
        value: max(max(value_posterior(group, sensitive, value, prior)) for prior in priors)
        for value in {row[sensitive] for row in group}
    }
