"""Answers to queries: the true ones, and what a recipient estimates from a release.

What a record shows is spread evenly over the codes that it covers; codes are the values that the
taxonomies of the original have. What buckets hide is spread evenly over the records of the bucket.
"""

from __future__ import annotations

import numpy as np

from unlinkable.kernels.counting import sum_floats_by_label
from unlinkable.tables.data import Table, codes_of, numbers_of
from unlinkable.tables.groups import RowNumbers
from unlinkable.tables.metrics.base.bucketized import Bucketized
from unlinkable.tables.metrics.base.published import Generalized, Perturbed, Published
from unlinkable.tables.metrics.shared.blocks import Blocks
from unlinkable.tables.metrics.shared.bucket_answers import answers_from_buckets, means
from unlinkable.tables.metrics.shared.workload import Tick, Workload
from unlinkable.tables.taxonomies import Domain, Kind
from unlinkable.typing import CodeArray, Columns, FloatArray

__all__ = ["amounts_of", "answers_estimated", "true_answers"]


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
