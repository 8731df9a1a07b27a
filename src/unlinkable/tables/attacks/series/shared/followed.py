"""Followed: what is known of people once the records of a column have been followed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from attrs import define

from unlinkable.tables.attacks.series.series import Series, Sheet
from unlinkable.tables.attacks.series.shared.traces import trace
from unlinkable.tables.groups import Histogram
from unlinkable.tables.models import is_within
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["Followed", "follow_people", "is_exposed", "judge_records"]


@define(eq=False, frozen=True)
class Followed:
    """What following the records of a column tells of their owners.

    Attributes
    ----------
    falls, fell
        For each person whether a record of his is exposed, and whether one release alone does that.
    sure, value
        For each person how sure the adversary is of a record of his at most, and its value.
    exposed
        How many records of each release are exposed.
    fewest
        The smallest number of candidates of a record; 0 if there is no record with any.
    n_contradicted
        For how many values and pairs of releases nothing was concluded.
    """

    falls: BoolArray
    fell: BoolArray
    sure: FloatArray
    value: CodeArray
    exposed: CountArray
    fewest: int
    n_contradicted: int


def is_exposed(
    n_records: CountArray, n_candidates: CountArray, k: int, limit: Fraction
) -> BoolArray:
    """Tell which records have too few candidates, or too many of these have their value.

    Where there is no candidate nobody is exposed: values changed.

    Examples
    --------
    >>> is_exposed(np.array([1, 2, 2]), np.array([2, 2, 5]), 2, Fraction(1, 2)).tolist()
    [False, True, False]
    """
    few = (n_candidates < k) | ~is_within(n_records, limit, n_candidates)
    return np.asarray(few & (n_candidates > 0))


def follow_people(
    series: Series, column: str, k: int, limit: Fraction, *, feasible: bool
) -> Followed:
    """Follow the records of a column by who is in which group."""
    sheets = series.sheets(column)
    traced = trace(sheets, feasible=feasible)
    candidates = [traced.candidates(i) for i in range(len(sheets))]
    return judge_records(
        sheets, traced.hidden, candidates, (k, limit), series.n_people, traced.n_contradicted
    )


def judge_records(
    sheets: Sequence[Sheet],
    hidden: Sequence[Histogram],
    candidates: Sequence[CountArray],
    bounds: tuple[int, Fraction],
    n_people: int,
    n_contradicted: int,
) -> Followed:
    """Tell from the number of candidates of all records which are exposed, and whose these are.

    Parameters
    ----------
    sheets, hidden
        The releases, and what their groups hide.
    candidates
        For each release, for every entry of what it hides how many candidates there are.
    bounds
        How many candidates there must be, and how sure of them anybody may be.
    n_people, n_contradicted
        As they are.
    """
    (k, limit), n = bounds, n_people
    falls, fell = np.zeros(n, bool), np.zeros(n, bool)
    sure, value = np.zeros(n), np.zeros(n, np.int32)
    exposed, fewest = np.zeros(len(sheets), np.int64), []
    for i, (sheet, those, left) in enumerate(zip(sheets, hidden, candidates, strict=True)):
        keys = those.row.astype(np.int64) * those.n_values + those.values
        at = np.searchsorted(keys, sheet.groups.astype(np.int64) * those.n_values + sheet.values)
        sizes = those.reduce(np.add, those.counts)[those.row]
        is_bad, was_bad = (
            is_exposed(those.counts, n_left, k, limit)[at] for n_left in (left, sizes)
        )
        exposed[i] = int(is_bad.sum())
        real = sheet.people >= 0
        falls[sheet.people[real & is_bad]] = True
        fell[sheet.people[real & was_bad]] = True
        share = np.where(left > 0, np.minimum(those.counts / np.maximum(left, 1), 1.0), 0.0)[at]
        whose = sheet.people[real]
        is_more = share[real] > sure[whose]
        sure[whose[is_more]] = share[real][is_more]
        value[whose[is_more]] = sheet.values[real][is_more]
        fewest.append(int(left[left > 0].min(initial=np.iinfo(np.int64).max)))
    least = min(fewest, default=0)
    least = 0 if least == np.iinfo(np.int64).max else least
    return Followed(falls, fell, sure, value, exposed, least, n_contradicted)
