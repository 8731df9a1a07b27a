"""Mixed buckets: what is believed of people who may be in several buckets.

Where hidden values are told for whole buckets, whoever knows what a victim shows sees the buckets
of all records that show it. The victim is in each of them as likely as it has such records, and has
a value as likely as anybody in that bucket.
"""

from __future__ import annotations

from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unlinkable.errors import UnsupportedError
from unlinkable.kernels.counting import mix_rows
from unlinkable.tables.groups import Groups, Histogram
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["Mixed"]

_WIDEST = 1 << 62
"""Weights below this are 64-bit integers; others are Python's own."""

_MOST = 1 << 25
"""So many weights are kept at once where people are in several buckets."""


class Mixed:
    """People by the buckets that their records are in.

    Where everybody in a bucket can be in no other, all of them are put together. All others keep
    what they show, and weights are brought to the least common multiple of the sizes of their
    buckets.

    Parameters
    ----------
    buckets
        The buckets.
    indptr, places, records
        CSR: for people who show the same, the buckets of their records, and how many are in each.

    Attributes
    ----------
    sets
        For people who show the same, the set that they are in.
    n_alone, n_several
        How many sets are whole buckets, which come first, and how many are people who look alike.
    wholes
        For each set the weight of all values together.
    """

    def __init__(
        self, buckets: Groups, indptr: CountArray, places: CodeArray, records: CountArray
    ) -> None:
        sizes, is_alone = buckets.sizes, _fill_buckets(buckets.sizes, indptr, places, records)
        homes = places[indptr[:-1][is_alone]]
        self._homes, home = np.unique(homes, return_inverse=True)
        self.n_alone, self.n_several = self._homes.size, int((~is_alone).sum())
        self.sets: CodeArray = np.empty(is_alone.size, np.int32)
        self.sets[is_alone] = home
        self.sets[~is_alone] = np.arange(self.n_alone, self.n_alone + self.n_several)
        several = np.repeat(~is_alone, np.diff(indptr))
        self._places, records = places[several], records[several]
        self._ends = np.append(0, np.cumsum(np.diff(indptr)[~is_alone]))
        people = np.diff(np.append(0, np.cumsum(records))[self._ends])
        multiple = lcm(*np.unique(sizes[self._places]).tolist())
        is_wide = multiple * int(people.max(initial=1)) >= _WIDEST
        kind = object if is_wide else np.int64
        self._weights = records.astype(kind) * (multiple // sizes[self._places].astype(kind))
        self.wholes = np.concatenate([sizes[self._homes], people.astype(kind) * multiple])

    def weigh(self, hidden: Histogram) -> Histogram:
        """Weigh every value for every set of people."""
        alone = hidden.select(np.isin(np.arange(hidden.n_groups), self._homes))
        most = int(hidden.distinct[self._places].sum())
        if most > _MOST:
            raise UnsupportedError(
                f"people can be in many buckets with many values each, {most:,} beliefs in all: "
                "attack with fewer columns (qid), or one sensitive column at a time"
            )
        mix = mix_rows if self._weights.dtype == np.int64 else _mix_wide
        indptr, values, weights = mix(
            self._ends,
            self._places,
            self._weights,
            hidden.indptr,
            hidden.values,
            hidden.counts,
            hidden.n_values,
        )
        return Histogram(
            np.append(alone.indptr, indptr[1:] + alone.indptr[-1]),
            np.concatenate([alone.values, values]),
            np.concatenate([alone.counts, weights]),
            hidden.n_values,
            hidden.taxonomy,
        )


def _fill_buckets(
    sizes: CountArray, indptr: CountArray, places: CodeArray, records: CountArray
) -> BoolArray:
    """Mark those who can only be in one bucket, if all people of that bucket can."""
    in_one = np.diff(indptr) == 1
    firsts = indptr[:-1][in_one]
    known = np.bincount(places[firsts], weights=records[firsts], minlength=sizes.size)
    filled: BoolArray = in_one.copy()
    filled[in_one] = (known == sizes)[places[firsts]]
    return filled


def _mix_wide(
    ends: CountArray,
    places: CodeArray,
    weights: NDArray[Any],
    indptr: CountArray,
    values: CodeArray,
    counts: CountArray,
    n_values: int,
) -> tuple[CountArray, CodeArray, NDArray[Any]]:
    """Add up rows of a histogram with weights that do not fit into 64 bits, as `mix_rows` does."""
    sizes = np.diff(indptr)[places]
    starts = np.append(0, np.cumsum(sizes))
    entries = np.arange(starts[-1]) + np.repeat(indptr[places] - starts[:-1], sizes)
    rows = np.repeat(np.repeat(np.arange(ends.size - 1), np.diff(ends)), sizes)
    keys, amounts = rows * n_values + values[entries], np.repeat(weights, sizes) * counts[entries]
    order = np.argsort(keys, kind="stable")
    firsts = np.flatnonzero(np.diff(keys[order], prepend=-1))
    found = keys[order][firsts]
    added = np.add.reduceat(amounts[order], firsts) if firsts.size else amounts
    new_indptr = np.searchsorted(found, np.arange(ends.size) * n_values)
    return new_indptr, (found % n_values).astype(np.int32), added
