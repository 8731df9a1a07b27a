"""Known others: people of a release of whom an adversary knows what they have.

Their values can be subtracted from those of their group, and what is left belongs to the others.
That requires their group: people whose quasi-identifying values fit several groups, or none, are
left out.

Without a list, the worst case is computed: the adversary knows those few others of a group whose
values tell most.
"""

from __future__ import annotations

import numpy as np
from attrs import define

from unlinkable.errors import DataError, SchemaError
from unlinkable.kernels.counting import find_entries, tallies
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.shared.matching import Matching, match
from unlinkable.tables.data import SideTable, codes_of
from unlinkable.tables.engines import Counted
from unlinkable.tables.groups import Histogram
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray

__all__ = ["KnownOthers", "count_people", "find_others", "worst_others"]

_NOWHERE, _ANYWHERE = -1, -2


@define(eq=False, frozen=True)
class KnownOthers:
    """A list of people, and the groups that they are in.

    Attributes
    ----------
    people
        The list.
    group
        For each person the group: negative if there is none, or if there are several.
    n_found
        For each group how many people of the list are in it.
    """

    people: SideTable
    group: CodeArray
    n_found: CountArray

    @property
    def details(self) -> dict[str, int | float | str | None]:
        """How many people are known, and of how many the group is not."""
        return {
            "known_people": len(self.people),
            "known_people_who_match_no_group": int((self.group == _NOWHERE).sum()),
            "known_people_who_match_several_groups": int((self.group == _ANYWHERE).sum()),
        }

    def columns(self, asked: Columns) -> Columns:
        """Name those of the hidden columns that the list tells something of.

        Raises
        ------
        SchemaError
            If there is none.
        """
        found = tuple(name for name in asked if name in self.people.columns)
        if not found:
            raise SchemaError(
                f"{self.people.name!r} tells of no sensitive column: name it as the release does "
                f"({', '.join(asked)})"
            )
        return found

    def take_away(self, name: str, hidden: Histogram) -> tuple[Histogram, CountArray]:
        """Take away what is known from what groups hide; also count the records that are left.

        Raises
        ------
        DataError
            If a group does not hide as many records with a value as are known to have it.
        """
        assert hidden.taxonomy is not None
        is_known = (self.group >= 0) & self.people.frame.get_column(name).is_not_null().to_numpy()
        codes = codes_of(self.people.frame, name, hidden.taxonomy.domain)[is_known]
        group = self.group[is_known]
        at = find_entries(hidden.indptr, hidden.values, group, codes)
        known = np.bincount(at[at >= 0], minlength=hidden.values.size)
        too_many = int((at < 0).sum() + np.maximum(known - hidden.counts, 0).sum())
        if too_many:
            raise DataError(
                f"{quantity(too_many, 'person', 'people')} of {self.people.name!r} cannot be in "
                f"the release: their group has fewer records with what they are said to have in "
                f"{name!r}. Take people off the list who are not in the release, or correct it"
            )
        rest = Histogram(
            hidden.indptr, hidden.values, hidden.counts - known, hidden.n_values, hidden.taxonomy
        )
        return rest, rest.reduce(np.add, rest.counts)


def find_others(target: Target, counted: Counted, people: SideTable) -> KnownOthers:
    """Find the groups of the people of a list.

    Examples
    --------
    >>> import polars as pl
    >>> told = pl.DataFrame({"age": ["[30-40)"] * 2 + ["[40-50)"], "ill": ["flu", "hiv", "flu"]})
    >>> target = Target(told, ("age",), ("ill",))
    >>> john = SideTable("known", pl.DataFrame({"age": [34], "ill": ["flu"]}))
    >>> others = find_others(target, target.counted([("ill",)]), john)
    >>> others.group.tolist(), others.n_found.tolist()
    ([0], [1, 0])
    """
    matching = match(target, people)
    group = _group_of_kinds(matching, counted)[matching.kind]
    n_groups = len(counted.finest)
    return KnownOthers(people, group, tallies.count(np.maximum(group, -1), n_groups))


def _group_of_kinds(matching: Matching, counted: Counted) -> CodeArray:
    """Find the group of each kind of people."""
    n_looks, n_groups = matching.first_look.size, len(counted.finest)
    indptr, groups, _ = tallies.tally(matching.look, counted.labels, n_looks, n_groups)
    least, most = groups[indptr[:-1]], groups[indptr[1:] - 1]
    starts, looks = matching.indptr, matching.looks
    group = np.full(starts.size - 1, _NOWHERE, np.int32)
    some = np.diff(starts) > 0
    if looks.size:
        lowest = np.minimum.reduceat(least[looks], starts[:-1][some])
        highest = np.maximum.reduceat(most[looks], starts[:-1][some])
        group[some] = np.where(lowest == highest, lowest, _ANYWHERE)
    return group


def worst_others(hidden: Histogram, sizes: CountArray, n: int) -> tuple[CountArray, CountArray]:
    """Give for each value of a group the confidence of an adversary who knows up to n others.

    Returns two numbers for each entry of the histogram, whose quotient is the probability: see
    `unlinkable.tables.attacks.grouped.corruption`. Quotients are compared as products of counts of
    a group.

    Examples
    --------
    >>> codes, counts = np.arange(2, dtype=np.int32), np.array([2, 3])
    >>> hidden = Histogram(np.array([0, 2]), codes, counts, 2)
    >>> [amounts.tolist() for amounts in worst_others(hidden, np.array([5]), 2)]
    [[3, 3], [4, 3]]
    """
    m, own, top = sizes[hidden.row], hidden.counts, hidden.peak[hidden.row]
    left = m - np.minimum(n, m - 1)
    is_top = own == top
    n_top = hidden.reduce(np.add, is_top.astype(np.int64))[hidden.row]
    second = hidden.reduce(np.maximum, np.where(is_top, 0, own))[hidden.row]
    other = np.where(is_top & (n_top == 1), second, top)
    own = np.minimum(own, left)
    kept = np.maximum(left, other + 1)
    is_other = other * left > own * kept
    return np.where(is_other, other, own), np.where(is_other, kept, left)


def count_people(target: Target, counted: Counted, falls: dict[str, BoolArray]) -> int:
    """Count the people who have, in some column, a value that exposes them."""
    histograms = counted.finest.histograms
    if len(falls) == 1:
        return sum(int(histograms[name,].counts[mask].sum()) for name, mask in falls.items())
    rows = np.zeros(len(target), bool)
    for name, mask in falls.items():
        hidden = histograms[name,]
        assert hidden.taxonomy is not None
        codes = codes_of(target.frame, name, hidden.taxonomy.domain)
        rows |= mask[find_entries(hidden.indptr, hidden.values, counted.labels, codes)]
    return int(rows.sum())
