"""The earth mover's distance: as the transport problem that it is, and in closed forms.

Li, Li and Venkatasubramanian, "t-closeness", ICDE 2007, section 4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction

import numpy as np
from scipy.optimize import linprog

from tests.witness.tree import Tree

__all__ = [
    "Distribution",
    "Ground",
    "emd_by_transport",
    "emd_equal",
    "emd_hierarchical",
    "emd_ordered",
    "equal_ground",
    "hierarchical_ground",
    "ordered_ground",
    "shares",
]

Distribution = Mapping[Hashable, Fraction]
Ground = Callable[[Hashable, Hashable], Fraction]


def shares(values: Iterable[Hashable]) -> dict[Hashable, Fraction]:
    """Give every value that occurs its share.

    >>> shares(["flu", "flu", "hiv"])
    {'flu': Fraction(2, 3), 'hiv': Fraction(1, 3)}
    """
    counts = Counter(values)
    return {value: Fraction(n, counts.total()) for value, n in counts.items()}


def equal_ground() -> Ground:
    """Any two different values are 1 apart."""
    return lambda v, w: Fraction(v != w)


def ordered_ground(order: Sequence[Hashable]) -> Ground:
    """|i - j| / (m - 1) for the i-th and the j-th of m values."""
    rank = {value: i for i, value in enumerate(order)}
    steps = max(len(order) - 1, 1)
    return lambda v, w: Fraction(abs(rank[v] - rank[w]), steps)


def hierarchical_ground(tree: Tree) -> Ground:
    """Level of the lowest common ancestor / height of the tree."""
    return lambda v, w: Fraction(tree.meeting_level(v, w), tree.height)


def emd_by_transport(p: Distribution, q: Distribution, ground: Ground) -> float:
    """Minimize the work of moving the mass p to where q wants it."""
    sources, sinks = list(p), list(q)
    work = [float(ground(v, w)) for v in sources for w in sinks]
    shipped = [[float(v == source) for v in sources for _ in sinks] for source in sources]
    received = [[float(w == sink) for _ in sources for w in sinks] for sink in sinks]
    answer = linprog(
        work,
        A_eq=np.array(shipped + received),
        b_eq=[float(p[v]) for v in sources] + [float(q[w]) for w in sinks],
    )
    assert answer.success, answer.message
    return float(answer.fun)


def emd_equal(p: Distribution, q: Distribution) -> Fraction:
    """Half the sum of |p_i - q_i|."""
    return sum((abs(_excess(p, q, v)) for v in {*p, *q}), Fraction(0)) / 2


def emd_ordered(p: Distribution, q: Distribution, order: Sequence[Hashable]) -> Fraction:
    """Sum of |(p_1 - q_1) + ... + (p_i - q_i)| over i, divided by m - 1."""
    assert {*p, *q} <= {*order}
    carried = [
        sum((_excess(p, q, v) for v in order[: i + 1]), Fraction(0)) for i in range(len(order))
    ]
    return sum(map(abs, carried), Fraction(0)) / max(len(order) - 1, 1)


def emd_hierarchical(p: Distribution, q: Distribution, tree: Tree) -> Fraction:
    """Sum over the inner nodes of height(N) / H * min(what children have over, what they lack)."""
    assert {*p, *q} <= {*tree.leaves}
    total = Fraction(0)
    for level in range(1, tree.height + 1):
        for node in tree.labels(level):
            children = {tree.generalize(v, level - 1) for v in tree.leaves_under(level, node)}
            extra = [
                sum((_excess(p, q, v) for v in tree.leaves_under(level - 1, c)), Fraction(0))
                for c in children
            ]
            over = sum((e for e in extra if e > 0), Fraction(0))
            lacking = sum((-e for e in extra if e < 0), Fraction(0))
            total += Fraction(level, tree.height) * min(over, lacking)
    return total


def _excess(p: Distribution, q: Distribution, value: Hashable) -> Fraction:
    return p.get(value, Fraction(0)) - q.get(value, Fraction(0))
