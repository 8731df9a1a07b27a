"""Answers to queries: the true ones, and what a recipient estimates from a release.

What a record shows is spread evenly over the codes that it covers; codes are the values that the
taxonomies of the original have. What buckets hide is spread evenly over the records of the bucket.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from unlinkable.kernels.counting import sum_floats_by_label
from unlinkable.kernels.queries import shares_in_ranges
from unlinkable.tables.data import Table, codes_of, numbers_of
from unlinkable.tables.groups import Histogram, RowNumbers
from unlinkable.tables.metrics.base.published import Bucketized, Generalized, Perturbed, Published
from unlinkable.tables.metrics.shared.blocks import Blocks
from unlinkable.tables.metrics.shared.workload import Tick, Workload
from unlinkable.tables.taxonomies import Domain, Kind
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray, FloatArray

__all__ = [
    "amounts_of",
    "answers_estimated",
    "answers_from_buckets",
    "by_hidden_values",
    "by_shares",
    "means",
    "true_answers",
]


def true_answers(
    table: Table, workload: Workload, amounts: FloatArray, tick: Tick | None = None
) -> FloatArray:
    """Add up the amounts of the records that each query asks for.

    Answers are exact where amounts are whole numbers that add up to less than 2^53.
    """
    codes = np.stack([table.codes(name) for name in workload.columns])
    return Blocks.of_points(codes, amounts).sums(workload, tick)


def amounts_of(table: Table, name: str | None) -> FloatArray:
    """Give what each record counts for: 1, or its number on a column; 0 if it has none."""
    if name is None:
        return np.ones(len(table))
    numbers = _numbers_in(table.taxonomy(name).domain)
    return numbers[table.codes(name)]


def answers_estimated(
    published: Published, workload: Workload, name: str | None, tick: Tick | None = None
) -> FloatArray:
    """Estimate the answers from a release; adds up a column if one is named, else counts records.

    A published range of numbers counts as its middle. Records that were suppressed count nothing.
    """
    amounts = _amounts_shown(published, name)
    if isinstance(published, Bucketized):
        return answers_from_buckets(published, workload, amounts, tick)
    if isinstance(published, Generalized):
        out = np.zeros(len(workload))
        exact = tuple(name for name in workload.columns if name not in published.quasi)
        for names, queries in workload.apart(exact):
            part = workload.select(queries)
            out[queries] = _blocks(published, part, names, amounts).sums(part, tick)
        return out
    codes = np.stack([_codes_shown(published, name) for name in workload.columns])
    return Blocks.of_points(codes, amounts).sums(workload, tick)


def _amounts_shown(published: Published, name: str | None) -> FloatArray:
    if name is None:
        amounts = np.ones(published.n_records)
    elif isinstance(published, Bucketized) and name in published.hidden:
        hidden = published.hidden[name]
        domain = published.original.taxonomy(name).domain
        amounts = means(hidden, _numbers_in(domain))[published.buckets]
    else:
        least, greatest = published.spans(name)
        amounts = np.nan_to_num((least + greatest) / 2)
    weights = published.weights if isinstance(published, Perturbed) else None
    return amounts if weights is None else amounts * weights


def _blocks(
    published: Generalized, workload: Workload, exact: Columns, amounts: FloatArray
) -> Blocks:
    """Put records together that show the same box and the same values on the exact columns."""
    shown, labels = published.shown, published.labels
    numbers = RowNumbers(labels.size)
    numbers.add(labels, max(len(shown.sizes), 1))
    codes = {name: published.codes(name) for name in exact}
    for name, column in codes.items():
        numbers.add(column, published.original.taxonomy(name).n)
    blocks, first = numbers.finish()
    lo = np.zeros((len(workload.columns), first.size), np.int32)
    hi = np.ones_like(lo)
    for c, name in enumerate(workload.columns):
        if name in codes:
            lo[c] = codes[name][first]
            hi[c] = lo[c] + 1
        elif name in published.quasi:
            j = published.quasi.index(name)
            lo[c], hi[c] = shown.lo[labels[first], j], shown.hi[labels[first], j]
    return Blocks(lo, hi, sum_floats_by_label(amounts, blocks, first.size))


def _codes_shown(published: Published, name: str) -> CodeArray:
    """Give the code of each value: of a number between two values of the original, the lower.

    Numbers beyond the ends count as the ends. What the original has no code for gets -1.
    """
    domain = published.original.taxonomy(name).domain
    if domain.kind is Kind.CATEGORY or not domain.n_present:
        return codes_of(published.frame, name, domain)
    numbers = numbers_of(published.frame, name)
    codes = np.searchsorted(domain.as_numbers(), numbers, side="right") - 1
    codes = np.clip(codes, 0, domain.n_present - 1)
    return np.where(np.isnan(numbers), domain.missing, codes).astype(np.int32)


def _numbers_in(domain: Domain) -> FloatArray:
    """Give the numbers of a domain by their codes; a missing one adds nothing."""
    return np.append(domain.as_numbers(), 0.0)


_AT_ONCE = 1 << 20
"""Blocks that are made at once: they take 4 bytes per column and end, and 8 for the mass."""

_SHARES = 1 << 22
"""Shares of buckets that are held at once: 32 MB."""

_BLOCK, _LOOK = 15, 2
"""Nanoseconds to put a block into a table, and to look at a record or an entry; measured."""


def answers_from_buckets(
    published: Bucketized, workload: Workload, amounts: FloatArray, tick: Tick | None = None
) -> FloatArray:
    r"""Add up over all buckets what lies in the query, times the share of hidden values in it.

    For bucket g: :math:`\sum_{r \in g, r \in Q} a_r \prod_h |h_g \cap Q| / |h_g|`, where r are its
    records, :math:`a_r` their amounts, and :math:`h_g` its values on hidden column h. Several
    hidden columns are taken for independent of each other within a bucket.
    """
    out = np.zeros(len(workload))
    codes = np.zeros((len(workload.columns), amounts.size), np.int32)
    for c, name in enumerate(workload.columns):
        if name not in published.hidden:
            codes[c] = published.codes(name)
    records = Blocks.of_points(codes, amounts)
    for names, queries in workload.apart(tuple(published.hidden)):
        part = workload.select(queries)
        if not names:
            out[queries] = records.sums(part, tick)
        elif _prefers_shares(published, part, names):
            out[queries] = by_shares(published, part, names, records, tick)
        else:
            out[queries] = by_hidden_values(published, part, names, records, tick)
    return out


def by_hidden_values(
    published: Bucketized,
    workload: Workload,
    names: Columns,
    records: Blocks,
    tick: Tick | None = None,
) -> FloatArray:
    """Answer queries on some hidden columns: every record is spread over the values it may have."""
    out = np.zeros(len(workload))
    hidden = [published.hidden[name] for name in names]
    at = [workload.columns.index(name) for name in names]
    n_each = np.prod([h.distinct[published.buckets] for h in hidden], axis=0)
    pieces = list(_pieces(n_each))
    for start, end in pieces:
        out += _spread(records, published.buckets, hidden, at, start, end).sums(workload)
        if tick is not None:
            tick(len(workload) / len(pieces))
    return out


def by_shares(
    published: Bucketized,
    workload: Workload,
    names: Columns,
    records: Blocks,
    tick: Tick | None = None,
) -> FloatArray:
    """Answer queries on some hidden columns: every query finds its share of every bucket first."""
    is_hidden: BoolArray = np.array([name in names for name in workload.columns], bool)
    masked = is_hidden[workload.at]
    n = len(workload)
    seen = Workload(
        workload.columns,
        workload.sizes,
        workload.at[~masked].reshape(n, -1),
        workload.lo[~masked].reshape(n, -1),
        workload.hi[~masked].reshape(n, -1),
    )
    ranges = [ends[masked].reshape(n, -1) for ends in (workload.lo, workload.hi)]
    n_buckets = published.hidden[names[0]].n_groups
    out, step = np.zeros(n), max(_SHARES // max(n_buckets, 1), 1)
    for start in range(0, n, step):
        some = np.arange(start, min(start + step, n))
        shares = np.ones((some.size, n_buckets))
        for j, name in enumerate(names):
            h = published.hidden[name]
            lo, hi = (np.ascontiguousarray(ends[some, j]) for ends in ranges)
            shares *= shares_in_ranges(h.indptr, h.values, h.counts, lo, hi)
        part = seen.select(some)
        out[some] = records.by_scan(part, tick, published.buckets, shares)
    return out


def means(hidden: Histogram, numbers: FloatArray) -> FloatArray:
    """Give the mean of the hidden numbers of each bucket; 0 if it has none."""
    amounts = numbers[hidden.values] * hidden.counts
    totals = sum_floats_by_label(amounts, hidden.row, hidden.n_groups)
    sizes = hidden.reduce(np.add, hidden.counts)
    return np.divide(totals, sizes, out=np.zeros(hidden.n_groups), where=sizes > 0)


def _prefers_shares(published: Bucketized, workload: Workload, names: Columns) -> bool:
    hidden = [published.hidden[name] for name in names]
    n_blocks = np.prod([h.distinct[published.buckets] for h in hidden], axis=0, dtype=float).sum()
    n_sets = sum(1 for _ in workload.alike())
    looks = published.buckets.size + sum(h.values.size for h in hidden)
    return bool(_LOOK * len(workload) * looks < _BLOCK * n_sets * n_blocks)


def _pieces(n_each: CountArray) -> Iterator[tuple[int, int]]:
    """Cut records into stretches that make no more than this many blocks, or are single records."""
    ends, start = np.cumsum(n_each), 0
    while start < ends.size:
        made = int(ends[start - 1]) if start else 0
        end = max(int(np.searchsorted(ends, made + _AT_ONCE, side="right")), start + 1)
        yield start, end
        start = end


def _spread(
    records: Blocks,
    buckets: CodeArray,
    hidden: Sequence[Histogram],
    at: Sequence[int],
    start: int,
    end: int,
) -> Blocks:
    """Make a block of every record and every combination of hidden values of its bucket."""
    rows = np.arange(start, end)
    masses = records.masses[start:end]
    entries: list[CountArray] = []
    for h in hidden:
        n_each = h.distinct[buckets[rows]]
        own = np.repeat(h.indptr[buckets[rows]] - np.cumsum(n_each) + n_each, n_each)
        own += np.arange(own.size)
        entries = [*(np.repeat(e, n_each) for e in entries), own]
        rows = np.repeat(rows, n_each)
        sizes = h.reduce(np.add, h.counts)
        masses = np.repeat(masses, n_each) * (h.counts / sizes[h.row])[own]
    codes = records.lo.take(rows, axis=1)
    for c, h, own in zip(at, hidden, entries, strict=True):
        codes[c] = h.values[own]
    return Blocks.of_points(codes, masses)
