"""Values that change places between records, or are replaced by chance: what must stay true.

Dalenius and Reiss, "Data-swapping", 1982; Moore, "Controlled data-swapping techniques", 1996: rank
swapping. Gouweleeuw, Kooiman, Willenborg and de Wolf, "Post randomisation for statistical
disclosure control", 1998. Rastogi, Suciu and Hong, "The boundary between privacy and utility in
data publishing", VLDB 2007: the alpha-beta algorithm. Babu, "Utility-based privacy preserving data
publishing", 2013: algorithm 5.1. Tao, Xiao, Li and Zhang, "On anti-corruption privacy preserving
publication", ICDE 2008.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product

from tests.witness.models import Row

__all__ = [
    "alpha_beta_epsilon",
    "alpha_beta_outputs",
    "corrupted_growth",
    "expected_counts",
    "invariant_matrix",
    "is_stochastic",
    "largest_ratio",
    "marginal",
    "marginals_kept",
    "rank_swap_faults",
    "second_order_chance",
    "second_order_rows",
    "solved",
    "unbiased_counts",
]

Matrix = Sequence[Sequence[Fraction]]


def rank_swap_faults(
    before: Sequence[Fraction | int | float], after: Sequence[Fraction | int | float], limit: int
) -> list[str]:
    """Say what is not as after rank swapping, where ranks may change by at most ``limit``.

    All values are still there. No record got a value whose rank is farther than the limit from the
    rank of its own; equal values have all their ranks. If no values are equal, values were
    exchanged in pairs: who has mine gave me his.

    >>> rank_swap_faults([10, 20, 30, 40], [20, 10, 40, 30], 1)
    []
    >>> rank_swap_faults([10, 20, 30, 40], [30, 10, 20, 40], 1)
    ['a rank changed by 2', 'values were not exchanged in pairs']
    """
    ordered = sorted(before)
    if sorted(after) != ordered:
        return ["other values than before"]
    faults = []
    places: dict[Fraction | int | float, list[int]] = {}
    for rank, value in enumerate(ordered):
        places.setdefault(value, []).append(rank)
    moved = max(
        (
            min(abs(x - y) for x in places[mine] for y in places[his])
            for mine, his in zip(before, after, strict=True)
        ),
        default=0,
    )
    if moved > limit:
        faults.append(f"a rank changed by {moved}")
    if len(places) == len(ordered):
        given = dict(zip(before, after, strict=True))
        if any(given[his] != mine for mine, his in given.items()):
            faults.append("values were not exchanged in pairs")
    return faults


def marginal(rows: Iterable[Row], columns: Sequence[str]) -> Counter[tuple[Hashable, ...]]:
    """Count the records by their values on some columns."""
    return Counter(tuple(row[column] for column in columns) for row in rows)


def marginals_kept(
    before: Sequence[Row], after: Sequence[Row], columns: Sequence[str], order: int
) -> bool:
    """Whether all counts by so many of the columns together are the same.

    >>> before = [{"a": 0, "b": 0}, {"a": 1, "b": 1}]
    >>> after = [{"a": 0, "b": 1}, {"a": 1, "b": 0}]
    >>> [marginals_kept(before, after, ["a", "b"], order) for order in (1, 2)]
    [True, False]
    """
    return all(
        marginal(before, asked) == marginal(after, asked) for asked in combinations(columns, order)
    )


def is_stochastic(matrix: Matrix) -> bool:
    """Whether every row is a distribution: what a category becomes."""
    return all(
        len(row) == len(matrix) and min(row) >= 0 and sum(row, Fraction(0)) == 1 for row in matrix
    )


def expected_counts(matrix: Matrix, counts: Sequence[Fraction | int]) -> list[Fraction]:
    """Give how many records of each category are expected afterwards: the counts times the matrix.

    >>> third = Fraction(1, 3)
    >>> [int(n) for n in expected_counts([[2 * third, third], [third, 2 * third]], [9, 0])]
    [6, 3]
    """
    return [
        sum((Fraction(n) * row[j] for n, row in zip(counts, matrix, strict=True)), Fraction(0))
        for j in range(len(matrix))
    ]


def invariant_matrix(matrix: Matrix, counts: Sequence[int]) -> list[list[Fraction]]:
    """Follow a matrix by its Bayesian way back, so that the expected counts are the counts.

    With t the counts, ``back[k][j] = t_j p_jk / sum_i t_i p_ik``, and the product of both matrices
    has the counts for an eigenvector. Categories that cannot come out are left alone.

    >>> half = Fraction(1, 2)
    >>> both = invariant_matrix([[half, half], [Fraction(0), Fraction(1)]], [2, 1])
    >>> both == [[Fraction(3, 4), Fraction(1, 4)], [half, half]]
    True
    >>> [int(n) for n in expected_counts(both, [2, 1])]
    [2, 1]
    """
    size, expected = range(len(matrix)), expected_counts(matrix, counts)
    back = [
        [
            counts[j] * matrix[j][k] / expected[k] if expected[k] else Fraction(int(j == k))
            for j in size
        ]
        for k in size
    ]
    return [
        [sum((matrix[i][k] * back[k][j] for k in size), Fraction(0)) for j in size] for i in size
    ]


def unbiased_counts(matrix: Matrix, observed: Sequence[Fraction | int]) -> list[Fraction] | None:
    """Give the counts from which the observed ones are expected; None if they are not determined.

    >>> third = Fraction(1, 3)
    >>> [int(n) for n in unbiased_counts([[2 * third, third], [third, 2 * third]], [6, 3])]
    [9, 0]
    """
    columns = [[row[j] for row in matrix] for j in range(len(matrix))]
    return solved(columns, [Fraction(n) for n in observed])


def solved(matrix: Matrix, right: Sequence[Fraction]) -> list[Fraction] | None:
    """Solve as many linear equations as unknowns, by elimination; None if they are dependent."""
    rows = [[*row, b] for row, b in zip(matrix, right, strict=True)]
    for i in range(len(rows)):
        pivot = next((j for j in range(i, len(rows)) if rows[j][i]), None)
        if pivot is None:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for j, row in enumerate(rows):
            if j != i and row[i]:
                rows[j] = [x - row[i] * y for x, y in zip(row, rows[i], strict=True)]
    return [row[-1] for row in rows]


Output = frozenset[Hashable]


def alpha_beta_outputs(
    records: Iterable[Hashable], domain: Sequence[Hashable], alpha: Fraction, beta: Fraction
) -> dict[Output, Fraction]:
    """Give the probability of every possible output.

    A record of the table is published with probability alpha + beta, any other record of the domain
    with probability beta, each by itself.

    >>> found = alpha_beta_outputs(["a"], "ab", Fraction(1, 2), Fraction(1, 4))
    >>> [str(found[frozenset(out)]) for out in ("", "a", "b", "ab")]
    ['3/16', '9/16', '1/16', '3/16']
    """
    kept = {*records}
    chances = [alpha + beta if value in kept else beta for value in domain]
    found: dict[Output, Fraction] = {}
    for choice in product([False, True], repeat=len(domain)):
        published = frozenset(v for v, is_in in zip(domain, choice, strict=True) if is_in)
        found[published] = math.prod(
            (p if is_in else 1 - p for p, is_in in zip(chances, choice, strict=True)),
            start=Fraction(1),
        )
    return found


def alpha_beta_epsilon(domain: Sequence[Hashable], alpha: Fraction, beta: Fraction) -> float:
    """Give the epsilon of the algorithm over all tables and all that have one record more.

    >>> round(alpha_beta_epsilon("ab", Fraction(1, 4), Fraction(1, 4)), 6)
    0.693147
    """
    worst = 0.0
    for size in range(len(domain)):
        for table in combinations(domain, size):
            for more in {*domain} - {*table}:
                one = alpha_beta_outputs(table, domain, alpha, beta)
                other = alpha_beta_outputs([*table, more], domain, alpha, beta)
                worst = max(worst, largest_ratio(one, other))
    return worst


def largest_ratio(one: Mapping[Output, Fraction], other: Mapping[Output, Fraction]) -> float:
    """Give the largest absolute logarithm of the ratio of the probabilities of an output."""
    worst = 0.0
    for out in {*one, *other}:
        p, q = one.get(out, Fraction(0)), other.get(out, Fraction(0))
        if (p == 0) != (q == 0):
            return math.inf
        if p:
            worst = max(worst, abs(math.log(p / q)))
    return worst


def second_order_chance(
    rows: Sequence[Row], columns: Sequence[str], made: Sequence[Hashable]
) -> dict[Hashable, Fraction]:
    """Give the distribution of the next value of a record, after those that were made.

    The first column as it is distributed; column j by the mean, over the columns k before it, of
    its distribution among the records that have the made value on k. A made value that no record
    has says nothing: every value of the column is as likely then.

    >>> rows = [{"c": 0, "a": 0}, {"c": 0, "a": 1}, {"c": 1, "a": 1}]
    >>> second_order_chance(rows, ["c", "a"], [])[0], second_order_chance(rows, ["c", "a"], [0])[0]
    (Fraction(2, 3), Fraction(1, 2))
    """
    column = columns[len(made)]
    values = list(dict.fromkeys(row[column] for row in rows))
    if not made:
        return {v: Fraction(sum(r[column] == v for r in rows), len(rows)) for v in values}
    total = dict.fromkeys(values, Fraction(0))
    for k, known in enumerate(made):
        among = [row for row in rows if row[columns[k]] == known]
        for v in values:
            total[v] += (
                Fraction(sum(row[column] == v for row in among), len(among))
                if among
                else Fraction(1, len(values))
            )
    return {v: p / len(made) for v, p in total.items()}


def second_order_rows(
    rows: Sequence[Row], columns: Sequence[str]
) -> dict[tuple[Hashable, ...], Fraction]:
    """Give the probability of every record that the algorithm may make.

    >>> rows = [{"c": 0, "a": 0}, {"c": 0, "a": 1}, {"c": 1, "a": 1}]
    >>> {made: str(p) for made, p in second_order_rows(rows, ["c", "a"]).items() if p}
    {(0, 0): '1/3', (0, 1): '1/3', (1, 1): '1/3'}
    """
    found: dict[tuple[Hashable, ...], Fraction] = {(): Fraction(1)}
    for _ in columns:
        found = {
            (*made, v): p * chance
            for made, p in found.items()
            for v, chance in second_order_chance(rows, columns, made).items()
        }
    return found


def corrupted_growth(
    group: int, n_values: int, p: Fraction, skew: Fraction, steps: int = 1000
) -> float:
    """Give by how much belief in a victim's value can grow when all others gave theirs away.

    One record of a group of so many is published; its value is kept with chance p, and else any of
    all values. If the others have other values than the published one y, it is likelier by p/group
    that the victim has y. Beliefs in y up to the skew are tried in steps.

    >>> round(corrupted_growth(2, 2, Fraction(1, 2), Fraction(1)), 3)
    0.172
    """
    chance = (1 - p) / n_values
    worst = 0.0
    for step in range(steps + 1):
        before = skew * step / steps
        if_victim_has_it = Fraction(1, group) * (p + chance) + (1 - Fraction(1, group)) * chance
        after = before * if_victim_has_it / (before * if_victim_has_it + (1 - before) * chance)
        worst = max(worst, float(after - before))
    return worst
