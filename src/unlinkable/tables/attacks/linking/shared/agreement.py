"""Agreement: when a person and a record agree on a column, and how likely that is.

They agree if what is told of them overlaps, and nearly agree if it is close: numbers and dates
within a twentieth of their standard deviation, texts whose similarity (Jaro and Winkler) is 0.85 or
more. Where either has no value, or ``*``, nothing is told.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import define

from unlinkable.kernels.linkage import similar_pairs
from unlinkable.tables.attacks.shared.overlaps import Ranges
from unlinkable.tables.data import LinkedColumn
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["AGREE", "CLOSE", "DIFFER", "UNTOLD", "ColumnAgreement", "column_agreement"]

UNTOLD, DIFFER, CLOSE, AGREE = range(4)
"""The levels of agreement."""

_ALIKE = 0.85
"""From this similarity on, texts are taken to be close."""

_SPREAD = 20
"""Numbers are close that are no further apart than this part of their standard deviation."""

_MOST_COMPARED = 20_000_000
"""Where more texts would be compared, only those that begin with the same letters are."""

_LEAST = 1e-9
"""No chance is taken to be smaller."""


@define(eq=False, frozen=True)
class ColumnAgreement:
    """What decides on the level of agreement on a column.

    Attributes
    ----------
    listed, published
        For every kind and every look the number of its range, and the bounds of each number.
    near
        The ranges of the list, widened to what is close.
    listed_tells, published_tells
        Whether a range tells anything.
    close_indptr, close
        For every code the other codes whose texts are close.
    chance
        For every range of the release, and every level, the chance that it is on this level with
        anybody on the list.
    """

    listed: Ranges
    published: Ranges
    near: CodeArray
    listed_tells: BoolArray
    published_tells: BoolArray
    close_indptr: CountArray
    close: CodeArray
    chance: FloatArray


def column_agreement(
    column: LinkedColumn, listed: Ranges, published: Ranges, people: CountArray
) -> ColumnAgreement:
    """Say what is close on a column, and how often anybody is.

    Parameters
    ----------
    column
        The column.
    listed, published
        The ranges of kinds and looks.
    people
        Number of people of each kind.
    """
    bounds, shown, n = listed[1], published[1], column.n_codes
    weights: FloatArray = np.bincount(listed[0], people.astype(float), len(bounds)).astype(float)
    tells, told = _tells(bounds, n), _tells(shown, n)
    weights[~tells] = 0
    near = _widened(column, bounds, weights)
    indptr, close = _close_codes(column, bounds[tells], shown[told])
    total = max(float(weights.sum()), 1.0)
    agree = _met(bounds, weights, shown, n) / total
    nearly = _met(near, weights, shown, n) / total - agree
    nearly += _close_met(bounds, weights, shown, indptr, close, n) / total
    nearly = np.clip(nearly, _LEAST, np.maximum(1 - agree, _LEAST))
    differ = np.maximum(1 - agree - nearly, _LEAST)
    chance = np.column_stack([np.ones(len(shown)), differ, nearly, np.maximum(agree, _LEAST)])
    return ColumnAgreement(listed, published, near, tells, told, indptr, close, chance)


def _tells(bounds: CodeArray, n_codes: int) -> BoolArray:
    is_any = (bounds[:, 0] == 0) & (bounds[:, 1] == n_codes)
    tells: BoolArray = ~is_any & (bounds[:, 0] < n_codes - 1) & (bounds[:, 1] > bounds[:, 0])
    return tells


def _widened(column: LinkedColumn, bounds: CodeArray, weights: FloatArray) -> CodeArray:
    """Widen ranges of numbers and dates to what is close; leave categories as they are."""
    places = column.places
    if not places.size or not weights.any():
        return bounds
    first = np.minimum(bounds[:, 0], places.size - 1)
    last = np.minimum(np.maximum(bounds[:, 1] - 1, first), places.size - 1)
    middle = (places[first] + places[last]) / 2
    mean = np.average(middle, weights=weights)
    reach = np.sqrt(np.average((middle - mean) ** 2, weights=weights)) / _SPREAD
    lo = np.searchsorted(places, places[first] - reach)
    hi = np.searchsorted(places, places[last] + reach, "right")
    wide = np.column_stack([np.minimum(lo, bounds[:, 0]), np.maximum(hi, bounds[:, 1])])
    is_present = bounds[:, 1] <= places.size
    return np.where(is_present[:, None], wide, bounds).astype(np.int32)


def _met(bounds: CodeArray, weights: FloatArray, shown: CodeArray, n_codes: int) -> FloatArray:
    """Add up the weights of the ranges that overlap each range that is shown."""
    ended = np.cumsum(np.bincount(bounds[:, 1], weights, n_codes + 1))
    begun = np.cumsum(np.bincount(bounds[:, 0], weights, n_codes + 1))
    met: FloatArray = (begun[np.maximum(shown[:, 1] - 1, 0)] - ended[shown[:, 0]]).astype(float)
    return np.maximum(met, 0)


def _close_met(
    bounds: CodeArray,
    weights: FloatArray,
    shown: CodeArray,
    indptr: CountArray,
    close: CodeArray,
    n_codes: int,
) -> FloatArray:
    """Add up the weights of the texts that are close to each range, once for each code of it."""
    is_single = bounds[:, 1] - bounds[:, 0] == 1
    by_code = np.bincount(bounds[is_single, 0], weights[is_single], n_codes)
    from_code = np.repeat(np.arange(n_codes), np.diff(indptr))
    near = np.append(0, np.cumsum(np.bincount(close, by_code[from_code], n_codes)))
    summed: FloatArray = near[shown[:, 1]] - near[shown[:, 0]]
    return summed


def _close_codes(
    column: LinkedColumn, listed: CodeArray, shown: CodeArray
) -> tuple[CountArray, CodeArray]:
    """List for every single code of the list the codes of the release whose texts are close."""
    n = column.n_codes
    if not column.texts:
        return np.zeros(n + 1, np.int64), np.zeros(0, np.int32)
    is_single = listed[:, 1] - listed[:, 0] == 1
    ours = np.unique(listed[is_single, 0])
    begun = np.cumsum(np.bincount(shown[:, 0], minlength=n + 1))
    ended = np.cumsum(np.bincount(shown[:, 1], minlength=n + 1))
    theirs = np.flatnonzero((begun - ended)[: n - 1] > 0)
    left, right = _similar(column.texts, ours.astype(np.int32), theirs.astype(np.int32))
    order = np.lexsort((right, left))
    indptr = np.append(0, np.cumsum(np.bincount(left, minlength=n))).astype(np.int64)
    return indptr, right[order]


def _similar(
    texts: Sequence[str], ours: CodeArray, theirs: CodeArray
) -> tuple[CodeArray, CodeArray]:
    """Compare texts of two lists, if need be only those that begin in the same way."""
    lengths = np.array([len(text) for text in texts], np.int64)
    letters = np.frombuffer("".join(texts).encode("utf-32-le"), np.int32)
    ends = np.cumsum(lengths)
    n_same = 0
    while True:
        first, second = _by_start(texts, ours, n_same), _by_start(texts, theirs, n_same)
        both = sorted(first.keys() & second.keys())
        if sum(first[s].size * second[s].size for s in both) <= _MOST_COMPARED or n_same > 32:
            break
        n_same += 1
    found = [similar_pairs(letters, ends, first[s], second[s], _ALIKE) for s in both]
    none = np.zeros(0, np.int32)
    left, right = ([none, *(pairs[i] for pairs in found)] for i in (0, 1))
    return np.concatenate(left), np.concatenate(right)


def _by_start(texts: Sequence[str], codes: CodeArray, n: int) -> dict[str, CodeArray]:
    starts: dict[str, list[int]] = {}
    for code in codes.tolist():
        starts.setdefault(texts[code][:n], []).append(code)
    return {start: np.array(found, np.int32) for start, found in starts.items()}
