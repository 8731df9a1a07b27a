"""Narrowing: labels that somebody cannot have, without counting any world.

First the labels of all groups that somebody is in are intersected. Then what follows from that is
drawn out, again and again: if no more people of a group can have a label than must have it, they
all have it; if as many people have it as records do, nobody else has. All that is found is certain;
but not all that is certain is found.

Absences: values of somebody's earlier group that a later release has nowhere.

Whoever is in the later release does not have such a value, and no way to make that release could
have hidden it.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from attrs import define

from unlinkable.tables.attacks.series.shared.memberships import Tangle
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["Absences", "Candidates", "find_absences", "intersect", "labels_met", "narrow"]


@define(eq=False, frozen=True, slots=False)
class Candidates:
    """What people may have.

    Attributes
    ----------
    tangle
        The releases.
    person, label
        Everybody beside each label that he may have, by person and then by label.

    Examples
    --------
    >>> from unlinkable.tables.attacks.series.series import Sheet
    >>> first, then = Sheet.of([0, 1], [0, 0], [0, 1]), Sheet.of([0, 2], [0, 0], [0, 2])
    >>> found = intersect(Tangle.of([first, then], np.arange(3, dtype=np.int32)))
    >>> found.person.tolist(), found.label.tolist()
    ([0, 1, 1, 2, 2], [0, 0, 1, 0, 2])
    >>> found = narrow(found)
    >>> found.person.tolist(), found.label.tolist()
    ([0, 1, 2], [0, 1, 2])
    """

    tangle: Tangle
    person: CountArray
    label: CodeArray

    @cached_property
    def n_each(self) -> CountArray:
        """How many labels everybody may have."""
        return np.bincount(self.person, minlength=self.tangle.n_people)

    @property
    def contradicted(self) -> int:
        """How many people can have none at all."""
        return int(((self.n_each == 0) & (self.tangle.degree > 0)).sum())

    def only(self) -> CodeArray:
        """Give the label of everybody who can have but one; -1 for others."""
        found = np.full(self.tangle.n_people, -1, np.int32)
        is_one = self.n_each[self.person] == 1
        found[self.person[is_one]] = self.label[is_one]
        return found


def intersect(tangle: Tangle) -> Candidates:
    """Intersect the labels of all groups that everybody is in.

    Cost
    ----
    O(n log n) for n pairs of a person in a release and a label of his group there.
    """
    pair, cell = labels_met(tangle)
    wide = max(tangle.n_labels, 1)
    met = tangle.person[pair] * wide + tangle.label[cell]
    keys, times = np.unique(met, return_counts=True)
    person, label = np.divmod(keys, wide)
    stays = times == tangle.degree[person]
    return Candidates(tangle, person[stays], label[stays].astype(np.int32))


def narrow(candidates: Candidates) -> Candidates:
    """Draw out what follows from labels that people cannot have, until nothing more does.

    Cost
    ----
    O(n) a round for n as for `intersect`, and as many rounds as conclusions rest on each other.
    """
    tangle = candidates.tangle
    wide = max(tangle.n_labels, 1)
    pair, cell = labels_met(tangle)
    keys = candidates.person * wide + candidates.label
    wanted = tangle.person[pair] * wide + tangle.label[cell]
    at = np.searchsorted(keys, wanted)
    is_met = np.append(keys, -1)[at] == wanted
    at, cell = at[is_met], cell[is_met]
    least = tangle.count - tangle.made_up[tangle.row]
    alive = np.ones(keys.size, bool)
    while True:
        still = _round(candidates, alive, at, cell, least)
        if (still == alive).all():
            return Candidates(tangle, candidates.person[alive], candidates.label[alive])
        alive = still


def _round(
    candidates: Candidates, alive: BoolArray, at: CountArray, cell: CountArray, least: CountArray
) -> BoolArray:
    """Strike out what the labels left over exclude."""
    tangle, person = candidates.tangle, candidates.person
    n_cells = tangle.row.size
    n_left = np.bincount(person[alive], minlength=tangle.n_people)
    is_sure = alive & (n_left[person] == 1)
    can = np.bincount(cell[alive[at]], minlength=n_cells)
    sure = np.bincount(cell[is_sure[at]], minlength=n_cells)
    must = np.zeros(alive.size, bool)
    must[at[(can <= least)[cell]]] = True
    must &= alive
    full = np.zeros(alive.size, bool)
    full[at[(sure >= tangle.count)[cell]]] = True
    is_decided = np.zeros(tangle.n_people, bool)
    is_decided[person[must]] = True
    still: BoolArray = alive & ~(full & ~is_sure) & ~(is_decided[person] & ~must)
    return still


def labels_met(tangle: Tangle) -> tuple[CountArray, CountArray]:
    """Pair everybody's place in a release with each label of his group there."""
    n_each = np.diff(tangle.starts)[tangle.group]
    pair = np.repeat(np.arange(tangle.group.size), n_each)
    ends = np.cumsum(n_each)
    offset = np.arange(pair.size) - np.repeat(ends - n_each, n_each)
    return pair, tangle.starts[tangle.group][pair] + offset


@define(eq=False, frozen=True)
class Absences:
    """Whom absent values tell something.

    Attributes
    ----------
    n_people
        How many people's groups had a value that is nowhere in a later release that they are in.
    labels
        Which values.
    """

    n_people: int
    labels: CodeArray


def find_absences(tangle: Tangle, guarded: BoolArray) -> Absences:
    """Look for guarded values of earlier groups in all later releases.

    Examples
    --------
    >>> from unlinkable.tables.attacks.series.series import Sheet
    >>> first, then = Sheet.of([0, 1], [0, 0], [0, 1]), Sheet.of([0, 2], [0, 0], [0, 2])
    >>> tangle = Tangle.of([first, then], np.arange(3, dtype=np.int32))
    >>> found = find_absences(tangle, np.ones(3, bool))
    >>> found.n_people, found.labels.tolist()
    (1, [1])
    """
    pair, cell = labels_met(tangle)
    person, label = tangle.person[pair], tangle.label[cell]
    release = tangle.release[tangle.group][pair]
    tells = np.zeros(pair.size, bool)
    for later in range(1, int(tangle.release.max(initial=0)) + 1):
        is_there = np.zeros(tangle.n_people, bool)
        is_there[tangle.person[tangle.release[tangle.group] == later]] = True
        is_gone = guarded.copy()
        is_gone[tangle.label[tangle.release[tangle.row] == later]] = False
        tells |= (release < later) & is_there[person] & is_gone[label]
    return Absences(int(np.unique(person[tells]).size), np.unique(label[tells]))
