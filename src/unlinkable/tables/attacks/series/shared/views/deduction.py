"""Deduction: which values a person may have by a set of views, and how many people share them.

An adversary who knows something of a victim looks at all tables that have the views, and in them at
the records of people like the victim. They are left with the values that such a record has in any
of these tables (its *alternatives*). If the victim is known by name, and may have several records,
a value is certain that one of them has in all tables. Where views tell numbers and nobody is known
by name, they also know how many people like the victim there are at most, and which share of them
has a value at least.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from attrs import define

from unlinkable.kernels.counting import expand_stretches
from unlinkable.tables.attacks.series.shared.views.axes import UNLIMITED
from unlinkable.tables.attacks.series.shared.views.possible_view_tables import (
    Goals,
    Limits,
    ShownGoals,
    show,
)
from unlinkable.tables.attacks.series.shared.views.view_set import ViewSet
from unlinkable.tables.groups import number_rows
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["Deductions", "deduce"]


@define(eq=False, frozen=True)
class Deductions:
    """What follows for every kind of people that an adversary may know.

    Attributes
    ----------
    is_possible
        Whether any table has such people; taken for so if the search was given up.
    alternatives
        How many values are left to them; no more are counted than asked for.
    values, of
        The pairs of an atom of the sensitive column and a kind of people that a table shows.
    too_few
        Whether there are fewer people of the kind than asked for, in every table.
    too_sure
        For each of these pairs, whether more than the limit of the people of the kind have the
        value, in every table; if they are named, whether they have it in every table.
    is_exact
        Whether nothing else is possible.
    programs
        How many programs were solved.
    """

    is_possible: BoolArray
    alternatives: CountArray
    values: CodeArray
    of: CodeArray
    too_few: BoolArray
    too_sure: BoolArray
    is_exact: bool
    programs: int


def deduce(
    views: ViewSet,
    sensitive: str | None,
    *,
    enough: int,
    k: int,
    limit: Fraction,
    is_named: bool,
) -> Deductions:
    """Find what follows for everybody who is known.

    Parameters
    ----------
    views
        The views.
    sensitive
        The column that the adversary is after; None if only the number of people that are left is
        asked for.
    enough
        So many alternatives are enough: no more are looked for.
    k, limit
        How many people must be left, and how large the share of a value may be that is certain.
    is_named
        Whether what is known is a name. Then it does not matter how many people are left.

    Raises
    ------
    UnsupportedError
        If there are too many cells.
    DataError
        If no table has all the views.
    """
    pairs, n_kinds = _Pairs.of_cells(views, sensitive), views.kinds[1].size
    limits = views.limits(max(k, 1))
    goals = Goals.sums(pairs.label.astype(np.int64), np.arange(len(views.grid)), pairs.of.size)

    def worthwhile(reached: BoolArray) -> BoolArray:
        return (pairs.alternatives(reached, n_kinds) < enough)[pairs.of]

    shown = show(views.grid, views.views, limits, goals, worthwhile)
    n_alternatives = pairs.alternatives(shown.reached, n_kinds)
    # Nobody is missed: whom no table showed may be there, unless the search came to its end.
    possible = (n_alternatives > 0) | (not shown.is_exact)
    people, too_few = ShownGoals(possible), np.zeros(n_kinds, bool)
    if views.is_counted and not is_named and k > 1 and n_kinds:
        goals = Goals.sums(views.kinds[0].astype(np.int64), np.arange(len(views.grid)), n_kinds, k)
        people = show(views.grid, views.views, limits, goals, lambda _: possible)
        too_few = possible & ~people.reached
    shares, too_sure = ShownGoals(possible), np.zeros(pairs.of.size, bool)
    may_be_sure = views.is_counted and limit < 1
    if is_named:
        may_be_sure = enough > 1 and not views.one_record
    if sensitive is not None and n_kinds and may_be_sure:
        share = Fraction(0) if is_named else limit
        shares, too_sure = _certain(views, pairs, limits, shown, share)
    return Deductions(
        possible,
        n_alternatives,
        pairs.values[shown.reached],
        pairs.of[shown.reached],
        too_few,
        too_sure[shown.reached],
        shown.is_exact and people.is_exact and shares.is_exact,
        shown.programs + people.programs + shares.programs,
    )


class _Pairs(NamedTuple):
    """Kinds of people, each with a value that they may have.

    ``label`` is the pair of every cell; ``of``, ``values`` and ``weight`` are the kind and the
    value of every pair, and how many values that stands for.
    """

    label: CodeArray
    of: CodeArray
    values: CodeArray
    weight: CountArray

    @classmethod
    def of_cells(cls, views: ViewSet, sensitive: str | None) -> _Pairs:
        kinds, atoms = views.kinds[0], views.values(sensitive)
        label, first = number_rows(np.column_stack([kinds, atoms]))
        weight = np.full(first.size, UNLIMITED)
        if sensitive is not None:
            weight = views.axes[views.axis(sensitive)].stands_for[atoms[first]]
        return cls(label, kinds[first], atoms[first], weight)

    def alternatives(self, reached: BoolArray, n_kinds: int) -> CountArray:
        """Count the values that are left to each kind of people."""
        found = np.zeros(n_kinds, np.int64)
        np.add.at(found, self.of[reached], self.weight[reached])
        return found


def _certain(
    views: ViewSet, pairs: _Pairs, limits: Limits, shown: ShownGoals, share: Fraction
) -> tuple[ShownGoals, BoolArray]:
    """Find the pairs of which more than a share of the people have the value, in every table.

    A share of 0 asks whether anybody of them has it.
    """
    if not share and not limits.dependencies and not views.is_counted:
        certain = _only_witnesses(views, pairs.label, pairs.of) & (pairs.weight == 1)
        return ShownGoals(certain), certain
    # What stands for several values is no value that one could be sure of.
    asked = np.flatnonzero(shown.reached & (pairs.weight == 1))
    atoms = pairs.values[pairs.label]
    small = _small_share(views.kinds, atoms, pairs.of[asked], pairs.values[asked], share)
    found = show(views.grid, views.views, limits, small)
    certain = np.zeros(pairs.of.size, bool)
    certain[asked[~found.reached]] = True
    return found, certain


def _only_witnesses(views: ViewSet, pair: CodeArray, of: CodeArray) -> BoolArray:
    """Find the pairs without which some row, or a kind of people, would have no record.

    Without numbers and dependencies, the table with all other cells has all other rows.
    """
    n = of.size
    found: BoolArray = np.bincount(of)[of] == 1
    for view, (cell, row) in zip(views.views, views.grid.witnesses, strict=True):
        least, most = np.full(len(view.texts), n), np.full(len(view.texts), -1)
        np.minimum.at(least, row, pair[cell])
        np.maximum.at(most, row, pair[cell])
        found[least[least == most]] = True
    return found


def _small_share(
    kinds: tuple[CodeArray, CountArray], atoms: CodeArray, of: CodeArray, values: CodeArray,
    limit: Fraction,
) -> Goals:  # fmt: skip
    """Ask for tables with people of a kind, of whom no more than the limit have a value."""
    order = np.argsort(kinds[0], kind="stable")
    start = np.searchsorted(kinds[0][order], np.arange(kinds[1].size + 1))
    goal, place = expand_stretches(start[of], np.diff(start)[of])
    cell = order[place]
    factor = limit.numerator - limit.denominator * (atoms[cell] == values[goal])
    n = of.size
    return Goals(
        np.concatenate([goal, n + goal]),
        np.concatenate([cell, cell]),
        np.concatenate([factor, np.ones_like(factor)]),
        np.tile(np.arange(n), 2),
        np.repeat([0, 1], n),
        n,
    )
