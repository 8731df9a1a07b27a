"""What attacks on several releases have in common.

Each release may be safe alone. Who holds several of them can subtract one from another, intersect
what they tell of a person, follow a record from one to the next, or join their columns.
"""

from __future__ import annotations

import abc
from typing import ClassVar

import numpy as np

from unlinkable.errors import UnsupportedError
from unlinkable.release.attacks import Adversary, Outcome
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.base.target import AdversaryKnowledge
from unlinkable.tables.attacks.series.series import Series

__all__ = ["SeriesAttack", "change_misfit", "people_misfit"]


class SeriesAttack(Adversary):
    """An adversary who holds several releases of the same people."""

    joins_columns: ClassVar[bool] = False
    """Whether the attack joins releases with different columns; it means nothing where all have the
    same."""
    may_take_long: ClassVar[bool] = False
    """Whether nobody can say beforehand how long it takes."""

    def misfit(self, series: Series, knowledge: AdversaryKnowledge) -> str | None:
        """Say why the attack cannot be tried on these releases; None if it can."""
        return None

    def run(self, series: Series, knowledge: AdversaryKnowledge | None = None) -> Outcome:
        """Attack a series of releases.

        Raises
        ------
        UnsupportedError
            If the attack makes no sense here, or the adversary lacks what it needs.
        SchemaError, DataError
            If the releases do not fit together.
        """
        knowledge = knowledge or AdversaryKnowledge()
        if len(series) < 2:
            raise UnsupportedError(
                f"{self.name} compares releases: give two or more, the earliest first"
            )
        why = self.misfit(series, knowledge)
        if why is not None:
            raise UnsupportedError(f"{self.name} cannot be tried here: {why}")
        return self.attack(series, knowledge)

    @abc.abstractmethod
    def attack(self, series: Series, knowledge: AdversaryKnowledge) -> Outcome:
        """Attack releases that the attack fits."""


def people_misfit(series: Series) -> str | None:
    """Say why people cannot be followed through the groups of releases; None if they can."""
    if not series.knows_people:
        return (
            "it is not known whose the records of each release are. Give bundles with their "
            "private halves and the column that people are known by, or tables with one. Where "
            "records were made up, only the history knows: unlinkable history tries attacks on it"
        )
    if series.repeated is not None:
        return f"somebody has several records in {series.repeated}: give one for each person"
    for edition in series.editions:
        if not edition.target.is_grouped:
            return (
                f"people of {edition.name} do not hide what stands beside them: it was replaced by "
                "other values"
            )
    return None


def change_misfit(series: Series, asked: str | None) -> str | None:
    """Say why values of some releases cannot be compared with others; None if they can.

    Parameters
    ----------
    series
        Releases of which is known whose their records are.
    asked
        The sensitive column that is compared; each of them if None.
    """
    for column in series.columns_about(asked):
        had = np.full(series.n_people, -1, np.int64)
        for edition, sheet in zip(series.editions, series.sheets(column), strict=True):
            known = sheet.people >= 0
            people, values = sheet.people[known], sheet.values[known]
            n_changed = int(((had[people] >= 0) & (had[people] != values)).sum())
            if n_changed:
                who = quantity(n_changed, "person of", "people of")
                return (
                    f"{who} {edition.name} {'has' if n_changed == 1 else 'have'} another value of "
                    f"{column!r} than before, so that nothing can be concluded from what is there "
                    "no longer. Use critical-absence with the values that nobody loses (permanent)"
                )
            had[people] = values
    return None
