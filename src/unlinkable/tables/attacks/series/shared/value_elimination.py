"""Value elimination: labels that a person cannot have, without counting any world.

First the labels of all groups that a person is in are intersected. Then what follows from that is
drawn out, again and again: if no more people of a group can have a label than must have it, they
all have it; if as many people have it as records do, nobody else has. All that is found is certain;
but not all that is certain is found.

Absences are values of a person's earlier group that a later release has nowhere.

A person in the later release does not have such a value, and no way to make that release could have
hidden it.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from attrs import define

from unlinkable.kernels.counting import expand_stretches
from unlinkable.tables.attacks.series.shared.memberships import Memberships
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["Absences", "PossibleLabels", "find_absences", "intersect", "labels_met", "narrow"]


@define(eq=False, frozen=True, slots=False)
class PossibleLabels:
    """What people may have.

    Attributes
    ----------
    memberships
        The releases.
    person, label
        Everybody beside each label that they may have, by person and then by label.

    Examples
    --------
    >>> from unlinkable.tables.attacks.series.series import Sheet
    >>> first, then = Sheet.of([0, 1], [0, 0], [0, 1]), Sheet.of([0, 2], [0, 0], [0, 2])
    >>> found = intersect(Memberships.of([first, then], np.arange(3, dtype=np.int32)))
    >>> found.person.tolist(), found.label.tolist()
    ([0, 1, 1, 2, 2], [0, 0, 1, 0, 2])
    >>> found = narrow(found)
    >>> found.person.tolist(), found.label.tolist()
    ([0, 1, 2], [0, 1, 2])
    """

    memberships: Memberships
    person: CountArray
    label: CodeArray

    @cached_property
    def n_each(self) -> CountArray:
        """How many labels everybody may have."""
        return np.bincount(self.person, minlength=self.memberships.n_people)

    @property
    def contradicted(self) -> int:
        """How many people can have none at all."""
        return int(((self.n_each == 0) & (self.memberships.degree > 0)).sum())

    def only(self) -> CodeArray:
        """Give the label of everybody who can have but one; -1 for others."""
        found = np.full(self.memberships.n_people, -1, np.int32)
        is_one = self.n_each[self.person] == 1
        found[self.person[is_one]] = self.label[is_one]
        return found


def intersect(memberships: Memberships) -> PossibleLabels:
    """Intersect the labels of all groups that everybody is in.

    Cost
    ----
    O(n log n) for n pairs of a person in a release and a label of their group there.
    """
    pair, cell = labels_met(memberships)
    wide = max(memberships.n_labels, 1)
    met = memberships.person[pair] * wide + memberships.label[cell]
    keys, times = np.unique(met, return_counts=True)
    person, label = np.divmod(keys, wide)
    stays = times == memberships.degree[person]
    return PossibleLabels(memberships, person[stays], label[stays].astype(np.int32))


def narrow(candidates: PossibleLabels) -> PossibleLabels:
    """Draw out what follows from labels that people cannot have, until nothing more does.

    Cost
    ----
    O(n) a round for n as for `intersect`, and as many rounds as conclusions rest on each other.
    """
    memberships = candidates.memberships
    wide = max(memberships.n_labels, 1)
    pair, cell = labels_met(memberships)
    keys = candidates.person * wide + candidates.label
    wanted = memberships.person[pair] * wide + memberships.label[cell]
    at = np.searchsorted(keys, wanted)
    is_met = np.append(keys, -1)[at] == wanted
    at, cell = at[is_met], cell[is_met]
    least = memberships.count - memberships.made_up[memberships.row]
    alive = np.ones(keys.size, bool)
    while True:
        still = _round(candidates, alive, at, cell, least)
        if (still == alive).all():
            return PossibleLabels(memberships, candidates.person[alive], candidates.label[alive])
        alive = still


def _round(
    candidates: PossibleLabels,
    alive: BoolArray,
    at: CountArray,
    cell: CountArray,
    least: CountArray,
) -> BoolArray:
    """Strike out what the labels left over exclude."""
    memberships, person = candidates.memberships, candidates.person
    n_cells = memberships.row.size
    n_left = np.bincount(person[alive], minlength=memberships.n_people)
    is_sure = alive & (n_left[person] == 1)
    can = np.bincount(cell[alive[at]], minlength=n_cells)
    sure = np.bincount(cell[is_sure[at]], minlength=n_cells)
    must = np.zeros(alive.size, bool)
    must[at[(can <= least)[cell]]] = True
    must &= alive
    full = np.zeros(alive.size, bool)
    full[at[(sure >= memberships.count)[cell]]] = True
    is_decided = np.zeros(memberships.n_people, bool)
    is_decided[person[must]] = True
    still: BoolArray = alive & ~(full & ~is_sure) & ~(is_decided[person] & ~must)
    return still


def labels_met(memberships: Memberships) -> tuple[CountArray, CountArray]:
    """Pair everybody's place in a release with each label of their group there."""
    starts, group = memberships.starts, memberships.group
    return expand_stretches(starts[group], np.diff(starts)[group])


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


def find_absences(memberships: Memberships, guarded: BoolArray) -> Absences:
    """Look for guarded values of earlier groups in all later releases.

    Examples
    --------
    >>> from unlinkable.tables.attacks.series.series import Sheet
    >>> first, then = Sheet.of([0, 1], [0, 0], [0, 1]), Sheet.of([0, 2], [0, 0], [0, 2])
    >>> memberships = Memberships.of([first, then], np.arange(3, dtype=np.int32))
    >>> found = find_absences(memberships, np.ones(3, bool))
    >>> found.n_people, found.labels.tolist()
    (1, [1])
    """
    pair, cell = labels_met(memberships)
    person, label = memberships.person[pair], memberships.label[cell]
    release = memberships.release[memberships.group][pair]
    tells = np.zeros(pair.size, bool)
    for later in range(1, int(memberships.release.max(initial=0)) + 1):
        is_there = np.zeros(memberships.n_people, bool)
        is_there[memberships.person[memberships.release[memberships.group] == later]] = True
        is_gone = guarded.copy()
        is_gone[memberships.label[memberships.release[memberships.row] == later]] = False
        tells |= (release < later) & is_there[person] & is_gone[label]
    return Absences(int(np.unique(person[tells]).size), np.unique(label[tells]))
