"""Roles: who is a holder of a permanent value, who is a decoy, and with whom.

A *cell* is a company of people that always appears together, one from each of its cohorts. A
*cohort* of a cell is a holder of a permanent value, or a decoy, and whoever stood in for him when
he was away. Everybody keeps his cohort for ever.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

import numpy as np
from attrs import define

from unlinkable.tables.data import Frame, frame_of
from unlinkable.typing import CodeArray, CountArray

__all__ = ["DECOY", "Roles"]

DECOY = -1
"""The permanent value of whoever has none."""


@define(eq=False, frozen=True)
class Roles:
    """Everybody who ever played a role.

    Attributes
    ----------
    person, cell, cohort
        Who, in which cell, and in which of its cohorts, from 0.
    value
        The permanent value that people of the cohort hold, as a number; `DECOY` if none.

    Examples
    --------
    >>> roles = Roles.none().with_more([4, 7], [0, 0], [0, 1], [2, DECOY])
    >>> roles.n_cells, roles.sizes.tolist(), roles.held.tolist()
    (1, [2], [[2, -1]])
    >>> again = Roles.read(roles.write(["a", "b", "hiv"]), ["hiv"])
    >>> again.person.tolist(), again.value.tolist()
    ([4, 7], [0, -1])
    """

    person: CountArray
    cell: CountArray
    cohort: CountArray
    value: CodeArray

    @classmethod
    def none(cls) -> Self:
        """Begin: nobody has a role."""
        nobody = np.zeros(0, np.int64)
        return cls(nobody, nobody, nobody, np.zeros(0, np.int32))

    @classmethod
    def read(cls, memory: Mapping[str, Sequence[object]] | Frame, permanent: Sequence[str]) -> Self:
        """Read roles as they were written, with the numbers that values have now.

        A value that is no longer called permanent has the number ``len(permanent)``.
        """
        number = {text: i for i, text in enumerate(permanent)}
        is_holder = np.array([*memory["is_holder"]], bool)
        values = [number.get(str(text), len(number)) for text in memory["value"]]
        return cls(
            np.array([*memory["person"]], np.int64),
            np.array([*memory["cell"]], np.int64),
            np.array([*memory["cohort"]], np.int64),
            np.where(is_holder, np.array(values, np.int32), DECOY).astype(np.int32),
        )

    def write(self, permanent: Sequence[str]) -> Frame:
        """Write roles, to be remembered."""
        is_holder = self.value != DECOY
        texts = np.array([*permanent, ""], object)[np.where(is_holder, self.value, -1)]
        return frame_of(
            {
                "person": self.person,
                "cell": self.cell,
                "cohort": self.cohort,
                "is_holder": is_holder,
                "value": texts.astype(str),
            }
        )

    @property
    def n_cells(self) -> int:
        """How many cells there are."""
        return int(self.cell.max(initial=-1)) + 1

    @property
    def sizes(self) -> CountArray:
        """How many cohorts each cell has."""
        sizes = np.zeros(self.n_cells, np.int64)
        np.maximum.at(sizes, self.cell, self.cohort + 1)
        return sizes

    @property
    def held(self) -> CodeArray:
        """The value of each cohort of each cell, a row for every cell."""
        held = np.full((self.n_cells, int(self.sizes.max(initial=0))), DECOY, np.int32)
        held[self.cell, self.cohort] = self.value
        return held

    def of(self, people: CountArray) -> CountArray:
        """Find the roles of people; -1 for who has none."""
        n = max(int(self.person.max(initial=-1)), int(people.max(initial=-1))) + 1
        at = np.full(n, -1, np.int64)
        at[self.person] = np.arange(self.person.size)
        return at[people]

    def with_more(
        self,
        person: Sequence[int] | CountArray,
        cell: Sequence[int] | CountArray,
        cohort: Sequence[int] | CountArray,
        value: Sequence[int] | CodeArray,
    ) -> Self:
        """Give more people roles."""
        return type(self)(
            np.concatenate([self.person, np.asarray(person, np.int64)]),
            np.concatenate([self.cell, np.asarray(cell, np.int64)]),
            np.concatenate([self.cohort, np.asarray(cohort, np.int64)]),
            np.concatenate([self.value, np.asarray(value, np.int32)]),
        )
