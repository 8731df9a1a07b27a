"""Marginals that some table has, and tables that marginals describe.

Barak, Chaudhuri, Dwork, Kale, McSherry and Talwar, "Privacy, accuracy, and consistency too", PODS
2007: Fourier coefficients, linear program. Chow and Liu, "Approximating discrete probability
distributions with dependence trees", 1968.

A cell is a tuple of codes, one for every attribute. A query is a set of places of attributes: its
marginal counts the cells by their codes on these. Everything is tried: domains must be tiny.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product

from tests.witness.swapping import solved

__all__ = [
    "best_tree",
    "cells_of",
    "coefficient",
    "fits",
    "from_coefficients",
    "has_table",
    "largest_misfit",
    "least_misfit",
    "least_squares",
    "marginal_of",
    "mutual_information",
    "spanning_trees",
    "tree_joint",
]

Cell = tuple[int, ...]
Query = tuple[int, ...]
Counts = Mapping[Cell, Fraction]
Edge = tuple[int, int]
Told = Mapping[Query, Counts]


def cells_of(sizes: Sequence[int]) -> list[Cell]:
    """List the cells of a domain."""
    return list(product(*(range(size) for size in sizes)))


def marginal_of(table: Counts, query: Query) -> dict[Cell, Fraction]:
    """Add up the cells that have the same codes on some attributes.

    >>> table = {(0, 0): Fraction(2), (0, 1): Fraction(3), (1, 1): Fraction(1)}
    >>> {cell: int(n) for cell, n in marginal_of(table, (0,)).items()}
    {(0,): 5, (1,): 1}
    """
    found: dict[Cell, Fraction] = {}
    for cell, n in table.items():
        key = tuple(cell[i] for i in query)
        found[key] = found.get(key, Fraction(0)) + n
    return found


def fits(table: Counts, wanted: Told) -> Fraction:
    """Add up the squared differences of a table's marginals from those that were told."""
    return sum(
        (
            (marginal_of(table, query).get(cell, Fraction(0)) - n) ** 2
            for query, counts in wanted.items()
            for cell, n in counts.items()
        ),
        start=Fraction(0),
    )


def largest_misfit(table: Counts, wanted: Told) -> Fraction:
    """Give the largest difference of a table's marginals from those that were told."""
    return max(
        abs(marginal_of(table, query).get(cell, Fraction(0)) - n)
        for query, counts in wanted.items()
        for cell, n in counts.items()
    )


def least_squares(sizes: Sequence[int], wanted: Told) -> dict[Cell, Fraction]:
    """Give a table without negative cells whose marginals are nearest, in squares.

    Some best table is positive on cells whose equations are independent, and there it is the
    unconstrained best: so the normal equations are solved for every set of cells.

    >>> told = {(0,): {(0,): Fraction(4), (1,): Fraction(-2)}, (): {(): Fraction(4)}}
    >>> {cell: str(n) for cell, n in least_squares([2], told).items()}
    {(0,): '4', (1,): '0'}
    """
    cells = cells_of(sizes)
    rows = [(query, cell) for query, counts in wanted.items() for cell in counts]
    right = [wanted[query][cell] for query, cell in rows]
    sees = {
        c: [Fraction(int(tuple(c[i] for i in query) == cell)) for query, cell in rows]
        for c in cells
    }
    best: dict[Cell, Fraction] = dict.fromkeys(cells, Fraction(0))
    least = fits(best, wanted)
    for size in range(1, len(cells) + 1):
        for support in combinations(cells, size):
            if least == 0:
                return best
            normal = [[_dot(sees[a], sees[b]) for b in support] for a in support]
            numbers = solved(normal, [_dot(sees[a], right) for a in support])
            if numbers is None or min(numbers) < 0:
                continue
            table = dict.fromkeys(cells, Fraction(0)) | dict(zip(support, numbers, strict=True))
            if (error := fits(table, wanted)) < least:
                best, least = table, error
    return best


def least_misfit(sizes: Sequence[int], wanted: Told) -> Fraction:
    """Give the least largest difference that a table without negative cells can have.

    The linear program: t as small as possible, all cells x at least 0, and every marginal no more
    than t away. Some optimum is where as many of these bounds are met as there are unknowns.

    >>> told = {(0,): {(0,): Fraction(4), (1,): Fraction(-2)}, (): {(): Fraction(4)}}
    >>> least_misfit([2], told)
    Fraction(2, 1)
    """
    cells = cells_of(sizes)
    bounds: list[tuple[list[Fraction], Fraction]] = [
        ([Fraction(int(c == cell)) for c in cells] + [Fraction(0)], Fraction(0)) for cell in cells
    ]
    for query, counts in wanted.items():
        for cell, n in counts.items():
            sees = [Fraction(int(tuple(c[i] for i in query) == cell)) for c in cells]
            bounds.append(([*sees, Fraction(1)], n))
            bounds.append(([*(-x for x in sees), Fraction(1)], -n))
    found = []
    for tight in combinations(bounds, len(cells) + 1):
        corner = solved([row for row, _ in tight], [b for _, b in tight])
        if corner is not None and all(_dot(row, corner) >= b for row, b in bounds):
            found.append(corner[-1])
    return min(found)


