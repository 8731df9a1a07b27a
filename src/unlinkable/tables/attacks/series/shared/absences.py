"""Absences: values of somebody's earlier group that a later release has nowhere.

Whoever is in the later release does not have such a value, and no way to make that release could
have hidden it.
"""

from __future__ import annotations

import numpy as np
from attrs import define

from unlinkable.tables.attacks.series.shared.narrowing import labels_met
from unlinkable.tables.attacks.series.shared.tangle import Tangle
from unlinkable.typing import BoolArray, CodeArray

__all__ = ["Absences", "find_absences"]


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
