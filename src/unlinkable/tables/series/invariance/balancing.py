"""Balancing: which records, and which made-up ones, go to which signature.

Division, balancing and assignment of the paper [1]_, in numbers of records for each value:

- people who were published before go to their own signature;
- in each signature all values must be equally frequent. What is missing is filled with new records
  that have the value, and where there are none, with counterfeits;
- the other new records are dealt to groups of at least m different values each, with as few
  different signatures as can be.

References
----------
.. [1] X. Xiao, Y. Tao. "m-invariance: towards privacy preserving re-publication of dynamic
   datasets." SIGMOD 2007. Section 5.
"""

from __future__ import annotations

import numpy as np
from attrs import define

from unlinkable.errors import InfeasibleError
from unlinkable.spelling import quantity
from unlinkable.tables.series.invariance.signatures import Signatures
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["Buckets", "balance"]


@define(eq=False, frozen=True)
class Buckets:
    """Records and counterfeits by signature; each value of a signature is there equally often.

    Attributes
    ----------
    sets
        For each bucket which values it has.
    record
        Which record each entry is; -1 for a counterfeit.
    bucket, value
        Its bucket and its value.
    """

    sets: BoolArray
    record: CountArray
    bucket: CountArray
    value: CodeArray

    @property
    def n_counterfeits(self) -> int:
        """How many entries are made up."""
        return int((self.record < 0).sum())


def balance(known: Signatures, m: int, rng: np.random.Generator) -> Buckets:
    r"""Divide, balance and assign, with as few counterfeits as can be.

    Let :math:`d_v` be how many records with value v old signatures are short of, and :math:`n_v`
    how many new ones there are. Filling as many gaps as possible is best: a record that fills a gap
    saves a counterfeit there, and costs at most one among the new groups. With the rest,
    :math:`l_v = \max(0, n_v - d_v)`, the number of counterfeits is

    .. math:: \sum_v \max(0, d_v - n_v) + \max\bigl(0, m \max_v l_v - \sum_v l_v\bigr),

    which is the least for groups of distinct values that keep all signatures.

    Raises
    ------
    InfeasibleError
        If there are fewer than m values.

    Cost
    ----
    O(n log n + b v) for n records, b signatures and v values.
    """
    n_values = len(known.texts)
    if n_values < m:
        raise InfeasibleError(
            f"the sensitive column has {quantity(n_values, 'different value')}, and groups must "
            f"have {m}: ask for a smaller m"
        )
    old = np.flatnonzero(~known.is_new)
    fresh = rng.permutation(np.flatnonzero(known.is_new))
    fresh = fresh[np.argsort(known.values[fresh], kind="stable")]
    gaps = _gaps(known, old)
    fits, filled = gaps.fill(known.values[fresh])
    is_open = np.ones(gaps.value.size, bool)
    is_open[filled] = False

    rest = fresh[~fits]
    row, pad_row, pad_value = deal(known.values[rest], n_values, m)
    rows = np.zeros((int(row.max(initial=-1)) + 1, n_values), bool)
    rows[row, known.values[rest]] = True
    rows[pad_row, pad_value] = True
    sets, number = np.unique(np.concatenate([known.sets, rows]), axis=0, return_inverse=True)
    of_old, of_rows = np.split(number.ravel(), [len(known.sets)])
    record = np.concatenate([old, fresh[fits], rest])
    at_gaps, pads = of_old[gaps.bucket], of_rows[pad_row]
    homes = [of_old[known.owed[old]], at_gaps[filled], of_rows[row], at_gaps[is_open], pads]
    made_up = np.concatenate([gaps.value[is_open], pad_value])
    return Buckets(
        sets,
        np.concatenate([record, np.full(made_up.size, -1, np.int64)]),
        np.concatenate(homes),
        np.concatenate([known.values[record], made_up]).astype(np.int32),
    )


