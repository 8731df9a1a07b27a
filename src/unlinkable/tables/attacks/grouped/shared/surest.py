"""Those whom an adversary is surest of."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from unlinkable.tables.attacks.base.attack import MOST_SHOWN, Victim
from unlinkable.typing import CountArray, FloatArray

__all__ = ["Surest", "pick_surest"]


class Surest:
    """The people whom adversaries are surest of, out of all that are offered.

    Among people of whom they are equally sure, those count who were offered first.

    Examples
    --------
    >>> surest = Surest(most=2)
    >>> surest.offer(np.array([0.5, 0.2]), lambda at: Victim({"job": f"a{at}"}, 0.5))
    >>> surest.offer(np.array([1.0, 0.5]), lambda at: Victim({"job": f"b{at}"}, 1 - at / 2))
    >>> [victim.who["job"] for victim in surest.victims]
    ['b0', 'a0']
    """

    def __init__(self, most: int = MOST_SHOWN) -> None:
        self._most = most
        self._found: list[tuple[float, Victim]] = []

    @property
    def victims(self) -> tuple[Victim, ...]:
        """The people found, the surest first."""
        return tuple(victim for _, victim in self._found)

    def offer(self, sure: FloatArray, tell: Callable[[int], Victim]) -> None:
        """Take in how sure an adversary is of each set of people, and how to tell of one."""
        least = self._found[-1][0] if len(self._found) == self._most else 0.0
        picked = [at for at in pick_surest(sure, self._most).tolist() if sure[at] > least]
        found = self._found + [(float(sure[at]), tell(at)) for at in picked]
        found.sort(key=lambda pair: -pair[0])
        self._found = found[: self._most]


def pick_surest(sure: FloatArray, most: int = MOST_SHOWN) -> CountArray:
    """Give the places of the largest numbers, the largest first; among equals the first ones.

    Examples
    --------
    >>> pick_surest(np.array([0.1, 0.7, 0.9, 0.7]), 2).tolist()
    [2, 1]
    """
    if sure.size <= most:
        return np.argsort(-sure, kind="stable")
    least = np.partition(sure, sure.size - most)[sure.size - most]
    above = np.flatnonzero(sure > least)
    ties = np.flatnonzero(sure == least)[: most - above.size]
    picked = np.concatenate([above, ties])
    return picked[np.argsort(-sure[picked], kind="stable")]