def has_table(sizes: Sequence[int], told: Told) -> bool:
    """Whether some table without negative cells has exactly these marginals.

    >>> equal = {(0,): Fraction(1), (1,): Fraction(1)}
    >>> has_table([2, 2], {(0,): equal, (1,): equal})
    True
    >>> has_table([2, 2], {(0,): equal, (1,): {(0,): Fraction(1), (1,): Fraction(2)}})
    False
    """
    return fits(least_squares(sizes, told), told) == 0


def coefficient(table: Counts, attributes: Query) -> Fraction:
    """Give a Fourier coefficient of a table of bits: cells with an odd number of ones count minus.

    It changes by one when a person joins, whichever it is.

    >>> coefficient({(0, 0): Fraction(5), (1, 0): Fraction(2)}, (0,))
    Fraction(3, 1)
    """
    return sum(
        ((-1) ** sum(cell[i] for i in attributes) * n for cell, n in table.items()),
        start=Fraction(0),
    )


def from_coefficients(coefficients: Mapping[Query, Fraction], query: Query) -> dict[Cell, Fraction]:
    """Give the marginal of some bits from the coefficients of all its subsets.

    >>> known = {(): Fraction(7), (0,): Fraction(3)}
    >>> {cell: int(n) for cell, n in from_coefficients(known, (0,)).items()}
    {(0,): 5, (1,): 2}
    """
    subsets = [s for size in range(len(query) + 1) for s in combinations(query, size)]
    found = {}
    for cell in product([0, 1], repeat=len(query)):
        at = dict(zip(query, cell, strict=True))
        total = sum(
            ((-1) ** sum(at[i] for i in s) * coefficients[s] for s in subsets), start=Fraction(0)
        )
        found[cell] = total / 2 ** len(query)
    return found


def mutual_information(table: Counts, edge: Edge) -> float:
    """Give the mutual information of two attributes in nats."""
    pair, total = marginal_of(table, edge), float(sum(table.values()))
    a, b = marginal_of(table, (edge[0],)), marginal_of(table, (edge[1],))
    return sum(
        float(n) / total * math.log(float(n) * total / float(a[x,]) / float(b[y,]))
        for (x, y), n in pair.items()
        if n
    )


def spanning_trees(n: int) -> Iterator[list[Edge]]:
    """Yield all trees that connect n attributes.

    >>> [sum(1 for _ in spanning_trees(n)) for n in (1, 2, 3, 4)]
    [1, 1, 3, 16]
    """
    for edges in combinations(combinations(range(n), 2), n - 1):
        reached, grew = {0}, True
        while grew:
            more = {j for edge in edges for j in edge if {*edge} & reached} - reached
            reached, grew = reached | more, bool(more)
        if len(reached) == n:
            yield list(edges)


def best_tree(table: Counts, n: int) -> tuple[float, list[Edge]]:
    """Give the tree with the largest sum of mutual information, by trying all."""
    return max(
        (sum(mutual_information(table, e) for e in tree), tree) for tree in spanning_trees(n)
    )


def tree_joint(sizes: Sequence[int], tree: Sequence[Edge], told: Told) -> dict[Cell, Fraction]:
    """Give the table in which all attributes depend on each other along a tree alone.

    The product of the marginals of the edges, over those of the attributes, one less than each has
    edges. All must agree on the total and on the attributes.

    >>> pair = {(0, 0): Fraction(2), (0, 1): Fraction(2), (1, 1): Fraction(4)}
    >>> one = {(0,): Fraction(4), (1,): Fraction(4)}
    >>> last = {(0, 0): Fraction(1), (0, 1): Fraction(1), (1, 0): Fraction(3), (1, 1): Fraction(3)}
    >>> told = {(0, 1): pair, (1, 2): last, (1,): {(0,): Fraction(2), (1,): Fraction(6)}}
    >>> {cell: str(n) for cell, n in tree_joint([2, 2, 2], [(0, 1), (1, 2)], told).items() if n}
    {(0, 0, 0): '1', (0, 0, 1): '1', (0, 1, 0): '1', (0, 1, 1): '1', (1, 1, 0): '2', (1, 1, 1): '2'}
    """
    found = {}
    for cell in cells_of(sizes):
        n = Fraction(1)
        for edge in tree:
            n *= told[edge].get((cell[edge[0]], cell[edge[1]]), Fraction(0))
        for i in range(len(sizes)):
            degree = sum(i in edge for edge in tree)
            if n and degree != 1:
                n /= told[i,][cell[i],] ** (degree - 1)
        found[cell] = n
    return found


def _dot(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), start=Fraction(0))
