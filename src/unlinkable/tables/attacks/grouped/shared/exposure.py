"""Exposure: who is exposed to any of several adversaries, and with what confidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unlinkable.tables.attacks.base.attack import Attack, Outcome, Victim
from unlinkable.tables.attacks.grouped.shared.beliefs import Beliefs
from unlinkable.tables.attacks.shared.victims import TopVictims
from unlinkable.tables.models import is_within
from unlinkable.typing import BoolArray, CountArray

__all__ = ["Exposure"]

_FALLEN = "fallen"


class Exposure:
    """Who is exposed to any of several adversaries.

    All adversaries see the people of one release, and each sees other sets of them. A person is
    exposed if the confidence of any of them is above the limit.

    Attributes
    ----------
    highest
        The highest confidence.
    """

    def __init__(self, limit: Fraction) -> None:
        self._limit = limit
        self._finest: CountArray = np.zeros(0, np.int64)
        self._marked: dict[str, BoolArray] = {}
        self._surest = TopVictims()
        self.highest = 0.0

    @property
    def n_attacked(self) -> int:
        """Number of people."""
        return int(self._finest.sum())

    @property
    def n_fallen(self) -> int:
        """Number of people who are exposed."""
        return int(self._finest[self._marked[_FALLEN]].sum())

    @property
    def victims(self) -> tuple[Victim, ...]:
        """The people with the highest confidence."""
        return self._surest.victims

    @property
    def noted(self) -> dict[str, int]:
        """Number of people of whom something was noted, by what was."""
        marked = {what: who for what, who in self._marked.items() if what != _FALLEN}
        return {what: int(self._finest[who].sum()) for what, who in sorted(marked.items())}

    def note(self, what: str, seen: Beliefs, sets: NDArray[Any]) -> None:
        """Note something of all people in some of the sets that an adversary sees."""
        groups = sets.astype(bool)[seen.parent]
        self._finest = seen.finest
        self._marked[what] = self._marked[what] | groups if what in self._marked else groups

    def take(
        self,
        seen: Beliefs,
        parts: NDArray[Any],
        wholes: NDArray[Any],
        tell: Callable[[int, float], Victim],
    ) -> None:
        """Add the confidence of an adversary in each set of people.

        Parameters
        ----------
        seen
            What the adversary sees.
        parts, wholes
            For each set the confidence, as a fraction.
        tell
            Describes the victims of a set, given the confidence.
        """
        self.note(_FALLEN, seen, ~is_within(parts, self._limit, wholes))
        sure = np.asarray(parts / wholes, float)
        self.highest = max(self.highest, float(sure.max(initial=0)))
        self._surest.offer(sure, lambda at: tell(at, float(sure[at])))

    def outcome(
        self, attack: Attack, found: str, details: Mapping[str, int | float | str | None]
    ) -> Outcome:
        """Report who is exposed."""
        return Outcome(
            attack=attack,
            n_attacked=self.n_attacked,
            n_fallen=self.n_fallen,
            highest=self.highest,
            victims=self.victims,
            found=found,
            details=details,
        )
