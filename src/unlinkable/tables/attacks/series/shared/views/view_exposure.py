"""View exposure: who is exposed by a set of views, and by what is left of them.

Also the same in words and figures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from attrs import define

from unlinkable.release.attacks import MOST_SHOWN, Victim
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.series.shared.views.axes import UNLIMITED
from unlinkable.tables.attacks.series.shared.views.conditions import Dependency
from unlinkable.tables.attacks.series.shared.views.deduction import Deductions, deduce
from unlinkable.tables.attacks.series.shared.views.possible_view_tables import (
    least_share,
    most_records,
)
from unlinkable.tables.attacks.series.shared.views.view_set import View, ViewSet, read_views
from unlinkable.typing import BoolArray, Columns

__all__ = ["ViewExposure", "basis_of", "details_of", "enough_views", "found_by", "view_exposure"]

_MOST_MEASURED = 20
"""For so many people it is computed how large a certain share is, and how many they are."""
_MOST_CELLS = 20_000
"""Beyond so many cells it is not asked which views would do."""


@define(eq=False, frozen=True)
class ViewExposure:
    """Who is exposed, and by what.

    Attributes
    ----------
    n_attacked, n_fallen
        How many kinds of people any table has, and how many of them are exposed.
    n_values, n_people, n_shares
        How many are left with too few values, are too few, or certainly have a value: by name, or
        with too large a share of them.
    highest
        How confident one may be of a value at most.
    victims
        The exposed people, in descending order of confidence.
    is_exact
        Whether all of them are exposed.
    n_cells, programs
        How many cells there were, and programs to solve.
    """

    n_attacked: int
    n_fallen: int
    n_values: int
    n_people: int
    n_shares: int
    highest: float
    victims: tuple[Victim, ...]
    is_exact: bool
    n_cells: int
    programs: int


def view_exposure(
    views: Sequence[View], known: Columns, sensitive: Columns, *,
    dependencies: Sequence[Dependency], one_record: bool, enough: int, k: int, limit: Fraction,
    is_named: bool,
) -> ViewExposure:  # fmt: skip
    """Find who is exposed by these views, for every sensitive column.

    Without a sensitive column it is only asked how many people are left.

    Parameters
    ----------
    views, known, sensitive, dependencies, one_record
        As for `read_views`.
    enough, k, limit
        How many values must be left, how many people, and the largest share that may be certain.
    is_named
        Whether what is known names people: then their number does not matter.
    """
    view_set = read_views(views, known, sensitive, dependencies, one_record=one_record)
    attacked = np.zeros(view_set.kinds[1].size, bool)
    fell = np.zeros((3, attacked.size), bool)
    victims: list[Victim] = []
    highest, is_exact, programs = 0.0, True, 0
    for name in sensitive or (None,):
        found = deduce(view_set, name, enough=enough, k=k, limit=limit, is_named=is_named)
        there = found.is_possible
        attacked |= there
        falls = np.array(
            [
                there & (found.alternatives < enough),
                there & found.too_few,
                there & (np.bincount(found.of, found.too_sure, minlength=there.size) > 0),
            ]
        )
        fell |= falls
        victims += _victims(view_set, name, found, falls, k, is_named=is_named)
        left = found.alternatives[there & (found.alternatives < UNLIMITED)]
        highest = max(highest, float((1 / np.maximum(left, 1)).max(initial=0.0)))
        is_exact, programs = is_exact and found.is_exact, programs + found.programs
    victims.sort(key=lambda victim: -victim.confidence)
    return ViewExposure(
        int(attacked.sum()),
        int(fell.any(axis=0).sum()),
        int(fell[0].sum()),
        int(fell[1].sum()),
        int(fell[2].sum()),
        max([highest, *(victim.confidence for victim in victims)]),
        tuple(victims[:MOST_SHOWN]),
        is_exact,
        len(view_set.grid),
        programs,
    )


def enough_views(
    views: Sequence[View], fall: Callable[[Sequence[View]], bool], exposure: ViewExposure
) -> tuple[str, ...]:
    """Leave out one view after the other, as long as the rest exposes a person."""
    left = list(views)
    if exposure.n_fallen and exposure.n_cells <= _MOST_CELLS:
        for view in views:
            rest = [one for one in left if one is not view]
            if rest and fall(rest):
                left = rest
    return tuple(view.name for view in left)


def _victims(
    view_set: ViewSet,
    name: str | None,
    found: Deductions,
    falls: BoolArray,
    k: int,
    *,
    is_named: bool,
) -> list[Victim]:
    """Describe the exposed people, and what is left of them."""
    labels = () if name is None else view_set.axes[view_set.axis(name)].labels
    kinds, atoms = view_set.kinds[0], view_set.values(name)
    limits = view_set.limits(max(k, 1))
    at = np.flatnonzero(falls.any(axis=0))
    at = at[np.argsort(found.alternatives[at], kind="stable")][:MOST_SHOWN].tolist()
    victims = []
    for i, kind in enumerate(at):
        mine = found.of == kind
        people = kinds == kind
        sure, learned = Fraction(0), dict[str, str]()
        if name is not None and found.alternatives[kind] < UNLIMITED:
            sure = Fraction(1, max(int(found.alternatives[kind]), 1))
        if name is not None and falls[0, kind]:
            left = [labels[v][0] for v in found.values[mine].tolist()]
            learned = {name: " or ".join(sorted(left))}
        if name is not None and falls[2, kind] and i < _MOST_MEASURED:
            for value in found.values[mine & found.too_sure].tolist():
                share = Fraction(1)
                if not is_named:
                    having = people & (atoms == value)
                    share = least_share(view_set.grid, view_set.views, limits, people, having)
                if share >= sure:
                    sure, learned = share, {name: labels[value][0]}
        n = 1
        if view_set.is_counted and not is_named and i < _MOST_MEASURED:
            n = most_records(view_set.grid, view_set.views, limits, people)
        victims.append(Victim(view_set.called(kind), float(sure), learned, people=n))
    return victims


_GIVEN_UP = (
    "conservative: the search for tables was given up, and only values count as left for which a "
    "table was found; nobody is missed, and some may not fall"
)


def found_by(exposure: ViewExposure, needed: tuple[str, ...], *, is_named: bool) -> str:
    """Say who is exposed, by what, and by which views."""
    who = quantity(exposure.n_attacked, "kind of people", "kinds of people")
    if is_named:
        who = quantity(exposure.n_attacked, "person", "people")
    if not exposure.n_fallen:
        return f"Nobody of {who} falls: every view leaves enough, and so do all of them together."
    parts = [
        f"{what}: {n:,}"
        for n, what in (
            (exposure.n_values, "too few values left"),
            (exposure.n_people, "too few people left"),
            (exposure.n_shares, "certain of a value"),
        )
        if n
    ]
    return (
        f"{exposure.n_fallen:,} of {who} fall, whatever table is behind the views "
        f"({'; '.join(parts)}). It takes {' and '.join(needed)}."
    )


def basis_of(exposure: ViewExposure) -> str | None:
    """Say what the finding rests on, if it is not exact."""
    return None if exposure.is_exact else _GIVEN_UP


def details_of(
    exposure: ViewExposure, needed: tuple[str, ...]
) -> dict[str, int | float | str | None]:
    """Give the figures behind it."""
    return {
        "views": " and ".join(needed),
        "cells": exposure.n_cells,
        "programs": exposure.programs,
        "too_few_values": exposure.n_values,
        "too_few_people": exposure.n_people,
        "certain_values": exposure.n_shares,
    }