@define(eq=False, frozen=True)
class _Gaps:
    """What signatures are short of: bucket and value of every record that is missing, by value."""

    bucket: CountArray
    value: CountArray

    def fill(self, values: CodeArray) -> tuple[BoolArray, CountArray]:
        """Let records that are sorted by value take gaps; say which do, and which gaps."""
        firsts = np.searchsorted(values, values)
        at = np.searchsorted(self.value, values) + np.arange(values.size) - firsts
        fits = at < np.searchsorted(self.value, values, side="right")
        return fits, at[fits]


def _gaps(known: Signatures, old: CountArray) -> _Gaps:
    """Find what signatures are short of, if all their values are to be as often as the first."""
    held = np.zeros(known.sets.shape, np.int64)
    np.add.at(held, (known.owed[old], known.values[old]), 1)
    gaps = np.where(known.sets, held.max(axis=1, initial=0)[:, None] - held, 0)
    value, bucket = (np.repeat(at.ravel(), gaps.T.ravel()) for at in np.indices(gaps.T.shape))
    return _Gaps(bucket, value)


def deal(values: CodeArray, n_values: int, m: int) -> tuple[CountArray, CountArray, CountArray]:
    """Deal records to rows of at least m different values, and say what rows are short of.

    As many rows as possible get the same values (`_alike_rows`): few signatures with many records
    lose less than many with few. The rest is dealt round by round, the most frequent value first,
    to as many rows as its most frequent value has records, or as groups of m can be formed,
    whichever is more. So no row gets a value twice. A row with fewer than m values gets
    counterfeits with the most frequent ones that it lacks.

    Returns
    -------
    tuple[CountArray, CountArray, CountArray]
        The row of each record, and row and value of each counterfeit.

    Examples
    --------
    >>> row, short, lacks = deal(np.array([0, 0, 0, 1], np.int32), 3, 2)
    >>> row.tolist(), short.tolist(), lacks.tolist()
    ([0, 1, 2, 0], [1, 2], [1, 1])
    """
    counts = np.bincount(values, minlength=n_values)
    seat_row, seat_value, left = _alike_rows(counts, m)
    base, n = int(seat_row.max(initial=-1)) + 1, int(left.sum())
    n_rows = max(int(left.max(initial=0)), n // m)
    by_count = np.argsort(-left, kind="stable")
    rank = np.repeat(np.arange(n_values), left[by_count])
    turn = np.arange(n) % max(n_rows, 1)
    has = np.zeros((n_rows, n_values), bool)
    has[turn, rank] = True
    short = np.maximum(m - has.sum(axis=1), 0)
    lacks = ~has & (np.cumsum(~has, axis=1) <= short[:, None])
    pad_row, pad_rank = np.nonzero(lacks)

    seat_row = np.concatenate([seat_row, base + turn])
    seat_value = np.concatenate([seat_value, by_count[rank]])
    row = np.empty(values.size, np.int64)
    row[np.argsort(values, kind="stable")] = seat_row[np.argsort(seat_value, kind="stable")]
    return row, base + pad_row, by_count[pad_rank]


def _alike_rows(counts: CountArray, m: int) -> tuple[CountArray, CountArray, CountArray]:
    r"""Form rows of the m most frequent values, as many at a time as can be.

    With :math:`c_1 \ge c_2 \ge \dots` records that are left, N in all, these are
    :math:`\min(c_m, \lfloor N/m \rfloor - c_{m+1})` rows: with more of them, the next value
    would be too frequent among what is left. Nothing is done if a value is too frequent from
    the start.

    Returns
    -------
    tuple[CountArray, CountArray, CountArray]
        Row and value of each seat, and how many records of each value are left.
    """
    left, rows, values, base = counts.copy(), [], [], 0
    while m < left.size and (n := int(left.sum())) >= m * int(left.max()):
        top = np.argsort(-left, kind="stable")[: m + 1]
        n_rows = min(int(left[top[m - 1]]), n // m - int(left[top[m]]))
        if n_rows <= 0:
            break
        rows.append(np.tile(np.arange(base, base + n_rows), m))
        values.append(np.repeat(top[:m], n_rows))
        left[top[:m]] -= n_rows
        base += n_rows
    none = np.zeros(0, np.int64)
    return np.concatenate([*rows, none]), np.concatenate([*values, none]), left
