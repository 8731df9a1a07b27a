"""The outcome of correspondence attacks, in words and numbers."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from unlinkable.release.attacks import MOST_SHOWN, Outcome, Victim
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.series.series import Series
from unlinkable.tables.attacks.series.shared.crack_candidates import Kinds, Targets
from unlinkable.tables.attacks.series.shared.record_classes import Numbers
from unlinkable.tables.attacks.shared.victims import SharedValues
from unlinkable.typing import BoolArray, Columns, CountArray, FloatArray

if TYPE_CHECKING:
    from unlinkable.tables.attacks.series.correspondence import Correspondence

__all__ = ["Report"]


class Report:
    """Takes in what is left of people, release by release, and tells the worst.

    Parameters
    ----------
    attack
        The attack.
    series, numbers
        What was attacked.
    """

    def __init__(self, attack: Correspondence, series: Series, numbers: Numbers) -> None:
        self._attack, self._series, self._numbers = attack, series, numbers
        self._last = len(series) - 1
        self._fallen = np.zeros(len(numbers.classes[-1]), bool)
        self._n_kinds = self._n_kinds_fallen = self._n_fallen = self._n_people = 0
        self._least: list[int] = []
        self._least_by: dict[str, int] = {}
        self._highest = 0.0
        self._victims: list[tuple[int, float, Victim]] = []
        self._met = np.zeros(len(numbers.classes[-1]), bool)

    def add(self, kinds: Kinds, falls: BoolArray) -> None:
        """Take in the people who came at the same time, and which of them are exposed."""
        self._n_kinds += kinds.left.size
        self._n_kinds_fallen += int(falls.sum())
        self._n_people += int(kinds.n_people.sum())
        self._n_fallen += int(kinds.n_people[falls].sum())
        self._fallen[kinds.members[falls, -1]] = True
        is_old, is_new = kinds.since < self._last, kinds.since > 0
        if kinds.left.size:
            least = int(kinds.left.min())
            self._least.append(least)
            for name in [*["FA", "CA"] * is_old, *["BA"] * is_new]:
                self._least_by[name] = min(least, self._least_by.get(name, least))
        if is_old:
            self._met[kinds.members[:, -1]] = True
        sure = self._sure(kinds)
        self._highest = max(self._highest, float(sure.max(initial=0)))
        self._tell(kinds, sure)

    def outcome(self, ids: Columns, *, is_ordered: bool) -> Outcome:
        """Say what was found."""
        is_actual = self._attack.targets is Targets.ACTUAL
        sizes = self._numbers.classes[-1].sizes
        n_attacked = self._n_people if is_actual else int(sizes.sum())
        n_fallen = self._n_fallen if is_actual else int(sizes[self._fallen].sum())
        victims = sorted(self._victims, key=lambda found: (found[0], -found[1]))[:MOST_SHOWN]
        return Outcome(
            attack=self._attack,
            n_attacked=n_attacked,
            n_fallen=n_fallen,
            highest=self._highest,
            victims=tuple(victim for *_, victim in victims),
            found=" ".join(self._sentences(n_attacked, n_fallen, ids, is_ordered=is_ordered)),
            basis=None
            if self._last < 2
            else "sound: nothing is struck out that could be the victim's; of three or more "
            "releases, whoever lists all possible originals may strike out more",
            details=self._details(sizes, ids, is_ordered=is_ordered),
        )

    @cached_property
    def _shown(self) -> SharedValues:
        return SharedValues(self._series.editions[-1].target, self._numbers.classes[-1].labels)

    def _details(
        self, sizes: CountArray, ids: Columns, *, is_ordered: bool
    ) -> dict[str, int | float | str | None]:
        found: dict[str, int | float | str | None] = {
            name: self._least_by.get(name) for name in ("FA", "CA", "BA")
        }
        if found["CA"] is not None and self._attack.targets is Targets.POSSIBLE:
            # A class that is comparable to none is not cracked: it counts with all its records.
            alone = int(sizes[~self._met].min(initial=np.iinfo(np.int64).max))
            found["CA"] = min(self._least_by["CA"], alone)
        return {
            **found,
            "least_left": min(self._least, default=None),
            "least_class": min(
                (int(c.sizes.min()) for c in self._numbers.classes if len(c)), default=None
            ),
            "targets": self._n_kinds,
            "targets_fallen": self._n_kinds_fallen,
            "case_ids": ", ".join(ids) or None,
            "rows_in_order": int(is_ordered),
        }

    def _sentences(
        self, n_attacked: int, n_fallen: int, ids: Columns, *, is_ordered: bool
    ) -> list[str]:
        attack = self._attack
        least = min(self._least, default=0)
        is_actual = attack.targets is Targets.ACTUAL
        who = quantity(n_attacked, *(("person", "people") if is_actual else ("record",)))
        share = (
            f" or more than {float(attack.limit):.3g} of them with the same value"
            if self._numbers.about and attack.limit < 1
            else ""
        )
        those = "fall" if is_actual else "are in classes where somebody could be who falls"
        told = [
            f"{n_fallen:,} of {who} {those}: comparing the releases leaves fewer than {attack.k} "
            f"records{share}. The fewest are {least}."
            if n_fallen
            else "Nobody falls: comparing the releases leaves at least "
            f"{quantity(least, 'record')} of everybody."
        ]
        if ids:
            told.append(
                f"{', '.join(map(repr, ids))} tells every record from all others and stays the "
                "same: with it anybody follows records from release to release. Do not publish it."
            )
        if is_ordered:
            told.append(
                "Records stand in the same order in one release and in the next, which tells "
                "anybody which is which: shuffle them."
            )
        return told

    def _sure(self, kinds: Kinds) -> FloatArray:
        """How confident the adversary is: of a value, or of the record if nothing is hidden."""
        most = kinds.peak if self._numbers.about else np.minimum(kinds.left, 1)
        sure: FloatArray = most / np.maximum(kinds.left, 1)
        return sure

    def _tell(self, kinds: Kinds, sure: FloatArray) -> None:
        """Describe the worst kinds: fewer records left than asked for, or high confidence."""
        rank = np.minimum(kinds.left, self._attack.k)
        worst = np.lexsort((-sure, rank))[:MOST_SHOWN]
        for kind in worst.tolist():
            for victim in self._victims_of(kinds, kind, float(sure[kind])):
                self._victims.append((int(rank[kind]), float(sure[kind]), victim))

    def _victims_of(self, kinds: Kinds, kind: int, sure: float) -> list[Victim]:
        learned = {}
        column, value = kinds.which[kind].tolist()
        if column >= 0:
            name = self._numbers.about[column]
            learned = {name: self._series.texts(name)[value] or ""}
        left = int(kinds.left[kind])
        if kinds.people is not None and kinds.kind is not None:
            who = kinds.people[kinds.kind == kind][:MOST_SHOWN].tolist()
            return [Victim(self._series.called(p), sure, learned, left) for p in who]
        shown = self._shown.of(int(kinds.members[kind, -1]))
        came = self._series.editions[kinds.since].name
        return [Victim({**shown, "first in": came}, sure, learned, left)]
