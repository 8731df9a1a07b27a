"""Dealing records out to buckets of different values.

Two ways. `anatomized` takes one record of each of the l most frequent values, again and again [1]_;
it has the most buckets in which no value comes twice. `dealt` sorts records by value and deals them
out like cards; the values of every bucket are then as frequent as in the whole table, or within one
record of that, whatever the number of buckets is.

References
----------
.. [1] X. Xiao, Y. Tao. "Anatomy: simple and effective privacy preservation." VLDB 2006. Figure 3.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unlinkable.kernels.buckets import bucketing, part_clashing
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base import All
from unlinkable.typing import CodeArray, CountArray

__all__ = ["anatomized", "dealt", "largest_cap", "mended", "parted", "trimmed"]

_PASSES, _TRIALS = 4, 24
"""How often all records are looked at, and how many others each that clashes is tried against."""


def largest_cap(counts: CountArray, l: int) -> int:  # noqa: E741
    r"""Find how often a value may occur at most, if others are cut down to that as well.

    The largest :math:`x` with :math:`l x \le \sum_v \min(c_v, x)`: with every value cut down to x
    records, no value has more than one in ``l`` of what is left, and no other way to get there
    leaves out less. 0 if there are fewer than l values.

    Examples
    --------
    Of seven, two and one records, five of the first value have to go before it has one in two.

    >>> largest_cap(np.array([7, 2, 1]), 2), largest_cap(np.array([3, 3, 2, 2]), 3)
    (3, 3)
    """
    low, high = 0, int(counts.max(initial=0))
    while low < high:
        # What is left minus l x is concave in x and 0 at 0: it is positive up to one point only.
        middle = (low + high + 1) // 2
        if l * middle <= int(np.minimum(counts, middle).sum()):
            low = middle
        else:
            high = middle - 1
    return low


def trimmed(codes: CodeArray, n_values: int, cap: int, rng: np.random.Generator) -> CodeArray:
    """Leave out random records of values that occur more than ``cap`` times: their code is -1."""
    by_value, starts = bucketing.order_by_label(rng.permutation(codes.size), codes, n_values)
    place = np.arange(by_value.size) - np.repeat(starts[:-1], np.diff(starts))
    out = codes.copy()
    out[by_value[place >= cap]] = -1
    return out


def anatomized(
    codes: CodeArray,
    n_values: int,
    l: int,  # noqa: E741
    rng: np.random.Generator,
) -> tuple[CodeArray, int, int]:
    """Form buckets of a record of each of the l most frequent values, while there are l values.

    Records that are left then join a bucket that does not have their value; where no value has more
    than one in l records there are at most l - 1 of them, and such a bucket for each.

    Parameters
    ----------
    codes
        The value of each record; -1 if it is left out.
    n_values
        The number of codes.
    l
        How many different values a bucket has at least.
    rng
        Chooses the records.

    Returns
    -------
    tuple
        The bucket of each record, the number of buckets, and how many records joined later.
    """
    by_value, starts = bucketing.order_by_label(rng.permutation(codes.size), codes, n_values)
    counts = np.diff(starts)
    falling = np.argsort(-counts, kind="stable").astype(np.int32)
    taken, _ = bucketing.take_largest(falling, counts[falling], l)
    labels, used = bucketing.fill_buckets(taken, l, by_value, starts, codes.size)
    n_buckets, n_left = taken.size // l, by_value.size - taken.size
    begin = rng.integers(max(n_buckets, 1), size=n_left)
    bucketing.place_left_over(labels, by_value, starts, used, n_buckets, begin)
    return labels, n_buckets, n_left


def parted(
    labels: CodeArray,
    n_buckets: int,
    lead: CodeArray,
    n_values: int,
    others: Sequence[CodeArray],
    rng: np.random.Generator,
) -> CodeArray:
    """Exchange records of the same value between buckets, so that fewer share other values.

    What buckets have on the leading column stays as it is. On the other columns, two records of a
    bucket that share a value clash; a record that does changes places with one that has the same
    leading value, if fewer records clash then.
    """
    kept = np.flatnonzero(labels >= 0)
    members, first = bucketing.order_by_label(kept, labels, n_buckets)
    by_value, starts = bucketing.order_by_label(kept, lead, n_values)
    state = rng.integers(1 << 63, size=1).astype(np.uint64)
    hidden = np.ascontiguousarray(np.column_stack(list(others)))
    return part_clashing(
        labels, members, first, lead, by_value, starts, hidden, _PASSES, _TRIALS, state
    )


def dealt(order: CountArray, n_buckets: int, n_records: int) -> CodeArray:
    """Deal records out to buckets in turns, in the order given; -1 for all others.

    Examples
    --------
    >>> dealt(np.array([3, 0, 1, 2]), 2, 5).tolist()
    [1, 0, 1, 0, -1]
    """
    labels = np.full(n_records, -1, np.int32)
    labels[order] = np.arange(order.size) % n_buckets
    return labels


def mended(groups: Groups, privacy: All, rng: np.random.Generator) -> tuple[CodeArray, int] | None:
    """Merge buckets that break a promise with others, until none does.

    A bucket that breaks it goes together with a random one that keeps it, or with another like
    itself if these are more. Where groups that keep a promise keep it together, nothing else has to
    be merged.

    Returns
    -------
    tuple | None
        Where each bucket goes, and how many there are then; None if all together break it.
    """
    parent, n = np.arange(len(groups), dtype=np.int32), len(groups)
    while not (good := privacy.good(groups)).all():
        if n == 1:
            return None
        bad, others = np.flatnonzero(~good), np.flatnonzero(good)
        goes, n_pairs = np.arange(n), min(bad.size, others.size)
        goes[bad[:n_pairs]] = rng.permutation(others)[:n_pairs]
        rest = bad[n_pairs:]
        goes[rest] = rest[np.arange(rest.size) // 2 * 2]
        there, numbers = np.unique(goes, return_inverse=True)
        step = numbers.astype(np.int32)
        n, parent = there.size, step[parent]
        keys = np.arange(n, dtype=np.int32)[:, None]
        groups = groups.merge(step, n, groups.columns, keys)
    return parent, n
